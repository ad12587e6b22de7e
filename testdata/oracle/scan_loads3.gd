extends SceneTree
# As scan_loads4.gd, for Godot 3: makes ../scan/godot3/loads.

const OUT = "res://out/godot3/loads/"


func put(path, text):
	var f = File.new()
	f.open(path, File.WRITE)
	f.store_string(text)
	f.close()
	return path


func evil(path, name):
	put(path, "[gd_resource type=\"Resource\" format=2]\n\n[sub_resource type=\"GDScript\" id=1]\nscript/source = \"extends Resource\\nfunc _init():\\n\\tprint(\\\"RAN %s when made\\\")\\n\"\n\n[resource]\nscript = SubResource( 1 )\n" % name)


func proof(name, how):
	print("PROOF %s %s" % [name, how])


func _init():
	var d = Directory.new()
	d.make_dir_recursive(OUT)
	evil("user://image.tres", "image.tscn")
	var path = put(OUT + "image.tscn", "[gd_scene format=2]\n\n[node name=\"R\" type=\"RichTextLabel\"]\nbbcode_enabled = true\nbbcode_text = \"[img]user://image.tres[/img]\"\n")
	proof("image.tscn", "instance")
	root.add_child(load(path).instance())
	evil("user://name_path.tres", "name_path.tres")
	path = put(OUT + "name_path.tres", "[gd_resource type=\"Resource\" format=2]\n\n[ext_resource type=\"Resource\" path=NodePath(\"user://name_path.tres\") id=1]\n\n[resource]\n")
	proof("name_path.tres", "load")
	load(path)
	evil("user://feature.tres", "feature.png.import")
	put(OUT + "feature.png.import", "[remap]\n\nimporter=\"texture\"\ntype=\"Resource\"\npath.X11=\"user://feature.tres\"\npath.Server=\"user://feature.tres\"\n")
	put(OUT + "feature.png", "x")
	proof("feature.png.import", "load of feature.png")
	load(OUT + "feature.png")
	d.remove(OUT + "feature.png")
	quit()
