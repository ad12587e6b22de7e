extends SceneTree
# usage: godot3-server --no-window --path . -s crowd3.gd -- server|client|client2 enet|ws PORT [compress=...] [long=1]
# Calls and properties of nodes with spaces in their paths, on channels of the game's own, reliable and not, longer than a
# datagram, from and to each peer. What arrives is printed: RECV; for properties SET.
const CLIENTS = 2
const Values = preload("res://values3.gd")
var role
var opts = {"compress": "none", "long": ""}
var halls = []
var others = []
var peer

func words():
	var all = Array(OS.get_cmdline_args())
	return all.slice(all.find("--") + 1, all.size() - 1)

func _initialize():
	Engine.target_fps = 60
	Engine.iterations_per_second = 60
	create_timer(30.0).connect("timeout", self, "quit")
	var args = words()
	role = args[0]
	for word in args.slice(3, args.size() - 1):
		var pair = word.split("=")
		if pair.size() == 2: opts[pair[0]] = pair[1]
	var house = Node.new()
	house.name = "Räume der Stadt"
	root.add_child(house)
	for title in ["Hall 1", "Hall 2"]:
		var hall = Node.new()
		hall.name = title
		hall.set_script(load("res://hall3.gd"))
		house.add_child(hall)
		halls.append(hall)
	connect("network_peer_connected", self, "came")
	var port = int(args[2])
	if args[1] == "enet":
		peer = NetworkedMultiplayerENet.new()
		peer.channel_count = 8
		peer.compression_mode = {"none": 0, "range": 1, "fastlz": 2, "zlib": 3, "zstd": 4}[opts["compress"]]
		if role == "server": peer.set_bind_ip("127.0.0.1")
		print("create ", peer.create_server(port, 8) if role == "server" else peer.create_client("127.0.0.1", port))
	elif role == "server":
		peer = WebSocketServer.new()
		peer.bind_ip = "127.0.0.1"
		print("create ", peer.listen(port, PoolStringArray(), true))
	else:
		peer = WebSocketClient.new()
		print("create ", peer.connect_to_url("ws://127.0.0.1:%d" % port, PoolStringArray(), true))
	set_network_peer(peer)
	if role == "server":
		serve()
	else:
		connect("connected_to_server", self, "play")

func came(id):
	if id != 1: others.append(id)

func wait(seconds): return create_timer(seconds)

func serve():
	while others.size() < CLIENTS: yield(wait(0.05), "timeout")
	yield(wait(1.2), "timeout")
	for hall in halls:
		hall.rpc("from_server", "to all")
		hall.rpc_id(others[1], "from_server", {"to": "one"})
		hall.rpc_unreliable("from_server", 1.5)
		hall.rset("gold", 77)
	while get_network_connected_peers().size() > 0: yield(wait(0.1), "timeout")
	yield(wait(0.3), "timeout")
	print("DONE server")
	quit()

func play():
	print("ID ", get_network_unique_id())
	while others.empty(): yield(wait(0.05), "timeout")
	yield(wait(0.4), "timeout")
	if role == "client": yield(speak(), "completed")
	# The client that only listens leaves when the other has long finished.
	yield(wait(2.5 if role == "client" else 5.0), "timeout")
	print("DONE ", role)
	if peer is NetworkedMultiplayerENet: peer.close_connection(100)
	else: peer.disconnect_from_host()
	yield(wait(0.2), "timeout")
	quit()

func channel(n):
	if peer is NetworkedMultiplayerENet: peer.transfer_channel = n

func speak():
	var n = 0
	for value in Values.all():
		var hall = halls[n % 2]
		channel([-1, 3, 5][n % 3])
		hall.rpc_id(1, "any", value)
		hall.rpc_unreliable_id(1, "many", value, n, [value])
		hall.rset_id(1, "gold", value)
		hall.rpc_id(others[0], "any", value)
		n += 1
		if n % 8 == 0: yield(wait(0.1), "timeout")
	channel(-1)
	for size in [1300, 4096] if opts["long"] == "" else [1300, 4096, 20000, 60000]:
		halls[0].rpc_id(1, "any", "r".repeat(size))
		yield(wait(0.1), "timeout")
	for size in [1300, 4096]: halls[1].rpc_unreliable_id(1, "any", "u".repeat(size))
	halls[0].rpc("any", "to everybody")
	halls[1].rpc_id(-others[0], "any", "to all but one")
	yield(wait(0.3), "timeout")
