"""Writes the canonical vectors of an engine as records: python tests/blobs.py godot4 FILE"""

import json
import sys
from pathlib import Path

vectors = Path(__file__).parents[3] / "testdata" / "vectors" / f"{sys.argv[1]}.jsonl"
with open(sys.argv[2], "wb") as file:
    for line in map(json.loads, vectors.read_text().splitlines()):
        # What fits a datagram, and has bytes that a reader can know.
        if line["canonical"] and not line["full_objects"] and len(line["hex"]) <= 4000 and "dirty" not in line:
            data = bytes.fromhex(line["hex"])
            file.write(len(data).to_bytes(4, "little") + data)
