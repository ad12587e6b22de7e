# Files of JSON.from_native: native.json, native.tab.json with an indentation, native.list.json and native.pairs.json with
# lists around the values, native.objects.json with whole objects; and
# beside each what Godot 4 encodes after it read the file again (objects as null).
extends SceneTree

func save(name, value, objects, indent):
	var text = JSON.stringify(JSON.from_native(value, objects), indent)
	FileAccess.open("out/" + name, FileAccess.WRITE).store_string(text)
	var read = JSON.to_native(JSON.parse_string(FileAccess.get_file_as_string("out/" + name)), objects)
	FileAccess.open("out/" + name + ".value", FileAccess.WRITE).store_buffer(var_to_bytes_with_objects(read))

func _init():
	var typed: Array[Vector2i] = [Vector2i(1, -2)]
	var pairs: Dictionary[StringName, float] = {&"a": 0.5}
	var value = {"hp": 80, "name": "é \"q\" \n", "pos": Vector2(1.5, 2), "half": 0.25, "on": true, "none": null,
		"path": NodePath("A/B:x"), &"key": &"value", 7: [1, 2.5, [{}]], "typed": typed, "pairs": pairs,
		"color": Color(0.5, 0.25, 1), "transform": Transform3D.IDENTITY, "bytes": PackedByteArray([1, 2, 255]),
		"ints": PackedInt64Array([1 << 40]), "floats": PackedFloat32Array([0.5]), "texts": PackedStringArray(["a", ""]),
		"points": PackedVector2Array([Vector2(1, 2)]), "rect": Rect2i(1, 2, 3, 4), "quaternion": Quaternion.IDENTITY}
	save("native.json", value, false, "")
	save("native.tab.json", value, false, "\t")
	save("native.list.json", value.values(), false, "")
	save("native.pairs.json", [value, {}], false, "\t")
	value["gradient"] = Gradient.new()
	save("native.objects.json", value, true, "")
	quit()
