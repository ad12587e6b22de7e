# Makes binary resources and scenes of Godot 4, and says what each property of them is.
#
# usage: run-engine.sh 4 resources4.gd OUTDIR
# Writes *.res and *.scn, and values.jsonl with a line [file, path, text] for each stored property. A path
# is the names of the properties from the main resource on; the values in an Array are numbered, and of the
# pairs of a Dictionary the keys are k0, k1 and the values 0, 1. A path that ends with / is an object, and the
# text its class. Other texts are those of show().
extends SceneTree

var rng := RandomNumberGenerator.new()
var values: FileAccess
var seen := {}

func bag() -> Dictionary:
	return {nil=null, b=true, f=false, i=-7, i32=-2147483648, i64=0x7fffffff1, imin=-9223372036854775807 - 1,
		half=0.5, d=0.1, zero=-0.0, inf=INF, ninf=-INF, nan=NAN, big=1e300, small=5e-324,
		s="a\"b\\c\nd\té€😀", e="", sn=&"sn x", sne=&"",
		np=NodePath("/root/A/B:prop:x"), np2=NodePath("rel"), np3=NodePath(""), np4=NodePath("..:a"),
		v2=Vector2(1, 2.5), v2i=Vector2i(-1, 2), r2=Rect2(1, 2, 3, 4), r2i=Rect2i(1, -2, 3, 4),
		v3=Vector3(1, 2, 3), v3i=Vector3i(1, 2, -3), v4=Vector4(1, 2, 3, 0.1), v4i=Vector4i(1, 2, 3, -4),
		t2=Transform2D(Vector2(1, 2), Vector2(3, 4), Vector2(5, 6)), pl=Plane(1, 2, 3, 4),
		q=Quaternion(0.5, 0.5, 0.5, 0.5), ab=AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)),
		ba=Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)),
		t3=Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(7, 8, 9)),
		pr=Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16)),
		c=Color(0.1, 0.2, 0.3, 0.4), arr=[1, "x", [null, [[]]]], empty=[], none={},
		dict={"k": 1, 2: [Vector2i(1, 1)], &"z": {}, null: null, 0.5: true, Vector3.UP: 1},
		ta=Array([1, 2], TYPE_INT, "", null), td=Dictionary({"a": 1}, TYPE_STRING, "", null, TYPE_INT, "", null),
		pb=PackedByteArray([1, 2, 3, 255, 5]), pb0=PackedByteArray(), pb4=PackedByteArray([1, 2, 3, 4]),
		p32=PackedInt32Array([1, -2]), p64=PackedInt64Array([1, -2]), pf=PackedFloat32Array([0.5, 0.1]),
		pd=PackedFloat64Array([0.1]), ps=PackedStringArray(["a", "é", ""]), pv2=PackedVector2Array([Vector2(1, 2)]),
		pv3=PackedVector3Array([Vector3(1, 2, 3)]), pv4=PackedVector4Array([Vector4(1, 2, 3, 4)]),
		pc=PackedColorArray([Color.RED]), cal=Callable(), sig=Signal(), rid=RID()}

# A text for a value; an object is only named, because its class and properties have lines of their own at
# its first mention.
func show(value) -> String:
	match typeof(value):
		TYPE_OBJECT:
			if value == null: return "null"
			if value is Resource and not value.resource_path.is_empty(): return "ExtResource " + value.resource_path
			return "Object"
		TYPE_ARRAY:
			return "[" + ", ".join(PackedStringArray(value.map(show))) + "]"
		TYPE_DICTIONARY:
			var pairs := PackedStringArray()
			for key in value: pairs.append(show(key) + ": " + show(value[key]))
			return "{" + ", ".join(pairs) + "}"
	return var_to_str(value)

