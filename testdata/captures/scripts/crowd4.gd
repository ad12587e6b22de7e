extends SceneTree
# usage: godot --headless --path . -s crowd4.gd -- server|client|client2|client3 enet|ws PORT [compress=...] [long=1]
# A server and three clients: players that not everybody may see, spawners in spawned nodes, inputs that clients own and
# relay, calls on all channels and in all modes, paths with spaces, methods of a base class and with any number of arguments.
# What arrives is printed: RECV, SPAWNED, DESPAWNED, SYNCED, DELTA.
const Values := preload("res://values4.gd")
const CLIENTS := 3
var role := ""
var opts := {"compress": "none", "long": ""}
var api: SceneMultiplayer
var halls := []
var players: Node
var spawner: MultiplayerSpawner
var others := []

func _initialize() -> void:
	Engine.max_fps = 60
	create_timer(30.0).timeout.connect(quit)
	var words := OS.get_cmdline_user_args()
	role = words[0]
	for word in words.slice(3):
		var pair := word.split("=")
		opts[pair[0]] = pair[1]
	var house := add(root, Node.new(), "Räume der Stadt", "")
	for title in ["Hall 1", "Hall 2"]:
		halls.append(add(house, Node.new(), title, "res://hall4.gd"))
	players = add(root, Node.new(), "Players", "")
	spawner = make_spawner(root, "Spawner", ^"../Players", make_player)
	api = get_multiplayer()
	api.peer_connected.connect(func(id: int) -> void:
		if id != 1: others.append(id))
	var port := int(words[2])
	if words[1] == "enet":
		var peer := ENetMultiplayerPeer.new()
		if role == "server":
			peer.set_bind_ip("127.0.0.1")
			print("create ", peer.create_server(port, 8))
		else:
			print("create ", peer.create_client("127.0.0.1", port))
		peer.host.compress({"none": 0, "range": 1, "fastlz": 2, "zlib": 3, "zstd": 4}[opts["compress"]])
		api.multiplayer_peer = peer
	else:
		var peer := WebSocketMultiplayerPeer.new()
		print("create ", peer.create_server(port, "127.0.0.1") if role == "server" else peer.create_client("ws://127.0.0.1:%d" % port))
		api.multiplayer_peer = peer
	if role == "server":
		serve()
	else:
		api.connected_to_server.connect(play)

func add(parent: Node, node: Node, title: String, script: String) -> Node:
	node.name = title
	if script != "":
		node.set_script(load(script))
	parent.add_child(node)
	return node

func make_spawner(parent: Node, title: String, path: NodePath, function: Callable) -> MultiplayerSpawner:
	var made := MultiplayerSpawner.new()
	made.name = title
	made.spawn_path = path
	made.spawn_function = function
	made.spawned.connect(func(node: Node) -> void: print("SPAWNED ", node.name))
	made.despawned.connect(func(node: Node) -> void: print("DESPAWNED ", node.name))
	parent.add_child(made)
	return made

func make_sync(node: Node, title: String, always: Array, watched: Array, every: float) -> MultiplayerSynchronizer:
	var config := SceneReplicationConfig.new()
	for property in always + watched:
		var path := NodePath(".:" + property)
		config.add_property(path)
		config.property_set_replication_mode(path, SceneReplicationConfig.REPLICATION_MODE_ALWAYS if property in always else SceneReplicationConfig.REPLICATION_MODE_ON_CHANGE)
	var sync := MultiplayerSynchronizer.new()
	sync.name = title
	sync.replication_interval = every
	sync.delta_interval = every
	sync.replication_config = config
	var values := func(names: Array) -> String:
		return var_to_bytes(names.map(func(property: String) -> Variant: return node.get(property))).hex_encode()
	sync.synchronized.connect(func() -> void: print("SYNCED ", node.name, " hex=", values.call(always)))
	sync.delta_synchronized.connect(func() -> void: print("DELTA ", node.name, " hex=", values.call(watched)))
	node.add_child(sync)
	return sync

func make_player(data: Variant) -> Node:
	var player := Node.new()
	player.set_script(load("res://crowd_player4.gd"))
	player.name = data["name"]
	make_sync(player, "Sync", ["position", "speed"], ["gold", "note"], 0.1)
	var input := Node.new()
	input.set_script(load("res://crowd_input4.gd"))
	input.name = "Input of " + data["name"]
	player.add_child(input)
	var aims := make_sync(input, "Sync", ["aim", "keys"], [], 0.15)
	aims.set_multiplayer_authority(data["owner"])
	# A SYNC for a node that is hidden or gone would not be printed: only the last player's input goes to all.
	aims.public_visibility = data["name"] == "Player 2"
	if data["name"] == "Player 0": aims.set_visibility_for(1, true)
	var items := Node.new()
	items.name = "Items"
	player.add_child(items)
	make_spawner(player, "ItemSpawner", ^"../Items", make_item)
	return player

