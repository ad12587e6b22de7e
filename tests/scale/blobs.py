"""Whole saves for a real engine, and what it says of them.

python blobs.py FOLDER ENGINE OUT               the values of that engine's whole saves, each behind its length
python blobs.py --compare FOLDER ENGINE SAID    gold and levels as the engine read them, held against the values as they were made
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import plain
import saves


def whole(folder: Path, engine: int) -> list:
    """The bytes of the values of whole saves, and the values as they were made."""
    found = []
    for path in sorted(folder.glob(f"*/*.g{engine}.sav")):
        name, data, value, _ = saves.made(int(path.name[:7]), 2)
        assert name == path.name and data == path.read_bytes()
        if value is None:
            continue
        if data.startswith(b"GCPF"):
            data = plain.unpacked(data)
        is_bare = int.from_bytes(data[:4], "little") == plain.DICTIONARY[engine]
        found.append((data if is_bare else data[4:], value))
    return found


def member(value: dict, name: str) -> dict:
    """Of a Dictionary in tagged JSON (testdata/vectors/README.md)."""
    pairs = value["Dictionary"]
    return next(own for key, own in pairs if key in ({"String": name}, {"StringName": name}))


def main() -> None:
    if sys.argv[1] != "--compare":
        folder, engine, out = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
        out.write_bytes(b"".join(struct.pack("<I", len(data)) + data for data, _ in whole(folder, engine)))
        return
    folder, engine, said = Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    lines = [json.loads(line) for line in said.read_text().splitlines()]
    expected = whole(folder, engine)
    assert len(lines) == len(expected) > 20, (len(lines), len(expected))
    again = 0
    for line, (data, value) in zip(lines, expected):
        assert line["accepted"] and line["consumed"] == len(data), line["i"]
        read = line["value"]
        assert int(member(read, "gold")["Int"]) == value["gold"], line["i"]
        levels = [int(member(one, "level")["Int"]) for one in member(read, "party")["Array"]]
        assert levels == [one["level"] for one in value["party"]], line["i"]
        again += bytes.fromhex(line["reenc"]) == data
    print(f"Godot {engine} read {len(lines)} saves as they were made, and wrote {again} of them with the same bytes")


if __name__ == "__main__":
    main()
