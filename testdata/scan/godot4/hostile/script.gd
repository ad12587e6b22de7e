extends RefCounted
static func _static_init():
	print("RAN script.gd when loaded")
func _init():
	print("RAN script.gd when made")
