"""Logs as games write them, and what is hidden in them: python logs.py packets FILE COUNT, or logs.py replays FOLDER COUNT

`packets`: messages [player, tick, Vector2 position, action] of 64 players, each behind its length as PacketPeerStream sends them. A few players
jump further than anybody can run; FILE.truth.json says when. `replays`: one file a match, a Dictionary first, then frames
[tick, Vector2 position, PackedByteArray inputs, target], and some chat; the truth has the sums of all frames.
The bytes follow docs/FORMAT.md; nothing of gdvar is used.
"""

from __future__ import annotations

import json
import random
import struct
import sys
from pathlib import Path

import saves
from saves import Of, encoded, framed

ACTIONS = ["walk", "jump", "fire", "idle"]


def packets(path: Path, count: int, seed: int = 3) -> dict:
    """A player runs 4 m in a tick at most; a jump is of 50 m or more."""
    dice = random.Random(seed)
    places = [(dice.uniform(-500, 500), dice.uniform(-500, 500)) for _ in range(64)]
    head = struct.pack("<II", 28, 4)
    names = [struct.pack("<I", 21) + saves.text(action) for action in ACTIONS]
    jumps = []
    with path.open("wb") as file:
        for n in range(count):
            player, tick = n % 64, n // 64
            x, y = places[player]
            far = 100.0 if tick > 0 and dice.random() < 1e-4 else 0.0
            x, y = x + dice.uniform(-2, 2) + far, y + dice.uniform(-2, 2)
            places[player] = (x, y)
            if far:
                jumps.append([player, tick])
            file.write(framed(head + struct.pack("<IiIiIff", 2, player, 2, tick, 5, x, y) + names[dice.randrange(4)]))
    truth = {"packets": count, "jumps": jumps}
    Path(f"{path}.truth.json").write_text(json.dumps(truth))
    return truth


def replays(folder: Path, count: int, seed: int = 4) -> dict:
    """Matches of 200 to 400 frames."""
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(seed)
    truth = {"matches": count, "frames": 0, "x": 0.0, "inputs": [0, 0, 0], "windows": 0}
    for n in range(count):
        parts = [encoded({"magic": "REPLAY", "version": 2, "map": "res://maps/canyon.tscn"}, 4)]
        frames = dice.randrange(200, 400)
        for tick in range(frames):
            x, inputs = saves.f32(dice.uniform(-9, 9)), dice.randbytes(3)
            parts.append(encoded([tick, Of("Vector2", x, 0.5), Of("Bytes", inputs), dice.randrange(-1, 8)], 4))
            if dice.random() < 0.01:
                parts.append(encoded("chat: The gate is shut.", 4))
            truth["x"] += x
            truth["inputs"] = [a + b for a, b in zip(truth["inputs"], inputs)]
        truth["frames"] += frames
        truth["windows"] += frames - 15
        (folder / f"{n:05}.rec").write_bytes(b"".join(map(framed, parts)))
    Path(f"{folder}.truth.json").write_text(json.dumps(truth))
    return truth


if __name__ == "__main__":
    {"packets": packets, "replays": replays}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
