extends SceneTree
# The same for var2str: see print4.gd.


func _init():
	var path = ""
	for a in OS.get_cmdline_args():
		if a.ends_with(".blobs"):
			path = a
	var f := File.new()
	f.open(path, File.READ)
	var out := File.new()
	out.open("out/out.bin", File.WRITE)
	var n := f.get_len()
	while f.get_position() + 4 <= n:
		var text = var2str(bytes2var(f.get_buffer(f.get_32()))).to_utf8()
		out.store_32(text.size())
		out.store_buffer(text)
	out.close()
	quit()
