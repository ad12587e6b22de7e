extends Node
var position := Vector2.ZERO
var speed := 0.0
var gold := 0
var note := ""
