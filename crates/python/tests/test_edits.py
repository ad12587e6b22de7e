"""A list takes the type of the packed array or typed container that it replaces: its elements give the engine's bytes again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from time import thread_time
from typing import Any

import gdvar
import pytest

VECTORS = Path(__file__).parents[3] / "testdata" / "vectors"
VECTORS_OF = (gdvar.Vector2, gdvar.Vector2i, gdvar.Vector3, gdvar.Vector3i, gdvar.Vector4, gdvar.Vector4i)
ENGINES = {"godot4": "godot4", "godot4-double": "godot4", "godot3": "godot3", "godot3.6": "godot3", "pandemonium5": "pandemonium5"}


def vectors() -> Iterator[tuple[str, str, bytes]]:
    """Name, dialect and bytes of each canonical value; padding that an engine left unset is zero."""
    for name, dialect in ENGINES.items():
        for line in map(json.loads, (VECTORS / f"{name}.jsonl").read_text().splitlines()):
            # Values that are nested deeper than Python and other engines follow, and NaNs that Python makes quiet, are no matter here.
            if "Nest" in line["value"] or "/snan" in line["id"]:
                continue
            if line["canonical"] and not line.get("engine_refuses") and not line["full_objects"]:
                data = bytearray.fromhex(line["hex"])
                for at in line.get("dirty", ()):
                    data[at] = 0
                yield f"{name} {line['id']}", dialect, bytes(data)


def untyped(value: Any, kind: str, wide: bool) -> Any:
    """The value as a list or dict without a type, or None if it has none."""
    if isinstance(value, gdvar.Dictionary):
        return dict(value)
    if isinstance(value, gdvar.Array):
        return list(value)
    if not kind.startswith(("Packed", "Pool")):
        return None
    # The elements of an array of vectors are tuples of numbers.
    vector = getattr(gdvar, kind.removeprefix("Packed").removeprefix("Pool").removesuffix("Array"), None)
    if vector is None or not issubclass(vector, (gdvar.Color, *VECTORS_OF)):
        return list(value)
    named = {"wide": True} if wide and vector is not gdvar.Color else {}
    return [vector(*numbers, **named) for numbers in value]


def changed(data: bytes, value: Any, dialect: str) -> bytes:
    """The bytes at ``a`` in a Dictionary with these bytes there, after a change."""
    save = gdvar.dumps({"a": gdvar.Raw(data)}, target=dialect)
    after = gdvar.edit(save, dialect=dialect).set("a", value).bytes()
    raw: bytes = gdvar.view(after, dialect=dialect)["a"].raw()
    return raw


def test_a_list_keeps_the_type_at_its_place() -> None:
    seen = set()
    for name, dialect, data in vectors():
        kind = gdvar.view(data, dialect=dialect).type
        plain = untyped(gdvar.loads(data, dialect=dialect), kind, "double" in name)
        if plain is None:
            continue
        assert changed(data, plain, dialect) == data, name
        seen.add((dialect, kind, min(len(plain), 2)))
    kinds = ("Byte", "Int32", "Int64", "Float32", "Float64", "String", "Vector2", "Vector3", "Vector4", "Color")
    assert {("godot4", f"Packed{kind}Array", length) for kind in kinds for length in range(3)} <= seen
    assert len(seen) > 60


def test_a_long_list() -> None:
    count = 300_000
    old = gdvar.dumps({"ids": gdvar.loads(bytes([30, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]))})
    assert gdvar.view(old)["ids"].type == "PackedInt32Array"
    new = gdvar.view(gdvar.edit(old).set("ids", list(range(count))).bytes())["ids"]
    assert new.type == "PackedInt32Array" and list(new.load()) == list(range(count))


def test_four_times_the_changes_take_four_times_as_long() -> None:
    def spent(verb: str, count: int) -> float:
        is_set = verb == "set"
        changes = gdvar.edit(gdvar.dumps({f"key_{n}": n if is_set else [n] for n in range(count)}))
        for n in range(count):
            getattr(changes, verb)(f"key_{n}[0]" if verb == "insert" else f"key_{n}", n)
        start = thread_time()
        data = changes.bytes()
        taken = thread_time() - start
        assert gdvar.loads(data)[f"key_{count - 1}"] == (count - 1 if is_set else [count - 1] * 2)
        return taken

    for verb in ("set", "insert", "append"):
        # Looking each place up on its own makes it 16 times as long. Caches and other programs disturb the times.
        ratios = (spent(verb, 4000) / min(spent(verb, 1000) for _ in range(3)) for _ in range(4))
        assert any(ratio < 9 for ratio in ratios), verb


def test_the_first_value_that_does_not_fit_is_named() -> None:
    save = gdvar.dumps({"a": 1, "b": 2.5, "ids": [1]})
    good, wrong, lost, malformed = ("b", 3), ("a", "x"), ("ids.no.way", 1), ("[", 1)
    cases: list[tuple[list[tuple[str, Any]], str]] = [
        ([good, wrong, ("b", "y")], "a"),
        ([("b", "y"), good, wrong], "b"),
        # A path that leads nowhere is found out when all values fit.
        ([lost, malformed, wrong], "a"),
        ([good, lost, ("a", 2)], "ids.no.way"),
        ([good, malformed, lost], "["),
    ]
    for changes, path in cases:
        edit = gdvar.edit(save)
        for at, value in changes:
            edit.set(at, value)
        with pytest.raises(gdvar.EncodeError) as caught:
            edit.bytes()
        assert caught.value.path == path, (changes, caught.value)


def test_what_does_not_fit_is_named() -> None:
    ints = gdvar.Raw(bytes([30, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0]))
    save = gdvar.dumps({"bag": {"ids": ints, "raw": b"\x01", "names": gdvar.Raw(bytes([34, 0, 0, 0, 0, 0, 0, 0]))}})
    for at, value, path, kind in [
        ("bag.ids", [1, 1.5], "bag.ids[1]", "PackedInt32Array"),
        ("bag.ids", [1 << 31], "bag.ids[0]", "PackedInt32Array"),
        ("bag.ids", [1, "two"], "bag.ids[1]", "PackedInt32Array"),
        ("bag.raw", [0, 255, 256], "bag.raw[2]", "PackedByteArray"),
        ("bag.names", ["a", 1], "bag.names[1]", "PackedStringArray"),
        ("bag", {"ids": [True]}, "bag.ids[0]", "PackedInt32Array"),
    ]:  # fmt: skip
        with pytest.raises(gdvar.EncodeError, match=f"a {kind} is there.*set null first") as caught:
            gdvar.edit(save).set(at, value).bytes()
        assert (caught.value.code, caught.value.path) == ("Fit", path)

    def kind_after(value: Any, data: bytes = save) -> str:
        kind: str = gdvar.view(gdvar.edit(data).set("bag.ids", value).bytes())["bag.ids"].type
        return kind

    # Another type is one that is written out.
    assert kind_after([1]) == "PackedInt32Array" and kind_after((1, 2)) == "PackedInt32Array"
    assert kind_after(b"\x01") == "PackedByteArray"
    assert kind_after(gdvar.Array([1], gdvar.ElementType("builtin", "Int"))) == "Array"
    assert kind_after(gdvar.Raw(gdvar.dumps([1]))) == "Array"
    assert kind_after(None) == "Nil"
    assert kind_after([1], gdvar.edit(save).set("bag.ids", None).bytes()) == "Array"


#: Values that Python itself has, and what the type of each is in Godot.
OWN: list[tuple[Any, str]] = [
    (True, "Bool"), (5, "Int"), (1.5, "Float"), ("x", "String"), ([1, "a"], "Array"), ((1, 2.5), "Array"), ({"a": 1}, "Dictionary")
]  # fmt: skip
#: Values that say their type.
TYPED: list[tuple[Any, str]] = [
    (gdvar.Int(5), "Int"), (gdvar.Float(1.5), "Float"), (gdvar.Raw(gdvar.dumps("x")), "String"), (gdvar.Vector2(1, 2), "Vector2"),
    (gdvar.Color(1, 2, 3), "Color"), (gdvar.NodePath("a"), "NodePath"), (b"x", "PackedByteArray"), (gdvar.RID(1), "RID"),
    (gdvar.StringName("x"), "StringName"), (gdvar.Array([1], int), "Array"), (gdvar.Dictionary({}, str, int), "Dictionary"),
]  # fmt: skip


def test_a_value_of_python_keeps_the_type_of_its_place() -> None:
    kept = {("Int", "Float"), ("String", "StringName")}
    for old, place in OWN + TYPED:
        save = gdvar.dumps({"v": old, "after": 1})
        for new, kind in OWN:
            if isinstance(old, (gdvar.Array, gdvar.Dictionary)) and kind == place:
                continue  # Its elements decide.
            edit = gdvar.edit(save).set("v", new)
            if kind == place or (kind, place) in kept:
                assert gdvar.view(edit.bytes())["v"].type == place
                continue
            with pytest.raises(gdvar.EncodeError, match=f"{place}.*{kind}" if place != "PackedByteArray" else place) as caught:
                edit.bytes()
            assert (caught.value.code, str(caught.value.path).split("[")[0]) == ("Fit", "v"), (new, place)
        # What says its type changes it, and so does what was null.
        for new, kind in TYPED:
            assert gdvar.view(gdvar.edit(save).set("v", new).bytes())["v"].type == kind, (new, place)
        for new, kind in OWN + TYPED:
            raw = gdvar.Raw(gdvar.dumps(new))
            assert gdvar.view(gdvar.edit(save).set("v", raw).bytes())["v"].type == kind
            nothing = gdvar.edit(save).set("v", None).bytes()
            assert gdvar.view(gdvar.edit(nothing).set("v", new).bytes())["v"].type == kind
    empty = gdvar.dumps({"v": gdvar.ObjectId(0)})
    assert gdvar.view(gdvar.edit(empty).set("v", "x").bytes())["v"].type == "String"
    assert gdvar.view(gdvar.edit(gdvar.dumps({"v": 2.5})).set("v", 3).bytes())["v"].type == "Float"
    # A typed container holds its type, and not even null.
    typed = gdvar.dumps({"v": gdvar.Array([1, 2], int)})
    for value in (None, "x", 1.5):
        with pytest.raises(gdvar.EncodeError) as caught:
            gdvar.edit(typed).set("v[0]", value).bytes()
        assert caught.value.code == "Fit"


def test_a_number_of_numpy_keeps_the_type_of_its_place() -> None:
    numpy = pytest.importorskip("numpy")
    save = gdvar.dumps({"n": 5, "list": [1]})
    assert gdvar.view(gdvar.edit(save).set("n", numpy.int64(6)).bytes())["n"].type == "Int"
    with pytest.raises(gdvar.EncodeError, match="Float"):
        gdvar.edit(save).set("n", numpy.float32(1.5)).bytes()
    assert gdvar.view(gdvar.edit(save).set("list", numpy.array([1])).bytes())["list"].type == "PackedInt64Array"


def test_an_int_is_no_bytes() -> None:
    data = gdvar.dumps(1)
    wrong: Any
    for wrong in (5, "text", None, 2.5):
        for call in (gdvar.File, gdvar.edit, lambda wrong: gdvar.diff(wrong, data), lambda wrong: gdvar.diff(data, wrong)):
            with pytest.raises(TypeError):
                call(wrong)
    view: Any
    for view in (bytearray(data), memoryview(data)):
        assert gdvar.File(view).value.load() == 1 and gdvar.edit(view).bytes() == data and gdvar.diff(view, data) == []


def test_errors_of_edits_have_their_own_names() -> None:
    save = gdvar.dumps({"a": [1], "pos": gdvar.Vector2(1, 2)})
    changes: list[tuple[Callable[[gdvar.Edit], gdvar.Edit], str]] = [
        (lambda edit: edit.set("b.c", 1), "NoPlace"),
        (lambda edit: edit.set("a[", 1), "Path"),
        (lambda edit: edit.remove("pos.x"), "PartStays"),
        (lambda edit: edit.set("pos.x", "x"), "PartType"),
        (lambda edit: edit.append("pos", 1), "NotAContainer"),
        (lambda edit: edit.remove("$"), "Outermost"),
        (lambda edit: edit.rename("a", "pos"), "KeyExists"),
        (lambda edit: edit.set("a", [2]).set("a[0]", 1), "Overlap"),
    ]
    for change, code in changes:
        edit = gdvar.edit(save)
        change(edit)
        with pytest.raises(gdvar.EncodeError) as caught:
            edit.bytes()
        assert caught.value.code == code


def test_a_byte_order_mark_is_kept_by_exact_and_by_edits() -> None:
    """As the README says."""
    marked = bytes([4, 0, 0, 0, 5, 0, 0, 0]) + "\ufeffhi".encode() + bytes(3)
    data = bytes([28, 0, 0, 0, 1, 0, 0, 0]) + marked
    assert gdvar.loads(data) == ["hi"] and gdvar.dumps(gdvar.loads(data)) != data
    assert gdvar.dumps(gdvar.loads(data, exact=True)) == data
    assert marked in gdvar.edit(data).append("$", 1).bytes()


def test_the_paths_of_an_edit_refer_to_the_old_value() -> None:
    data = gdvar.dumps({"party": [{"name": "Ann"}], "log": [1, 2, 3]})
    bo = {"name": "Bo"}
    assert gdvar.loads(gdvar.edit(data).append("party", bo).set("party[-1].name", "LAST").bytes())["party"] == [{"name": "LAST"}, bo]
    assert gdvar.loads(gdvar.edit(data).insert("log[0]", 0).remove("log[0]").bytes())["log"] == [0, 2, 3]
    assert gdvar.loads(gdvar.edit(data).remove("log[0]").set("log[1]", 9).bytes())["log"] == [9, 3]
    first = gdvar.edit(data).append("party", bo).bytes()
    assert gdvar.loads(gdvar.edit(first).set("party[-1].name", "LAST").bytes())["party"] == [{"name": "Ann"}, {"name": "LAST"}]
