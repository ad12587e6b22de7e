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
