extends SceneTree
# Makes ../packages/mod.zip: a mod without code, packed by ZIPPacker of Godot 4, which ZIPReader reads again.
#
# usage: run-engine.sh 4 zip4.gd OUTDIR


func _init():
	DirAccess.make_dir_recursive_absolute("res://out")
	var sword := Resource.new()
	sword.resource_name = "Sword"
	sword.set_meta("damage", 7)
	ResourceSaver.save(sword, "res://items.tres")
	ResourceSaver.save(sword, "res://items.res")
	var settings := ConfigFile.new()
	settings.set_value("mod", "title", "Swords")
	settings.save("res://settings.cfg")
	var f := FileAccess.open("res://start.sav", FileAccess.WRITE)
	f.store_var({"gold": 25, "log": "x".repeat(2000)})
	f.close()
	var packer := ZIPPacker.new()
	packer.open("res://out/mod.zip")
	for path in ["data/items.tres", "data/items.res", "settings.cfg", "start.sav"]:
		# The third is not made shorter.
		packer.compression_level = 0 if path == "settings.cfg" else 9
		packer.start_file(path)
		packer.write_file(FileAccess.get_file_as_bytes("res://" + path.get_file()))
		packer.close_file()
	packer.close()
	var reader := ZIPReader.new()
	reader.open("res://out/mod.zip")
	print("FILES ", reader.get_files())
	quit()
