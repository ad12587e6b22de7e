extends SceneTree
# Values behind big-endian lengths, for testdata/around.


func _init():
	var file = File.new()
	file.open("out/big3.dat", File.WRITE)
	file.endian_swap = true
	file.store_var("hello, world!")
	file.store_var({"hp": 80, "pos": Vector2(10, 20)})
	file.close()
	quit()
