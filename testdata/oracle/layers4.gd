extends SceneTree
# Makes ../layers/godot4.jsonl: one save in the layers that games put around it by hand.  A line each: the layers
# from the outside in, the bytes of a header in front of the outermost, and the file.  See layers3.gd.

const MODES := ["fastlz", "zlib", "zstd", "gzip"]
var out: FileAccess
var save := {
	"name": "Aldis – démo", "hp": 80, "xp": 1234.5, "pos": Vector3(1, 2.5, -3), "bag": ["rope", "torch", "torch", "torch"],
	"flags": {"met_queen": true, "days": 12}, "map": PackedByteArray(), "note": "again and again and again and again",
}


func _init():
	save.map.resize(200)
	out = FileAccess.open("out/godot4.jsonl", FileAccess.WRITE)
	var bare := var_to_bytes(save)
	var framed := record(bare)
	framed.append_array(record(var_to_bytes({"slot": 2})))
	for shape in ["bare", "framed"]:
		var plain: PackedByteArray = bare if shape == "bare" else framed
		emit(shape, [], 0, plain)
		for mode in 4:
			var packed := plain.compress(mode)
			var name: String = MODES[mode]
			if name != "fastlz":
				emit(shape, [name], 0, packed)
				emit(shape, [name], 4, word(plain.size()) + packed)
				emit(shape, [name], 7, "SAVE v1".to_utf8_buffer() + packed)
				emit(shape, ["hex", name], 0, packed.hex_encode().to_utf8_buffer())
				emit(shape, ["base64", name], 0, Marshalls.raw_to_base64(packed).to_utf8_buffer())
			if name == "fastlz":
				emit(shape, ["fastlz:4"], 0, word(plain.size()) + packed)
				var eight := PackedByteArray()
				eight.resize(8)
				eight.encode_s64(0, plain.size())
				emit(shape, ["fastlz:8"], 0, eight + packed)
			emit(shape, ["gzip", name if name != "fastlz" else "fastlz:4"], 0,
					((PackedByteArray() if name != "fastlz" else word(plain.size())) + packed).compress(3))
		for mode in 4:
			var file := FileAccess.open_compressed("out/tmp", FileAccess.WRITE, mode)
			file.store_buffer(plain)
			file.close()
			var gcpf := FileAccess.get_file_as_bytes("out/tmp")
			var name: String = "compressed:" + ["fastlz", "deflate", "zstd", "gzip"][mode]
			emit(shape, [name], 0, gcpf)
			emit(shape, ["zlib", name], 0, gcpf.compress(1))
			emit(shape, ["base64", name], 0, Marshalls.raw_to_base64(gcpf).to_utf8_buffer())
			emit(shape, [name], 4, word(3) + gcpf)
		var locked := FileAccess.open_encrypted_with_pass("out/tmp", FileAccess.WRITE, "secret")
		locked.store_buffer(plain.compress(2))
		locked.close()
		emit(shape, ["encrypted:godot4", "zstd"], 0, FileAccess.get_file_as_bytes("out/tmp"))
	DirAccess.remove_absolute("out/tmp")
	out.close()
	quit()


func word(number: int) -> PackedByteArray:
	var four := PackedByteArray()
	four.resize(4)
	four.encode_u32(0, number)
	return four


func record(bytes: PackedByteArray) -> PackedByteArray:
	return word(bytes.size()) + bytes


func emit(shape: String, layers: Array, header: int, bytes: PackedByteArray) -> void:
	out.store_line(JSON.stringify({"shape": shape, "layers": layers, "header": header, "hex": bytes.hex_encode()}, "", false))
