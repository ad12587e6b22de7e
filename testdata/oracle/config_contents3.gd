# Loads each ConfigFile and writes its contents, a Dictionary of sections, as var2bytes encodes it.
extends SceneTree

func _init():
	for path in OS.get_cmdline_args():
		if not path.ends_with("cfg"): continue
		var config = ConfigFile.new()
		var error = config.load(path)
		if error != OK:
			printerr("%s: error %d" % [path, error])
		var contents = {}
		for section in config.get_sections():
			contents[section] = {}
			for key in config.get_section_keys(section):
				contents[section][key] = config.get_value(section, key)
		var file = File.new()
		file.open("out/" + path + ".value", File.WRITE)
		file.store_buffer(var2bytes(contents))
		file.close()
	quit()