func make_item(data: Variant) -> Node:
	var item := Node.new()
	item.set_script(load("res://crowd_player4.gd"))
	item.name = data
	make_sync(item, "Sync", [], ["gold", "note"], 0.1)
	return item

# Sends no more SYNC. A peer that leaves prints nothing of what is still on the way to it, so all hush long before one leaves.
func hush() -> void:
	for sync: MultiplayerSynchronizer in root.find_children("*", "MultiplayerSynchronizer", true, false):
		sync.replication_interval = 1000

func wait(seconds: float) -> void:
	await create_timer(seconds).timeout

func serve() -> void:
	while others.size() < CLIENTS:
		await wait(0.05)
	await wait(0.5)
	var made := []
	for n in CLIENTS:
		var player: Node = spawner.spawn({"name": "Player %d" % n, "owner": others[n]})
		made.append(player)
	await wait(0.6)
	# Only two see the first player's numbers, later only one, later all.
	var sync: MultiplayerSynchronizer = made[0].get_node(^"Sync")
	for step in 24:
		await wait(0.1)
		for n in CLIENTS:
			made[n].position += Vector2(1, n)
			made[n].speed = step * 0.5
		match step:
			2: made[0].gold = 300
			4: sync.public_visibility = false
			6:
				sync.set_visibility_for(others[0], true)
				sync.set_visibility_for(others[2], true)
			8:
				made[0].note = "only two hear this"
				made[1].gold = -70000
			10: made[2].get_node(^"ItemSpawner").spawn("Sword of 2")
			12:
				made[2].get_node(^"Items/Sword of 2").gold = 5000000000
				sync.set_visibility_for(others[2], false)
			14: made[0].gold = 4
			16: sync.public_visibility = true
			18:
				made[0].note = "all hear this"
				made[2].get_node(^"Items/Sword of 2").note = "sharp"
			20: made[2].get_node(^"Items/Sword of 2").queue_free()
			22:
				hush()
				made[1].queue_free()
				made.remove_at(1)
				made.append(made[0])
	for hall in halls:
		hall.z_base.rpc("to all", [1, 2])
	while not api.get_peers().is_empty():
		await wait(0.1)
	await wait(0.3)
	print("DONE server")
	quit()

func play() -> void:
	print("ID ", api.get_unique_id())
	while others.size() < CLIENTS - 1 or players.get_child_count() < CLIENTS:
		await wait(0.05)
	var mine: Node
	for child in players.get_children():
		for input in child.get_children():
			if input.name.begins_with("Input") and input.get_node(^"Sync").is_multiplayer_authority():
				mine = input
	for step in 12:
		await wait(0.1)
		if is_instance_valid(mine):
			mine.aim += Vector3(0.5, 0, 1)
			mine.keys = PackedByteArray([step, 255])
		if role == "client":
			speak(step)
	# The server hushes before it removes this player.
	while players.has_node(^"Player 1"):
		await wait(0.05)
	hush()
	await wait(1.5)
	print("DONE ", role)
	api.multiplayer_peer.close()
	await wait(0.2)
	quit()

# One of the halls hears each value in each mode; both hear what is long.
func speak(step: int) -> void:
	var hall: Node = halls[step % 2]
	var all: Array = Values.all()
	for n in all.size():
		if n % 12 != step: continue
		var value: Variant = all[n]
		hall.a_typed.rpc_id(1, [Vector3(n, 0, 1), Vector3.ONE] as Array[Vector3], {&"c": Color.RED} as Dictionary[StringName, Color])
		hall.b_channel2.rpc_id(1, value)
		hall.c_channel5.rpc_id(1, value, n)
		hall.d_channel7.rpc_id(1, value)
		hall.e_default.rpc_id(1, value)
		hall.e_default.rpc_id(1, value, "given")
		hall.z_base.rpc_id(others[0], "relayed", value)
	match step:
		3:
			hall.f_any.rpc_id(1)
			hall.f_any.rpc_id(1, 1, "two", 3.0, null, [4])
			var many := [1]
			for n in 200: many.append(n)
			hall.callv(&"rpc_id", [1, &"f_any"] + many.slice(1))
		5:
			var long: bool = opts["long"] != ""
			for size: int in ([1300, 4096, 20000, 300000] if long else [1300, 4096]):
				hall.b_channel2.rpc_id(1, "r".repeat(size))
			for size: int in ([1300, 4096, 20000] if long else [1300, 4096]):
				hall.d_channel7.rpc_id(1, "u".repeat(size))
				hall.c_channel5.rpc_id(1, "o".repeat(size), size)
		7: hall.z_base.rpc("to everybody", step)
		8: hall.z_base.rpc_id(-others[0], "to all but one", step)
