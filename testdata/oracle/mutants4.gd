extends SceneTree
# Verdicts on many inputs, Godot 4.  Arguments: IN [full]
# IN is a file of blobs, each behind its length, as for roundtrip4.gd.  out/answers.bin gets a record
# for each, all numbers little-endian:
#   u8 0                                                      refused
#   u8 1, u32 consumed, u32 n, n bytes, u32 m, m bytes        accepted; what var_to_bytes and
#                                                             var_to_str make of it (UTF-8)
# and every record is in the file before the next input is looked at, for an input may end the
# engine.
# full    decode and encode whole objects


func _init():
	var args := OS.get_cmdline_user_args()
	var full := args.has("full")
	var f := FileAccess.open(args[0], FileAccess.READ)
	var out := FileAccess.open("out/answers.bin", FileAccess.WRITE)
	var n := f.get_length()
	while f.get_position() + 4 <= n:
		var b := f.get_buffer(f.get_32())
		if b.is_empty() or not b.has_encoded_var(0, full):
			out.store_8(0)
		else:
			var v = b.decode_var(0, full)
			var again := var_to_bytes_with_objects(v) if full else var_to_bytes(v)
			var text := var_to_str(v).to_utf8_buffer()
			out.store_8(1)
			out.store_32(b.decode_var_size(0, full))
			out.store_32(again.size())
			out.store_buffer(again)
			out.store_32(text.size())
			out.store_buffer(text)
		out.flush()
	out.close()
	quit()
