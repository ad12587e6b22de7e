extends Node2D

var speed = 7
var names = ["sword", "shield"]
var wait = 0.0


func _ready():
	print("ready")
	push_warning("a warning")
	push_error("an error")


func _process(delta):
	wait += delta
	if wait < 0.2:
		return
	wait = 0.0
	tick(speed * 2)


func tick(doubled):
	var text = "speed %d" % speed
	print(text, " ", doubled)
	get_node("Player").position.x += 1
