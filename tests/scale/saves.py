"""Saves as games write them, and what a table of them has to say: python saves.py FOLDER COUNT [--seed N] [--json FILE]

The bytes follow docs/FORMAT.md and the saves of real engines in testdata/saves (`rpg4.sav`, `rpg3.sav`); nothing of
gdvar is used. Beside FOLDER lies FOLDER.truth.json: the sums, and the names of the damaged files, counted while the
values were made and before they became bytes. `--json` writes the values of all whole saves as JSON lines, too.

Of a hundred saves some 60 are of Godot 4 (a third of these with StringName keys) and 40 of Godot 3; half of all are
records behind a length (`store_var`), a tenth lies in a compressed file (Deflate), the others are bare. One of a
hundred is damaged so that every reader must fail: cut off within the value, or with a type word that no engine has,
in front of `gold`, the last key. One of two hundred has a flipped bit in the text of a name, which no reader can see:
such a save is whole, and the truth says its new name.
"""

from __future__ import annotations

import argparse
import json
import random
import struct
import zlib
from pathlib import Path
from typing import Any, Tuple

# docs/FORMAT.md §1.1: the type numbers of Godot 4 and Godot 3.
NUMBERS = {
    4: {"Rect2": 7, "Vector2": 5, "Vector2i": 6, "Vector3": 9, "Quat": 15, "Color": 20, "StringName": 21, "Dictionary": 27,
        "Array": 28, "Bytes": 29, "Ints": 30, "Reals": 32},
    3: {"Rect2": 6, "Vector2": 5, "Vector3": 7, "Quat": 10, "Color": 14, "Dictionary": 18, "Array": 19, "Bytes": 20,
        "Ints": 21, "Reals": 22},
}


class Of:
    """A value of a type that Python does not have: Of("Vector3", 1.0, 2.0, 3.0)."""

    def __init__(self, kind: str, *parts: Any) -> None:
        self.kind, self.parts = kind, parts


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<I", len(data)) + data + bytes(-len(data) % 4)


def encoded(value: Any, engine: int, names: bool = False) -> bytes:
    """The bytes of a value; with ``names`` the keys of dictionaries are StringNames."""
    numbers = NUMBERS[engine]
    if value is None:
        return bytes(4)
    if isinstance(value, bool):
        return struct.pack("<II", 1, value)
    if isinstance(value, int):
        return struct.pack("<Ii", 2, value) if -(1 << 31) <= value < 1 << 31 else struct.pack("<Iq", 1 << 16 | 2, value)
    if isinstance(value, float):
        narrow = struct.unpack("<f", struct.pack("<f", value))[0] == value
        return struct.pack("<If", 3, value) if narrow else struct.pack("<Id", 1 << 16 | 3, value)
    if isinstance(value, str):
        return struct.pack("<I", 4) + text(value)
    if isinstance(value, dict):
        parts = [struct.pack("<II", numbers["Dictionary"], len(value))]
        for key, own in value.items():
            as_name = names and isinstance(key, str)
            parts.append(struct.pack("<I", numbers["StringName"] if as_name else 4) + text(key))
            parts.append(encoded(own, engine, names))
        return b"".join(parts)
    if isinstance(value, list):
        parts = [encoded(own, engine, names) for own in value]
        return struct.pack("<II", numbers["Array"], len(value)) + b"".join(parts)
    if value.kind == "StringName":
        # Godot 3 has no such type and writes a String.
        return struct.pack("<I", numbers.get("StringName", 4)) + text(value.parts[0])
    if value.kind == "TypedArray":
        # Array[Dictionary]: the header says so, the type of the elements follows. Godot 3 has none.
        if engine == 3:
            return encoded(list(value.parts[0]), engine, names)
        body = b"".join(encoded(own, engine, names) for own in value.parts[0])
        return struct.pack("<III", 1 << 16 | numbers["Array"], numbers["Dictionary"], len(value.parts[0])) + body
    if value.kind == "Bytes":
        data = value.parts[0]
        return struct.pack("<II", numbers["Bytes"], len(data)) + data + bytes(-len(data) % 4)
    if value.kind in ("Ints", "Reals"):
        form = "i" if value.kind == "Ints" else "f"
        return struct.pack(f"<II{len(value.parts[0])}{form}", numbers[value.kind], len(value.parts[0]), *value.parts[0])
    if value.kind == "Vector2i":
        return struct.pack("<Iii", numbers["Vector2i"], *value.parts)
    return struct.pack(f"<I{len(value.parts)}f", numbers[value.kind], *value.parts)


