extends SceneTree
# Which values are one key of a Dictionary, Godot 4.  Argument: IN
# IN has the bytes of a value as hex in each line. Prints each line again after `KEY` and the number of the first value
# that is the same key, from 0. Every value is decoded twice, so that no two are one object.


func _init():
	var lines: PackedStringArray = FileAccess.get_file_as_string("res://" + OS.get_cmdline_user_args()[0]).split("\n", false)
	var firsts: Array[Dictionary] = []
	for line in lines:
		firsts.append({bytes_to_var(line.hex_decode()): true})
	for number in lines.size():
		var value: Variant = bytes_to_var(lines[number].hex_decode())
		var first := 0
		while first < number and not firsts[first].has(value):
			first += 1
		print("KEY %d %s" % [first, lines[number]])
	quit()
