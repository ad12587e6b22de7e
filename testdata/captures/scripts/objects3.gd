extends Reference
# Whole objects, which an RPC carries under allow_object_decoding: alone, in containers, one in another, with a script.
static func all():
	var sword = Resource.new()
	sword.resource_name = "Sword"
	var key = InputEventKey.new()
	key.scancode = KEY_SPACE
	key.pressed = true
	var gradient = Gradient.new()
	gradient.offsets = PoolRealArray([0.0, 0.5, 1.0])
	gradient.colors = PoolColorArray([Color.red, Color.green, Color.blue])
	var scripted = load("res://object3.gd").new()
	scripted.owner = sword
	var all = [sword, key, gradient, [sword, 1, null], {"item": sword, "count": 2}]
	# 3.6.2 crashes when it receives one with a script.
	if Engine.get_version_info().minor < 6: all.append(scripted)
	return all
