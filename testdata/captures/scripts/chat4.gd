extends SceneTree
# usage: godot --headless --path . -s chat4.gd -- server|client|client2 tcp|udp PORT [long=1]
# put_var between a server and two clients: long values that take many segments, many in one, whole objects, and answers to all.
const Values := preload("res://values4.gd")
const CLIENTS := 2
var is_tcp := false

func wait(seconds: float) -> void: await create_timer(seconds).timeout

func _initialize() -> void:
	Engine.max_fps = 60
	create_timer(20.0).timeout.connect(quit)
	var words := OS.get_cmdline_user_args()
	is_tcp = words[1] == "tcp"
	if words[0] == "server": serve(int(words[2]))
	else: chat(words[0], int(words[2]))

func log_of(what: String, value: Variant) -> void:
	print(what, " hex=", var_to_bytes_with_objects(value).hex_encode())

func said() -> Array:
	var all: Array = Values.all().filter(func(value: Variant) -> bool: return not (value is Callable or value is Signal or value is RID))
	var sizes := [3000]
	if "long=1" in OS.get_cmdline_user_args():
		sizes = [3000, 70000, 300000] if is_tcp else [3000, 20000]
	for size: int in sizes: all.append("x".repeat(size))
	var resource := Resource.new()
	resource.resource_name = "Sword"
	all.append(resource)
	return all

func serve(port: int) -> void:
	var listener: Variant = TCPServer.new() if is_tcp else UDPServer.new()
	print("create ", listener.listen(port, "127.0.0.1"))
	var peers := []
	var left := said().size() * CLIENTS
	while left > 0:
		if not is_tcp: listener.poll()
		if listener.is_connection_available():
			var peer: Variant = listener.take_connection()
			if is_tcp:
				var stream := PacketPeerStream.new()
				stream.input_buffer_max_size = 1 << 20
				stream.output_buffer_max_size = 1 << 20
				stream.stream_peer = peer
				peer = stream
			peers.append(peer)
		for peer: PacketPeer in peers:
			if is_tcp: peer.stream_peer.poll()
			while peer.get_available_packet_count() > 0:
				log_of("RECV", peer.get_var(true))
				left -= 1
				# Each answer goes to all.
				for other: PacketPeer in peers:
					log_of("SENT", {"left": left})
					other.put_var({"left": left})
		await process_frame
	await wait(0.5)
	print("DONE server")
	quit()

func chat(role: String, port: int) -> void:
	var peer: PacketPeer
	if is_tcp:
		var stream := StreamPeerTCP.new()
		stream.connect_to_host("127.0.0.1", port)
		while stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
			stream.poll()
			await process_frame
		peer = PacketPeerStream.new()
		peer.input_buffer_max_size = 1 << 20
		peer.output_buffer_max_size = 1 << 20
		peer.stream_peer = stream
	else:
		peer = PacketPeerUDP.new()
		peer.connect_to_host("127.0.0.1", port)
	var n := 0
	for value: Variant in said():
		log_of("SENT", value)
		peer.put_var(value, value is Object)
		n += 1
		# Two at once, then a pause.
		if n % 2 == 0: await wait(0.03)
	var heard := 0
	# The last answer goes to both.
	var left := 1
	while left > 0:
		if is_tcp: peer.stream_peer.poll()
		while peer.get_available_packet_count() > 0:
			var answer: Dictionary = peer.get_var()
			log_of("RECV", answer)
			left = answer["left"]
			heard += 1
		await wait(0.03)
	print("DONE ", role, " ", heard)
	quit()
