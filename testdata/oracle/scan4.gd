extends SceneTree
# Makes ../scan/godot4: files that run code when Godot 4 reads them the natural way, clean ones of the same
# kinds, and the engine's own proof. Each hostile file is written, then read. Its code prints a line that
# begins with RAN, so standard output is the proof: PROOF file and call, then RAN lines. prove_scan.sh
# runs this and keeps it.

const OUT := "res://out/godot4/"


func _init():
	DirAccess.make_dir_recursive_absolute("res://out/godot4/hostile")
	DirAccess.make_dir_recursive_absolute("res://out/godot4/clean")
	texts()
	configs()
	notations()
	bytes()
	containers()
	binary_resources()
	load("res://scan_project4.gd").make(OUT + "hostile/")
	clean()
	quit()


# The source of a script that says so when it is made. It is loud at once, whether it is made or only loaded.
func source(name: String, base := "RefCounted") -> String:
	return "extends %s\nstatic func _static_init():\n\tprint(\"RAN %s when loaded\")\nfunc _init():\n\tprint(\"RAN %s when made\")\n" % [base, name, name]


func quoted(text: String) -> String:
	return "\"" + text.c_escape() + "\""


func put(name: String, data: PackedByteArray) -> String:
	var path := OUT + "hostile/" + name
	var f := FileAccess.open(path, FileAccess.WRITE)
	f.store_buffer(data)
	f.close()
	return path


# A script outside of the file, under a name of its own: the engine loads a path once.
func outside(path: String, name: String) -> String:
	var f := FileAccess.open(path, FileAccess.WRITE)
	f.store_string(source(name, "Resource"))
	f.close()
	return path


func proof(name: String, how: String) -> void:
	print("PROOF %s %s" % [name, how])


func tres(name: String, text: String) -> void:
	var path := put(name, text.to_utf8_buffer())
	proof(name, "load")
	var loaded = load(path)
	if loaded is PackedScene:
		proof(name, "instantiate")
		var node: Node = loaded.instantiate()
		node.free()


