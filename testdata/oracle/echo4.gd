extends SceneTree
# A client of an echo server, Godot 4.  Arguments: IN TCP_PORT UDP_PORT
# IN is a file of blobs as roundtrip4.gd takes it. Each value that this engine reads and that fits
# into a packet is sent with put_var, once behind a length over TCP and once as a datagram, and
# must come back as the same bytes. Prints
#   ECHO tcp=<sent> udp=<sent> different=<n> lost=<n>
# and leaves with 0 if nothing differs and nothing is lost.

# What a PacketPeerStream holds by default, without its length prefix; a datagram holds less.
const MOST := 65532
const MOST_UDP := 65000
const PATIENCE_MSEC := 10000

var different := 0
var lost := 0


func _init():
	var args := OS.get_cmdline_user_args()
	var values := read(args[0])
	var stream := StreamPeerTCP.new()
	stream.connect_to_host("127.0.0.1", int(args[1]))
	var since := Time.get_ticks_msec()
	while stream.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		stream.poll()
		if Time.get_ticks_msec() - since > PATIENCE_MSEC:
			print("echo: nobody answers on TCP port ", args[1])
			quit(1)
			return
		OS.delay_msec(1)
	stream.set_no_delay(true)
	var framed := PacketPeerStream.new()
	framed.stream_peer = stream
	var tcp := 0
	for v in values:
		if var_to_bytes(v).size() <= MOST:
			tcp += 1
			exchange(framed, v)
	var datagrams := PacketPeerUDP.new()
	datagrams.connect_to_host("127.0.0.1", int(args[2]))
	var udp := 0
	for v in values:
		if var_to_bytes(v).size() <= MOST_UDP:
			udp += 1
			exchange(datagrams, v)
	print("ECHO tcp=%d udp=%d different=%d lost=%d" % [tcp, udp, different, lost])
	quit(0 if different == 0 and lost == 0 else 1)


func read(path: String) -> Array:
	var f := FileAccess.open(path, FileAccess.READ)
	var values := []
	while f.get_position() + 4 <= f.get_length():
		var b := f.get_buffer(f.get_32())
		if not b.has_encoded_var(0, false):
			continue
		var v = bytes_to_var(b)
		if is_stable(v):
			values.append(v)
	return values


# The id of an object is another each time the engine itself reads it: such values cannot be compared.
func is_stable(v) -> bool:
	return var_to_bytes(bytes_to_var(var_to_bytes(v))) == var_to_bytes(v)


func exchange(peer: PacketPeer, v) -> void:
	var e := peer.put_var(v)
	var since := Time.get_ticks_msec()
	while e == OK and peer.get_available_packet_count() == 0:
		if Time.get_ticks_msec() - since > PATIENCE_MSEC:
			e = ERR_TIMEOUT
	if e != OK:
		lost += 1
		print("echo: lost (error ", e, "): ", var_to_str(v).left(200))
		return
	var w = peer.get_var()
	if var_to_bytes(w) != var_to_bytes(v):
		different += 1
		print("echo: sent ", var_to_bytes(v).hex_encode().left(400), ", got ", var_to_bytes(w).hex_encode().left(400))
