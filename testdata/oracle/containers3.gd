extends SceneTree
# As containers4.gd, in Godot 3.  It has no mode 4.


func _init():
	var list = null
	var mine = false
	for a in OS.get_cmdline_args():
		if mine:
			list = a
		mine = a.ends_with("containers3.gd")
	var text = File.new()
	text.open(list, File.READ)
	var out = File.new()
	out.open("out/containers.jsonl", File.WRITE)
	for line in text.get_as_text().split("\n", false):
		var words = line.split(" ")
		out.store_line(judge(words[0], words[1], words[2] if words.size() > 2 else ""))
	out.close()
	quit()


func open(f, path, how, secret, access):
	if how == "pass":
		return f.open_encrypted_with_pass(path, access, secret)
	if how == "key":
		return f.open_encrypted(path, access, unhex(secret))
	return f.open_compressed(path, access, int(how.right(how.length() - 1)))


func unhex(text):
	var bytes = PoolByteArray()
	for i in range(0, text.length(), 2):
		bytes.append(("0x" + text.substr(i, 2)).hex_to_int())
	return bytes


func judge(file, how, secret):
	var f = File.new()
	var error = open(f, file, how, secret, File.READ)
	if error != OK:
		return "{\"file\":\"%s\",\"error\":%d}" % [file, error]
	var contents = f.get_buffer(f.get_len())
	var r = "{\"file\":\"%s\",\"size\":%d,\"md5\":\"%s\"" % [file, contents.size(), md5(contents)]
	if contents.size() > 8 and word(contents) <= contents.size() - 4:
		f.seek(0)
		r += ",\"first\":\"%s\"" % var2bytes(f.get_var()).hex_encode()
	f.close()
	if how == "compressed0":
		var again = File.new()
		open(again, "out/" + file, how, secret, File.WRITE)
		again.store_buffer(contents)
		again.close()
	return r + "}"


func word(bytes):
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24


func md5(bytes):
	var c = HashingContext.new()
	c.start(HashingContext.HASH_MD5)
	if bytes.size() > 0:
		c.update(bytes)
	return c.finish().hex_encode()
