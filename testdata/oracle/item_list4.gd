extends Resource
# Containers whose type is a script, for resources as text and as binary files.
const Item = preload("res://item4.gd")
@export var items: Array[Item]
@export var by_name: Dictionary[String, Item]
@export var none: Array[Item]
