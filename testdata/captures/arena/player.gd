extends Node2D
# The server owns the player, and its client owns the input.
var hp := 100
var speed := 4.0
var stance := "standing"
var gold := 0

func _enter_tree():
	$InputSync.set_multiplayer_authority(name.to_int())

@rpc("any_peer", "reliable") func hit(amount: int):
	print("RECV from=", multiplayer.get_remote_sender_id(), " hit ", amount)

@rpc("authority", "reliable") func die():
	print("RECV from=", multiplayer.get_remote_sender_id(), " die")
