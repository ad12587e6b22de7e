"""``dumps(loads(data))`` gives the same bytes for all that an engine writes, but for what the README lists."""

from __future__ import annotations

import collections
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdvar
import pytest

TESTDATA = Path(__file__).parents[3] / "testdata"
VECTORS = [
    ("godot4.jsonl", "godot4", 822),
    ("godot4-double.jsonl", "godot4", 124),
    ("godot3.jsonl", "godot3", 499),
    ("godot3.6.jsonl", "godot3", 496),
    ("pandemonium5.jsonl", "pandemonium5", 316),
]


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    """The deepest vector that is read here, as lists in lists."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


def reason(line: dict[str, Any]) -> str | None:
    """Why the bytes of a vector do not come back."""
    if len(line["value"].get("Nest", {}).get("steps", ())) > 1024:
        return "nested deeper than 1024"
    if "/snan-" in line["id"]:
        return "a signalling NaN of 32 bits"
    return "refused by the engine that wrote it" if line.get("engine_refuses") else None


def again(data: bytes, dialect: str, objects: str) -> bytes | None:
    """The bytes that come back, or None if they are refused."""
    try:
        return gdvar.dumps(gdvar.loads(data, dialect=dialect, objects=objects), target=dialect)
    except gdvar.Error:
        return None


@pytest.mark.parametrize(("name", "dialect", "count"), VECTORS)
def test_vectors(name: str, dialect: str, count: int) -> None:
    same, wrong, reasons = 0, [], collections.Counter[str]()
    for line in map(json.loads, (TESTDATA / "vectors" / name).read_text().splitlines()):
        # Not canonical: bytes that the engine reads and does not write. Dirty: with padding that it left unset.
        if not line["canonical"] or "dirty" in line:
            continue
        data = bytes.fromhex(line["hex"])
        if again(data, dialect, "inert" if line["full_objects"] else "ids") == data:
            same += 1
        elif why := reason(line):
            reasons[why] += 1
        else:
            wrong.append(line["id"])
    assert not wrong
    assert same == count and sum(reasons.values()) <= 4, reasons


def test_saves() -> None:
    records = 0
    for about in sorted((TESTDATA / "saves").glob("*.json")):
        said = json.loads(about.read_text())
        if said["container"] != "plain" or said.get("dirty"):
            continue
        dialect = "godot3" if re.search(r"3\.", about.name) else "godot4"
        file = gdvar.open(about.with_suffix(""), dialect=dialect, objects="inert")
        written = [gdvar.dumps(value, target=dialect) for value in file.load()]
        assert b"".join(len(one).to_bytes(4, "little") + one for one in written) == about.with_suffix("").read_bytes()
        records += len(written)
    assert records > 700
