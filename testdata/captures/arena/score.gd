extends Node
var red := 0
var blue := 0
var left := 60.0
