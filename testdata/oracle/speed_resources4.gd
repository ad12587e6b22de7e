# Makes a resource of about 10 MB as text and as a binary file, and says how long Godot 4 takes to load each.
#
# usage: run-engine.sh 4 speed_resources4.gd OUTDIR
# Writes big.tres and big.res, and times.txt with a line "FILE BYTES MICROSECONDS" for each: the least of three loads.
extends SceneTree

func item(number: int) -> Resource:
	var made := Resource.new()
	made.resource_name = "item %d" % number
	made.set_meta("id", number)
	made.set_meta("weight", number * 0.37)
	made.set_meta("place", Vector3(number, 0.5, -number))
	made.set_meta("tags", PackedStringArray(["common", "tag %d" % (number % 50)]))
	made.set_meta("stats", {"attack": number % 97, "armour": number % 13, "names": ["a", "b", number]})
	return made

func _initialize() -> void:
	var all := Resource.new()
	var items := []
	# A text takes more bytes for the same values.
	for pair in [["tres", 30500], ["res", 35500]]:
		while items.size() < pair[1]: items.append(item(items.size()))
		all.set_meta("items", items)
		var path: String = "res://out/big." + pair[0]
		ResourceSaver.save(all, path)
	var times := FileAccess.open("res://out/times.txt", FileAccess.WRITE)
	for name in ["big.tres", "big.res"]:
		var path: String = "res://out/" + name
		var least := 1 << 60
		for i in 3:
			var start := Time.get_ticks_usec()
			var loaded := ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
			least = mini(least, Time.get_ticks_usec() - start)
			if loaded.get_meta("items").size() < 20000: print("not loaded: ", path)
		times.store_line("%s %d %d" % [name, FileAccess.open(path, FileAccess.READ).get_length(), least])
	times.close()
	quit()
