"""Copies of every type: by copy, by pickle, with other fields, and as keys."""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import gdvar
import pytest


def all_values() -> list[Any]:
    """One of each type."""
    ints = gdvar.ElementType("builtin", "Int")
    return [
        gdvar.Vector2(1, 2), gdvar.Vector2i(1, 2), gdvar.Vector3(1, 2, 3), gdvar.Vector3i(1, 2, 3), gdvar.Vector4(1, 2, 3, 4),
        gdvar.Vector4i(1, 2, 3, 4), gdvar.Rect2(1, 2, 3, 4), gdvar.Rect2i(1, 2, 3, 4), gdvar.Plane(1, 2, 3, 4),
        gdvar.Quaternion(1, 2, 3, 4), gdvar.Aabb(1, 2, 3, 4, 5, 6), gdvar.Basis(range(9)), gdvar.Transform2D(range(6)),
        gdvar.Transform3D(range(12)), gdvar.Projection(range(16)), gdvar.Color(0.5, 0.25, 1), gdvar.Vector3(1, 2, 3, wide=True),
        gdvar.PackedByteArray(b"xyz"), gdvar.PackedInt32Array(range(9)), gdvar.PackedInt64Array(range(9)),
        gdvar.PackedFloat32Array(range(9)), gdvar.PackedFloat64Array(range(9)), gdvar.PackedVector2Array([(n, n) for n in range(9)]),
        gdvar.PackedVector3Array([(n, n, n) for n in range(9)], wide=True), gdvar.PackedVector4Array([(n, n, n, n) for n in range(9)]),
        gdvar.PackedColorArray([(n, n, n, 1) for n in range(9)]), gdvar.PackedStringArray(["a", "b", "c"]),
        gdvar.StringName("a"), gdvar.Int(5, 32), gdvar.Float(0.5, 32), gdvar.NodePath("/a:b"), gdvar.RID(5), gdvar.Callable(),
        gdvar.Signal("a", 5), gdvar.ObjectId(5), gdvar.Object("Node", {"a": 5}), gdvar.Raw(b"\0\0\0\0", "Nil"),
        gdvar.Array([1], ints), gdvar.Dictionary({1: 2}, ints, ints), gdvar.Pairs([([1], 2)], ints), ints,
    ]  # fmt: skip


def state(value: object) -> object:
    return (type(value), repr(value), getattr(value, "__dict__", None), getattr(value, "wide", None), getattr(value, "bits", None))


@pytest.mark.parametrize("value", all_values(), ids=lambda value: f"{type(value).__name__} {getattr(value, 'kind', '')}")
def test_every_type_is_copied_pickled_hashed_and_replaced(value: Any) -> None:
    copies = [copy.copy(value), copy.deepcopy(value), *(pickle.loads(pickle.dumps(value, number)) for number in range(2, 6))]
    if sys.version_info >= (3, 13) and not isinstance(value, gdvar.StringName):
        copies.append(copy.replace(value))
    if hasattr(value, "__replace__"):
        copies.append(value.__replace__())
    for one in copies:
        assert one == value and state(one) == state(value)
    if isinstance(value, (gdvar.Array, gdvar.Dictionary, gdvar.Pairs, gdvar.Object)):
        # They can be changed, so they are not keys.
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)
    else:
        assert len({hash(one) for one in [value, *copies]}) == 1 and {value: 1}[copies[0]] == 1


class Level(gdvar.Int):
    """Somebody's own number."""


class Ratio(gdvar.Float):
    """Somebody's own number."""


@pytest.mark.parametrize("own", [Level(5, 32), Ratio(0.5, 32)])
def test_numbers_of_an_own_class_keep_it(own: Any) -> None:
    own.seen = ["a"]
    for one in (copy.copy(own), copy.deepcopy(own), *(pickle.loads(pickle.dumps(own, protocol)) for protocol in range(6))):
        assert (type(one), one, one.bits, one.seen) == (type(own), own, 32, ["a"])


def test_what_differs_looks_different() -> None:
    kinds = ["Vector2", "Vector3", "Vector4"]
    for kind in kinds:
        narrow, wide = (gdvar.PackedArray(f"Packed{kind}Array", [], wide=wide) for wide in (False, True))
        assert narrow != wide and repr(narrow) == f"Packed{kind}Array([])" and repr(wide) == f"Packed{kind}Array([], wide=True)"
    assert repr(gdvar.PackedFloat64Array([1])) == "PackedFloat64Array([1.0])"
    shown = [repr(gdvar.Array([1], int, kind)) for kind in ("Array", "TypedArray", "PackedTypedArray")]
    assert len(set(shown)) == 3
    shown = [repr(gdvar.Pairs([(1, 2)], *types)) for types in ((), (int,), (None, int), (int, int))]
    assert len(set(shown)) == 4 and shown[0] == "Pairs([(1, 2)])"
    names: dict[str, Any] = {**vars(gdvar)}
    for value in all_values():
        if not isinstance(value, gdvar.PackedArray) or len(value) < 9:
            again = eval(repr(value), names)
            assert again == value and repr(again) == repr(value) and type(again) is type(value)


