extends SceneTree
# Makes out/transforms4.jsonl: what Godot 4 makes of vectors it transforms, one JSON object a
# line with matrix, vector and result as var_to_bytes in hex. It says which way rows and columns
# go. Run it with run-engine.sh, which sets the working folder.

var out: FileAccess
var count := 0


func _init():
	DirAccess.make_dir_absolute("out")
	out = FileAccess.open("out/transforms4.jsonl", FileAccess.WRITE)
	var flat := Transform2D(Vector2(1, 2), Vector2(3, 5), Vector2(7, 11))
	var basis := Basis(Vector3(1, 2, 3), Vector3(5, 7, 11), Vector3(13, 17, 19))
	var solid := Transform3D(basis, Vector3(23, 29, 31))
	var projection := Projection(Vector4(1, 2, 3, 5), Vector4(7, 11, 13, 17), Vector4(19, 23, 29, 31), Vector4(37, 41, 43, 47))
	for v in [Vector2(1, 0), Vector2(0, 1), Vector2(2, -3)]:
		line(flat, v, flat * v)
		line(Transform2D(0.5, v), v, Transform2D(0.5, v) * v)
	for v in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(2, -3, 5)]:
		line(basis, v, basis * v)
		line(solid, v, solid * v)
		line(Basis(Vector3.UP, 0.5), v, Basis(Vector3.UP, 0.5) * v)
		# A third of a turn about the diagonal has components without error.
		line(Quaternion(0.5, 0.5, 0.5, 0.5), v, Quaternion(0.5, 0.5, 0.5, 0.5) * v)
		line(Quaternion(Vector3.BACK, 0.5), v, Quaternion(Vector3.BACK, 0.5) * v)
	for v in [Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, 1, 0), Vector4(0, 0, 0, 1), Vector4(2, -3, 5, 1)]:
		line(projection, v, projection * v)
		line(Projection.create_perspective(60, 1.5, 0.25, 100), v, Projection.create_perspective(60, 1.5, 0.25, 100) * v)
	# The same transform in two forms.
	line(Projection(solid), Vector4(2, -3, 5, 1), Projection(solid) * Vector4(2, -3, 5, 1))
	line(Basis(Quaternion(Vector3.BACK, 0.5)), Vector3(2, -3, 5), Basis(Quaternion(Vector3.BACK, 0.5)) * Vector3(2, -3, 5))
	print("TRANSFORMS ", count)
	quit()


func line(matrix: Variant, vector: Variant, result: Variant):
	count += 1
	out.store_line("{\"matrix\":\"%s\",\"vector\":\"%s\",\"result\":\"%s\"}" % [
		var_to_bytes(matrix).hex_encode(), var_to_bytes(vector).hex_encode(), var_to_bytes(result).hex_encode()])
