extends SceneTree
# What var_to_str prints for each blob of a file.  Argument: a file of blobs, each behind its
# length (u32, little-endian).  out/out.bin: for each the text in UTF-8, behind its length.


func _init():
	var f := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.READ)
	var out := FileAccess.open("out/out.bin", FileAccess.WRITE)
	var n := f.get_length()
	while f.get_position() + 4 <= n:
		var text := var_to_str(bytes_to_var(f.get_buffer(f.get_32()))).to_utf8_buffer()
		out.store_32(text.size())
		out.store_buffer(text)
	out.close()
	quit()
