extends RefCounted
# Whole objects, which an RPC carries under allow_object_decoding: alone, in containers, one in another, with a script.
static func all() -> Array:
	var sword := Resource.new()
	sword.resource_name = "Sword"
	var key := InputEventKey.new()
	key.keycode = KEY_SPACE
	key.pressed = true
	var gradient := Gradient.new()
	gradient.offsets = PackedFloat32Array([0.0, 0.5, 1.0])
	gradient.colors = PackedColorArray([Color.RED, Color.GREEN, Color.BLUE])
	var scripted: Resource = load("res://object4.gd").new()
	scripted.owner = sword
	var typed: Array[Resource] = [sword]
	return [sword, key, gradient, scripted, [sword, 1, null], {"item": sword, "count": 2}, typed]
