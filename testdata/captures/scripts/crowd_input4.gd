extends Node
var aim := Vector3.ZERO
var keys := PackedByteArray()
