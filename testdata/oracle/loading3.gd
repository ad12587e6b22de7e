# Says of each text in loading.jsonl whether the engine loads it: prints NAME VERDICT a line. The engine dies of two of
# them, the nodes without a name: take their lines out and call it again.
# usage: run-engine.sh 3.6 loading3.gd OUTDIR @../documents/loading.jsonl
extends SceneTree

func _init():
	ResourceSaver.save("res://curve.tres", Curve2D.new())
	var file = File.new()
	file.open("loading.jsonl", File.READ)
	var lines = file.get_as_text().split("\n", false)
	file.close()
	for line in lines:
		var case = parse_json(line)
		var path = "user://case." + case.name.get_extension()
		file.open(path, File.WRITE)
		file.store_buffer(case.text3.to_utf8())
		file.close()
		print(case.name, " ", verdict(path))
	quit()

func verdict(path):
	if path.ends_with("cfg"):
		return "loads" if ConfigFile.new().load(path) == OK else "refused"
	var resource = ResourceLoader.load(path, "", true)
	if resource == null:
		return "refused"
	if resource is PackedScene and resource.instance() == null:
		return "nothing"
	return "loads"
