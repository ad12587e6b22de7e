"""A decoder of docs/FORMAT.md in plain Python, slow and short, which shares nothing with gdvar or with saves.py's encoder.

It reads the types that saves.py writes. `python plain.py FOLDER` prints the sums of all saves in it as JSON.
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, List, Tuple

TEXTS = {4: {4, 21}, 3: {4}}
DICTIONARY, ARRAY, BYTES, INTS, REALS = ({4: four, 3: three} for four, three in [(27, 18), (28, 19), (29, 20), (30, 21), (32, 22)])
# The type numbers of structs of so many 32-bit numbers.
FLOATS = {4: {5: 2, 9: 3, 15: 4, 20: 4}, 3: {5: 2, 7: 3, 10: 4, 14: 4}}


class Damage(Exception):
    """The bytes are no value."""


class Reader:
    def __init__(self, data: bytes, engine: int) -> None:
        self.data, self.engine, self.at = data, engine, 0

    def take(self, size: int) -> bytes:
        if size < 0 or self.at + size > len(self.data):
            raise Damage(f"{size} bytes are not there at {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def word(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def text(self) -> str:
        size = self.word()
        own = self.take(size)
        self.take(-size % 4)
        return own.decode()

    def value(self) -> Any:
        head, engine = self.word(), self.engine
        kind, wide = head & 0xFF, head >> 16 & 1
        if kind == 0:
            return None
        if kind == 1:
            return self.word() != 0
        if kind == 2:
            return int.from_bytes(self.take(8 if wide else 4), "little", signed=True)
        if kind == 3:
            return struct.unpack("<d", self.take(8))[0] if wide else struct.unpack("<f", self.take(4))[0]
        if kind in TEXTS[engine]:
            return self.text()
        if kind == DICTIONARY[engine]:
            return {self.value(): self.value() for _ in range(self.word() & 0x7FFF_FFFF)}
        if kind == ARRAY[engine]:
            if wide:
                self.word()
            return [self.value() for _ in range(self.word() & 0x7FFF_FFFF)]
        if kind == BYTES[engine]:
            size = self.word()
            own = self.take(size)
            self.take(-size % 4)
            return own
        if kind in (INTS[engine], REALS[engine]):
            count = self.word()
            return struct.unpack(f"<{count}{'i' if kind == INTS[engine] else 'f'}", self.take(4 * count))
        if kind == 6 and engine == 4:
            return struct.unpack("<ii", self.take(8))
        if kind in FLOATS[engine]:
            count = FLOATS[engine][kind]
            return struct.unpack(f"<{count}f", self.take(4 * count))
        raise Damage(f"type {kind} at {self.at - 4}")


def unpacked(data: bytes) -> bytes:
    """The contents of a compressed file (docs/FORMAT.md §7.3)."""
    mode, block, total = struct.unpack_from("<III", data, 4)
    assert mode == 1
    sizes = struct.unpack_from(f"<{total // block + 1}I", data, 16)
    at, pieces = 16 + 4 * len(sizes), []
    for size in sizes:
        pieces.append(zlib.decompress(data[at : at + size]))
        at += size
    return b"".join(pieces)


def read(path: Path) -> Any:
    """The one value of a save; the name says which engine wrote it."""
    engine = int(path.name.split(".g", 1)[1][0])
    data = path.read_bytes()
    if data.startswith(b"GCPF"):
        data = unpacked(data)
    if int.from_bytes(data[:4], "little") != DICTIONARY[engine]:
        if int.from_bytes(data[:4], "little") != len(data) - 4:
            raise Damage("the record is not there whole")
        data = data[4:]
    reader = Reader(data, engine)
    value = reader.value()
    if reader.at != len(data):
        raise Damage("bytes behind the value")
    return value


def some(folders: List[Path]) -> List[Tuple[str, Any]]:
    """The few numbers that the sums are made of."""
    found: List[Tuple[str, Any]] = []
    for folder in folders:
        for path in sorted(folder.iterdir()):
            try:
                save = read(path)
                levels, xp = [one["level"] for one in save["party"]], [one["xp"] for one in save["party"]]
                name = save["player"]["name"]
                found.append((f"{folder.name}/{path.name}", (save["gold"], levels, xp, save["play_time"], name, save["version"])))
            except (Damage, UnicodeDecodeError):
                found.append((f"{folder.name}/{path.name}", None))
    return found


def sums(folder: Path) -> dict:
    """As saves.py has them."""
    folders = sorted(own for own in folder.iterdir() if own.is_dir())
    all_ = {"files": 0, "damaged": [], "gold": 0, "rich": 0, "levels": 0, "heroes": 0, "xp": 0, "play_time": 0.0, "names": 0, "versions": {}}
    with ProcessPoolExecutor(2) as pool:
        for found in pool.map(some, [[own] for own in folders]):
            for name, save in found:
                all_["files"] += 1
                if save is None:
                    all_["damaged"].append(name)
                    continue
                gold, levels, xp, play_time, player, version = save
                all_["gold"] += gold
                all_["rich"] += gold > 5_000_000
                all_["levels"] += sum(levels)
                all_["heroes"] += len(levels)
                all_["xp"] += sum(xp)
                all_["play_time"] += play_time
                all_["names"] = (all_["names"] + zlib.crc32(player.encode())) & 0xFFFF_FFFF_FFFF
                all_["versions"][str(version)] = all_["versions"].get(str(version), 0) + 1
    return all_


if __name__ == "__main__":
    print(json.dumps(sums(Path(sys.argv[1]))))
