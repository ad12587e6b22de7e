# Makes binary resources and scenes of Godot 3, and says what each property of them is.
#
# usage: run-engine.sh 3.6 resources3.gd OUTDIR
# Writes *.res and *.scn, and values.jsonl, as resources4.gd does.
extends SceneTree

var rng = RandomNumberGenerator.new()
var values = File.new()
var seen = {}

func bag():
	return {"nil": null, "b": true, "f": false, "i": -7, "i32": -2147483648, "i64": 0x7fffffff1, "imin": -9223372036854775807 - 1,
		"half": 0.5, "d": 0.1, "zero": -0.0, "inf": INF, "ninf": -INF, "big": 1e300,
		"s": "a\"b\\c\nd\té€", "e": "", "np": NodePath("/root/A/B:prop:x"), "np2": NodePath("rel"), "np3": NodePath(""),
		"v2": Vector2(1, 2.5), "r2": Rect2(1, 2, 3, 4), "v3": Vector3(1, 2, 3),
		"t2": Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), "pl": Plane(1, 2, 3, 4), "q": Quat(0.5, 0.5, 0.5, 0.5),
		"ab": AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), "ba": Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		"t3": Transform(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(7, 8, 9)),
		"c": Color(0.1, 0.2, 0.3, 0.4), "arr": [1, "x", [null, [[]]]], "empty": [], "none": {},
		"dict": {"k": 1, 2: [Vector2(1, 1)], null: null, 0.5: true},
		"pb": PoolByteArray([1, 2, 3, 255, 5]), "pb0": PoolByteArray(), "pb4": PoolByteArray([1, 2, 3, 4]),
		"pi": PoolIntArray([1, -2]), "pf": PoolRealArray([0.5, 0.1]), "ps": PoolStringArray(["a", "é", ""]),
		"pv2": PoolVector2Array([Vector2(1, 2)]), "pv3": PoolVector3Array([Vector3(1, 2, 3)]),
		"pc": PoolColorArray([Color(1, 0, 0)]), "rid": RID()}

# A text for a value; an object is only named, because its class and properties have lines of their own at
# its first mention.
func show(value):
	match typeof(value):
		TYPE_OBJECT:
			if value == null: return "null"
			if value is Resource and value.resource_path != "": return "ExtResource " + value.resource_path
			return "Object"
		TYPE_ARRAY:
			var all = PoolStringArray()
			for one in value: all.append(show(one))
			return "[" + all.join(", ") + "]"
		TYPE_DICTIONARY:
			var pairs = PoolStringArray()
			for key in value: pairs.append(show(key) + ": " + show(value[key]))
			return "{" + pairs.join(", ") + "}"
	return var2str(value)

# The lines of the objects in a value.
func enter(file, path, value):
	match typeof(value):
		TYPE_OBJECT:
			if value is Resource and value.resource_path == "" and not seen.has(value): tell(file, path, value)
		TYPE_ARRAY:
			for i in value.size(): enter(file, path + "/" + str(i), value[i])
		TYPE_DICTIONARY:
			for i in value.size():
				enter(file, path + "/k" + str(i), value.keys()[i])
				enter(file, path + "/" + str(i), value.values()[i])

func tell(file, path, resource):
	seen[resource] = true
	values.store_line(to_json([file, path + "/", resource.get_class()]))
	for property in resource.get_property_list():
		if not property.usage & PROPERTY_USAGE_STORAGE or property.name == "resource_path": continue
		var at = path + "/" + property.name
		# Godot 3 has no getter for it.
		var value = resource.get(property.name)
		if property.name == "__meta__":
			value = {}
			for name in resource.get_meta_list(): value[name] = resource.get_meta(name)
		values.store_line(to_json([file, at, show(value)]))
		enter(file, at, value)

func save(resource, name, flags = 0):
	var error = ResourceSaver.save("res://out/" + name, resource, flags)
	if error != OK:
		print("not saved: ", name, " ", error)
		return
	if ResourceLoader.load("res://out/" + name, "", true) == null: print("not loaded: ", name)
	seen = {}
	tell(name, "", resource)

func random(depth):
	var all = bag().values()
	var value = all[rng.randi() % all.size()]
	match rng.randi() % (12 if depth < 5 else 8):
		0: return rng.randi() - rng.randi()
		1: return rng.randf()
		8, 9:
			var list = []
			for i in rng.randi() % 4: list.append(random(depth + 1))
			return list
		10:
			var dict = {}
			for i in rng.randi() % 4: dict[random(5)] = random(depth + 1)
			return dict
		11:
			var sub = Resource.new()
			for i in rng.randi() % 4: sub.set_meta("m" + str(i), random(depth + 1))
			return sub
	return value

