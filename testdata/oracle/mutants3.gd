extends SceneTree
# Verdicts on many inputs, Godot 3.  As mutants4.gd, but for `consumed`: it is the length of the input
# where it is certain that all of it was used, else 0xffffffff.

var good = false


func _init():
	var args = []
	var mine = false
	for a in OS.get_cmdline_args():
		if mine:
			args.append(a)
		mine = mine or a.ends_with("mutants3.gd")
	var full = args.has("full")
	var f = File.new()
	f.open(args[0], File.READ)
	var n = f.get_len()
	var out = File.new()
	out.open("out/answers.bin", File.WRITE)
	out.close()
	while f.get_position() + 4 <= n:
		var b = f.get_buffer(f.get_32())
		var v = null
		good = false
		if b.size() > 0:
			v = decode(b, full)
		if not good:
			# Godot 3.2 has no flush: opened and closed, what was answered is in the file.
			out.open("out/answers.bin", File.READ_WRITE)
			out.seek_end()
			out.store_8(0)
			out.close()
			continue
		var consumed = 0xffffffff
		# Put into an array before a marker, a blob that was used whole leaves the marker readable.
		var probe = PoolByteArray([19, 0, 0, 0, 2, 0, 0, 0])
		probe.append_array(b)
		probe.append_array(PoolByteArray([2, 0, 0, 0, 0x5a, 0x69, 0x78, 0x47]))
		var w = decode(probe, full)
		if good and typeof(w[1]) == TYPE_INT and w[1] == 0x4778695a:
			consumed = b.size()
		var again = var2bytes(v, full)
		var text = var2str(v).to_utf8()
		out.open("out/answers.bin", File.READ_WRITE)
		out.seek_end()
		out.store_8(1)
		out.store_32(consumed)
		out.store_32(again.size())
		out.store_buffer(again)
		out.store_32(text.size())
		out.store_buffer(text)
		out.close()
	quit()


# A refused input ends the function that called bytes2var, so `good` stays false.
func decode(b, full):
	good = false
	var v = bytes2var(b, full)
	good = true
	return v
