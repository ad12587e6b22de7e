"""Typed decode into ``msgspec.Struct``."""

from __future__ import annotations

from typing import Annotated

import gdvar
import pytest

pytest.importorskip("msgspec")

import msgspec  # noqa: E402


class Item(msgspec.Struct, rename="camel"):
    item_name: str
    count: Annotated[int, msgspec.Meta(ge=0)] = 1


class Bag(msgspec.Struct):
    items: list[Item]
    at: gdvar.Vector2
    ids: list[int] = []


class Closed(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="closed"):
    x: int
    ids: list[int]


def test_structs() -> None:
    at = gdvar.Vector2(1, 2)
    plain = {"items": [{"itemName": "rope"}], "at": at}
    assert gdvar.loads(gdvar.dumps(plain), type=Bag) == Bag([Item("rope")], at)
    packed = {**plain, "ids": gdvar.PackedInt32Array([1, 2])}
    assert gdvar.convert(packed, Bag) == Bag([Item("rope")], at, [1, 2])
    assert gdvar.convert([packed], list[Bag])[0].ids == [1, 2]
    for items, path, message in [
        ([{"itemName": 5}], "$.items[0].itemName", "str expected, found int 5"),
        ([{"itemName": "a"}, {"itemName": "b", "count": -1}], "$.items[1].count", "Expected `int` >= 0"),
        ([{"item_name": 5}], "$.items[0]", "Item needs the key 'itemName', which is missing"),
    ]:
        with pytest.raises(gdvar.DecodeError) as failed:
            gdvar.convert({**plain, "items": items}, Bag)
        assert failed.value.path == path and message in str(failed.value)
    ids = gdvar.PackedInt32Array([1])
    assert gdvar.convert({"kind": "closed", "x": 1, "ids": ids}, Closed) == Closed(1, [1])
    for wrong in [{"kind": "open", "x": 1, "ids": ids}, {"kind": "closed", "x": 1, "ids": ids, "y": 2}]:
        with pytest.raises(gdvar.DecodeError):
            gdvar.convert(wrong, Closed)
