extends Resource
static func _static_init():
	print("RAN ext_relative.tres when loaded")
func _init():
	print("RAN ext_relative.tres when made")
