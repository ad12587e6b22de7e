extends SceneTree
# How long this engine takes to read and to write the inputs of the benchmarks, by the wall clock:
# a script has no other.
#
#   time.gd FILE PASSES NAME:COUNT[:HASH]...
#
# FILE holds blobs, each behind its length (u32, little-endian), COUNT of them for each NAME. Prints
# for each NAME the nanoseconds of every pass over its blobs: of var_to_bytes where NAME ends in
# "write", of var_to_str where it ends in "text", else of bytes_to_var. The values that a pass makes
# are freed within it. HASH is what the text's own hash() must be.


func _init():
	var arguments := OS.get_cmdline_user_args()
	var v := Engine.get_version_info()
	print("ENGINE %d.%d.%d" % [v.major, v.minor, v.patch])
	var file := FileAccess.open(arguments[0], FileAccess.READ)
	var passes := int(arguments[1])
	for argument in arguments.slice(2):
		var name := argument.get_slice(":", 0)
		var blobs: Array[PackedByteArray] = []
		for i in int(argument.get_slice(":", 1)):
			blobs.append(file.get_buffer(file.get_32()))
		measure(name, blobs, passes, argument.get_slice(":", 2) if argument.get_slice_count(":") > 2 else "")
	quit()


func measure(name: String, blobs: Array[PackedByteArray], passes: int, text_hash: String):
	var values := []
	var same := true
	for blob in blobs:
		var value = bytes_to_var(blob)
		same = same and var_to_bytes(value) == blob
		if text_hash != "" and str(var_to_str(value).hash()) != text_hash:
			same = false
			printerr("%s: the text's hash is 0x%x" % [name, var_to_str(value).hash()])
		values.append(value)
	var writes := name.ends_with("write")
	var prints := name.ends_with("text")
	var times := []
	for i in passes:
		var start := Time.get_ticks_usec()
		if writes:
			for value in values:
				var_to_bytes(value)
		elif prints:
			for value in values:
				var_to_str(value)
		else:
			for blob in blobs:
				bytes_to_var(blob)
		times.append(Time.get_ticks_usec() - start)
	# The time that the loop alone takes, for many small blobs.
	var start := Time.get_ticks_usec()
	for i in passes:
		for blob in blobs:
			pass
	var loop := (Time.get_ticks_usec() - start) * 1000.0 / passes
	var nanoseconds := times.map(func(time): return maxf(time * 1000.0 - loop, 0.0))
	print("TIME ", JSON.stringify({"name": name, "same": same, "nanoseconds": nanoseconds}))
