"""Values of Python's as the tagged JSON of testdata/vectors/README.md: written from that page, beside the package."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import gdvar

GODOT_4 = (
    "Nil Bool Int Float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane "
    "Quaternion AABB Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array "
    "PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray "
    "PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array"
).split()
PANDEMONIUM_5 = (
    "Nil Bool Int Float String Rect2 Rect2i Vector2 Vector2i Vector3 Vector3i Vector4 Vector4i Plane Quaternion AABB "
    "Basis Transform3D Transform2D Projection Color NodePath RID Object StringName Dictionary Array TypedArray "
    "PackedTypedArray PackedByteArray PackedInt32Array PackedFloat32Array PackedStringArray PackedVector2Array "
    "PoolVector2iArray PackedVector3Array PoolVector3iArray PackedVector4Array PoolVector4iArray PackedColorArray"
).split()


def single(number: float) -> str:
    return struct.pack(">f", number).hex() if number == number else nan(number)


def nan(number: float) -> str:
    """The bits of a NaN that was widened: struct would make another one of it."""
    bits = int.from_bytes(struct.pack(">d", number), "big")
    return f"{(bits >> 63) << 31 | 0x7F800000 | bits >> 29 & 0x7FFFFF:08x}"


def double(number: float) -> str:
    return struct.pack(">d", number).hex()


def real(value: Any, numbers: Any) -> list[Any]:
    return [double(n) if value.wide else single(n) for n in numbers]


def text(value: Any) -> Any:
    if isinstance(value, gdvar.Raw):
        return {"codes": codes(value.data if value.kind == "text" else value.data[8:])}
    return str(value)


def codes(data: bytes) -> list[Any]:
    """The characters of text by the wide rules of Godot 3: up to six bytes, surrogates among them."""
    found, at = [], 0
    while at < len(data) and data[at]:
        first = data[at]
        size = next((n for n, top in enumerate((0x80, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE), 1) if first < top), 6)
        if size == 1:
            code = first
        else:
            code = first & (0x7F >> size)
            for byte in data[at + 1 : at + size]:
                code = code << 6 | byte & 0x3F
        found.append(code)
        at += size
    return found


def element(kind: Any, names: Sequence[str]) -> Any:
    if kind is None:
        return None
    if kind.kind == "builtin":
        return {"builtin": names.index(kind.name) if kind.name in names else int(kind.name)}
    return {kind.kind: text(kind.name)}


def pairs(value: Any, names: Sequence[str]) -> list[Any]:
    items = value.items() if isinstance(value, dict) else value
    return [[tagged(key, names), tagged(item, names)] for key, item in items]


MATH = {
    "Vector2", "Vector3", "Vector4", "Rect2", "Plane", "Quaternion", "Aabb", "Basis", "Transform2D", "Transform3D",
    "Projection", "Color",
}  # fmt: skip


def math(name: str, value: Any) -> dict[str, Any]:
    n = real(value, value)
    if name == "Aabb":
        return {"AABB": n}
    if name == "Transform2D":
        return {name: {"x": n[0:2], "y": n[2:4], "origin": n[4:6]}}
    columns = {axis: [n[at], n[at + 3], n[at + 6]] for at, axis in enumerate("xyz")} if len(n) >= 9 else {}
    if name == "Basis":
        return {name: columns}
    if name == "Transform3D":
        return {name: {"basis": columns, "origin": n[9:12]}}
    if name == "Projection":
        return {name: {axis: n[4 * at : 4 * at + 4] for at, axis in enumerate("xyzw")}}
    return {name: n}


def packed(value: gdvar.PackedArray) -> dict[str, Any]:
    kind = value.kind
    if kind == "PackedByteArray":
        return {kind: bytes(value).hex()}
    view = memoryview(value)
    size, width = view.itemsize, list(view.shape or (0, 1))[1] if view.ndim == 2 else 1
    data = bytes(value)
    raw = [data[at : at + size] for at in range(0, len(data), size)]
    if view.format in "iq":
        numbers: list[Any] = [int.from_bytes(one, "little", signed=True) for one in raw]
        numbers = [str(one) for one in numbers] if size == 8 else numbers
    else:
        numbers = [one[::-1].hex() for one in raw]
    if view.ndim == 1:
        return {kind: numbers}
    return {kind: [numbers[at : at + width] for at in range(0, len(numbers), width)]}


def tagged(value: Any, names: Sequence[str]) -> Any:
    name = type(value).__name__
    if value is None:
        return {"Nil": None}
    if isinstance(value, bool):
        return {"Bool": value}
    if isinstance(value, int):
        return {"Int": str(int(value))}
    if isinstance(value, float):
        return {"Float": {"bits": double(value)}}
    if isinstance(value, gdvar.StringName):
        return {"StringName": str(value)}
    if isinstance(value, str):
        return {"String": value}
    if isinstance(value, gdvar.Raw):
        return {value.kind: text(value)}
    if name in ("Vector2i", "Vector3i", "Vector4i", "Rect2i"):
        return {name: list(value)}
    if name in MATH:
        return math(name, value)
    if isinstance(value, gdvar.PackedArray):
        return packed(value)
    if isinstance(value, gdvar.PackedStringArray):
        return {"PackedStringArray": [text(one) for one in value]}
    if isinstance(value, gdvar.NodePath):
        return {
            "NodePath": {
                "names": [text(one) for one in value.names],
                "subnames": [text(one) for one in value.subnames],
                "absolute": value.absolute,
            }
        }
    if isinstance(value, gdvar.RID):
        return {"RID": str(value.id)}
    if isinstance(value, gdvar.ObjectId):
        return {"ObjectId": str(value.id)}
    if isinstance(value, gdvar.Object):
        properties = [[text(key), tagged(item, names)] for key, item in value.properties.items()]
        return {"Object": {"class": text(value.class_name), "props": properties}}
    if isinstance(value, gdvar.Callable):
        return {"Callable": None}
    if isinstance(value, gdvar.Signal):
        return {"Signal": {"name": text(value.name), "object_id": str(value.object_id)}}
    if isinstance(value, gdvar.Array):
        tag = "TypedArray" if value.kind == "Array" else value.kind
        items = [tagged(item, names) for item in value]
        return {tag: {"elem": element(value.element_type, names), "items": items}}
    if isinstance(value, (gdvar.Dictionary, gdvar.Pairs)) and (value.key_type or value.value_type):
        return {
            "TypedDictionary": {
                "key": element(value.key_type, names),
                "value": element(value.value_type, names),
                "entries": pairs(value, names),
            }
        }
    if isinstance(value, (dict, gdvar.Pairs)):
        return {"Dictionary": pairs(value, names)}
    if isinstance(value, list):
        return {"Array": [tagged(item, names) for item in value]}
    raise TypeError(name)


def unfolded(value: Any) -> Any:
    """Without ``dec``, which is for people, and with chains of containers written out."""
    if isinstance(value, list):
        return [unfolded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "Nest" in value:
        inner = unfolded(value["Nest"]["leaf"])
        for step in reversed(value["Nest"]["steps"]):
            inner = {"Array": [inner]} if step == "[]" else {"Dictionary": [[unfolded(step["key"]), inner]]}
        return inner
    return {name: unfolded(item) for name, item in value.items() if name != "dec"}
