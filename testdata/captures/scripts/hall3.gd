extends Node
remote var gold = 5 setget set_gold

func set_gold(value):
	gold = value
	print("SET hex=", var2bytes([value]).hex_encode())

func heard(method, args):
	var path = str(get_path()).trim_prefix("/root/").replace(" ", "_")
	print("RECV from=", get_tree().get_rpc_sender_id(), " ", method, "@", path, " hex=", var2bytes(args).hex_encode())

remote func any(value): heard("any", [value])
remote func many(a, b, c): heard("many", [a, b, c])
puppet func from_server(value): heard("from_server", [value])
