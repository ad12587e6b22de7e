# Loads each resource, which needs out/ext.tres, and prints the name of the resource in its metadata "a", and its own.
extends SceneTree

func _init():
	ResourceSaver.save(Gradient.new(), "res://out/ext.tres")
	for path in OS.get_cmdline_user_args():
		DirAccess.copy_absolute("res://" + path, "res://out/copy.res")
		var resource = load("res://out/copy.res")
		if resource != null:
			print("NAME ", resource.get_meta("a").resource_name, " IN ", resource.resource_name)
	quit()
