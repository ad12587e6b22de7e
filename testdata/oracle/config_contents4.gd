# Loads each ConfigFile and writes its contents, a Dictionary of sections, as var_to_bytes encodes it.
extends SceneTree

func _init():
	for path in OS.get_cmdline_user_args():
		var config = ConfigFile.new()
		var error = config.load(path)
		if error != OK:
			printerr("%s: error %d" % [path, error])
		var contents = {}
		for section in config.get_sections():
			contents[section] = {}
			for key in config.get_section_keys(section):
				contents[section][key] = config.get_value(section, key)
		var file = FileAccess.open("out/" + path + ".value", FileAccess.WRITE)
		file.store_buffer(var_to_bytes(contents))
		file.close()
	quit()
