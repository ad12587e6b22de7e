# Says of each text in loading.jsonl whether the engine loads it: writes NAME VERDICT a line.
# usage: run-engine.sh 4 loading4.gd OUTDIR @../documents/loading.jsonl
extends SceneTree

func _init():
	ResourceSaver.save(Curve2D.new(), "res://curve.tres")
	var out = FileAccess.open("out/verdicts.txt", FileAccess.WRITE)
	for line in FileAccess.get_file_as_string("loading.jsonl").split("\n", false):
		var case = JSON.parse_string(line)
		var path = "user://case." + case.name.get_extension()
		var file = FileAccess.open(path, FileAccess.WRITE)
		file.store_buffer(case.text4.to_utf8_buffer())
		file.close()
		out.store_line(case.name + " " + verdict(path))
	quit()

func verdict(path):
	if path.ends_with("cfg"):
		return "loads" if ConfigFile.new().load(path) == OK else "refused"
	var resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	if resource == null:
		return "refused"
	if resource is PackedScene and resource.instantiate() == null:
		return "nothing"
	return "loads"