func texts() -> void:
	var head := "[gd_resource type=\"Resource\" format=3]\n\n"
	var sub := "[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = %s\n\n"
	var tail := "[resource]\nscript = SubResource(\"1\")\n"
	tres("embedded.tres", head + sub % quoted(source("embedded.tres", "Resource")) + tail)
	tres("unused.tres", head + sub % quoted(source("unused.tres")) + "[resource]\n")
	tres("escaped_words.tres", head + "[sub_resource type=\"\\u0047DScript\" id=\"1\"]\n\"\\u0073cript/source\" = %s\n\n"
			% quoted(source("escaped_words.tres", "Resource")) + tail)
	tres("needless_escapes.tres", head + "[sub_resource type=\"GD\\Script\" id=\"1\"]\n\"\\scr\\ipt\\/source\" = %s\n\n"
			% quoted(source("needless_escapes.tres", "Resource")) + tail)
	tres("long_escapes.tres", head + "[sub_resource type=\"\\U000047DScript\" id=\"1\"]\n\"script/sourc\\U000065\" = %s\n\n"
			% quoted(source("long_escapes.tres", "Resource")) + tail)
	tres("blanks.tres", head + "[ sub_resource\ntype\t=\n\"GDScript\" id = \"1\" ]\nscr ipt /\t source \n= %s\n\n"
			% quoted(source("blanks.tres", "Resource")) + tail)
	tres("comments.tres", head + "[sub_resource ; a \"note\ntype ; [\n = ; \\\n\"GDScript\" id=\"1\"]\nscr ; it's\nipt/;]\nsource = %s\n\n"
			% quoted(source("comments.tres", "Resource")) + tail)
	tres("comment_escapes.tres", head + "[sub_resource type=\"GDScript\" id=\"1\"]\nscr ; a\\nb\nipt/ ; \\u00\nsource = %s\n\n"
			% quoted(source("comment_escapes.tres", "Resource")) + tail)
	tres("string_name.tres", head + "[sub_resource type=&\"GDScript\" id=\"1\"]\nscript/source = %s\n\n"
			% quoted(source("string_name.tres", "Resource")) + tail)
	tres("node_path.tres", head + "[sub_resource type=NodePath(\"GDScript\") id=\"1\"]\nscript/source = %s\n\n"
			% quoted(source("node_path.tres", "Resource")) + tail)
	tres("no_id.tres", head + "[sub_resource id=\"a;b\" type=\"GDScript\"]\nmetadata/x = \";\" script/source = %s\n\n"
			% quoted(source("no_id.tres")) + "[resource]\n")
	var ext := "[ext_resource type=\"Script\" path=\"%s\" id=\"1\"]\n\n[resource]\nscript = ExtResource(\"1\")\n"
	tres("ext_user.tres", head + ext % outside("user://ext_user.gd", "ext_user.tres"))
	tres("ext_absolute.tres", head + ext % outside("/tmp/gdvar_scan_absolute.gd", "ext_absolute.tres"))
	outside(OUT + "hostile/beside.gd", "ext_relative.tres")
	tres("ext_relative.tres", head + ext % "beside.gd")
	outside("user://ext_escaped.gd", "ext_escaped.tres")
	tres("ext_escaped.tres", head + ext % "user://ext_escaped\\u002eg\\d")
	tres("ext_upper.tres", head + ext % outside("user://ext_upper.GD", "ext_upper.tres"))
	outside("user://ext_node_path.gd", "ext_node_path.tres")
	tres("ext_node_path.tres", head + "[ext_resource type=\"Script\" path=NodePath(\"user://ext_node_path.gd\") id=\"1\"]\n\n[resource]\n")
	tres("call_resource.tres", head + "[resource]\nmetadata/x = Resource(\"%s\")\n" % outside("user://call_resource.gd", "call_resource.tres"))
	tres("call_array.tres", head + "[resource]\nmetadata/x = Array[Resource(\"%s\")]([])\n"
			% outside("user://call_array.gd", "call_array.tres"))
	tres("object.tres", head + "[resource]\nmetadata/x = Object(GDScript,\"script/source\":%s)\n"
			% quoted(source("object.tres")))
	tres("scene.tscn", "[gd_scene format=3]\n\n" + sub % quoted(source("scene.tscn", "Node"))
			+ "[node name=\"A\" type=\"Node\"]\nscript = SubResource(\"1\")\n")
	tres("ext_crlf.tres", (head + ext % outside("user://ext_crlf.gd", "ext_crlf.tres")).replace("\n", "\r\n"))
	# Another resource that has the code.
	outside("user://chain.gd", "chain.tres")
	var f := FileAccess.open("user://chain.tres", FileAccess.WRITE)
	f.store_string(head + ext % "user://chain.gd")
	f.close()
	tres("chain.tres", head + "[ext_resource type=\"Resource\" path=\"user://chain.tres\" id=\"1\"]\n\n[resource]\nmetadata/x = ExtResource(\"1\")\n")
	# The script itself.
	var path := put("script.gd", source("script.gd").to_utf8_buffer())
	proof("script.gd", "load")
	load(path)
	# Named like an image, with the real path beside it.
	outside(OUT + "hostile/other.gd", "picture.png.remap")
	put("picture.png.remap", ("[remap]\n\npath=\"%s\"\n" % (OUT + "hostile/other.gd")).to_utf8_buffer())
	proof("picture.png.remap", "load of picture.png")
	load(OUT + "hostile/picture.png")


func cfg(name: String, data) -> void:
	var path := put(name, data if data is PackedByteArray else data.to_utf8_buffer())
	proof(name, "ConfigFile.load")
	ConfigFile.new().load(path)


func made(name: String) -> String:
	return "Object(RefCounted,\"script\":Object(GDScript,\"script/source\":%s))" % quoted(source(name))


