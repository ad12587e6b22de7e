class_name Probe extends Node
@rpc func hello(): pass
@rpc("any_peer", "call_local") func two(a: int, b := 5, c = [1, {}], d: Vector2 = Vector2(1, 2), ...rest): pass
class Inner extends Node:
	@rpc func inner(): pass
func _init():
	rpc_config(&"conf1", {"rpc_mode": MultiplayerAPI.RPC_MODE_ANY_PEER})
	self.rpc_config("conf2", {"rpc_mode": 1, })
	rpc_config("off", null)
@rpc(
	"any_peer",
	"reliable")
func after_lines() -> void:
	pass