def framed(value: bytes) -> bytes:
    """As `store_var` writes it."""
    return struct.pack("<I", len(value)) + value


def compressed(contents: bytes, block: int = 4096) -> bytes:
    """As `open_compressed` with Deflate writes it (docs/FORMAT.md §7.3)."""
    pieces = [contents[at : at + block] for at in range(0, len(contents), block)]
    if len(contents) % block == 0:
        pieces.append(b"")
    packed = [zlib.compress(piece) for piece in pieces]
    head = b"GCPF" + struct.pack("<III", 1, block, len(contents))
    return head + struct.pack(f"<{len(packed)}I", *map(len, packed)) + b"".join(packed) + b"GCPF"


HEROES = ["Aldis", "Børge", "Mira", "Zoë", "Саша", "紅葉", "Ivo", "Runa"]
KINDS = ["sword", "ring", "bow", "potion", "helm", "shield"]
STATS = ["str", "agi", "vit", "int"]


def f32(value: float) -> float:
    return struct.unpack("<f", struct.pack("<f", value))[0]


def item(dice: random.Random, engine: int) -> dict:
    kind = dice.choice(KINDS)
    slot = (dice.randrange(8), dice.randrange(4))
    return {
        "id": f"{kind}_{dice.randrange(40):02}",
        "kind": Of("StringName", kind),
        "qty": dice.randrange(1, 20),
        "weight": dice.randrange(64) / 8,
        "slot": Of("Vector2i", *slot) if engine == 4 else Of("Vector2", *map(float, slot)),
        "enchant": [{"stat": Of("StringName", dice.choice(STATS)), "add": dice.randrange(6)}],
    }


def hero(dice: random.Random, engine: int) -> dict:
    return {
        "name": dice.choice(HEROES),
        "level": dice.randrange(1, 60),
        "xp": dice.randrange(1 << 34),
        "hp": dice.randrange(500),
        "stamina": f32(dice.random()),
        "position": Of("Vector3", f32(dice.uniform(-99, 99)), 0.0, f32(dice.uniform(-99, 99))),
        "facing": Of("Quat", 0.0, f32(dice.random()), 0.0, f32(dice.random())),
        "inventory": Of("TypedArray", [item(dice, engine) for _ in range(dice.randrange(2, 7))]),
        "equipped": {"head": None, "hand": "sword_34", "ring": [None, "ring_02"]},
    }


def save(dice: random.Random, n: int, engine: int, version: int) -> dict:
    party = [hero(dice, engine) for _ in range(dice.randrange(1, 5))]
    # What a party earns by its level; one of 500 players knows how to make gold.
    gold = 1000 * max(one["level"] for one in party) + dice.randrange(10_000) + 5_000_000 * (dice.random() < 0.002)
    return {
        "version": version,
        "game": "Vale of Ash – démo",
        "saved_at": 1_718_118_677 + 60 * n,
        "play_time": dice.random() * 1e5,
        "seed": dice.getrandbits(62),
        "difficulty": Of("StringName", dice.choice(["easy", "normal", "hard"])),
        "ironman": dice.random() < 0.1,
        "party": party,
        "flags": {f"quest_{k}": dice.random() < 0.5 for k in range(12)},
        "map": Of("Bytes", dice.randbytes(dice.randrange(200, 600))),
        "heights": Of("Reals", [f32(dice.random()) for _ in range(32)]),
        "player": {"name": f"player_{n}", "country": dice.choice(["BR", "DE", "JP", "US"])},
        "gold": gold,
    }


def damaged(dice: random.Random, value: bytes, engine: int) -> bytes:
    """Cut or flipped in front of `gold`, so that no reader finds it: a reader takes one value after the other."""
    if dice.random() < 0.5:
        return value[: dice.randrange(64, len(value) - 64) & ~3]
    # The value of the first key, an Int: its type becomes one that no engine has. Its key is `version`, 8 + 4 + 4 + 8 bytes on.
    at = 8 + 8 + 8
    assert value[at : at + 4] == struct.pack("<I", 2)
    return value[:at] + b"\xee" + value[at + 1 :]


def plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, dict):
        return {key: plain(own) for key, own in value.items()}
    if isinstance(value, list):
        return [plain(own) for own in value]
    if not isinstance(value, Of):
        return value
    if value.kind in ("StringName",):
        return value.parts[0]
    if value.kind == "TypedArray":
        return plain(value.parts[0])
    if value.kind == "Bytes":
        return list(value.parts[0])
    return list(value.parts[0]) if value.kind in ("Ints", "Reals") else list(value.parts)


def made(n: int, seed: int) -> Tuple[str, bytes, dict | None, dict]:
    """The name of a file, its bytes, its value or None where it is damaged, and the value that JSON tells of."""
    dice = random.Random(f"{seed}/{n}")
    engine = 4 if dice.random() < 0.6 else 3
    names = engine == 4 and dice.random() < 0.33
    value = save(dice, n, engine, 7 if engine == 4 else 5)
    data = encoded(value, engine, names)
    form = dice.choices(["record", "bare", "packed"], [5, 4, 1])[0]
    fate = dice.random()
    if fate < 0.01:
        # The length of a record still says how long it was.
        broken = damaged(dice, data, engine)
        data = struct.pack("<I", len(data)) + broken if form != "bare" else broken
        whole = None
    else:
        if fate < 0.015:
            own = f"player_{n}".encode()
            at = data.index(own)
            data = data[: at + 1] + bytes([data[at + 1] ^ 1]) + data[at + 2 :]
            value["player"]["name"] = "pmayer" + f"player_{n}"[6:]
        data = framed(data) if form != "bare" else data
        whole = value
    if form == "packed":
        data = compressed(data)
    return f"{n:07}.g{engine}.sav", data, whole, value


def summed(truth: dict, name: str, value: dict | None) -> None:
    truth["files"] += 1
    if value is None:
        truth["damaged"].append(name)
        return
    truth["gold"] += value["gold"]
    truth["rich"] += value["gold"] > 5_000_000
    truth["levels"] += sum(one["level"] for one in value["party"])
    truth["heroes"] += len(value["party"])
    truth["xp"] += sum(one["xp"] for one in value["party"])
    truth["play_time"] += value["play_time"]
    truth["names"] = (truth["names"] + zlib.crc32(value["player"]["name"].encode())) & 0xFFFF_FFFF_FFFF
    truth["versions"][str(value["version"])] = truth["versions"].get(str(value["version"]), 0) + 1


def nothing() -> dict:
    """Sums of no saves. `names` is the sum of the checksums of all names."""
    return {"files": 0, "damaged": [], "gold": 0, "rich": 0, "levels": 0, "heroes": 0, "xp": 0, "play_time": 0.0, "names": 0, "versions": {}}


def write(folder: Path, count: int, seed: int = 1, lines: Path | None = None, only: int | None = None) -> dict:
    """Makes them, a thousand files in a folder; ``only`` one engine's. Returns the truth."""
    truth = nothing()
    out = lines.open("w", encoding="utf-8") if lines else None
    total = 0
    n = -1
    while truth["files"] < count:
        n += 1
        name, data, value, told = made(n, seed)
        if only and f".g{only}." not in name:
            continue
        place = folder / f"{n // 1000:04}"
        if truth["files"] % 1000 == 0 or not place.exists():
            place.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
        total += len(data)
        summed(truth, f"{place.name}/{name}", value)
        if out and value is not None:
            out.write(json.dumps(plain(told), ensure_ascii=False, separators=(",", ":")) + "\n")
    if out:
        out.close()
    truth["bytes"] = total
    Path(f"{folder}.truth.json").write_text(json.dumps(truth))
    return truth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", type=int, choices=[3, 4])
    options = parser.parse_args()
    truth = write(options.folder, options.count, options.seed, options.json, options.only)
    print(f"{truth['files']} saves, {truth['bytes'] / 1e6:.1f} MB, {len(truth['damaged'])} damaged")


if __name__ == "__main__":
    main()
