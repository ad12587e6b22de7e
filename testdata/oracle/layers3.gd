extends SceneTree
# Makes ../layers/godot3.jsonl, as layers4.gd does; run it with 3.6.

const MODES = ["fastlz", "zlib", "zstd", "gzip"]
var out = File.new()
var save = {
	"name": "Aldis", "hp": 80, "xp": 1234.5, "pos": Vector3(1, 2.5, -3), "bag": ["rope", "torch", "torch", "torch"],
	"flags": {"met_queen": true, "days": 12}, "map": PoolByteArray(), "note": "again and again and again and again",
}


func _init():
	var map = PoolByteArray()
	map.resize(200)
	for n in 200:
		map[n] = 7
	save.map = map
	out.open("out/godot3.jsonl", File.WRITE)
	var bare = var2bytes(save)
	var framed = record(bare)
	framed.append_array(record(var2bytes({"slot": 2})))
	for shape in ["bare", "framed"]:
		var plain = bare if shape == "bare" else framed
		emit(shape, [], 0, plain)
		for mode in 4:
			var packed = plain.compress(mode)
			var name = MODES[mode]
			if name == "fastlz":
				emit(shape, ["fastlz:4"], 0, word(plain.size()) + packed)
				continue
			emit(shape, [name], 0, packed)
			emit(shape, [name], 4, word(plain.size()) + packed)
			emit(shape, ["base64", name], 0, Marshalls.raw_to_base64(packed).to_utf8())
			emit(shape, ["gzip", name], 0, packed.compress(3))
		for mode in 4:
			var file = File.new()
			file.open_compressed("out/tmp", File.WRITE, mode)
			file.store_buffer(plain)
			file.close()
			var gcpf = bytes("out/tmp")
			var name = "compressed:" + ["fastlz", "deflate", "zstd", "gzip"][mode]
			emit(shape, [name], 0, gcpf)
			emit(shape, ["zlib", name], 0, gcpf.compress(1))
			emit(shape, [name], 4, word(3) + gcpf)
		var locked = File.new()
		locked.open_encrypted_with_pass("out/tmp", File.WRITE, "secret")
		locked.store_buffer(plain.compress(2))
		locked.close()
		emit(shape, ["encrypted:godot3", "zstd"], 0, bytes("out/tmp"))
	Directory.new().remove("out/tmp")
	out.close()
	quit()


func bytes(path):
	var file = File.new()
	file.open(path, File.READ)
	var all = file.get_buffer(file.get_len())
	file.close()
	return all


func word(number):
	return PoolByteArray([number & 255, number >> 8 & 255, number >> 16 & 255, number >> 24 & 255])


func record(value):
	var both = word(value.size())
	both.append_array(value)
	return both


func emit(shape, layers, header, file):
	out.store_line(JSON.print({"shape": shape, "layers": layers, "header": header, "hex": file.hex_encode()}))
