"""All vectors of real engines: value, bytes, rejection."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdvar
import pytest
from tagged import GODOT_4, PANDEMONIUM_5, tagged, unfolded

VECTORS = Path(__file__).parents[3] / "testdata" / "vectors"
ENGINES = [
    ("godot4.jsonl", "godot4", 914),
    ("godot4-double.jsonl", "godot4", 142),
    ("godot3.jsonl", "godot3", 565),
    ("godot3.6.jsonl", "godot3", 559),
    ("pandemonium5.jsonl", "pandemonium5", 362),
]


# The vectors of which gdvar says something else than the engine, on purpose: docs/CONFORMANCE.md.
DELIBERATE = ("nodepath/counts-wrap", "depth/", "projection/", "vector4", "object/unknown-class", "typed/script-missing")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


@pytest.fixture(autouse=True)
def deep() -> Iterator[None]:
    """Vectors are nested a thousand deep, and so is the walk of the tests."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(before)


def options(line: dict[str, Any], dialect: str) -> dict[str, Any]:
    # Godot 3.2.3 alone reads more than a thousand levels.
    depth = 65_535 if line["engine"] == "3.2.3" else None
    return {
        "dialect": dialect,
        "objects": "inert" if line["full_objects"] else "ids",
        **({"max_depth": depth} if depth else {}),
    }


@pytest.mark.parametrize(("name", "dialect", "count"), ENGINES)
def test_every_value_is_what_the_engine_says(name: str, dialect: str, count: int) -> None:
    names = PANDEMONIUM_5 if dialect == "pandemonium5" else GODOT_4
    all_lines = lines(name)
    assert len(all_lines) == count
    wrong = []
    for line in all_lines:
        data = bytes.fromhex(line["hex"])
        if line.get("engine_refuses") and "surrogate" in line["id"]:
            with pytest.raises(gdvar.DecodeError):
                gdvar.loads(data, dialect=dialect)
            continue
        found = tagged(gdvar.loads(data, **options(line, dialect)), names)
        wanted = [unfolded(line["value"])]
        if "wire_value" in line:
            wanted.append(unfolded(line["wire_value"]))
        if "Object" in wanted[0] and wanted[0]["Object"] is None:
            wanted.append({"Nil": None})
        if "/wide-" in line["id"] or "/narrow" in line["id"]:
            # The engine narrows or widens these, and so does `value`; here they stay as wide as they are.
            found, wanted = narrowed(found), [narrowed(one) for one in wanted]
        if "/snan-" in line["id"]:
            # Python's floats are doubles, in which a NaN does not signal; exact=True keeps its bytes.
            exact = gdvar.loads(data, exact=True, **options(line, dialect))
            assert isinstance(exact, gdvar.Raw) and exact.data == data
        elif found not in wanted:
            wrong.append((line["id"], found, wanted))
    assert not wrong, f"{len(wrong)}: {wrong[:3]}"


def narrowed(value: object) -> object:
    """The engine here narrows 64-bit components, and so does the vector."""
    import struct

    from tagged import single

    if isinstance(value, str) and len(value) == 16:
        try:
            return single(struct.unpack(">d", bytes.fromhex(value))[0])
        except (ValueError, OverflowError):
            return value
    if isinstance(value, list):
        return [narrowed(item) for item in value]
    if isinstance(value, dict):
        return {name: narrowed(item) for name, item in value.items()}
    return value


@pytest.mark.parametrize(("name", "dialect", "count"), ENGINES)
def test_what_is_exact_is_written_as_it_was(name: str, dialect: str, count: int) -> None:
    wrong, plain = [], 0
    for line in lines(name):
        data = bytes.fromhex(line["hex"])
        if line.get("engine_refuses") and "surrogate" in line["id"]:
            continue
        exact = gdvar.loads(data, exact=True, **options(line, dialect))
        if deeper(exact, 1000):
            continue
        again = gdvar.dumps(exact, target=dialect)
        if again != data[: len(again)] or len(again) != used(line, dialect):
            wrong.append((line["id"], again.hex(), line["hex"]))
        if line["canonical"] and "dirty" not in line:
            value = gdvar.loads(data, **options(line, dialect))
            plain += gdvar.dumps(value, target=dialect) == data
    assert not wrong, f"{len(wrong)}: {wrong[:3]}"
    # The bytes of a canonical encoder come back from the plain values, too.
    canonical = [line for line in lines(name) if line["canonical"] and "dirty" not in line]
    assert plain >= 0.97 * len(canonical), f"{plain} of {len(canonical)}"


