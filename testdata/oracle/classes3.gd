# The classes of Godot 3, one a line, that a resource or scene can name: out/classes.txt.
#
# usage: run-engine.sh 3.6 classes3.gd OUTDIR, then
#        run-engine.sh 4 classes4.gd OUTDIR @OUTDIR/classes.txt
extends SceneTree

func _init():
	var names = ClassDB.get_class_list()
	names.sort()
	var file = File.new()
	file.open("out/classes.txt", File.WRITE)
	for name in names:
		if ClassDB.can_instance(name): file.store_line(name)
	file.close()
	quit()
