extends Node
var weather := "sun":
	set(value):
		weather = value
		print("WEATHER ", weather)
