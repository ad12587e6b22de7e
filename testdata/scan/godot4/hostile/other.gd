extends Resource
static func _static_init():
	print("RAN picture.png.remap when loaded")
func _init():
	print("RAN picture.png.remap when made")
