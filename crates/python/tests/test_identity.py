"""``dumps(loads(data))`` gives the same bytes for all that an engine writes, but for what the README lists."""

from __future__ import annotations

import collections
import json
import re
import sys
from collections.abc import Callable, Iterator
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


#: The first words of the README's table of what does not come back, and when that is so.
REASONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "a signalling NaN of 32 bits": lambda line: "/snan-" in line["id"],
    "values of Godot 3.2 nested deeper than 1024": lambda line: len(line["value"].get("Nest", {}).get("steps", ())) > 1024,
    "halves of surrogate pairs that Pandemonium 5 writes": lambda line: bool(line.get("engine_refuses")),
}


def reason(line: dict[str, Any]) -> str | None:
    """Why the bytes of a vector do not come back."""
    return next((why for why, is_so in REASONS.items() if is_so(line)), None)


def again(data: bytes, dialect: str, objects: str) -> bytes | None:
    """The bytes that come back, or None if they are refused."""
    try:
        return gdvar.dumps(gdvar.loads(data, dialect=dialect, objects=objects), target=dialect)
    except gdvar.Error:
        return None


@pytest.fixture(scope="module")
def seen() -> set[str]:
    """The reasons that vectors had so far."""
    return set()


@pytest.mark.parametrize(("name", "dialect", "count"), VECTORS)
def test_vectors(name: str, dialect: str, count: int, seen: set[str]) -> None:
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
    seen.update(reasons)


def test_the_readme_lists_these_reasons_and_no_other(seen: set[str]) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text()
    table = readme.split("gives the same bytes for all that an engine writes")[1].split("`tests/test_identity.py`")[0]
    rows = [row for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(rows) == len(REASONS) and all(row.startswith(f"| {why}") for row, why in zip(rows, REASONS))
    # Each is one that some vector has.
    assert seen == set(REASONS)


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


def with_bad_texts(data: bytes, bad: bytes) -> Iterator[bytes]:
    """A vector's bytes with other bytes in one of its texts, for each text that is long enough."""
    for at in range(0, len(data) - 7, 4):
        length = int.from_bytes(data[at : at + 4], "little") & 0x7FFF_FFFF
        text = data[at + 4 : at + 4 + length]
        if len(bad) <= length == len(text) and all(32 <= byte < 127 for byte in text):
            yield data[: at + 4] + bad + data[at + 4 + len(bad) :]


@pytest.mark.parametrize("name, dialect, _", VECTORS)
def test_text_that_no_str_holds_comes_back_wherever_it_is(name: str, dialect: str, _: int) -> None:
    same = refused = 0
    for line in map(json.loads, (TESTDATA / "vectors" / name).read_text().splitlines()):
        if not line["canonical"] or line.get("engine_refuses") or "Nest" in line["value"] or "/snan" in line["id"]:
            continue
        data = bytearray.fromhex(line["hex"])
        for at in line.get("dirty", ()):
            data[at] = 0
        objects = "inert" if line["full_objects"] else "ids"
        # More than the last code point; two halves that would be joined; bytes that are no UTF-8 of any engine.
        for bad in (b"\xf4\x91\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\x80", b"\xff"):
            for changed in with_bad_texts(bytes(data), bad):
                for exact in (False, True):
                    try:
                        value = gdvar.loads(changed, dialect=dialect, objects=objects, exact=exact)
                    except gdvar.DecodeError:
                        refused += 1
                        continue
                    assert gdvar.dumps(value, target=dialect) == changed, (line["id"], changed.hex())
                    same += 1
    assert refused > 10 and (same > 10 or dialect != "godot3")


def test_the_name_of_a_property_that_no_str_holds() -> None:
    name = bytes.fromhex("0a0000006d6f6f64eda0bdedb8800000")
    data = bytes.fromhex("11000000040000004e6f646501000000") + name + bytes.fromhex("0200000005000000")
    value = gdvar.loads(data, dialect="godot3", objects="inert")
    raw = gdvar.Raw(name[4:14], "text")
    names: Any = {raw: 5}
    assert value == gdvar.Object("Node", names)
    assert gdvar.dumps(value, target="godot3") == data
    assert gdvar.view(data, dialect="godot3", objects="inert").keys() == [raw]
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.dumps(value)
    assert caught.value.code == "InvalidText"
    with pytest.raises(gdvar.EncodeError):
        wrong: Any = {5: 5}
        gdvar.dumps(gdvar.Object("Node", wrong))
