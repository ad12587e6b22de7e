"""Typed containers take values of their type alone: the engine loses others (``docs/FORMAT.md`` §4.3)."""

from __future__ import annotations

import enum
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gdvar
import pytest

#: A value of each type that an element may have.
VALUES: dict[str, Any] = {
    "Nil": None, "Bool": True, "Int": 3, "Float": 2.5, "String": "text", "Vector2": gdvar.Vector2(1, 2), "Vector2i": gdvar.Vector2i(1, 2),
    "Rect2": gdvar.Rect2(1, 2, 3, 4), "Rect2i": gdvar.Rect2i(1, 2, 3, 4), "Vector3": gdvar.Vector3(1, 2, 3),
    "Vector3i": gdvar.Vector3i(1, 2, 3), "Transform2D": gdvar.Transform2D(), "Vector4": gdvar.Vector4(1, 2, 3, 4),
    "Vector4i": gdvar.Vector4i(1, 2, 3, 4), "Plane": gdvar.Plane(1, 2, 3, 4), "Quaternion": gdvar.Quaternion(), "AABB": gdvar.Aabb(),
    "Basis": gdvar.Basis(), "Transform3D": gdvar.Transform3D(), "Projection": gdvar.Projection(), "Color": gdvar.Color(1, 0, 0),
    "StringName": gdvar.StringName("name"), "NodePath": gdvar.NodePath("a"), "RID": gdvar.RID(7), "Object": gdvar.ObjectId(5),
    "Callable": gdvar.Callable(), "Signal": gdvar.Signal("x"), "Dictionary": {"a": 1}, "Array": [1],
    "PackedByteArray": b"ab", "PackedInt32Array": gdvar.PackedInt32Array([1]), "PackedInt64Array": gdvar.PackedInt64Array([1]),
    "PackedFloat32Array": gdvar.PackedFloat32Array([1]), "PackedFloat64Array": gdvar.PackedFloat64Array([1]),
    "PackedStringArray": gdvar.PackedStringArray(["a"]), "PackedVector2Array": gdvar.PackedVector2Array([(1, 2)]),
    "PackedVector3Array": gdvar.PackedVector3Array([(1, 2, 3)]), "PackedColorArray": gdvar.PackedColorArray([(1, 0, 0, 1)]),
    "PackedVector4Array": gdvar.PackedVector4Array([(1, 2, 3, 4)]),
}  # fmt: skip
#: Values of another type that are converted, or are kept.
OTHERS = {"Float": "Int", "String": "StringName", "StringName": "String", "Object": "Nil"}


def test_every_type_in_containers_of_every_type() -> None:
    written = refused = 0
    for wanted in VALUES:
        for kind, value in VALUES.items():
            containers: list[tuple[Any, str]] = [
                (gdvar.Array([VALUES[wanted], value], wanted), '$["in"][1]'),
                (gdvar.Pairs([(value, 1)], wanted), '$["in"]'),
                (gdvar.Pairs([("a", value)], None, wanted), '$["in"]["a"]'),
            ]
            try:
                containers.append((gdvar.Dictionary({value: 1}, wanted), '$["in"]'))
            except TypeError:  # A dict has no such key.
                pass
            containers.append((gdvar.Dictionary({"a": value}, None, wanted), '$["in"]["a"]'))
            for container, path in containers:
                if wanted in ("Nil", kind) or OTHERS.get(wanted) == kind:
                    data = gdvar.dumps({"in": container})
                    # Strict: the engine reads it without an error, and writes the same bytes.
                    assert gdvar.validate(data, strict=True) == len(data), (wanted, kind)
                    assert gdvar.dumps(gdvar.loads(data)) == data
                    written += 1
                    continue
                with pytest.raises(gdvar.EncodeError) as caught:
                    gdvar.dumps({"in": container})
                code = "OutOfRange" if (wanted, kind) == ("Int", "Float") else "WrongElement"
                assert caught.value.code == code, (wanted, kind)
                own = str(caught.value.path)
                assert own == path or path == '$["in"]' and own.startswith(path) and own.count("[") + own.count("{") == 2, own
                refused += 1
    assert written > 300 and refused > 6_000, (written, refused)


def test_every_way_of_writing_refuses(tmp_path: Path) -> None:
    wrong = [gdvar.Array(["a"], int)]
    path, stream = tmp_path / "typed.sav", io.BytesIO()
    gdvar.save(path, 5)
    ways: list[Callable[[], Any]] = [
        lambda: gdvar.dumps(wrong), lambda: gdvar.dump(wrong, stream), lambda: gdvar.dump(wrong, stream, record=True),
        lambda: gdvar.save(path, wrong), lambda: gdvar.save(path, 1, wrong), lambda: gdvar.edit(gdvar.dumps(5)).set("$", wrong).bytes(),
        lambda: gdvar.open(path).edit().set("$", wrong).save(),
    ]  # fmt: skip
    for way in ways:
        with pytest.raises(gdvar.EncodeError) as caught:
            way()
        assert (caught.value.code, caught.value.path) == ("WrongElement", "$[0][0]")
    assert gdvar.load(path) == 5 and not stream.getvalue()


