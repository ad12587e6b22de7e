extends SceneTree
# usage: godot --headless --path . -s peer.gd -- server|client PORT SECONDS [TEXT...]
# A client says the texts, half a second apart, and prints what its nodes are told.
var game: Node
var players: Node

func _initialize() -> void:
	var words := OS.get_cmdline_user_args()
	game = add(root, "Game", "res://game.gd")
	players = add(root, "Players", "")
	var spawner := MultiplayerSpawner.new()
	spawner.name = "Spawner"
	spawner.add_spawnable_scene("res://player.tscn")
	players.add_child(spawner)
	spawner.spawn_path = ^".."
	var config := SceneReplicationConfig.new()
	config.add_property(^".:weather")
	config.property_set_replication_mode(^".:weather", SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	var sync := MultiplayerSynchronizer.new()
	sync.name = "Sync"
	sync.replication_config = config
	add(root, "World", "res://world.gd").add_child(sync)
	var peer := ENetMultiplayerPeer.new()
	var api := get_multiplayer()
	if words[0] == "server":
		print("create ", peer.create_server(int(words[1]), 8))
	else:
		print("create ", peer.create_client("127.0.0.1", int(words[1])))
	api.peer_connected.connect(func(id: int) -> void: print("PEER + ", "server" if id == 1 else "client"))
	api.server_disconnected.connect(func() -> void: print("KICKED"))
	api.multiplayer_peer = peer
	create_timer(float(words[2])).timeout.connect(end)
	if words[0] == "client":
		await api.connected_to_server
		for text in words.slice(3):
			await create_timer(0.5).timeout
			game.say.rpc_id(1, text)

func add(parent: Node, title: String, script: String) -> Node:
	var node := Node.new()
	node.name = title
	if script != "":
		node.set_script(load(script))
	parent.add_child(node)
	return node

func end() -> void:
	for node in players.get_children():
		if node is Node2D:
			print("POSITION ", node.whose, " ", node.position)
	quit()
