# Loads each resource, which needs out/ext.tres, and prints the name of the resource in its metadata "a", and its own.
extends SceneTree

func _init():
	ResourceSaver.save("res://out/ext.tres", Gradient.new())
	for path in OS.get_cmdline_args():
		if not path.ends_with(".resource"): continue
		# A name with .res would be taken for a scene to start.
		Directory.new().copy("res://" + path, "res://out/copy.res")
		var resource = load("res://out/copy.res")
		if resource != null:
			print("NAME ", resource.get_meta("a").resource_name, " IN ", resource.resource_name)
	quit()