class Bag(gdvar.Array):
    """Somebody's own class, with an attribute of its own."""


@pytest.mark.parametrize("protocol", range(2, 6))
def test_containers_are_pickled_with_what_somebody_added(protocol: int) -> None:
    ints = gdvar.ElementType("builtin", "Int")
    for own in [gdvar.Array([1], ints), gdvar.Dictionary({1: 2}, ints, ints), gdvar.Pairs([([1], 2)], ints), Bag([1], ints)]:
        setattr(own, "note", "mine")
        again = pickle.loads(pickle.dumps(own, protocol))
        assert type(again) is type(own) and again == own and vars(again) == vars(own)
    # A container may hold itself.
    round_ = gdvar.Array([])
    round_.append(round_)
    again = pickle.loads(pickle.dumps(round_, protocol))
    assert again[0] is again and len(again) == 1


def test_names_that_repeat_are_one_object_and_pickled_once() -> None:
    ints = gdvar.ElementType("builtin", "Int")
    several = [gdvar.StringName("idle"), gdvar.Array([1], ints)] * 500
    for decoded in [gdvar.loads(gdvar.dumps(several)), gdvar.loads(gdvar.dumps(several), exact=True)]:
        assert decoded == several and type(decoded[0]) is gdvar.StringName
        assert all(name is decoded[0] for name in decoded[::2])
        assert all(array.element_type is decoded[1].element_type for array in decoded[1::2])
        # A String with the same text is not that object.
        assert type(gdvar.loads(gdvar.dumps([gdvar.StringName("idle"), "idle"]))[1]) is str
        assert pickle.dumps(decoded[::2]).count(b"idle") == 1


def test_lazy_values_and_files_are_pickled_with_how_they_are_read(tmp_path: Path) -> None:
    data = gdvar.dumps({"a": [float("-inf"), gdvar.Vector2(1, 2)], "b": "x" * 1000}, target="godot3")
    value = gdvar.view(data, dialect="godot3.2")
    for one in (value, value["a"], value["a[1]"]):
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            assert (again.type, again.load(), again.raw(), again.to_text()) == (one.type, one.load(), one.raw(), one.to_text())
    # A small part does not take all of the bytes along.
    assert len(pickle.dumps(value["a"])) < 300
    gdvar.save(tmp_path / "it.sav", {"gold": 5}, [1])
    file = pickle.loads(pickle.dumps(gdvar.open(tmp_path / "it.sav")))
    assert file.load() == [{"gold": 5}, [1]] and file.path == tmp_path / "it.sav"
    for wrong in ((b"", 0, "godot4.6"), (b"\xff" * 8, 1 << 63, "x")):
        with pytest.raises(gdvar.DecodeError):
            gdvar._gdvar._own_value(*wrong)


def test_replacing_some_of_a_value() -> None:
    assert gdvar.Vector2(1, 2).__replace__(x=5) == gdvar.Vector2(5, 2)
    assert gdvar.Vector2(1, 2, wide=True).__replace__(x=5).wide and gdvar.Vector2(1, 2).__replace__(wide=True).wide
    turned = gdvar.Transform3D(range(12)).__replace__(origin=gdvar.Vector3(7, 8, 9))
    assert list(turned) == [*range(9), 7, 8, 9] and turned.basis == gdvar.Basis(range(9))
    assert gdvar.Basis(range(9)).__replace__(x=(10, 11, 12)).x == gdvar.Vector3(10, 11, 12)
    with pytest.raises(TypeError, match="Vector2 has no z; it has x, y"):
        gdvar.Vector2(1, 2).__replace__(z=1)  # type: ignore[call-arg]  # pyright: ignore
    typed = gdvar.Array([1], gdvar.ElementType("builtin", "Int")).__replace__(items=[2, 3])
    assert typed == [2, 3] and typed.element_type == ("builtin", "Int")
    assert gdvar.PackedInt32Array([1]).__replace__(items=[2]) == gdvar.PackedInt32Array([2])
    assert gdvar.PackedInt32Array([1, 2]).__replace__(kind="PackedFloat32Array") == gdvar.PackedFloat32Array([1, 2])
    assert gdvar.NodePath("a:b").__replace__(absolute=True) == gdvar.NodePath("/a:b")
    assert gdvar.Int(5, 32).__replace__(value=6).bits == 32