# The lines of the objects in a value.
func enter(file: String, path: String, value) -> void:
	match typeof(value):
		TYPE_OBJECT:
			if value is Resource and value.resource_path.is_empty() and not seen.has(value): tell(file, path, value)
		TYPE_ARRAY:
			for i in value.size(): enter(file, path + "/" + str(i), value[i])
		TYPE_DICTIONARY:
			for i in value.size():
				enter(file, path + "/k" + str(i), value.keys()[i])
				enter(file, path + "/" + str(i), value.values()[i])

func tell(file: String, path: String, resource: Resource) -> void:
	seen[resource] = true
	values.store_line(JSON.stringify([file, path + "/", resource.get_class()]))
	for property in resource.get_property_list():
		if not property.usage & PROPERTY_USAGE_STORAGE or property.name == "resource_path": continue
		var at: String = path + "/" + property.name
		var value = resource.get(property.name)
		values.store_line(JSON.stringify([file, at, show(value)]))
		enter(file, at, value)

func save(resource: Resource, name: String, flags := 0) -> void:
	var error := ResourceSaver.save(resource, "res://out/" + name, flags)
	if error != OK:
		print("not saved: ", name, " ", error)
		return
	var back = ResourceLoader.load("res://out/" + name, "", ResourceLoader.CACHE_MODE_IGNORE_DEEP)
	if back == null: print("not loaded: ", name)
	seen = {}
	tell(name, "", resource)

func random(depth: int):
	var all := bag().values()
	var value = all[rng.randi() % all.size()]
	match rng.randi() % (12 if depth < 5 else 8):
		0: return rng.randi() - rng.randi()
		1: return rng.randf()
		2: return rng.randfn() * 1e20
		8, 9: return range(rng.randi() % 4).map(func(_n): return random(depth + 1))
		10:
			var dict := {}
			for i in rng.randi() % 4: dict[random(5)] = random(depth + 1)
			return dict
		11:
			var sub := Resource.new()
			for i in rng.randi() % 4: sub.set_meta("m" + str(i), random(depth + 1))
			return sub
	return value

# Gives every property that is a plain number, text or colour another value.
func touch(resource: Resource, depth := 0) -> void:
	for property in resource.get_property_list():
		if not property.usage & PROPERTY_USAGE_STORAGE or property.name.begins_with("resource_"): continue
		if property.hint == PROPERTY_HINT_ENUM or property.hint == PROPERTY_HINT_FLAGS: continue
		var now = resource.get(property.name)
		if now != null and typeof(now) != property.type: continue
		match property.type:
			TYPE_BOOL: resource.set(property.name, not now)
			TYPE_FLOAT: resource.set(property.name, now * 0.75 + 0.1)
			TYPE_COLOR: resource.set(property.name, Color(0.1, 0.2, 0.3, 0.4))
			TYPE_VECTOR2: resource.set(property.name, Vector2(0.25, 0.5))
			TYPE_VECTOR3: resource.set(property.name, Vector3(0.25, 0.5, 0.75))
			TYPE_STRING: resource.set(property.name, "text é")
			TYPE_OBJECT:
				if depth < 2 and property.hint_string in CLASSES:
					var sub = ClassDB.instantiate(property.hint_string)
					touch(sub, depth + 1)
					resource.set(property.name, sub)

const CLASSES: Array[String] = ["Gradient", "Curve", "Curve2D", "Curve3D", "Environment", "StandardMaterial3D", "BoxMesh", "SphereMesh",
	"PlaneMesh", "RectangleShape2D", "CircleShape2D", "CapsuleShape3D", "BoxShape3D", "ConvexPolygonShape2D", "Animation",
	"StyleBoxFlat", "LabelSettings", "AudioBusLayout", "InputEventKey", "InputEventMouseButton", "InputEventAction",
	"NavigationMesh", "NavigationPolygon", "OccluderPolygon2D", "PhysicsMaterial", "Sky", "ProceduralSkyMaterial",
	"GradientTexture1D", "GradientTexture2D", "CurveTexture", "ButtonGroup", "ParticleProcessMaterial",
	"CameraAttributesPractical", "FastNoiseLite", "NoiseTexture2D", "ArrayMesh", "BitMap", "Theme", "SpriteFrames",
	"AnimationNodeStateMachine", "AnimationNodeBlendTree", "TileSet", "ShaderMaterial", "Shortcut", "PolygonPathFinder", "World3D"]