def test_errors_say_what_the_container_holds() -> None:
    levels = gdvar.Array([1, 2], int)
    levels += ["x", 2.5]
    for value, message in [
        ({"levels": levels}, 'an Array of Int holds no String: "x" in $["levels"][2]'),
        (gdvar.Dictionary({1: "a", "k": 3}, str, int), "a Dictionary with keys of String holds no Int: 1 in ${0}"),
        (gdvar.Dictionary({"k": "a"}, str, int), 'a Dictionary with values of Int holds no String: "a" in $["k"]'),
        (gdvar.Array([[1]], dict), "an Array of Dictionary holds no Array: a list in $[0]"),
        (gdvar.Array(["x" * 50], int), "an Array of Int holds no String: a String of 50 characters in $[0]"),
        (gdvar.Array([1, True], int), "an Array of Int holds no Bool: True in $[1]"),
        (gdvar.Array([1, None], int), "an Array of Int holds no Nil: None in $[1]"),
        (gdvar.Array([gdvar.NodePath("a")], str), "an Array of String holds no NodePath: a NodePath in $[0]"),
        (gdvar.Array([3], gdvar.ElementType("class", "Node")), "an Array of Node holds no Int: 3 in $[0]"),
        (gdvar.Array([3], gdvar.ElementType("script", "res://a.gd")), "an Array of res://a.gd holds no Int: 3 in $[0]"),
        (gdvar.Array([gdvar.Raw(gdvar.dumps(2.5), "Int")], int), "an Array of Int holds no Float: a Raw in $[0]"),
    ]:
        with pytest.raises(gdvar.EncodeError, match=re.escape(message) + "$") as caught:
            gdvar.dumps(value)
        assert caught.value.code == "WrongElement"


def test_a_number_is_converted_if_it_stays_the_same_number() -> None:
    class Level(enum.IntEnum):
        LOW = 3

    def read(given: Any, element: Any) -> Any:
        one = gdvar.loads(gdvar.dumps(gdvar.Array([given], element)))[0]
        return type(one), one

    whole: Any
    for whole in (3, Level.LOW, -(2**53), 2**60):
        assert read(whole, float) == (float, whole)
        assert read(whole, int) == (int, whole)
    for real in (3.0, 0.0, -float(2**53 - 1)):
        assert read(real, int) == (int, real)
    given: Any
    for given, element, code in [
        (2**53 + 1, float, "WrongElement"), (2.5, int, "OutOfRange"), (-0.0, int, "OutOfRange"), (float(2**53), int, "OutOfRange"),
        (float("nan"), int, "OutOfRange"), (float("inf"), int, "OutOfRange"), (1e300, int, "OutOfRange"), (2**70, float, "OutOfRange"),
        (2**70, int, "OutOfRange"),
        # What says its own type is not converted.
        (gdvar.Int(3), float, "WrongElement"), (gdvar.Float(3), int, "WrongElement"),
    ]:  # fmt: skip
        with pytest.raises(gdvar.EncodeError) as caught:
            gdvar.dumps(gdvar.Array([given], element))
        assert (caught.value.code, caught.value.path) == (code, "$[0]"), given
    assert gdvar.loads(gdvar.dumps(gdvar.Array([gdvar.Int(3, 64)], int)), exact=True) == [3]


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    one: Any
    for one in (numpy.int8(3), numpy.int64(3), numpy.uint32(3), numpy.float32(3), numpy.float64(3)):
        for element in (int, float):
            found = gdvar.loads(gdvar.dumps(gdvar.Array([one], element)))[0]
            assert type(found) is element and found == 3
    for one in (numpy.float32(2.5), numpy.bool_(True), numpy.zeros(2, numpy.int32)):
        with pytest.raises(gdvar.EncodeError):
            gdvar.dumps(gdvar.Array([one], int))


def test_typed_arrays_of_pandemonium() -> None:
    """They drop elements of another type without any conversion; without a type they hold nothing but null."""
    for kind in ("TypedArray", "PackedTypedArray"):
        assert gdvar.loads(gdvar.dumps(gdvar.Array([1, 2.0], int, kind), target="pandemonium5"), dialect="pandemonium5") == [1, 2]
        gdvar.dumps(gdvar.Array([None], None, kind), target="pandemonium5")
        gdvar.dumps(gdvar.Array([gdvar.ObjectId(1), None], "Object", kind), target="pandemonium5")
        for wrong, element, name in [("a", int, "Int"), (1, None, "Nil"), (None, str, "String"), ([1], "TypedArray", "TypedArray")]:
            with pytest.raises(gdvar.EncodeError, match=f"an Array of {name} holds no") as caught:
                gdvar.dumps([gdvar.Array([wrong], element, kind)], target="pandemonium5")
            assert (caught.value.code, caught.value.path) == ("WrongElement", "$[0][0]")


def test_bytes_with_other_elements_are_kept_by_exact_alone() -> None:
    """Godot 4.6.3 reads these, converts or drops elements, and prints an error."""
    odd = gdvar.dumps(gdvar.Array([1, 77], int)).replace(gdvar.dumps(77), gdvar.dumps("x"))
    assert gdvar.loads(odd) == [1, "x"]
    with pytest.raises(gdvar.EncodeError, match="holds no String"):
        gdvar.dumps(gdvar.loads(odd))
    for data in (odd, gdvar.dumps(["a", gdvar.Raw(odd, "Array")]), gdvar.dumps(gdvar.Array([gdvar.Raw(odd, "Array")], list))):
        assert gdvar.dumps(gdvar.loads(data, exact=True)) == data
    # What the engine would convert to the same value is written as the engine writes it.
    floats = gdvar.dumps(gdvar.Array([77], int)).replace(gdvar.dumps(77), gdvar.dumps(77.0))
    assert gdvar.dumps(gdvar.loads(floats)) == gdvar.dumps(gdvar.Array([77], int))
    assert gdvar.dumps(gdvar.loads(floats, exact=True)) == floats
