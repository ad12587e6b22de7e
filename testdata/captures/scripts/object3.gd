extends Resource
export var damage = 7
export var tags = ["fire", 3]
export(Resource) var owner