func _initialize() -> void:
	rng.seed = 7
	values = FileAccess.open("res://out/values.jsonl", FileAccess.WRITE)
	var tiny := Resource.new()
	tiny.resource_name = "hi"
	tiny.set_meta("n", 7)
	save(tiny, "tiny.res")
	var all := Resource.new()
	var b := bag()
	for k in b: all.set_meta(k, b[k])
	all.set_meta("with_null", {"in": null})
	save(all, "all.res")
	save(all, "all_be.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN)
	save(all, "all_z.res", ResourceSaver.FLAG_COMPRESS)
	var ext := Gradient.new()
	ResourceSaver.save(ext, "res://out/ext.tres")
	ext = load("res://out/ext.tres")
	var sub := Resource.new()
	sub.resource_name = "sub"
	var holder := Resource.new()
	holder.set_meta("a", sub)
	holder.set_meta("b", [sub, ext, null])
	holder.set_meta("p", NodePath("A/B"))
	holder.set_meta("d", {ext: sub})
	sub.set_meta("q", NodePath("A/C:x"))
	var inner := Resource.new()
	inner.set_meta("deep", [{"x": inner.get_class()}])
	sub.set_meta("inner", {inner: [inner, inner]})
	save(holder, "refs.res")
	save(holder, "refs_be_z.res", ResourceSaver.FLAG_SAVE_BIG_ENDIAN | ResourceSaver.FLAG_COMPRESS)
	# A resource that another one contains with its path, which bundling keeps.
	ResourceSaver.save(holder, "res://out/bundled.res", ResourceSaver.FLAG_BUNDLE_RESOURCES)
	var item = load("res://item4.gd").new()
	save(item, "scripted.res")
	var chain := Resource.new()
	for i in 400:
		var next := Resource.new()
		next.set_meta("next", chain)
		chain = next
	ResourceSaver.save(chain, "res://out/chain.res", ResourceSaver.FLAG_COMPRESS)
	for i in 30:
		var some := Resource.new()
		for j in 6: some.set_meta("m" + str(j), random(0))
		save(some, "random%02d.res" % i, [0, ResourceSaver.FLAG_COMPRESS, ResourceSaver.FLAG_SAVE_BIG_ENDIAN][i % 3])
	for name in CLASSES:
		var made = ClassDB.instantiate(name)
		touch(made)
		save(made, "class_" + name + ".res", ResourceSaver.FLAG_COMPRESS)
	var animation := Animation.new()
	animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(0, "A:position")
	animation.track_insert_key(0, 0.5, Vector2(1, 2))
	animation.add_track(Animation.TYPE_BEZIER)
	var library := AnimationLibrary.new()
	library.add_animation("walk", animation)
	save(library, "animation.res")
	var image := Image.create_empty(4, 2, false, Image.FORMAT_RGBA8)
	save(ImageTexture.create_from_image(image), "image.res")
	var mesh := ArrayMesh.new()
	mesh.add_surface_from_arrays(Mesh.PRIMITIVE_TRIANGLES, BoxMesh.new().get_mesh_arrays())
	save(mesh, "mesh.res")
	var root := Node2D.new()
	root.name = "Root"
	var kid := Node.new()
	kid.name = "Kid é"
	kid.add_to_group("grp", true)
	root.add_child(kid)
	kid.owner = root
	kid.unique_name_in_owner = true
	kid.set_meta("held", holder)
	root.position = Vector2(3, 4)
	root.ready.connect(kid.set_process, CONNECT_PERSIST | CONNECT_ONE_SHOT)
	var scene := PackedScene.new()
	scene.pack(root)
	save(scene, "scene.scn")
	save(scene, "scene_z.scn", ResourceSaver.FLAG_COMPRESS)
	values.close()
	quit()
