"""Another package for the same bytes, ``playgodot``: it reads what gdvar writes, and gdvar what it writes.

The engine says which value is right: every value is a vector of Godot 4. ``UPDATE_DOCS=1 pytest tests/test_peers.py`` writes ``PEERS.md``.
"""

from __future__ import annotations

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gdvar
import pytest
from tagged import GODOT_4, tagged

VECTORS = Path(__file__).parents[3] / "testdata" / "vectors" / "godot4.jsonl"
TABLE = Path(__file__).parents[1] / "PEERS.md"

TEXT = """# Another package for these bytes

`scripts/test-bindings` installs `playgodot` {version} from the registry and holds its `variant` module against the vectors of Godot 4.6.3:
gdvar writes a value (its bytes are the engine's), `decode_variant` reads it, `encode_variant` writes it again, gdvar reads that.
This file is written by the test: `UPDATE_DOCS=1 python -m pytest tests/test_peers.py`. `gdtype-python` is not in the registry, so it is not here.

- **reads**: how many vectors it reads as the engine's value, with all bytes used. Vectors are dicts of their components there, texts of
  all types are `str`, packed arrays lists: that counts as read.
- **keeps**: how many of these it writes so that gdvar reads the value and the type again.
- **bytes**: how many of these it writes with the engine's bytes.

Right for every vector, both ways: {right}.

| type | vectors | reads | keeps | bytes | the first that is wrong |
|---|---|---|---|---|---|
"""


def plain(value: Any) -> Any:
    """A value of gdvar in the form that the other package gives."""
    if isinstance(value, gdvar.NodePath):
        return str(value)
    if isinstance(value, gdvar.RID):
        return {"_type": "RID", "id": value.id}
    if isinstance(value, (gdvar.Vector2, gdvar.Vector3, gdvar.Vector2i, gdvar.Vector3i, gdvar.Color)):
        names = "rgba" if isinstance(value, gdvar.Color) else "xyz"
        return {"_type": type(value).__name__} | {name: getattr(value, name) for name in names if hasattr(value, name)}
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, gdvar.Pairs):
        return NotImplemented
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (bytes, bool, int, float)) or value is None:
        return value
    if isinstance(value, gdvar.PackedArray) and value.kind == "PackedByteArray":
        return bytes(value)
    try:
        return [plain(item) for item in value]
    except TypeError:
        return NotImplemented


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and ours != ours:
        return isinstance(theirs, float) and theirs != theirs
    if isinstance(ours, list):
        return isinstance(theirs, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(ours, dict):
        if not isinstance(theirs, dict) or len(ours) != len(theirs):
            return False
        if "_type" in ours:
            return all(key in theirs and same(item, theirs[key]) for key, item in ours.items())
        return all(same(*pair) for pair in zip(ours, theirs)) and all(map(same, ours.values(), theirs.values()))
    return type(ours) is type(theirs) and ours == theirs


def cell(count: int, of: int) -> str:
    return "all" if count == of else str(count) if count else "–"


def test_playgodot() -> None:
    peer = pytest.importorskip("playgodot.variant", reason="SKIPPED: playgodot is not installed")
    rows: dict[str, list[Any]] = {}
    for line in map(json.loads, VECTORS.read_text().splitlines()):
        if not line["canonical"] or line["full_objects"] or "dirty" in line or len(line["hex"]) > 4000:
            continue
        (kind,) = line["value"]
        if kind == "Nest":
            continue
        data = bytes.fromhex(line["hex"])
        ours = gdvar.loads(data, exact=True)
        assert gdvar.dumps(ours) == data, line["id"]
        row = rows.setdefault(kind, [0, 0, 0, 0, ""])
        row[0] += 1
        said = ""
        try:
            theirs, used = peer.decode_variant(data)
            # The widths of numbers are ours alone.
            if used == len(data) and same(plain(gdvar.loads(data)), theirs):
                row[1] += 1
                written = peer.encode_variant(theirs)
                if tagged(gdvar.loads(written), GODOT_4) == tagged(gdvar.loads(data), GODOT_4):
                    row[2] += 1
                    row[3] += written == data
                else:
                    said = "read, written as another value or type"
            else:
                said = repr(theirs) if used == len(data) else f"{theirs!r}, out of {used} of {len(data)} bytes"
        except Exception as error:  # It may raise anything.
            said = str(error)
        if said and not row[4]:
            said = said if len(said) < 70 else f"{said[:67]}…"
            row[4] = f"`{line['id']}`: {said}".replace("|", "\\|")
    right = [kind for kind, row in rows.items() if row[0] == row[1] == row[2]]
    # If it is right nowhere, it was not asked.
    assert {"Nil", "Bool", "Int", "String"} <= set(right)
    text = TEXT.format(version=version("playgodot"), right=", ".join(right))
    for kind, (count, *figures, wrong) in rows.items():
        text += f"| {kind} | {count} | {' | '.join(cell(one, count) for one in figures)} | {wrong} |\n"
    if os.environ.get("UPDATE_DOCS") == "1":
        TABLE.write_text(text)
    assert text == TABLE.read_text()