@pytest.mark.parametrize(("name", "dialect", "count"), ENGINES)
def test_what_is_exact_is_exact_whatever_bytes_are_odd(name: str, dialect: str, count: int) -> None:
    """Every vector with each of its bytes changed: what is read exactly is written as the same bytes, or is refused."""
    tried = objects = 0
    for line in lines(name):
        data = bytes.fromhex(line["hex"])
        # Objects first: their names have padding, and may be repeated.
        if len(data) > (400 if line["full_objects"] else 40):
            continue
        own = {**options(line, dialect), "objects": "inert"}
        own.pop("max_depth", None)
        for at in range(len(data)):
            for change in (0x01, 0x40):
                hurt = bytearray(data)
                hurt[at] ^= change
                try:
                    exact = gdvar.loads(hurt, exact=True, **own)
                except gdvar.DecodeError:
                    continue
                size = gdvar.validate(hurt, **own)
                assert gdvar.dumps(exact, target=dialect) == hurt[:size], (line["id"], at, change)
                tried += 1
                objects += line["full_objects"]
    assert tried > 500 and (objects > 50 or dialect == "godot4" and "double" in name), (tried, objects)


def used(line: dict[str, Any], dialect: str) -> int:
    opts = {key: value for key, value in options(line, dialect).items() if key != "max_depth"}
    return gdvar.validate(bytes.fromhex(line["hex"]), **opts)


def deeper(value: object, most: int) -> bool:
    depth = 0
    while isinstance(value, (list, dict)) and value:
        value = next(iter(value.values())) if isinstance(value, dict) else value[0]
        depth += 1
    return depth > most


@pytest.mark.parametrize("dialect", ["godot4", "godot3", "pandemonium5"])
def test_what_is_refused_is_refused_alike(dialect: str) -> None:
    """``loads`` refuses just what ``validate`` refuses, which the engines' own verdicts hold to, with one error."""
    refused = accepted = 0
    engines = {"godot4": "4.6.3", "godot3": "3.2.3", "pandemonium5": "pandemonium-5.3"}
    for name in ["reject.jsonl", "pandemonium5-reject.jsonl"]:
        for line in lines(name):
            if "hex" in line:
                data = bytes.fromhex(line["hex"])
            else:
                data = b"".join(bytes.fromhex(part) * times for part, times in line["hex_parts"])
            objects = "inert" if line["full_objects"] else "ids"
            told: list[Any] = [None, None]
            both: list[Any] = [gdvar.validate, gdvar.loads]
            for place, read in enumerate(both):
                try:
                    read(data, dialect=dialect, objects=objects)
                except gdvar.DecodeError as error:
                    told[place] = (error.code, error.offset, error.path, str(error))
            assert told[0] == told[1], line["id"]
            verdict = line["verdicts"].get(engines[dialect])
            if verdict and not verdict.get("crash") and not line["id"].startswith(DELIBERATE):
                assert verdict["accepted"] == (told[1] is None), line["id"]
            refused += told[1] is not None
            accepted += told[1] is None
    assert refused > 50 and accepted > 20, (refused, accepted)


def test_damaged_inputs_end_alike() -> None:
    """2400 damaged inputs of each engine, and what it said of them."""
    for name, dialect in [("mutants4.txt", "godot4"), ("mutants3.txt", "godot3"), ("mutants3.6.txt", "godot3")]:
        seen, wrapped = {"+": 0, "-": 0}, 0
        for line in (VECTORS / name).read_text().split("\n"):
            if not line.startswith(("+", "-")):
                continue
            sign, data = line[0], bytes.fromhex(line[1:])
            try:
                gdvar.loads(data, dialect=dialect)
                found = "+"
            except gdvar.DecodeError as error:
                assert error.code and error.offset is not None and error.path
                # Counts of a NodePath that add up to nothing by wrapping around are refused on purpose.
                at = max(error.offset - 4, 0)
                node_path = data[at : at + 1] == (b"\x16" if dialect == "godot4" else b"\x0f")
                wraps = node_path and (error.code, sign) == ("InvalidLength", "+")
                wrapped += wraps
                found = "+" if wraps else "-"
            assert found == sign, line
            seen[sign] += 1
        assert sum(seen.values()) == 2400 and min(seen.values()) > 300 and wrapped < 100, (seen, wrapped)
