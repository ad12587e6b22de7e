extends SceneTree
# Makes ../scan/godot4/loads: files without code, with which Godot 4 loads a file from outside of the game, or calls a
# method that the file names; and ../scan/godot4/plain: files that look alike and load nothing. It prints a proof, like
# scan4.gd. prove_scan.sh runs this and keeps it.

const OUT := "res://out/godot4/"
const SCENE := "[gd_scene format=3]\n\n"
const RESOURCE := "[gd_resource type=\"Resource\" format=3]\n\n"
const FROM_PATH := "[ext_resource type=\"Resource\" %s id=\"1\"]\n\n[resource]\nmetadata/x = ExtResource(\"1\")\n"


var away: PackedStringArray


func _init():
	go.call_deferred()


func put(path: String, data) -> String:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var f := FileAccess.open(path, FileAccess.WRITE)
	f.store_buffer(data if data is PackedByteArray else data.to_utf8_buffer())
	f.close()
	return path


# A resource or scene with a script, which says so when it is loaded.
func evil(path: String, name: String, node := false) -> void:
	if path.begins_with("res://../"):
		away.append(path)
	var kind := "[gd_%s format=3]\n\n" % ("scene" if node else "resource type=\"Resource\"")
	var source := "extends %s\nstatic func _static_init():\n\tprint(\"RAN %s when loaded\")\n" % ["Node" if node else "Resource", name]
	put(path, kind + "[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"%s\"\n\n" % source.c_escape()
			+ ("[node name=\"A\" type=\"Node\"]\n" if node else "[resource]\n") + "script = SubResource(\"1\")\n")


func proof(name: String, how: String) -> void:
	print("PROOF %s %s" % [name, how])


# Removes what was put beside the project.
func tidy() -> void:
	for path in away:
		DirAccess.remove_absolute(path)


# The scene, as a text and as a binary file. PATH in the text is a file of its own for each, because the engine loads a
# path once. A method that is called leaves a mark on the first node, or frees it.
func scene(name: String, text: String, node := false) -> void:
	for end in [".tscn", ".scn"]:
		var path := "user://%s_%s%s" % [name, end.trim_prefix("."), ".tscn" if node else ".tres"]
		var written := put("res://out/scene.tscn" if end == ".scn" else OUT + "loads/" + name + end, SCENE + text.replace("PATH", path))
		if end == ".scn":
			var read := ResourceLoader.load(written, "", ResourceLoader.CACHE_MODE_IGNORE)
			ResourceSaver.save(read, OUT + "loads/" + name + end)
			DirAccess.remove_absolute(written)
		evil(path, name + end, node)
		proof(name + end, "instantiate")
		var packed: PackedScene = ResourceLoader.load(OUT + "loads/" + name + end, "", ResourceLoader.CACHE_MODE_IGNORE)
		var made: Node = packed.instantiate()
		root.add_child(made)
		for i in 30:
			await process_frame
		if not is_instance_valid(made) or made.has_meta("ran"):
			print("RAN %s with a call" % (name + end))
		if is_instance_valid(made):
			made.free()
		await process_frame


func config(name: String, value: String) -> void:
	var path := put(OUT + "loads/" + name, "[s]\n\na=%s\n" % value)
	proof(name, "ConfigFile.load")
	ConfigFile.new().load(path)


func resource(name: String, text: String) -> void:
	var path := put(OUT + "loads/" + name, RESOURCE + text)
	proof(name, "load")
	load(path)


func beside(name: String, text: String) -> void:
	put(OUT + "loads/" + name, "[remap]\n\n" + text)
	if name.ends_with(".import"):
		put(OUT + "loads/" + name.get_basename(), "x")
	proof(name, "load of " + name.get_basename())
	load(OUT + "loads/" + name.get_basename())
	DirAccess.remove_absolute(OUT + "loads/" + name.get_basename())


func go() -> void:
	await process_frame
	await nodes()
	await calls()
	for way in [
		["up", "Resource(\"res://../scan_%s.tres\")"], ["relative", "Resource(\"../scan_%s.tres\")"],
		["up_twice", "Resource(\"res://x/../../scan_%s.tres\")"], ["up_ext", "ExtResource(\"res://../scan_%s.tres\")"],
		["up_typed", "Array[Resource(\"res://../scan_%s.tres\")]([])"], ["second", "Resource(\"uid://a\", \"res://../scan_%s.tres\")"],
	]:
		evil("res://../scan_%s.tres" % way[0], way[0] + ".cfg")
		config(way[0] + ".cfg", way[1] % way[0])
	# A later entry does not undo an earlier one.
	evil("user://replaced.tres", "replaced.cfg")
	config("replaced.cfg", "Resource(\"user://replaced.tres\")\na=1")
	for way in [
		["name_path", "path=NodePath(\"user://%s.tres\")"], ["string_name", "path=&\"user://%s.tres\""],
		["twice", "path=\"res://x\" path=\"user://%s.tres\""], ["order", "path = \"user://%s.tres\" uid = 1"],
	]:
		evil("user://%s.tres" % way[0], way[0] + ".tres")
		resource(way[0] + ".tres", FROM_PATH % (way[1] % way[0]))
	evil("user://second.tres", "second.tres")
	resource("second.tres", "[resource]\nmetadata/x = Resource(\"uid://x\", \"user://second.tres\")\n")
	for way in [
		["r1.tres.remap", "path=&\"user://%s\"\n"], ["r2.tres.remap", "path=NodePath(\"user://%s\")\n"],
		["r3.tres.remap", "path=\"res://../%s\"\n"], ["i1.png.import", "type=\"Resource\"\npath.linux=\"user://%s\"\n"],
		["i2.png.import", "importer=\"texture\"\ntype=\"Resource\"\npath.linux=NodePath(\"user://%s\")\n"],
	]:
		var hidden: String = way[0].get_slice(".", 0) + ".tres"
		evil(("res://../" if "../" in way[1] else "user://") + hidden, way[0])
		beside(way[0], way[1] % hidden)
	package()
	plain()
	tidy()
	quit()


