extends Node
# What a player does: its owner sends it.
var aim := 0.1
var fire := false
