extends SceneTree
# What ConfigFile.load makes of many texts, Godot 3.  Arguments: IN START
# As config4.gd, with var2bytes.


func _init():
	var args := []
	var mine := false
	for a in OS.get_cmdline_args():
		if mine:
			args.append(a)
		mine = mine or a.ends_with("config3.gd")
	var f := File.new()
	f.open(args[0], File.READ)
	var out := File.new()
	out.open("out/answers.bin", File.WRITE)
	out.close()
	var n := f.get_len()
	for i in range(int(args[1])):
		var size := f.get_32()
		f.seek(f.get_position() + size)
	while f.get_position() + 4 <= n:
		var size := f.get_32()
		var text := File.new()
		text.open("text.cfg", File.WRITE)
		text.store_buffer(f.get_buffer(size))
		text.close()
		var b := PoolByteArray([255, 255, 255, 255])
		var config := ConfigFile.new()
		if config.load("text.cfg") == OK:
			var contents := {}
			for section in config.get_sections():
				contents[section] = {}
				for key in config.get_section_keys(section):
					contents[section][key] = config.get_value(section, key)
			b = var2bytes(contents)
		# Godot 3.2 has no flush: opened and closed, what was answered is in the file.
		out.open("out/answers.bin", File.READ_WRITE)
		out.seek_end()
		out.store_32(b.size())
		out.store_buffer(b)
		out.close()
	quit()