func configs() -> void:
	cfg("object.cfg", "[a]\n\nb=%s\n" % made("object.cfg"))
	cfg("script_only.cfg", "[a]\n\nb=Object(GDScript,\"script/source\":%s)\n" % quoted(source("script_only.cfg")))
	cfg("comment.cfg", "b = Object ; note\n (GDScript ; (\n , \"script/source\" : %s)\n" % quoted(source("comment.cfg")))
	cfg("section_quote.cfg", "[\"]\nb=Object ;\" \n(GDScript,\"script/source\":%s)\n" % quoted(source("section_quote.cfg")))
	cfg("string_semicolon.cfg", "a=\"x;\" b=Object ;c\n(GDScript,\"script/source\":%s)\n" % quoted(source("string_semicolon.cfg")))
	cfg("comment_backslash.cfg", "b=Object ;\\\n(GDScript,\"script/source\":%s)\n" % quoted(source("comment_backslash.cfg")))
	cfg("comment_newline_escape.cfg", "b=Object ;x\\nyy\n(GDScript,\"script/source\":%s)\n" % quoted(source("comment_newline_escape.cfg")))
	cfg("comment_half_escape.cfg", "b=Object ;\\u00\n(GDScript,\"script/source\":%s)\n" % quoted(source("comment_half_escape.cfg")))
	cfg("blanks.cfg", "b\u0001=\u0002Object\u000b\u001f( GDScript , \"script/source\" : %s )\n" % quoted(source("blanks.cfg")))
	cfg("junk_before.cfg", "\\u00 \\ ' # hello, world! \\\" b\" =Object(GDScript,\"script/source\":%s)\n" % quoted(source("junk_before.cfg")))
	cfg("nested.cfg", "b=[{\"a\": [%s]}]\n" % made("nested.cfg"))
	cfg("crlf.cfg", ("[a]\nb=Object\n(GDScript,\"script/source\":%s)\n" % quoted(source("crlf.cfg"))).replace("\n", "\r\n"))
	cfg("resource.cfg", "b=Resource(\"%s\")\n" % outside("user://resource_cfg.gd", "resource.cfg"))
	outside("user://resource_escaped.gd", "resource_escaped.cfg")
	cfg("resource_escaped.cfg", "b=Resource ;\n ( \"\\u0075ser://resource_escaped.g\\d\" )\n")
	cfg("ext_resource.cfg", "b=ExtResource(\"%s\")\n" % outside("user://ext_resource_cfg.gd", "ext_resource.cfg"))
	cfg("typed_array.cfg", "b=Array[Resource(\"%s\")]([])\n" % outside("user://typed_array_cfg.gd", "typed_array.cfg"))
	cfg("typed_dictionary.cfg", "b=Dictionary[int,Resource(\"%s\")]({})\n" % outside("user://typed_dictionary_cfg.gd", "typed_dictionary.cfg"))
	cfg("subresource.cfg", "b=SubResource(\"%s\")\n" % outside("user://subresource_cfg.gd", "subresource.cfg"))
	# A file that is a save as well: the zeros of its head are no part of a name.
	var text := "b=Object(GDScript,\"script/source\":%s)\n" % quoted(source("save_and_config.cfg"))
	cfg("save_and_config.cfg", record(text))
	cfg("long_comment.cfg", "b=Object;" + "(Object;".repeat(2000) + "\n(GDScript,\"script/source\":%s)\n" % quoted(source("long_comment.cfg")))