# Gives every property that is a plain number, text or colour another value.
func touch(resource, depth = 0):
	for property in resource.get_property_list():
		if not property.usage & PROPERTY_USAGE_STORAGE or property.name.begins_with("resource_"): continue
		if property.hint == PROPERTY_HINT_ENUM or property.hint == PROPERTY_HINT_FLAGS: continue
		var now = resource.get(property.name)
		if now != null and typeof(now) != property.type: continue
		match property.type:
			TYPE_BOOL: resource.set(property.name, not now)
			TYPE_REAL: resource.set(property.name, now * 0.75 + 0.1)
			TYPE_COLOR: resource.set(property.name, Color(0.1, 0.2, 0.3, 0.4))
			TYPE_VECTOR2: resource.set(property.name, Vector2(0.25, 0.5))
			TYPE_VECTOR3: resource.set(property.name, Vector3(0.25, 0.5, 0.75))
			TYPE_STRING: resource.set(property.name, "text")
			TYPE_OBJECT:
				if depth < 2 and property.hint_string in CLASSES:
					var sub = ClassDB.instance(property.hint_string)
					touch(sub, depth + 1)
					resource.set(property.name, sub)

const CLASSES = ["Gradient", "Curve", "Curve2D", "Curve3D", "Environment", "SpatialMaterial", "CubeMesh", "SphereMesh",
	"PlaneMesh", "RectangleShape2D", "CircleShape2D", "CapsuleShape", "BoxShape", "ConvexPolygonShape2D", "Animation",
	"StyleBoxFlat", "InputEventKey", "InputEventMouseButton", "InputEventAction", "NavigationMesh", "NavigationPolygon",
	"OccluderPolygon2D", "PhysicsMaterial", "ProceduralSky", "GradientTexture", "CurveTexture", "ButtonGroup",
	"ParticlesMaterial", "OpenSimplexNoise", "NoiseTexture", "ArrayMesh", "BitMap", "Theme", "SpriteFrames",
	"AnimationNodeStateMachine", "AnimationNodeBlendTree", "TileSet", "ShaderMaterial", "ShortCut", "PolygonPathFinder", "World"]

func _initialize():
	rng.seed = 7
	values.open("res://out/values.jsonl", File.WRITE)
	var tiny = Resource.new()
	tiny.resource_name = "hi"
	tiny.set_meta("n", 7)
	save(tiny, "tiny.res")
	var all = Resource.new()
	var b = bag()
	for k in b: all.set_meta(k, b[k])
	save(all, "all.res")
	save(all, "all_be.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	save(all, "all_z.res", ResourceSaver.FLAG_COMPRESS)
	var ext = Gradient.new()
	ResourceSaver.save("res://out/ext.tres", ext)
	ext = load("res://out/ext.tres")
	var sub = Resource.new()
	sub.resource_name = "sub"
	var holder = Resource.new()
	holder.set_meta("a", sub)
	holder.set_meta("b", [sub, ext, null])
	holder.set_meta("p", NodePath("A/B"))
	holder.set_meta("d", {ext: sub})
	sub.set_meta("q", NodePath("A/C:x"))
	var inner = Resource.new()
	inner.set_meta("deep", [{"x": 1}])
	sub.set_meta("inner", {inner: [inner, inner]})
	save(holder, "refs.res")
	save(holder, "refs_be_z.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN | ResourceSaver.FLAG_COMPRESS)
	save(load("res://item3.gd").new(), "scripted.res")
	for i in 30:
		var some = Resource.new()
		for j in 6: some.set_meta("m" + str(j), random(0))
		save(some, "random%02d.res" % i, [0, ResourceSaver.FLAG_COMPRESS, ResourceSaver.FLAG_SAVE_BIG_ENDIAN][i % 3])
	for name in CLASSES:
		var made = ClassDB.instance(name)
		touch(made)
		save(made, "class_" + name + ".res", ResourceSaver.FLAG_COMPRESS)
	var animation = Animation.new()
	animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(0, "A:position")
	animation.track_insert_key(0, 0.5, Vector2(1, 2))
	save(animation, "animation.res")
	var image = Image.new()
	image.create(4, 2, false, Image.FORMAT_RGBA8)
	save(image, "image.res")
	var mesh = ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, CubeMesh.new().get_mesh_arrays())
	save(mesh, "mesh.res")
	var root = Node2D.new()
	root.name = "Root"
	var kid = Node.new()
	kid.name = "Kid é"
	kid.add_to_group("grp", true)
	root.add_child(kid)
	kid.owner = root
	kid.set_meta("held", holder)
	root.position = Vector2(3, 4)
	root.connect("ready", kid, "set_process", [], CONNECT_PERSIST | CONNECT_ONESHOT)
	var scene = PackedScene.new()
	scene.pack(root)
	save(scene, "scene.scn")
	save(scene, "scene_z.scn", ResourceSaver.FLAG_COMPRESS)
	values.close()
	quit()
