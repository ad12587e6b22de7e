extends SceneTree
# JSON in the engine's native style, Godot 4.  Arguments: IN [read]
# IN is a file of blobs, each behind its length (u32, little-endian).  out/answers.bin gets for each
# two answers, each behind its length:
#   without read: the blob is a value; its JSON.stringify(JSON.from_native(value), "", false, true),
#                 and the bytes of what JSON.to_native makes of that text again
#   with read:    the blob is JSON text; nothing, and the bytes of what JSON.to_native makes of it
# No text where the engine cannot decode the blob.


func _init():
	var args := OS.get_cmdline_user_args()
	var f := FileAccess.open(args[0], FileAccess.READ)
	var out := FileAccess.open("out/answers.bin", FileAccess.WRITE)
	var n := f.get_length()
	while f.get_position() + 4 <= n:
		var b := f.get_buffer(f.get_32())
		var text := ""
		if args.has("read"):
			text = b.get_string_from_utf8()
			out.store_32(0)
		elif b.has_encoded_var(0, false):
			text = JSON.stringify(JSON.from_native(b.decode_var(0, false)), "", false, true)
			var utf8 := text.to_utf8_buffer()
			out.store_32(utf8.size())
			out.store_buffer(utf8)
		else:
			out.store_32(0)
		var again := PackedByteArray()
		if text != "":
			again = var_to_bytes(JSON.to_native(JSON.parse_string(text)))
		out.store_32(again.size())
		out.store_buffer(again)
		out.flush()
	out.close()
	quit()