func nodes() -> void:
	var label := "[node name=\"R\" type=\"RichTextLabel\"]\nbbcode_enabled = true\ntext = \"%s\"\n"
	await scene("image", label % "[img]PATH[/img]")
	await scene("font", label % "[font=PATH]x[/font]")
	await scene("drop_cap", label % "[dropcap font=PATH]x[/dropcap]")
	await scene("include", "[sub_resource type=\"Shader\" id=\"1\"]\ncode = \"shader_type canvas_item;\\n#include \\\"PATH\\\"\\n\"\n\n"
			+ "[node name=\"R\" type=\"Node\"]\nmetadata/x = SubResource(\"1\")\n")
	await scene("placeholder", "[node name=\"R\" type=\"Node\"]\n\n[node name=\"P\" parent=\".\" instance_placeholder=\"PATH\"]\n\n"
			+ "[connection signal=\"ready\" from=\".\" to=\"P\" method=\"create_instance\"]\n", true)


func calls() -> void:
	var one := "[node name=\"R\" type=\"Node\"]\n\n"
	await scene("bound", one + "[ connection\tbinds=[\"ran\", 1] signal=\"ready\" from=\".\" to=\".\" method=\"set_meta\"]\n")
	await scene("bound_strings", one + "[connection signal=\"ready\" from=\".\" to=\".\" method=\"set_meta\" binds = PackedStringArray(\"ran\", \"x\")]\n")
	var player := "[sub_resource type=\"AnimationLibrary\" id=\"2\"]\n_data = {\n&\"%s\": SubResource(\"1\")\n}\n\n" + one \
			+ "[node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"\": SubResource(\"2\")\n}\nautoplay = \"%s\"\n"
	for kind in [["text", "\"method\""], ["string_name", "&\"method\""], ["node_path", "NodePath(\"method\")"]]:
		await scene("track_" + kind[0], ("[sub_resource type=\"Animation\" id=\"1\"]\nlength = 0.01\ntracks/0/type = %s\ntracks/0/path = NodePath(\".\")\n"
				+ "tracks/0/keys = {\n\"times\": PackedFloat32Array(0),\n\"transitions\": PackedFloat32Array(1),\n"
				+ "\"values\": [{\n\"args\": [&\"ran\", 42],\n\"method\": &\"set_meta\"\n}]\n}\n\n") % kind[1] + player % ["a", "a"])
	# The name of the animation is the method.
	await scene("by_name", "[sub_resource type=\"Animation\" id=\"1\"]\nlength = 0.001\n\n" + player % ["queue_free", "queue_free"]
			+ "\n[connection signal=\"animation_started\" from=\"P\" to=\".\" method=\"call\"]\n")


# A package without files, and a zip archive after it, which the engine opens as such.
func package() -> void:
	var zip := ZIPPacker.new()
	zip.open("user://z.zip")
	zip.start_file("settings.cfg")
	zip.write_file("a=Object(GDScript,\"script/source\":\"static func _static_init():\\n\\tprint('RAN package.zip when loaded')\\n\")\n".to_utf8_buffer())
	zip.close_file()
	zip.close()
	var head := PackedByteArray()
	head.resize(4 + 16 + 4 + 8 + 8 + 64 + 4)
	head.encode_u32(0, 0x43504447)
	head.encode_u32(4, 3)
	head.encode_u32(8, 4)
	head.encode_u32(12, 6)
	head.encode_u32(16, 3)
	head.encode_u64(32, 104)
	put(OUT + "loads/package.zip", head + FileAccess.get_file_as_bytes("user://z.zip"))
	proof("package.zip", "ConfigFile.parse of settings.cfg in ZIPReader")
	var reader := ZIPReader.new()
	reader.open(OUT + "loads/package.zip")
	ConfigFile.new().parse(reader.read_file("settings.cfg").get_string_from_utf8())


# What a path names here is code, and does not run.
func plain() -> void:
	for file in ["user://plain.tres", "user://plain.gd"]:
		evil(file, "plain")
	print("PLAIN")
	for pair in [
		["paths.cfg", "[paths]\n\nlast_path=\"user://plain.tres\"\nsave_path=\"/home/bob/saves\"\npath=\"user://plain.tres\"\n"],
		["words.cfg", "[s]\n\nhint=\"see notes.cs\"\nlang=\"GDScript\"\nautoload/x=1\nlog_path=\"C:/logs\"\nkeybinds={\"a\": 1}\n"],
	]:
		ConfigFile.new().load(put(OUT + "plain/" + pair[0], pair[1]))
	load(put(OUT + "plain/words.tres", RESOURCE + "[resource]\nmetadata/t = \"Press Object(s), then Object(x, y)\"\nmetadata/path = \"user://plain.tres\"\n"))
	var made = load(put(OUT + "plain/label.tscn", SCENE + "[node name=\"L\" type=\"Label\"]\ntext = \"type=\\\"Script\\\" and path=\\\"/tmp\\\"\"\n\n"
			+ "[node name=\"F\" type=\"FileDialog\" parent=\".\"]\ncurrent_dir = \"/home/bob\"\n")).instantiate()
	root.add_child(made)
