# Makes resources and scenes of Godot 4 as text and as binary files, or loads such files, and says what is in them.
#
# usage: run-engine.sh 4 forms4.gd OUTDIR [@FILE.form...]
# A file has .form after its name, because Godot 3 runs a scene that is an argument. Without files it makes 61 resources
# (.res and .tres) and 40 scenes (.scn and .tscn), and a few texts by hand. Writes values.jsonl with a line
# [file, path, text] for each stored property of what it loaded: the paths are those of resources4.gd. Those of a scene
# are nodes/N/=NAME for a property of a node; the other lines of a scene are what SceneState says.
extends "res://resources4.gd"

const SOURCE := "extends Node\n@export var target: Node\nfunc hello(_a = 0, _b = 0):\n\tpass\n"

func is_external(value: Resource) -> bool:
	return not value.resource_path.is_empty() and not value.resource_path.contains("::")

func show(value) -> String:
	if typeof(value) == TYPE_OBJECT and value != null:
		return "ExtResource " + value.resource_path if value is Resource and is_external(value) else "Object"
	return super.show(value)

func enter(file: String, path: String, value) -> void:
	if typeof(value) == TYPE_OBJECT:
		if value is Resource and not is_external(value) and not seen.has(value): tell(file, path, value)
	else:
		super.enter(file, path, value)

func line(file: String, path: String, text) -> void:
	values.store_line(JSON.stringify([file, path, str(text)]))

func tell_scene(file: String, scene: PackedScene) -> void:
	var state := scene.get_state()
	for i in state.get_node_count():
		var at := "nodes/%d/" % i
		line(file, at + "name", state.get_node_name(i))
		line(file, at + "type", state.get_node_type(i))
		line(file, at + "parent", state.get_node_path(i, true))
		line(file, at + "owner", state.get_node_owner_path(i))
		line(file, at + "index", state.get_node_index(i))
		var groups := Array(state.get_node_groups(i))
		groups.sort()
		line(file, at + "groups", groups)
		var instance := state.get_node_instance(i)
		line(file, at + "instance", instance.resource_path if instance else "")
		line(file, at + "placeholder", state.get_node_instance_placeholder(i))
		for j in state.get_node_property_count(i):
			var value = state.get_node_property_value(i, j)
			var name := at + "=" + state.get_node_property_name(i, j)
			line(file, name, show(value))
			enter(file, name, value)
	for i in state.get_connection_count():
		line(file, "connections/%d" % i, [state.get_connection_source(i), state.get_connection_target(i),
			state.get_connection_signal(i), state.get_connection_method(i), state.get_connection_flags(i),
			state.get_connection_binds(i), state.get_connection_unbinds(i)])
	var bundled: Dictionary = scene.get("_bundled")
	line(file, "editable", bundled.editable_instances)
	line(file, "ids", bundled.get("node_ids", []))

func load_and_tell(path: String, file := path.get_file()) -> void:
	var loaded = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	seen = {}
	line(file, "uid", ResourceUID.id_to_text(ResourceLoader.get_resource_uid(path)))
	if loaded == null:
		print("not loaded: ", file)
		line(file, "", "not loaded")
	elif loaded is PackedScene:
		tell_scene(file, loaded)
	else:
		tell(file, "", loaded)

# Saves a resource or scene in both forms, and says what each file has.
func both(resource: Resource, name: String, flags := 0) -> void:
	var ends := [".scn", ".tscn"] if resource is PackedScene else [".res", ".tres"]
	for end in ends:
		var path: String = "res://out/" + name + end
		var error := ResourceSaver.save(resource, path, flags if end in [".res", ".scn"] else 0)
		if error != OK: print("not saved: ", path, " ", error)
		# 4.6.3 and 3.6.2 forget to swap packed arrays: the same file in the other byte order tells the values.
		if end == ".res" and flags & ResourceSaver.FLAG_SAVE_BIG_ENDIAN:
			path = "res://little.res"
			ResourceSaver.save(resource, path)
		load_and_tell(path, name + end)

func script() -> GDScript:
	var made := GDScript.new()
	made.source_code = SOURCE
	made.reload()
	return made

func random_scene(number: int, part: PackedScene) -> PackedScene:
	var root := Node2D.new()
	root.name = "Root"
	root.position = Vector2(number, 0.5)
	var all: Array[Node] = [root]
	var shared := Resource.new()
	shared.set_meta("n", number)
	for i in 1 + rng.randi() % 6:
		var above: Node = all[rng.randi() % all.size()]
		var node: Node = [Node.new(), Node2D.new(), Control.new(), Sprite2D.new(), Timer.new()][rng.randi() % 5]
		node.name = ["Kid", "Kid é", "With space", "B"][rng.randi() % 4] + str(i)
		above.add_child(node)
		node.owner = root
		if rng.randi() % 3 == 0: node.add_to_group("grp" + str(i), true)
		if rng.randi() % 3 == 0: node.add_to_group("all", true)
		if rng.randi() % 4 == 0: node.unique_name_in_owner = true
		if rng.randi() % 3 == 0: node.set_script(script())
		if rng.randi() % 2 == 0: node.set_meta("held", [random(3), shared])
		if node is Sprite2D: node.modulate = Color(0.1, 0.2, 0.3)
		all.append(node)
	if number % 4 == 1:
		var held := part.instantiate()
		held.name = "Part"
		all[rng.randi() % all.size()].add_child(held)
		held.owner = root
		if number % 8 == 1:
			root.set_editable_instance(held, true)
			held.get_node("Inside").set_meta("changed", number)
			var more := Node.new()
			more.name = "More"
			held.get_node("Inside").add_child(more)
			more.owner = root
	for i in rng.randi() % 3:
		var from: Node = all[rng.randi() % all.size()]
		var to: Node = all[rng.randi() % all.size()]
		var call: Callable = [to.set_process, to.set_process.bind(true), to.queue_free.unbind(1)][rng.randi() % 3]
		var emits: StringName = [&"ready", &"renamed", &"child_entered_tree"][i] if not call.get_unbound_arguments_count() else &"child_entered_tree"
		if not from.is_connected(emits, call):
			from.connect(emits, call, CONNECT_PERSIST | [0, CONNECT_ONE_SHOT, CONNECT_DEFERRED][rng.randi() % 3])
	var scene := PackedScene.new()
	scene.pack(root)
	root.free()
	return scene