func notations() -> void:
	for pair in [
		["object.txt", made("object.txt")],
		["comment.txt", "Object ; \"\n(GDScript,\"script/source\":%s)" % quoted(source("comment.txt"))],
		["in_array.txt", "[1, {\"a\": %s}]" % made("in_array.txt")],
		["resource.txt", "Resource(\"%s\")" % outside("user://resource_txt.gd", "resource.txt")],
		["ext_resource.txt", "[ExtResource(\"%s\")]" % outside("user://ext_resource_txt.gd", "ext_resource.txt")],
		["typed.txt", "Array[Resource(\"%s\")]([])" % outside("user://typed_txt.gd", "typed.txt")],
	]:
		put(pair[0], pair[1].to_utf8_buffer())
		proof(pair[0], "str_to_var")
		str_to_var(pair[1])
	# JSON of a script: what JSON.to_native makes of it.
	var native := JSON.stringify(JSON.from_native(script("native.json"), true))
	put("native.json", native.to_utf8_buffer())
	proof("native.json", "JSON.to_native")
	JSON.to_native(JSON.parse_string(native), true)
	var escaped := native.replace("props", "\\u0070rops").replace("type", "t\\u0079pe").replace("GDScript", "GDS\\u0063ript")
	put("native_escaped.json", escaped.to_utf8_buffer())
	proof("native_escaped.json", "JSON.to_native")
	JSON.to_native(JSON.parse_string(escaped), true)
	# A base64 text in JSON, as web games and high scores have it.
	var data := JSON.stringify({"save": Marshalls.raw_to_base64(objects("base64.json"))})
	put("base64.json", data.to_utf8_buffer())
	proof("base64.json", "Marshalls.base64_to_variant")
	Marshalls.base64_to_variant(JSON.parse_string(data)["save"], true)
	var text := JSON.stringify({"cfg": "Object ;\n(GDScript,\"script/source\":%s)" % quoted(source("text.json"))})
	put("text.json", text.to_utf8_buffer())
	proof("text.json", "str_to_var")
	str_to_var(JSON.parse_string(text)["cfg"])


# A script that the engine compiles while it reads it.
func script(name: String) -> GDScript:
	var made := GDScript.new()
	made.source_code = source(name)
	return made


# The bytes of an object that is a script.
func objects(name: String) -> PackedByteArray:
	return var_to_bytes_with_objects(script(name))


func record(value, full := false) -> PackedByteArray:
	var f := FileAccess.open("res://out/record", FileAccess.WRITE)
	f.store_var(value, full)
	f.close()
	return FileAccess.get_file_as_bytes("res://out/record")


func get_var(path: String, full: bool):
	var f := FileAccess.open(path, FileAccess.READ)
	return f.get_var(full)


func bytes() -> void:
	var path := put("bare.bin", objects("bare.bin"))
	proof("bare.bin", "bytes_to_var_with_objects")
	bytes_to_var_with_objects(FileAccess.get_file_as_bytes(path))

	path = put("record.sav", record({"player": script("record.sav")}, true))
	proof("record.sav", "get_var(true)")
	get_var(path, true)

	# The engine makes what comes before the damage.
	var cut := objects("cut.bin")
	path = put("cut.bin", PackedByteArray([0x1c, 0, 0, 0, 2, 0, 0, 0]) + cut + PackedByteArray([0x1c, 0, 0]))
	proof("cut.bin", "bytes_to_var_with_objects")
	bytes_to_var_with_objects(FileAccess.get_file_as_bytes(path))

	for pair in [
		["blob.sav", objects("blob.sav")],
		["blob_framed.sav", null],
		["blob_after.sav", null],
		["blob_in_blob.sav", null],
	]:
		var name: String = pair[0]
		var inner := objects(name)
		var blob := inner
		match name:
			"blob_framed.sav":
				var frame := PackedByteArray([0, 0, 0, 0])
				frame.encode_u32(0, inner.size())
				blob = frame + inner
			"blob_after.sav":
				blob = PackedByteArray([1, 2, 3, 4, 5]) + inner
			"blob_in_blob.sav":
				blob = var_to_bytes({"more": [inner]})
		path = put(name, record({"a": 1, "blob": blob}))
		var read: PackedByteArray = get_var(path, false)["blob"]
		match name:
			"blob.sav":
				proof(name, "bytes_to_var_with_objects of .blob")
				bytes_to_var_with_objects(read)
			"blob_framed.sav":
				proof(name, "bytes_to_var_with_objects of .blob from byte 4")
				bytes_to_var_with_objects(read.slice(4))
			"blob_after.sav":
				proof(name, "decode_var(5, true) of .blob")
				read.decode_var(5, true)
			"blob_in_blob.sav":
				proof(name, "bytes_to_var_with_objects of .more[0] of .blob")
				bytes_to_var_with_objects(bytes_to_var(read)["more"][0])

	for way in ["base64", "base64_lines", "base64_key", "base64_list", "hex"]:
		var name := "%s.sav" % way
		var inner := objects(name)
		var text := inner.hex_encode() if way == "hex" else Marshalls.raw_to_base64(inner)
		if way == "base64_lines":
			var lines := ""
			for at in range(0, text.length(), 76):
				lines += text.substr(at, 76) + "\r\n"
			text = lines
		var value = {"text": text}
		if way == "base64_key":
			value = {text: 1}
		elif way == "base64_list":
			value = {"list": PackedStringArray(["a", text])}
		path = put(name, record(value))
		var read: Dictionary = get_var(path, false)
		if way == "base64_key":
			text = read.keys()[0]
		elif way == "base64_list":
			text = read["list"][1]
		else:
			text = read["text"]
		if way == "hex":
			proof(name, "bytes_to_var_with_objects of hex_decode")
			bytes_to_var_with_objects(text.hex_decode())
		else:
			proof(name, "Marshalls.base64_to_variant")
			Marshalls.base64_to_variant(text, true)

	var resource := "[gd_resource type=\"Resource\" format=3]\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = %s\n[resource]\n" % quoted(source("resource.sav"))
	path = put("resource.sav", record({"mod": resource}))
	var f := FileAccess.open("user://mod.tres", FileAccess.WRITE)
	f.store_string(get_var(path, false)["mod"])
	f.close()
	proof("resource.sav", "load of a file with the text of .mod")
	load("user://mod.tres")

	var text := "{\"a\": Object ; note\n(GDScript,\"script/source\":%s)}" % quoted(source("text.sav"))
	path = put("text.sav", record({"settings": text}))
	proof("text.sav", "str_to_var of .settings")
	str_to_var(get_var(path, false)["settings"])

	var lines := Marshalls.raw_to_base64(objects("lines.b64")) + "\n"
	path = put("lines.b64", lines.to_utf8_buffer())
	proof("lines.b64", "Marshalls.base64_to_variant")
	Marshalls.base64_to_variant(FileAccess.get_file_as_string(path).strip_edges(), true)


