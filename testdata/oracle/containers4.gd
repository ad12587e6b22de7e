extends SceneTree
# What Godot 4 makes of container files that something else wrote, and what it writes itself.
# Argument: LIST, a text file of lines "FILE HOW SECRET", where HOW is
#   compressed0 … compressed4   open_compressed in that mode
#   pass, key                   open_encrypted_with_pass, open_encrypted (SECRET: password, or hex)
# and FILE lies beside it.  For each, one line of out/containers.jsonl:
#   {"file":"a.gcpf","size":5,"md5":"<of the contents>","first":"<bytes of get_var, in hex>"}
#   {"file":"b.gcpf","error":16}
# "first" is there only if the contents begin with a record.  The contents of compressed0 files
# are also written again, to out/FILE.


func _init():
	var out := FileAccess.open("out/containers.jsonl", FileAccess.WRITE)
	var lines := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]).split("\n", false)
	for line in lines:
		var words := line.split(" ")
		out.store_line(judge(words[0], words[1], words[2] if words.size() > 2 else ""))
		out.flush()
	out.close()
	quit()


func open(path: String, how: String, secret: String, access := FileAccess.READ) -> FileAccess:
	if how == "pass":
		return FileAccess.open_encrypted_with_pass(path, access, secret)
	if how == "key":
		return FileAccess.open_encrypted(path, access, secret.hex_decode())
	return FileAccess.open_compressed(path, access, int(how.right(1)))


func judge(file: String, how: String, secret: String) -> String:
	var f := open(file, how, secret)
	if f == null:
		return "{\"file\":\"%s\",\"error\":%d}" % [file, FileAccess.get_open_error()]
	var contents := f.get_buffer(f.get_length())
	var r := "{\"file\":\"%s\",\"size\":%d,\"md5\":\"%s\"" % [file, contents.size(), md5(contents)]
	if contents.size() > 8 and contents.decode_u32(0) <= contents.size() - 4:
		f.seek(0)
		r += ",\"first\":\"%s\"" % var_to_bytes(f.get_var()).hex_encode()
	f.close()
	if how == "compressed0":
		var again := open("out/" + file, how, secret, FileAccess.WRITE)
		again.store_buffer(contents)
		again.close()
	return r + "}"


func md5(bytes: PackedByteArray) -> String:
	var c := HashingContext.new()
	c.start(HashingContext.HASH_MD5)
	if not bytes.is_empty():
		c.update(bytes)
	return c.finish().hex_encode()
