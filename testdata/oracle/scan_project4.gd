extends RefCounted
# Makes ../scan/godot4/project: what Godot 4 writes into a project, and its proof of what a class cache does. scan4.gd
# runs this. The engine runs itself: its editor imports a few assets and opens scripts, then the game starts.

const PROJECT := "res://out/godot4/project/"
const CACHE := ".godot/global_script_class_cache.cfg"

const SETTINGS := """config_version=5
[application]
config/name="scan_project"
run/main_scene="res://main.tscn"
[editor_plugins]
enabled=PackedStringArray("res://addons/open/plugin.cfg")
"""

const PLUGIN := """@tool
extends EditorPlugin
func _enter_tree():
	open.call_deferred()
func wait(frames):
	for i in frames:
		await get_tree().process_frame
func open():
	await wait(30)
	EditorInterface.open_scene_from_path("res://main.tscn")
	await wait(10)
	for path in ["res://main.gd", "res://named.gd", "res://data/not named.gd"]:
		EditorInterface.edit_script(load(path), 1)
	await wait(30)
	EditorInterface.save_all_scenes()
	await wait(30)
	get_tree().root.propagate_notification(NOTIFICATION_WM_CLOSE_REQUEST)
	await wait(60)
	get_tree().quit()
"""


static func put(path: String, text: String) -> void:
	DirAccess.make_dir_recursive_absolute(path.get_base_dir())
	var f := FileAccess.open(path, FileAccess.WRITE)
	f.store_string(text)
	f.close()


# Runs the engine in the project. Returns the lines that code of it printed.
static func run(more: Array) -> PackedStringArray:
	var output := []
	OS.execute("godot", ["--headless", "--path", ProjectSettings.globalize_path(PROJECT)] + more, output)
	var ran := PackedStringArray()
	for line in output[0].split("\n"):
		if line.begins_with("RAN "): ran.append(line)
	return ran


static func script(name: String) -> String:
	return "extends Resource\nstatic func _static_init():\n\tprint(\"RAN %s when loaded\")\n" % name


# Removes what the engine did not write, except for hidden folders.
static func tidy(folder: String) -> void:
	for name in DirAccess.get_files_at(folder):
		if not name.ends_with(".import"): DirAccess.remove_absolute(folder + name)
	for name in DirAccess.get_directories_at(folder):
		tidy(folder + name + "/")
		DirAccess.remove_absolute(folder + name)


static func make(hostile: String) -> void:
	put(PROJECT + "project.godot", SETTINGS)
	put(PROJECT + "main.gd", "extends Node\nfunc _ready():\n\tNamed.new()\n\tget_tree().quit()\n")
	put(PROJECT + "main.tscn", "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n\n[node name=\"Main\" type=\"Node\"]\nscript = ExtResource(\"1\")\n")
	put(PROJECT + "named.gd", "class_name Named\nextends Resource\n")
	put(PROJECT + "data/not named.gd", "@icon(\"res://icon.svg\")\nclass_name NotNamed\n" + script("project/data/not named.gd"))
	put(PROJECT + "addons/open/plugin.cfg", "[plugin]\nname=\"open\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"plugin.gd\"\n")
	put(PROJECT + "addons/open/plugin.gd", PLUGIN)
	put(PROJECT + "icon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"/>")
	put(PROJECT + "text.csv", "keys,en\nhello,Hello\n")
	put(PROJECT + "mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	put(PROJECT + "scene.gltf", "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"n\"}]}")
	Image.create(4, 4, false, Image.FORMAT_RGB8).save_png(PROJECT + "image.png")
	var sound := AudioStreamWAV.new()
	sound.data = PackedByteArray([0, 1, 2, 3])
	sound.save_to_wav(PROJECT + "sound.wav")
	run(["--import"])
	run(["--editor"])
	# The game's code names one class. The other script is in the cache too, and does not run.
	var quiet := run([])
	if quiet.size() > 0: print("RAN without a reason: ", quiet)
	# The same name means a script outside of the game.
	var outside := OS.get_user_data_dir().get_base_dir() + "/scan_project/named.gd"
	put(outside, script("global_script_class_cache.cfg"))
	var own := FileAccess.get_file_as_string(PROJECT + CACHE)
	put(hostile + "global_script_class_cache.cfg", own.replace("res://named.gd", "user://named.gd"))
	put(PROJECT + CACHE, FileAccess.get_file_as_string(hostile + "global_script_class_cache.cfg"))
	print("PROOF global_script_class_cache.cfg start of a game whose code names the class")
	for line in run([]): print(line)
	put(PROJECT + CACHE, own)
	tidy(PROJECT)
	tidy(PROJECT + ".godot/imported/")
	DirAccess.remove_absolute(PROJECT + ".godot/imported")
