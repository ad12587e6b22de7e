extends "res://hall_base4.gd"
# Remote methods in every mode and on several channels; those of the base class are numbered with them.

@rpc("any_peer", "reliable")
func a_typed(points: Array[Vector3], colors: Dictionary[StringName, Color]) -> void:
	heard("a_typed", [points, colors])

@rpc("reliable", "any_peer", "call_remote", 2) func b_channel2(v: Variant): heard("b_channel2", [v])
@rpc("any_peer", "call_remote", "unreliable_ordered", 5) func c_channel5(v, n): heard("c_channel5", [v, n])
@rpc("any_peer", "unreliable", "call_remote", 7) func d_channel7(v): heard("d_channel7", [v])

@rpc(
	"any_peer",
	"reliable",
)
func e_default(v, text := "default"):
	heard("e_default", [v] if text == "default" else [v, text])

@rpc("any_peer", "reliable", "call_remote", 1) func f_any(...rest: Array): heard("f_any", rest)
