extends SceneTree
# Calls a method of each parameter type with a value of each type that a packet can have, as an RPC
# does. Writes for each type of value the types of parameters that the engine accepts.
# usage: run-engine.sh 4 call_types4.gd OUTDIR

const CLASSES := ["Object", "RefCounted", "Resource", "Node", "Node2D", "Node3D", "Control"]

func _init() -> void:
	var parameters: Array[String] = []
	for type in range(1, TYPE_MAX):
		if type != TYPE_OBJECT:
			parameters.append(type_string(type))
	parameters.append_array(CLASSES)
	var source := "extends RefCounted\nvar ran := false\n"
	for n in parameters.size():
		source += "func m%d(_p: %s) -> void:\n\tran = true\n" % [n, parameters[n]]
	var script := GDScript.new()
	script.source_code = source
	assert(script.reload() == OK)
	var target: RefCounted = script.new()
	var out := FileAccess.open("out/call_types4.txt", FileAccess.WRITE)
	out.store_line("# %s" % Engine.get_version_info().string)
	for type in TYPE_MAX:
		var value: Variant = EncodedObjectAsID.new() if type == TYPE_OBJECT else type_convert(null, type)
		assert(typeof(value) == type)
		var taken := PackedStringArray()
		for n in parameters.size():
			target.set("ran", false)
			Callable(target, "m%d" % n).callv([value])
			if target.get("ran"):
				taken.append(parameters[n])
		out.store_line("%s: %s" % [type_string(type), " ".join(taken)])
	out.close()
	quit()
