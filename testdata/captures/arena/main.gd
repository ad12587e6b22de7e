extends Node
# usage: godot --headless --path . -- ROLE PORT     ROLE: server, honest, cheat
var role := ""
var ids := []

@rpc("any_peer", "call_remote", "reliable") func say(text: String, loud := false):
	print("RECV from=", multiplayer.get_remote_sender_id(), " say ", text, " ", loud)

@rpc("any_peer", "call_remote", "unreliable") func ping(at: int):
	print("RECV from=", multiplayer.get_remote_sender_id(), " ping ", at)

@rpc("authority", "call_remote", "reliable") func end_round(winner: String):
	print("RECV from=", multiplayer.get_remote_sender_id(), " end_round ", winner)

func wait(s: float):
	await get_tree().create_timer(s).timeout

func _ready():
	Engine.max_fps = 60
	get_tree().create_timer(25.0).timeout.connect(get_tree().quit)
	var args := OS.get_cmdline_user_args()
	role = args[0]
	var peer := ENetMultiplayerPeer.new()
	if role == "server":
		peer.set_bind_ip("127.0.0.1")
		print("create ", peer.create_server(int(args[1]), 8))
		multiplayer.peer_connected.connect(func(id): ids.append(id))
		multiplayer.multiplayer_peer = peer
		serve()
	else:
		print("create ", peer.create_client("127.0.0.1", int(args[1])))
		multiplayer.multiplayer_peer = peer
		multiplayer.connected_to_server.connect(play)

func serve():
	while ids.size() < 2:
		await wait(0.05)
	var players := []
	for id in ids:
		var player: Node2D = load("res://player.tscn").instantiate()
		player.name = str(id)
		$Players.add_child(player, true)
		players.append(player)
	await wait(0.5)
	for step in 50:
		await wait(0.1)
		$Score.left -= 0.125
		for player in players:
			player.position += Vector2(1, 0.5)
		if step == 10:
			$Players.add_child(load("res://coin.tscn").instantiate(), true)
		if step == 20:
			$Score.red = 1
			players[0].gold = 50
			players[1].hp = 80
			$Players.get_node("Coin").queue_free()
		if step == 30:
			print("STALL")
			OS.delay_msec(400)
	end_round.rpc("red")
	await wait(0.5)
	multiplayer.multiplayer_peer.close()
	print("DONE server")
	get_tree().quit()

func play():
	var me := multiplayer.get_unique_id()
	print("ID ", me)
	multiplayer.server_disconnected.connect(get_tree().quit)
	while not $Players.has_node(str(me)) or $Players.get_child_count() < 2:
		await wait(0.05)
	var input: Node = $Players.get_node(str(me)).get_node("Input")
	var other: Node = $Players.get_child(0) if $Players.get_child(0).name != str(me) else $Players.get_child(1)
	say.rpc_id(1, "hello from " + role)
	for step in 40:
		await wait(0.1)
		input.aim += 0.1
		ping.rpc_id(1, step)
		if step == 12 and role == "honest":
			say.rpc_id(1, "well done", true)
			other.hit.rpc_id(1, 10)
		if role != "cheat":
			continue
		if step == 10:
			end_round.rpc_id(1, "me")
		if step == 15:
			other.die.rpc_id(1)
			other.get_node("InputSync").set_multiplayer_authority(me)
		if step == 20:
			for i in 120:
				say.rpc_id(1, "spam")
		if step == 25:
			rpc_id(1, &"say", Vector2(1, 2))
			rpc_id(1, &"say", "a", true, 3)
