# Made by `gdvar schema --style gdscript` of 1 record.
class_name Save
extends RefCounted

var version: int  # 7
var game: String  # "Vale of Ash – démo"
var saved_at: int  # 1718118677
var play_time: float  # 123460
var seed: int  # 1311768467294899695
var difficulty: StringName  # "hard"
var ironman: bool
var party: Array[SavedPartyItem]  # 4 elements
var gold: int  # 5000000000
var quests: Dictionary[StringName, Dictionary]  # 30 pairs
var maps: Dictionary
var flags: Dictionary  # 60 pairs
var texts: PackedStringArray  # 120 elements
var log: Array  # 20 elements
var weather: SavedWeather
var last_error
var checksum: PackedByteArray  # 32 elements

static func from_dict(data: Dictionary) -> Save:
	var it := new()
	it.version = data["version"]
	it.game = data["game"]
	it.saved_at = data["saved_at"]
	it.play_time = data["play_time"]
	it.seed = data["seed"]
	it.difficulty = data["difficulty"]
	it.ironman = data["ironman"]
	for one in data["party"]:
		it.party.append(SavedPartyItem.from_dict(one))
	it.gold = data["gold"]
	it.quests = data["quests"]
	it.maps = data["maps"]
	it.flags = data["flags"]
	it.texts = data["texts"]
	it.log = data["log"]
	it.weather = SavedWeather.from_dict(data["weather"])
	it.last_error = data["last_error"]
	it.checksum = data["checksum"]
	return it

func to_dict() -> Dictionary:
	var data := {}
	data["version"] = version
	data["game"] = game
	data["saved_at"] = saved_at
	data["play_time"] = play_time
	data["seed"] = seed
	data["difficulty"] = difficulty
	data["ironman"] = ironman
	data["party"] = party.map(func(one): return one.to_dict())
	data["gold"] = gold
	data["quests"] = quests
	data["maps"] = maps
	data["flags"] = flags
	data["texts"] = texts
	data["log"] = log
	data["weather"] = weather.to_dict()
	data["last_error"] = last_error
	data["checksum"] = checksum
	return data


class SavedPartyItem:
	extends RefCounted

	var name: String  # "Aldis" "Børge" "紅葉" "Zoë"
	var level: int  # 20 to 47
	var xp: int  # 700468624 to 8420962256
	var hp: int  # 56 to 399
	var hp_max: int  # 500
	var stamina: float  # 0.17347 to 0.58968
	var position: Vector3
	var facing: Quaternion
	var inventory: Array[Dictionary]  # 3 to 9 elements
	var equipped: SavedEquipped
	var skills: Dictionary[StringName, int]  # 3 pairs
	var bar: PackedInt32Array  # 4 elements
	var portrait: NodePath

	static func from_dict(data: Dictionary) -> SavedPartyItem:
		var it := SavedPartyItem.new()
		it.name = data["name"]
		it.level = data["level"]
		it.xp = data["xp"]
		it.hp = data["hp"]
		it.hp_max = data["hp_max"]
		it.stamina = data["stamina"]
		it.position = data["position"]
		it.facing = data["facing"]
		it.inventory = data["inventory"]
		it.equipped = SavedEquipped.from_dict(data["equipped"])
		it.skills = data["skills"]
		it.bar = data["bar"]
		it.portrait = data["portrait"]
		return it

	func to_dict() -> Dictionary:
		var data := {}
		data["name"] = name
		data["level"] = level
		data["xp"] = xp
		data["hp"] = hp
		data["hp_max"] = hp_max
		data["stamina"] = stamina
		data["position"] = position
		data["facing"] = facing
		data["inventory"] = inventory
		data["equipped"] = equipped.to_dict()
		data["skills"] = skills
		data["bar"] = bar
		data["portrait"] = portrait
		return data


class SavedEquipped:
	extends RefCounted

	var head
	var hand: String  # "sword_34" "sword_26" "sword_17" "sword_10"
	var ring: Array  # 2 elements

	static func from_dict(data: Dictionary) -> SavedEquipped:
		var it := SavedEquipped.new()
		it.head = data["head"]
		it.hand = data["hand"]
		it.ring = data["ring"]
		return it

	func to_dict() -> Dictionary:
		var data := {}
		data["head"] = head
		data["hand"] = hand
		data["ring"] = ring
		return data


class SavedWeather:
	extends RefCounted

	var kind: String  # "rain"
	var wind: Vector2
	var until: float  # inf or nan

	static func from_dict(data: Dictionary) -> SavedWeather:
		var it := SavedWeather.new()
		it.kind = data["kind"]
		it.wind = data["wind"]
		it.until = data["until"]
		return it

	func to_dict() -> Dictionary:
		var data := {}
		data["kind"] = kind
		data["wind"] = wind
		data["until"] = until
		return data
