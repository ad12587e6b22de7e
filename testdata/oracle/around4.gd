extends SceneTree
# Values with something unusual around them, for testdata/around: lengths in big-endian order, and a
# PackedByteArray into which encode_var put a value.


func _init():
	var file := FileAccess.open("out/big4.dat", FileAccess.WRITE)
	file.big_endian = true
	file.store_var("hello, world!")
	file.store_var({"hp": 80, "pos": Vector2(10, 20)})
	file.close()
	var bytes := PackedByteArray()
	bytes.resize(64)
	bytes.fill(0xee)
	bytes.encode_var(4, {"hp": 80})
	file = FileAccess.open("out/encode_var4.dat", FileAccess.WRITE)
	file.store_buffer(bytes)
	file.close()
	file = FileAccess.open("out/blob4.sav", FileAccess.WRITE)
	file.store_var({"blob": bytes})
	file.close()
	quit()
