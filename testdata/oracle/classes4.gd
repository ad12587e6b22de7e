# Which classes of Godot 3 (the file that is given) Godot 4 does not have, and which one it makes of them:
# out/gone.txt, a line each.
extends SceneTree

func _init():
	var out = FileAccess.open("out/gone.txt", FileAccess.WRITE)
	for name in FileAccess.get_file_as_string("classes.txt").split("\n", false):
		if ClassDB.class_exists(name): continue
		var made = ClassDB.instantiate(name)
		if made == null:
			out.store_line(name)
		else:
			out.store_line(name + " " + made.get_class())
			if made is Node: made.free()
	out.close()
	quit()
