extends SceneTree
# Typed containers for `gdvar schema`, Godot 4.  Arguments: [CLASSES.gd]
# Without arguments writes out/typed4.dat. With the classes that `gdvar schema --style gdscript` makes of it,
# reads the values into them and back, and prints SCHEMA same, or SCHEMA different.


func values() -> Dictionary:
	var points: Array[Vector2] = [Vector2(1, 2)]
	var counts: Dictionary[String, int] = {"gold": 1}
	var places: Dictionary[StringName, Vector3] = {&"home": Vector3.ONE}
	var lists: Dictionary[int, Array] = {1: [2]}
	var half: Dictionary[String, Variant] = {"a": 1}
	var rows: Array[Dictionary] = [{"x": 1}, {"x": 2}]
	var grids: Array[Array] = [[1], [2]]
	var bytes: Array[PackedByteArray] = [PackedByteArray([1])]
	var names: Array[StringName] = [&"a"]
	var nodes: Array[Node] = []
	return {
		"points": points, "counts": counts, "places": places, "lists": lists, "half": half, "rows": rows,
		"grids": grids, "bytes": bytes, "names": names, "nodes": nodes,
		"inner": {"points": points, "counts": counts}, "plain": [1], "rows2": [{"x": 1, "points": points}],
		"empty": [] as Array[float],
	}


func _init():
	var args := OS.get_cmdline_user_args()
	if args.is_empty():
		DirAccess.make_dir_recursive_absolute("res://out")
		var file := FileAccess.open("res://out/typed4.dat", FileAccess.WRITE)
		file.store_var(values())
		file.close()
	else:
		var classes: GDScript = load("res://" + args[0])
		# Without objects, an Array[Node] is read as one of EncodedObjectAsID.
		var data: Dictionary = bytes_to_var(var_to_bytes(values()))
		var back: Dictionary = classes.from_dict(data).to_dict()
		print("SCHEMA ", "same" if var_to_bytes(back) == var_to_bytes(data) else "different")
	quit()
