# Makes resources and scenes of Godot 3 as text and as binary files, or loads such files, and says what is in them.
#
# usage: run-engine.sh 3|3.6 forms3.gd OUTDIR [@FILE.form...]
# As forms4.gd.
extends "res://resources3.gd"

const SOURCE = "extends Node\nfunc hello(_a = 0, _b = 0):\n\tpass\n"

# Both engines write an RID into a text as nothing, which they cannot read. 3.2.3 writes -INF as -inf.0, which none can.
func bag():
	var all = .bag()
	all.erase("rid")
	if var2str(-INF) == "-inf.0": all.erase("ninf")
	return all

func is_external(value):
	return value.resource_path != "" and not "::" in value.resource_path

func show(value):
	if typeof(value) == TYPE_OBJECT and value != null:
		return "ExtResource " + value.resource_path if value is Resource and is_external(value) else "Object"
	return .show(value)

func enter(file, path, value):
	if typeof(value) == TYPE_OBJECT:
		if value is Resource and not is_external(value) and not seen.has(value): tell(file, path, value)
	else:
		.enter(file, path, value)

func line(file, path, text):
	values.store_line(to_json([file, path, str(text)]))

func tell_scene(file, scene):
	var state = scene.get_state()
	for i in state.get_node_count():
		var at = "nodes/%d/" % i
		line(file, at + "name", state.get_node_name(i))
		line(file, at + "type", state.get_node_type(i))
		line(file, at + "parent", state.get_node_path(i, true))
		line(file, at + "owner", state.get_node_owner_path(i))
		line(file, at + "index", state.get_node_index(i))
		var groups = Array(state.get_node_groups(i))
		groups.sort()
		line(file, at + "groups", groups)
		var instance = state.get_node_instance(i)
		line(file, at + "instance", instance.resource_path if instance else "")
		line(file, at + "placeholder", state.get_node_instance_placeholder(i))
		for j in state.get_node_property_count(i):
			var value = state.get_node_property_value(i, j)
			var name = at + "=" + state.get_node_property_name(i, j)
			line(file, name, show(value))
			enter(file, name, value)
	for i in state.get_connection_count():
		line(file, "connections/%d" % i, [state.get_connection_source(i), state.get_connection_target(i),
			state.get_connection_signal(i), state.get_connection_method(i), state.get_connection_flags(i),
			state.get_connection_binds(i)])
	line(file, "editable", scene.get("_bundled").editable_instances)

func load_and_tell(path, file):
	var loaded = ResourceLoader.load(path, "", true)
	seen = {}
	if loaded == null:
		print("not loaded: ", file)
		line(file, "", "not loaded")
	elif loaded is PackedScene:
		tell_scene(file, loaded)
	else:
		tell(file, "", loaded)

# Saves a resource or scene in both forms, and says what each file has.
func both(resource, name, flags = 0):
	for end in ([".scn", ".tscn"] if resource is PackedScene else [".res", ".tres"]):
		var path = "res://out/" + name + end
		var error = ResourceSaver.save(path, resource, flags if end in [".res", ".scn"] else 0)
		if error != OK: print("not saved: ", path, " ", error)
		# As forms4.gd.
		if end == ".res" and flags & ResourceSaver.FLAG_SAVE_BIG_ENDIAN:
			path = "res://little.res"
			ResourceSaver.save(path, resource)
		load_and_tell(path, name + end)

func script():
	var made = GDScript.new()
	made.source_code = SOURCE
	made.reload()
	return made

