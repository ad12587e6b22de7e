extends SceneTree
# A client of an echo server, Godot 3: as echo4.gd.  Arguments: IN TCP_PORT UDP_PORT

const MOST = 65532
const MOST_UDP = 65000
const PATIENCE_MSEC = 10000

var different = 0
var lost = 0


func _init():
	var args = Array(OS.get_cmdline_args())
	args = args.slice(args.size() - 3, args.size() - 1)
	var values = read(args[0])
	var stream = StreamPeerTCP.new()
	stream.connect_to_host("127.0.0.1", int(args[1]))
	var since = OS.get_ticks_msec()
	while stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		if OS.get_ticks_msec() - since > PATIENCE_MSEC:
			print("echo: nobody answers on TCP port ", args[1])
			quit(1)
			return
		OS.delay_msec(1)
	stream.set_no_delay(true)
	var framed = PacketPeerStream.new()
	framed.stream_peer = stream
	var tcp = 0
	for v in values:
		if var2bytes(v).size() <= MOST:
			tcp += 1
			exchange(framed, v)
	var datagrams = PacketPeerUDP.new()
	datagrams.connect_to_host("127.0.0.1", int(args[2]))
	var udp = 0
	for v in values:
		if var2bytes(v).size() <= MOST_UDP:
			udp += 1
			exchange(datagrams, v)
	print("ECHO tcp=%d udp=%d different=%d lost=%d" % [tcp, udp, different, lost])
	quit(0 if different == 0 and lost == 0 else 1)


# Only values of types that this engine has can be here: a blob that it refuses reads as null, and
# null is echoed like anything else.
func read(path):
	var f = File.new()
	f.open(path, File.READ)
	var values = []
	while f.get_position() + 4 <= f.get_len():
		var v = bytes2var(f.get_buffer(f.get_32()))
		if is_stable(v):
			values.append(v)
	return values


# The id of an object is another each time the engine itself reads it: such values cannot be compared.
# This engine nests without end, readers of its packets should not.
func is_stable(v):
	var text = var2str(v)
	if text.count("[") + text.count("{") > 1000:
		return false
	return var2bytes(bytes2var(var2bytes(v))) == var2bytes(v)


func exchange(peer, v):
	var e = peer.put_var(v)
	var since = OS.get_ticks_msec()
	while e == OK and peer.get_available_packet_count() == 0:
		if OS.get_ticks_msec() - since > PATIENCE_MSEC:
			e = ERR_TIMEOUT
	if e != OK:
		lost += 1
		print("echo: lost (error ", e, "): ", var2str(v).left(200))
		return
	var w = peer.get_var()
	# This engine pads the names of node paths with whatever is in memory.
	var same = hash(w) == hash(v) and var2str(w) == var2str(v)
	if var2bytes(w) != var2bytes(v) and not same:
		different += 1
		print("echo: sent ", var2bytes(v).hex_encode().left(400), ", got ", var2bytes(w).hex_encode().left(400))
