extends Node
# /root/Game. A server of Godot answers as crates/packet/examples/dedicated_server does.

@rpc("any_peer", "reliable")
func say(text: String) -> void:
	print("SAY ", multiplayer.get_remote_sender_id() > 1, " ", text)
	said.rpc(multiplayer.get_remote_sender_id(), text)

@rpc("reliable")
func said(peer: int, text: String) -> void:
	print("SAID ", "I" if peer == multiplayer.get_unique_id() else "another", " ", text)
