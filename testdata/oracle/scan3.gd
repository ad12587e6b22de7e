extends SceneTree
# As scan4.gd, for Godot 3: makes ../scan/godot3. The same files run in 3.2.3 and 3.6.2.

const OUT = "res://out/godot3/"


func _init():
	var d = Directory.new()
	d.make_dir_recursive(OUT + "hostile")
	d.make_dir_recursive(OUT + "clean")
	d.make_dir_recursive(OUT + "searched")
	texts()
	notations()
	bytes()
	clean()
	quit()


# The source of a script that says so when it is made.
func source(name, base = "Reference"):
	return "extends %s\nfunc _init():\n\tprint(\"RAN %s when made\")\n" % [base, name]


func quoted(text):
	return "\"" + text.c_escape() + "\""


func put(name, data):
	if data is String:
		data = data.to_utf8()
	var f = File.new()
	f.open(OUT + "hostile/" + name, File.WRITE)
	f.store_buffer(data)
	f.close()
	return OUT + "hostile/" + name


# A script outside of the file.
func outside(path, name):
	var f = File.new()
	f.open(path, File.WRITE)
	f.store_string(source(name, "Resource"))
	f.close()
	return path


func proof(name, how):
	print("PROOF %s %s" % [name, how])


func tres(name, data):
	var path = put(name, data)
	proof(name, "load")
	load(path)


func texts():
	var head = "[gd_resource type=\"Resource\" format=2]\n\n"
	var sub = "[sub_resource type=\"GDScript\" id=1]\nscript/source = %s\n\n"
	var tail = "[resource]\nscript = SubResource( 1 )\n"
	tres("embedded.tres", head + sub % quoted(source("embedded.tres", "Resource")) + tail)
	tres("escaped_words.tres", head + "[sub_resource type=\"\\u0047DScript\" id=1]\n\"\\u0073cript/source\" = %s\n\n"
			% quoted(source("escaped_words.tres", "Resource")) + tail)
	tres("needless_escapes.tres", head + "[sub_resource type=\"GD\\Script\" id=1]\n\"\\scr\\ipt\\/source\" = %s\n\n"
			% quoted(source("needless_escapes.tres", "Resource")) + tail)
	tres("comments.tres", head + "[sub_resource ; a \"note\ntype ; [\n = ; \\\n\"GDScript\" id=1]\nscr ; it's\nipt/;]\nsource = %s\n\n"
			% quoted(source("comments.tres", "Resource")) + tail)
	# A character above 255 that loses its upper bits.
	tres("high_escapes.tres", head + "[sub_resource type=\"\\u0147DScript\" id=1]\nscript/source = %s\n\n"
			% quoted(source("high_escapes.tres", "Resource")) + tail)
	var ext = "[ext_resource path=\"%s\" type=\"Script\" id=1]\n\n[resource]\nscript = ExtResource( 1 )\n"
	tres("ext_user.tres", head + ext % outside("user://ext_user.gd", "ext_user.tres"))
	outside("user://ext_escaped.gd", "ext_escaped.tres")
	tres("ext_escaped.tres", head + ext % "user://ext_escaped\\u002eg\\d")


func cfg(name, data):
	var path = put(name, data)
	proof(name, "ConfigFile.load")
	ConfigFile.new().load(path)


func made(name):
	return "Object(Reference,\"script\":Object(GDScript,\"script/source\":%s))" % quoted(source(name))


func notations():
	cfg("object.cfg", "[a]\n\nb=%s\n" % made("object.cfg"))
	cfg("comment.cfg", "b = Object ; note\n (Reference ; (\n , \"script\" : %s)\n" % made("comment.cfg"))
	cfg("section_quote.cfg", "[\"]\nb=Object ;\" \n(Reference,\"script\":%s)\n" % made("section_quote.cfg"))
	cfg("blanks.cfg", "b\u0001=\u0002Object\u000b\u001f( Reference , \"script\" : %s )\n" % made("blanks.cfg"))
	for pair in [
		["object.txt", made("object.txt")],
		["comment.txt", "Object ; \"\n(Reference,\"script\":%s)" % made("comment.txt")],
		["in_array.txt", "[1, {\"a\": %s}]" % made("in_array.txt")],
	]:
		put(pair[0], pair[1])
		proof(pair[0], "str2var")
		str2var(pair[1])