func random_scene(number, part):
	var root = Node2D.new()
	root.name = "Root"
	root.position = Vector2(number, 0.5)
	var all = [root]
	var shared = Resource.new()
	shared.set_meta("n", number)
	for i in 1 + rng.randi() % 6:
		var above = all[rng.randi() % all.size()]
		var node = [Node.new(), Node2D.new(), Control.new(), Sprite.new(), Timer.new()][rng.randi() % 5]
		node.name = ["Kid", "Kid é", "With space", "B"][rng.randi() % 4] + str(i)
		above.add_child(node)
		node.owner = root
		if rng.randi() % 3 == 0: node.add_to_group("grp" + str(i), true)
		if rng.randi() % 3 == 0: node.add_to_group("all", true)
		if rng.randi() % 3 == 0: node.set_script(script())
		if rng.randi() % 2 == 0: node.set_meta("held", [random(3), shared])
		if node is Sprite: node.modulate = Color(0.1, 0.2, 0.3)
		all.append(node)
	if number % 4 == 1:
		var held = part.instance()
		held.name = "Part"
		all[rng.randi() % all.size()].add_child(held)
		held.owner = root
		# 3.2.3 has no such method.
		if number % 8 == 1 and root.has_method("set_editable_instance"):
			root.call("set_editable_instance", held, true)
			held.get_node("Inside").set_meta("changed", number)
			var more = Node.new()
			more.name = "More"
			held.get_node("Inside").add_child(more)
			more.owner = root
	for i in rng.randi() % 3:
		var from = all[rng.randi() % all.size()]
		var to = all[rng.randi() % all.size()]
		var emits = ["ready", "renamed", "tree_entered"][i]
		if not from.is_connected(emits, to, "set_process"):
			from.connect(emits, to, "set_process", [[], [true], [1, "x"]][rng.randi() % 3],
				CONNECT_PERSIST | [0, CONNECT_ONESHOT, CONNECT_DEFERRED][rng.randi() % 3])
	var scene = PackedScene.new()
	scene.pack(root)
	root.free()
	return scene

const BY_HAND = {
	"inherited": """[gd_scene load_steps=2 format=2]

[ext_resource path="res://forms_part.tscn" type="PackedScene" id=1]

[node name="Heir" instance=ExtResource( 1 )]
position = Vector2( 7, 8 )

[node name="Inside" parent="." index="0"]
process_priority = 3

[node name="New" type="Node" parent="Inside" index="0"]
""", "placeholder": """[gd_scene format=2]

[node name="Root" type="Node"]

[node name="Later" parent="." instance_placeholder="res://forms_part.tscn"]
"""}

func make():
	ResourceSaver.save("res://forms_ext.tres", Gradient.new())
	var ext = load("res://forms_ext.tres")
	var root = Node2D.new()
	root.name = "Part"
	var inside = Node.new()
	inside.name = "Inside"
	root.add_child(inside)
	inside.owner = root
	var part = PackedScene.new()
	part.pack(root)
	ResourceSaver.save("res://forms_part.tscn", part)
	part = load("res://forms_part.tscn")
	var folder = Directory.new()
	for file in ["forms_ext.tres", "forms_part.tscn"]: folder.copy("res://" + file, "res://out/" + file)
	var all = Resource.new()
	var b = bag()
	for k in b: all.set_meta(k, b[k])
	both(all, "all")
	var shared = Resource.new()
	shared.set_meta("ext", ext)
	var holder = Resource.new()
	holder.set_meta("a", shared)
	holder.set_meta("b", [shared, ext, {ext: shared}])
	both(holder, "refs", ResourceSaver.FLAG_COMPRESS)
	var item = load("res://item3.gd").new()
	item.id = "sword"
	item.child = shared
	item.extra = {"k": [shared]}
	both(item, "scripted")
	for i in 41:
		var some = Resource.new()
		for j in 5: some.set_meta("m" + str(j), random(0))
		both(some, "random%02d" % i, [0, ResourceSaver.FLAG_COMPRESS, 0, ResourceSaver.FLAG_SAVE_BIG_ENDIAN][i % 4])
	for name in CLASSES.slice(0, 15):
		var made = ClassDB.instance(name)
		touch(made)
		both(made, "class_" + name)
	for i in 38: both(random_scene(i, part), "scene%02d" % i, ResourceSaver.FLAG_COMPRESS if i % 5 == 0 else 0)
	for name in BY_HAND:
		var path = "res://by_hand_" + name + ".tscn"
		var file = File.new()
		file.open(path, File.WRITE)
		file.store_string(BY_HAND[name])
		file.close()
		both(load(path), name)
		folder.copy(path, "res://out/hand_" + name + ".tscn")
		load_and_tell("res://out/hand_" + name + ".tscn", "hand_" + name + ".tscn")

func _initialize():
	rng.seed = 9
	values.open("res://out/values.jsonl", File.WRITE)
	var folder = Directory.new()
	var files = []
	for argument in OS.get_cmdline_args():
		if argument.get_extension() == "form":
			var file = argument.get_basename()
			folder.copy("res://" + argument, "res://" + file)
			files.append(file)
	if files.empty(): make()
	for file in files:
		if not file.begins_with("forms_"): load_and_tell("res://" + file, file)
	values.close()
	quit()
