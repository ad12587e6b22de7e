extends SceneTree
# What Godot 4 makes of a project.binary that something else wrote: it lies beside this script, so
# that the engine has started with it. For each setting below gdvar/ a line of out/settings:
#   gdvar/0001 <bytes of its value, in hex>
# The engine writes all its settings again, to out/project.binary.


func _init():
	var out := FileAccess.open("out/settings", FileAccess.WRITE)
	for property in ProjectSettings.get_property_list():
		if property.name.begins_with("gdvar/"):
			var value: Variant = ProjectSettings.get_setting(property.name)
			out.store_line("%s %s" % [property.name, var_to_bytes_with_objects(value).hex_encode()])
	out.close()
	var error := ProjectSettings.save_custom("res://out/project.binary")
	if error:
		printerr("project4: save_custom: ", error)
	quit()
