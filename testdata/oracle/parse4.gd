extends SceneTree
# What str_to_var makes of many texts, Godot 4.  Arguments: IN START, the number of the first text to look at
# IN is a file of texts in UTF-8, each behind its length (u32, little-endian).  out/answers.bin gets
# for each text the length and the bytes of var_to_bytes(str_to_var(text)), in order; no bytes at all
# where the value cannot be encoded.  A refused text is a null: 4 zero bytes.  Every answer is in the
# file before the next text is looked at, for a text may end the engine.


func _init():
	var f := FileAccess.open(OS.get_cmdline_user_args()[0], FileAccess.READ)
	var out := FileAccess.open("out/answers.bin", FileAccess.WRITE)
	var n := f.get_length()
	for i in int(OS.get_cmdline_user_args()[1]):
		f.seek(f.get_position() + 4 + f.get_32())
	while f.get_position() + 4 <= n:
		var b := var_to_bytes(str_to_var(f.get_buffer(f.get_32()).get_string_from_utf8()))
		out.store_32(b.size())
		out.store_buffer(b)
		out.flush()
	out.close()
	quit()