const BY_HAND := {
	inherited = """[gd_scene format=3 uid="uid://c8j5ki6hf1eab"]

[ext_resource type="PackedScene" uid="uid://dfx0q2wyxk0vt" path="res://forms_part.tscn" id="1_p"]

[node name="Heir" instance=ExtResource("1_p")]
position = Vector2(7, 8)

[node name="Inside" parent="." index="0"]
process_priority = 3

[node name="New" type="Node" parent="Inside" index="0"]
""", placeholder = """[gd_scene format=3]

[node name="Root" type="Node"]

[node name="Later" parent="." instance_placeholder="res://forms_part.tscn"]
""", node_paths = """[gd_scene format=3]

[sub_resource type="GDScript" id="GDScript_1"]
script/source = "extends Node
@export var target: Node
"

[node name="Root" type="Node" node_paths=PackedStringArray("target")]
script = SubResource("GDScript_1")
target = NodePath("Kid")

[node name="Kid" type="Node" parent="."]
"""}

func make() -> void:
	ResourceSaver.save(Gradient.new(), "res://forms_ext.tres")
	var ext: Gradient = load("res://forms_ext.tres")
	var root := Node2D.new()
	root.name = "Part"
	var inside := Node.new()
	inside.name = "Inside"
	root.add_child(inside)
	inside.owner = root
	var part := PackedScene.new()
	part.pack(root)
	ResourceSaver.save(part, "res://forms_part.tscn")
	part = load("res://forms_part.tscn")
	for file in ["forms_ext.tres", "forms_part.tscn"]: DirAccess.copy_absolute("res://" + file, "res://out/" + file)
	var all := Resource.new()
	var b := bag()
	for k in b: all.set_meta(k, b[k])
	both(all, "all")
	# Format 4 has texts for these.
	var newer := Resource.new()
	newer.set_meta("pv4", PackedVector4Array([Vector4(1, 2, 3, 4)]))
	newer.set_meta("ninf", -INF)
	both(newer, "newer")
	var shared := Resource.new()
	shared.set_meta("ext", ext)
	var holder := Resource.new()
	holder.set_meta("a", shared)
	holder.set_meta("b", [shared, ext, {ext: shared}])
	both(holder, "refs", ResourceSaver.FLAG_COMPRESS)
	var item = load("res://item4.gd").new()
	item.id = "sword"
	item.child = shared
	item.slots.assign([1, 2])
	item.mods = {"a": 0.5} as Dictionary[String, float]
	item.extra = {"k": [shared]}
	both(item, "scripted")
	for i in 40:
		var some := Resource.new()
		for j in 5: some.set_meta("m" + str(j), random(0))
		if i % 3 == 0: some.set_meta("typed", Array([1, 2], TYPE_INT, "", null))
		both(some, "random%02d" % i, [0, ResourceSaver.FLAG_COMPRESS, 0, ResourceSaver.FLAG_SAVE_BIG_ENDIAN][i % 4])
	for name in CLASSES.slice(0, 16):
		var made = ClassDB.instantiate(name)
		touch(made)
		both(made, "class_" + name)
	for i in 37: both(random_scene(i, part), "scene%02d" % i, ResourceSaver.FLAG_COMPRESS if i % 5 == 0 else 0)
	for name in BY_HAND:
		var path: String = "res://by_hand_" + name + ".tscn"
		var file := FileAccess.open(path, FileAccess.WRITE)
		file.store_string(BY_HAND[name])
		file.close()
		both(load(path), name)
		path = "res://out/hand_" + name + ".tscn"
		DirAccess.copy_absolute("res://by_hand_" + name + ".tscn", path)
		load_and_tell(path)
	var list = load("res://item_list4.gd").new()
	list.items.assign([item, null])
	list.by_name["a"] = item
	both(list, "typed_by_script")

func _initialize() -> void:
	rng.seed = 9
	values = FileAccess.open("res://out/values.jsonl", FileAccess.WRITE)
	var files := OS.get_cmdline_user_args()
	if files.is_empty(): make()
	for file in files: DirAccess.copy_absolute("res://" + file, "res://" + file.get_basename())
	for file in files:
		if not file.begins_with("forms_"): load_and_tell("res://" + file.get_basename())
	values.close()
	quit()
