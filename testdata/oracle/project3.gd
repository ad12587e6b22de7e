extends SceneTree
# What Godot 3 makes of a project.binary that something else wrote: it lies beside this script, so
# that the engine has started with it. For each setting below gdvar/ a line of out/settings:
#   gdvar/0001 <bytes of its value, in hex>
# The engine writes all its settings again, to out/project.binary.


func _init():
	var out = File.new()
	out.open("res://out/settings", File.WRITE)
	for property in ProjectSettings.get_property_list():
		if property.name.begins_with("gdvar/"):
			var value = ProjectSettings.get_setting(property.name)
			out.store_line("%s %s" % [property.name, hex(var2bytes(value, true))])
	out.close()
	var error = ProjectSettings.save_custom("res://out/project.binary")
	if error:
		printerr("project3: save_custom: ", error)
	quit()


func hex(bytes):
	var text = ""
	for byte in bytes:
		text += "%02x" % byte
	return text
