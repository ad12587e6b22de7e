extends Node2D
# lines is sent on change.
var lines := -1:
	set(value):
		lines = value
		print("LINES ", lines)

var whose := ""

func _ready() -> void:
	whose = "mine" if name == "Player%d" % multiplayer.get_unique_id() else "another's"
	print("SPAWNED ", whose, " under ", get_parent().name, " at ", position, " lines ", lines)

func _exit_tree() -> void:
	print("DESPAWNED ", whose)
