"""Typed decode into ``msgspec.Struct``."""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Annotated, Any, Optional

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


class Natives(msgspec.Struct):
    raw: bytes = b""
    when: Optional[datetime.datetime] = None
    day: Optional[datetime.date] = None
    hour: Optional[datetime.time] = None
    span: Optional[datetime.timedelta] = None
    id: Optional[uuid.UUID] = None
    price: Optional[decimal.Decimal] = None


def test_a_text_becomes_nothing_else() -> None:
    """As in a dataclass: everything but an int for a float must have the type."""
    texts: dict[str, Any] = {
        "raw": "YWI=", "when": "2020-01-01T00:00:00", "day": "2020-01-01", "hour": "10:00:00", "span": "PT3S",
        "id": "ba5342f2-483a-461a-b5bb-91c98b169523", "price": "1.5",
    }  # fmt: skip
    for name, text in texts.items():
        with pytest.raises(gdvar.DecodeError, match="found str") as failed:
            gdvar.loads(gdvar.dumps({name: text}), type=Natives)
        assert failed.value.path == f"$.{name}"
    for raw in (b"ab", gdvar.PackedByteArray(b"ab")):
        assert gdvar.convert({"raw": raw}, Natives) == Natives(b"ab")


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
