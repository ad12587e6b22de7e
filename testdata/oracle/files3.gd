extends SceneTree
# Makes ../files/godot3.jsonl: as files4.gd, by Godot 3.

var out = File.new()
var ver = ""
var good = false


func _init():
	var vi = Engine.get_version_info()
	ver = "%d.%d.%d" % [vi.major, vi.minor, vi.patch]
	out.open("out/godot3.jsonl", File.WRITE)
	var id = EncodedObjectAsID.new()
	id.object_id = 4711
	var values = [
		["Nil", null], ["bool", true], ["int", 42], ["float", 1.5], ["String", "hp"],
		["Vector2", Vector2(1, 2)], ["Rect2", Rect2(1, 2, 3, 4)], ["Vector3", Vector3(1, 2, 3)],
		["Transform2D", Transform2D()], ["Plane", Plane(0, 1, 0, 2)], ["Quat", Quat()],
		["AABB", AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))], ["Basis", Basis()],
		["Transform", Transform()], ["Color", Color(0.5, 0.25, 1, 1)], ["NodePath", NodePath("a/b:c")],
		["RID", RID()], ["Object", id], ["Dictionary", {"a": 1}], ["Array", [1, "b"]],
		["PoolByteArray", PoolByteArray([1, 2, 3, 4, 5])], ["PoolIntArray", PoolIntArray([1, 2])],
		["PoolRealArray", PoolRealArray([1, 2.5])], ["PoolStringArray", PoolStringArray(["a", "bc"])],
		["PoolVector2Array", PoolVector2Array([Vector2(1, 2)])],
		["PoolVector3Array", PoolVector3Array([Vector3(1, 2, 3)])],
		["PoolColorArray", PoolColorArray([Color(1, 0.5, 0, 1)])],
	]
	for pair in values:
		emit(pair[0], "alone", pair[1])
		emit(pair[0], "array", [pair[1], 1])
		emit(pair[0], "dictionary", {"v": pair[1]})
	out.close()
	quit()


func emit(name, form, v):
	var bare = var2bytes(v)
	line(name, form, "bare", bare, judge(bare))
	for shape in ["framed", "padded", "cut"]:
		var b = PoolByteArray(bare)
		if shape == "padded":
			b.append_array(PoolByteArray([0, 0, 0, 0, 0, 0, 0, 0]))
		var n = b.size()
		var file = PoolByteArray([n & 255, n >> 8 & 255, n >> 16 & 255, n >> 24 & 255])
		file.append_array(b)
		if shape == "cut":
			file = file.subarray(0, file.size() - 5)
		var f = File.new()
		f.open("out/one.bin", File.WRITE)
		f.store_buffer(file)
		f.close()
		f.open("out/one.bin", File.READ)
		var read = f.get_var()
		f.close()
		# Of what is cut Godot 3 reads unset memory in the place of the missing bytes: often a value.
		var fine = read != null if shape == "cut" else judge(b)
		line(name, form, shape, file, fine)
	Directory.new().remove("out/one.bin")


# A refused input ends the function that called bytes2var, so `good` stays false.
func judge(b):
	good = false
	decode(b)
	return good


func decode(b):
	bytes2var(b)
	good = true


func line(name, form, shape, b, accepted):
	var hex = ""
	for byte in b:
		hex += "%02x" % byte
	out.store_line('{"engine":"%s","type":"%s","form":"%s","shape":"%s","hex":"%s","accepted":%s}' %
			[ver, name, form, shape, hex, "true" if accepted else "false"])
