# Made by `gdvar schema --style gdscript` of 1 record.
class_name Save
extends RefCounted

var points: Array[Vector2]  # 1 elements
var counts: Dictionary[String, int]
var places: Dictionary[StringName, Vector3]  # 1 pairs
var lists: Dictionary[int, Array]  # 1 pairs
var half: Dictionary[String, Variant]
var rows: Array[Dictionary]  # 2 elements
var grids: Array[Array]  # 2 elements
var bytes: Array[PackedByteArray]  # 1 elements
var names: Array[StringName]  # 1 elements
var nodes: Array[EncodedObjectAsID]  # 0 elements
var inner: SavedInner
var plain: Array  # 1 elements
var rows2: Array[SavedRows2Item]  # 1 elements
var empty: Array[float]  # 0 elements

static func from_dict(data: Dictionary) -> Save:
	var it := new()
	it.points = data["points"]
	it.counts = data["counts"]
	it.places = data["places"]
	it.lists = data["lists"]
	it.half = data["half"]
	it.rows = data["rows"]
	it.grids = data["grids"]
	it.bytes = data["bytes"]
	it.names = data["names"]
	it.nodes = data["nodes"]
	it.inner = SavedInner.from_dict(data["inner"])
	it.plain = data["plain"]
	for one in data["rows2"]:
		it.rows2.append(SavedRows2Item.from_dict(one))
	it.empty = data["empty"]
	return it

func to_dict() -> Dictionary:
	var data := {}
	data["points"] = points
	data["counts"] = counts
	data["places"] = places
	data["lists"] = lists
	data["half"] = half
	data["rows"] = rows
	data["grids"] = grids
	data["bytes"] = bytes
	data["names"] = names
	data["nodes"] = nodes
	data["inner"] = inner.to_dict()
	data["plain"] = plain
	data["rows2"] = rows2.map(func(one): return one.to_dict())
	data["empty"] = empty
	return data


class SavedInner:
	extends RefCounted

	var points: Array[Vector2]  # 1 elements
	var counts: Dictionary[String, int]

	static func from_dict(data: Dictionary) -> SavedInner:
		var it := SavedInner.new()
		it.points = data["points"]
		it.counts = data["counts"]
		return it

	func to_dict() -> Dictionary:
		var data := {}
		data["points"] = points
		data["counts"] = counts
		return data


class SavedRows2Item:
	extends RefCounted

	var x: int  # 1
	var points: Array[Vector2]  # 1 elements

	static func from_dict(data: Dictionary) -> SavedRows2Item:
		var it := SavedRows2Item.new()
		it.x = data["x"]
		it.points = data["points"]
		return it

	func to_dict() -> Dictionary:
		var data := {}
		data["x"] = x
		data["points"] = points
		return data
