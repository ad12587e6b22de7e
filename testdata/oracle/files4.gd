extends SceneTree
# Makes ../files/godot4.jsonl: small files of every type, alone, in an Array and in a Dictionary, as
# var_to_bytes and store_var write them, with eight zeros behind the value, and cut four bytes early.
# A line each: what the engine makes of that file.  See files3.gd; run it with run-engine.sh.

var out: FileAccess
var ver := ""


func _init():
	var vi := Engine.get_version_info()
	ver = "%d.%d.%d" % [vi.major, vi.minor, vi.patch]
	out = FileAccess.open("out/godot4.jsonl", FileAccess.WRITE)
	var values := [
		null, true, 42, 1.5, "hp", Vector2(1, 2), Vector2i(1, 2), Rect2(1, 2, 3, 4), Rect2i(1, 2, 3, 4),
		Vector3(1, 2, 3), Vector3i(1, 2, 3), Transform2D(), Vector4(1, 2, 3, 4), Vector4i(1, 2, 3, 4),
		Plane(0, 1, 0, 2), Quaternion(), AABB(Vector3(1, 2, 3), Vector3(4, 5, 6)), Basis(), Transform3D(),
		Projection(), Color(0.5, 0.25, 1, 1), &"hp", ^"a/b:c", rid_from_int64(7), EncodedObjectAsID.new(),
		Callable(), Signal(self, "process_frame"), {"a": 1}, [1, "b"], PackedByteArray([1, 2, 3, 4, 5]), PackedInt32Array([1, 2]),
		PackedInt64Array([1, 2]), PackedFloat32Array([1, 2.5]), PackedFloat64Array([1, 2.5]),
		PackedStringArray(["a", "bc"]), PackedVector2Array([Vector2(1, 2)]),
		PackedVector3Array([Vector3(1, 2, 3)]), PackedColorArray([Color(1, 0.5, 0, 1)]),
		PackedVector4Array([Vector4(1, 2, 3, 4)]),
	]
	values[24].object_id = 4711
	for v in values:
		var name := type_string(typeof(v))
		emit(name, "alone", v)
		emit(name, "array", [v, 1])
		emit(name, "dictionary", {"v": v})
	out.close()
	quit()


func emit(name: String, form: String, v) -> void:
	var bare := var_to_bytes(v)
	line(name, form, "bare", bare, judge(bare))
	var zeros := PackedByteArray()
	zeros.resize(8)
	for shape in ["framed", "padded", "cut"]:
		var b := bare + zeros if shape == "padded" else bare
		var prefix := PackedByteArray()
		prefix.resize(4)
		prefix.encode_u32(0, b.size())
		var file := prefix + b
		if shape == "cut":
			file = file.slice(0, file.size() - 4)
		var f := FileAccess.open("out/one.bin", FileAccess.WRITE)
		f.store_buffer(file)
		f.close()
		# get_var says null both for null and for a refusal: only a whole record is asked about.
		f = FileAccess.open("out/one.bin", FileAccess.READ)
		var read = f.get_var()
		f.close()
		var good: bool = shape != "cut" and judge(b)
		if good and var_to_bytes(read) != var_to_bytes(bytes_to_var(b)):
			printerr("files: get_var and bytes_to_var differ: ", name, " ", form, " ", shape)
		if not good and read != null:
			printerr("files: get_var reads what is cut: ", name, " ", form)
		line(name, form, shape, file, good)
	DirAccess.remove_absolute("out/one.bin")


func judge(b: PackedByteArray) -> bool:
	return b.has_encoded_var(0)


func line(name: String, form: String, shape: String, b: PackedByteArray, accepted: bool) -> void:
	out.store_line('{"engine":"%s","type":"%s","form":"%s","shape":"%s","hex":"%s","accepted":%s}' %
			[ver, name, form, shape, b.hex_encode(), "true" if accepted else "false"])
