extends SceneTree
# What ConfigFile.load makes of many texts, Godot 4.  Arguments: IN START, the number of the first text to load
# IN is a file of texts, each after its length (u32, little-endian).  out/answers.bin gets for each
# text the length and the bytes of var_to_bytes of its contents, a Dictionary of sections.  A refused
# text is 4 bytes of 255.  Every answer is in the file before the next text is loaded, because a text
# may end the engine.


func _init():
	var f := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.READ)
	var out := FileAccess.open("out/answers.bin", FileAccess.WRITE)
	var n := f.get_length()
	for i in int(OS.get_cmdline_user_args()[1]):
		f.seek(f.get_position() + 4 + f.get_32())
	while f.get_position() + 4 <= n:
		var text := FileAccess.open("text.cfg", FileAccess.WRITE)
		text.store_buffer(f.get_buffer(f.get_32()))
		text.close()
		var b := PackedByteArray([255, 255, 255, 255])
		var config := ConfigFile.new()
		if config.load("text.cfg") == OK:
			var contents := {}
			for section in config.get_sections():
				contents[section] = {}
				for key in config.get_section_keys(section):
					contents[section][key] = config.get_value(section, key)
			b = var_to_bytes(contents)
		out.store_32(b.size())
		out.store_buffer(b)
		out.flush()
	out.close()
	quit()
