extends Node

func heard(method: String, args: Array) -> void:
	var path := str(get_path()).trim_prefix("/root/").replace(" ", "_")
	print("RECV from=", multiplayer.get_remote_sender_id(), " ", method, "@", path, " hex=", var_to_bytes(args).hex_encode())

@rpc("any_peer", "reliable") func z_base(a, b): heard("z_base", [a, b])
