extends Node

const NAME = "Vale of Ash"
const LEVELS = [1, 2, 300000, -7, 5000000000]
const RATIO = 0.25
const FINE = 0.1
const LONG = "ünïcödé and a longer text, so that it is padded"
var on = true
var off = false
var nothing = null
var path = @"Player/Sprite:position"

func _ready():
	print(NAME, LEVELS, RATIO, FINE, LONG, on, off, nothing, path)