func containers() -> void:
	var modes := {"fastlz": FileAccess.COMPRESSION_FASTLZ, "zstd": FileAccess.COMPRESSION_ZSTD, "gzip": FileAccess.COMPRESSION_GZIP, "deflate": FileAccess.COMPRESSION_DEFLATE}
	for mode in modes:
		var name: String = "bytes.%s" % mode
		var plain := objects(name)
		var path := put(name, plain.compress(modes[mode]))
		proof(name, "bytes_to_var_with_objects of decompress")
		bytes_to_var_with_objects(FileAccess.get_file_as_bytes(path).decompress(plain.size(), modes[mode]))
		name = "blob_%s.sav" % mode
		plain = objects(name)
		path = put(name, record({"size": plain.size(), "blob": plain.compress(modes[mode])}))
		proof(name, "bytes_to_var_with_objects of decompress of .blob")
		var read: Dictionary = get_var(path, false)
		bytes_to_var_with_objects(read["blob"].decompress(read["size"], modes[mode]))

	var f := FileAccess.open_compressed(OUT + "hostile/compressed.sav", FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
	f.store_var({"a": script("compressed.sav")}, true)
	f.close()
	proof("compressed.sav", "open_compressed, get_var(true)")
	FileAccess.open_compressed(OUT + "hostile/compressed.sav", FileAccess.READ, FileAccess.COMPRESSION_ZSTD).get_var(true)

	f = FileAccess.open_encrypted_with_pass(OUT + "hostile/encrypted.sav", FileAccess.WRITE, "secret")
	f.store_var({"a": script("encrypted.sav")}, true)
	f.close()
	proof("encrypted.sav", "open_encrypted_with_pass, get_var(true)")
	FileAccess.open_encrypted_with_pass(OUT + "hostile/encrypted.sav", FileAccess.READ, "secret").get_var(true)

	zip(OUT + "hostile/mod.zip", "settings.txt", made("mod.zip").to_utf8_buffer())
	proof("mod.zip", "str_to_var of settings.txt in ZIPReader")
	str_to_var(unzip("mod.zip"))
	two_readings("two_readings.zip")
	proof("two_readings.zip", "str_to_var of settings.txt in ZIPReader")
	str_to_var(unzip("two_readings.zip"))


func zip(path: String, name: String, bytes: PackedByteArray) -> PackedByteArray:
	var packer := ZIPPacker.new()
	packer.compression_level = 0
	packer.open(path)
	packer.start_file(name)
	packer.write_file(bytes)
	packer.close_file()
	packer.close()
	return FileAccess.get_file_as_bytes(path)


func unzip(name: String) -> String:
	var reader := ZIPReader.new()
	reader.open(OUT + "hostile/" + name)
	return reader.read_file("settings.txt").get_string_from_utf8()


# An archive of one file, notes.bin, for most programs. The bytes of that file are another archive, of settings.txt, with the
# end of a large archive (zip64), which the engine takes wherever it is near the end.
func two_readings(name: String) -> void:
	var inner := zip("user://inner.zip", "settings.txt", made(name).to_utf8_buffer())
	var end := inner.slice(inner.size() - 22)
	inner = inner.slice(0, inner.size() - 22)
	var large := PackedByteArray()
	large.resize(56 + 20)
	large.encode_u32(0, 0x06064b50)
	large.encode_u64(4, 44)
	large.encode_u64(24, 1)
	large.encode_u64(32, 1)
	large.encode_u64(40, end.decode_u32(12))
	large.encode_u64(48, end.decode_u32(16))
	large.encode_u32(56, 0x07064b50)
	large.encode_u32(72, 1)
	# The place of the end is known once the archive is there.
	var path := OUT + "hostile/" + name
	var outer := zip(path, "notes.bin", inner + large)
	var at := 0
	while outer.slice(at, at + 4) != large.slice(0, 4): at += 1
	large.encode_u64(64, at)
	zip(path, "notes.bin", inner + large)


func binary_resources() -> void:
	var flags := {"embedded": 0, "compressed": ResourceSaver.FLAG_COMPRESS, "big_endian": ResourceSaver.FLAG_SAVE_BIG_ENDIAN}
	for way in flags:
		var name: String = way + ".res"
		var own := GDScript.new()
		own.source_code = source(name, "Resource")
		own.reload()
		var resource := Resource.new()
		resource.set_script(own)
		ResourceSaver.save(resource, OUT + "hostile/" + name, flags[way])
		proof(name, "load")
		ResourceLoader.load(OUT + "hostile/" + name, "", ResourceLoader.CACHE_MODE_IGNORE)
	var scene := PackedScene.new()
	var node := Node.new()
	var own := GDScript.new()
	own.source_code = source("scene.scn", "Node")
	own.reload()
	node.set_script(own)
	scene.pack(node)
	ResourceSaver.save(scene, OUT + "hostile/scene.scn")
	proof("scene.scn", "load")
	ResourceLoader.load(OUT + "hostile/scene.scn", "", ResourceLoader.CACHE_MODE_IGNORE)
	node.free()
	outside("user://ext_res.gd", "external.res")
	var linked := Resource.new()
	linked.set_script(load("user://ext_res.gd"))
	ResourceSaver.save(linked, OUT + "hostile/external.res")
	proof("external.res", "load")
	ResourceLoader.load(OUT + "hostile/external.res", "", ResourceLoader.CACHE_MODE_IGNORE_DEEP)


# Files of the same kinds without code.
func clean() -> void:
	var folder := OUT + "clean/"
	var random := RandomNumberGenerator.new()
	random.seed = 29
	var noise := PackedByteArray()
	for i in 3000:
		noise.append(random.randi() & 255)
	var floats := PackedFloat32Array()
	for i in 500:
		floats.append(random.randf())
	var packed := noise.slice(0, 2000).compress(FileAccess.COMPRESSION_ZSTD)
	var value := {
		"name": "Object of desire; a GDScript (GD) script: \"x\" = 1", "path": "res://items/sword.tres", "level": 17,
		"scene": "res://levels/cave.tscn", "items": ["sword", "shield"], "noise": noise, "floats": floats,
		"pos": Vector3(1, 2, 3), "tags": [&"a", &"b"], "where": NodePath("/root/World/Player:position"),
		"fastlz": noise.slice(0, 500).compress(FileAccess.COMPRESSION_FASTLZ), "zstd": packed,
		"inner": var_to_bytes({"a": [1, 2.5, "x"]}), "base64": Marshalls.variant_to_base64([1, 2, 3]),
		"hash": "d41d8cd98f00b204e9800998ecf8427e".repeat(2), "numbers": [24, 16705, 24, 0.7549],
		"log": PackedStringArray(["started", "saved slot1.sav; ok", "{\"json\": true}", "[1, 2"]),
		"typed": Array([1, 2], TYPE_INT, "", null),
	}
	for name in ["save.sav", "bare.bin", "compressed.sav", "lines.b64", "bytes.zstd", "bytes.gzip", "save.json"]:
		var f: FileAccess
		if name == "compressed.sav":
			f = FileAccess.open_compressed(folder + name, FileAccess.WRITE, FileAccess.COMPRESSION_ZSTD)
		else:
			f = FileAccess.open(folder + name, FileAccess.WRITE)
		match name:
			"save.sav":
				f.store_var(value)
				f.store_var([1, "two"])
			"compressed.sav":
				f.store_var(value)
			"bare.bin":
				f.store_buffer(var_to_bytes(value))
			"lines.b64":
				f.store_line(Marshalls.variant_to_base64({"a": 1}))
			"bytes.zstd":
				f.store_buffer(var_to_bytes(value).compress(FileAccess.COMPRESSION_ZSTD))
			"bytes.gzip":
				f.store_buffer(var_to_bytes(value).compress(FileAccess.COMPRESSION_GZIP))
			"save.json":
				f.store_string(JSON.stringify({"name": "Object", "hp": 80.5, "props": [1], "type": "sword",
						"save": Marshalls.variant_to_base64([1, 2, 3])}, "\t"))
		f.close()
	# Not read to their ends by a search.
	DirAccess.make_dir_recursive_absolute("res://out/godot4/searched")
	folder = OUT + "searched/"
	var resource := Resource.new()
	resource.set_meta("value", value)
	resource.set_meta("color", Color(1, 0.5, 0))
	var gradient := Gradient.new()
	var texture := GradientTexture2D.new()
	texture.gradient = gradient
	resource.set_meta("texture", texture)
	ResourceSaver.save(resource, folder + "resource.tres")
	ResourceSaver.save(resource, folder + "resource.res")
	ResourceSaver.save(resource, folder + "compressed.res", ResourceSaver.FLAG_COMPRESS)
	var scene := PackedScene.new()
	var node := Node3D.new()
	var child := Timer.new()
	child.name = "Timer"
	node.add_child(child)
	child.owner = node
	child.timeout.connect(node.queue_free, CONNECT_PERSIST)
	scene.pack(node)
	ResourceSaver.save(scene, folder + "scene.tscn")
	ResourceSaver.save(scene, folder + "scene.scn")
	node.free()
	# What refers to another file that is no code.
	ResourceSaver.save(gradient, folder + "gradient.tres")
	var linked := Resource.new()
	linked.set_meta("gradient", ResourceLoader.load(folder + "gradient.tres", "", ResourceLoader.CACHE_MODE_IGNORE_DEEP))
	linked.get_meta("gradient").take_over_path(folder + "gradient.tres")
	ResourceSaver.save(linked, folder + "linked.tres")
	ResourceSaver.save(linked, folder + "linked.res")
	var cfg := ConfigFile.new()
	cfg.set_value("player", "name", "Object; (x)")
	cfg.set_value("player", "value", value)
	cfg.set_value("player", "gradient", linked.get_meta("gradient"))
	cfg.save(folder + "settings.cfg")
	var f := FileAccess.open(folder + "value.txt", FileAccess.WRITE)
	f.store_string(var_to_str(value))
	f.close()