# The bytes of an object whose script comes with it. The engine writes no object like this, but reads it.
func objects(name):
	var script = PoolByteArray([17, 0, 0, 0])
	script.append_array(named("GDScript"))
	script.append_array(PoolByteArray([1, 0, 0, 0]))
	script.append_array(named("script/source"))
	script.append_array(var2bytes(source(name)))
	var all = PoolByteArray([17, 0, 0, 0])
	all.append_array(named("Reference"))
	all.append_array(PoolByteArray([1, 0, 0, 0]))
	all.append_array(named("script"))
	all.append_array(script)
	return all


# A text after its length, with zeros up to a multiple of four.
func named(text):
	return var2bytes(text).subarray(4, -1)


func get_var(path, full):
	var f = File.new()
	f.open(path, File.READ)
	return f.get_var(full)


func record(bytes):
	var all = var2bytes(bytes.size()).subarray(4, 7)
	all.append_array(bytes)
	return all


func bytes():
	var path = put("bare.bin", objects("bare.bin"))
	proof("bare.bin", "bytes2var(…, true)")
	bytes2var(objects("bare.bin"), true)
	path = put("record.sav", record(objects("record.sav")))
	proof("record.sav", "get_var(true)")
	get_var(path, true)
	path = put("blob.sav", record(var2bytes({"a": 1, "blob": objects("blob.sav")})))
	proof("blob.sav", "bytes2var(…, true) of .blob")
	bytes2var(get_var(path, false)["blob"], true)
	path = put("base64.sav", record(var2bytes({"text": Marshalls.raw_to_base64(objects("base64.sav"))})))
	proof("base64.sav", "Marshalls.base64_to_variant")
	Marshalls.base64_to_variant(get_var(path, false)["text"], true)
	# An embedded script in a binary resource.
	var script = GDScript.new()
	script.source_code = source("embedded.res", "Resource")
	script.reload()
	var resource = Resource.new()
	resource.set_script(script)
	for pair in [["embedded.res", 0], ["compressed.res", ResourceSaver.FLAG_COMPRESS]]:
		ResourceSaver.save(OUT + "hostile/" + pair[0], resource, pair[1])
		proof(pair[0], "load")
		ResourceLoader.load(OUT + "hostile/" + pair[0], "", true)


# Files of the same kinds without code.
func clean():
	var folder = OUT + "clean/"
	var noise = PoolByteArray()
	seed(29)
	for i in 3000:
		noise.append(randi() & 255)
	var value = {
		"name": "Object of desire; a GDScript (GD) script: \"x\" = 1", "path": "res://items/sword.tres", "level": 17,
		"items": ["sword", "shield"], "noise": noise, "pos": Vector3(1, 2, 3), "where": NodePath("/root/World/Player:position"),
		"inner": var2bytes({"a": [1, 2.5, "x"]}), "base64": Marshalls.variant_to_base64([1, 2, 3]), "numbers": [17, 16705, 17, 0.7549],
		"log": PoolStringArray(["started", "saved slot1.sav; ok", "{\"json\": true}", "[1, 2"]),
	}
	var f = File.new()
	f.open(folder + "save.sav", File.WRITE)
	f.store_var(value)
	f.store_var([1, "two"])
	f.close()
	f.open(folder + "bare.bin", File.WRITE)
	f.store_buffer(var2bytes(value))
	f.close()
	f.open_compressed(folder + "compressed.sav", File.WRITE, File.COMPRESSION_ZSTD)
	f.store_var(value)
	f.close()
	f.open(folder + "save.json", File.WRITE)
	f.store_string(to_json({"name": "Object", "hp": 80.5, "props": [1], "type": "sword"}))
	f.close()
	folder = OUT + "searched/"
	var resource = Resource.new()
	resource.set_meta("value", value)
	var texture = GradientTexture.new()
	texture.gradient = Gradient.new()
	resource.set_meta("texture", texture)
	ResourceSaver.save(folder + "resource.tres", resource)
	ResourceSaver.save(folder + "resource.res", resource)
	ResourceSaver.save(folder + "compressed.res", resource, ResourceSaver.FLAG_COMPRESS)
	var scene = PackedScene.new()
	var node = Spatial.new()
	var child = Timer.new()
	child.name = "Timer"
	node.add_child(child)
	child.owner = node
	child.connect("timeout", node, "queue_free", [], CONNECT_PERSIST)
	scene.pack(node)
	ResourceSaver.save(folder + "scene.tscn", scene)
	ResourceSaver.save(folder + "scene.scn", scene)
	node.free()
	var cfg = ConfigFile.new()
	cfg.set_value("player", "name", "Object; (x)")
	cfg.set_value("player", "value", value)
	cfg.save(folder + "settings.cfg")
	f.open(folder + "value.txt", File.WRITE)
	f.store_string(var2str(value))
	f.close()
