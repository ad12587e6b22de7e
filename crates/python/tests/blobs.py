"""Writes the canonical vectors of an engine as records: python tests/blobs.py godot4 FILE [no-nans]

``no-nans`` leaves out values with a NaN, of which JavaScript keeps no bits.
"""

import json
import re
import sys
from pathlib import Path

# The bits of a real in the tagged form; infinities have no bits behind the exponent.
NAN = re.compile(r'"(?!(7|f)f800000"|(7|f)ff0{13}")([7f]f[89a-f][0-9a-f]{5}|[7f]ff[0-9a-f]{13})"')

vectors = Path(__file__).parents[3] / "testdata" / "vectors" / f"{sys.argv[1]}.jsonl"
with open(sys.argv[2], "wb") as file:
    for text in vectors.read_text().splitlines():
        line = json.loads(text)
        if "no-nans" in sys.argv and NAN.search(json.dumps(line["value"])):
            continue
        # Those that fit a datagram, and have bytes that a reader can know.
        if line["canonical"] and not line["full_objects"] and len(line["hex"]) <= 4000 and "dirty" not in line:
            data = bytes.fromhex(line["hex"])
            file.write(len(data).to_bytes(4, "little") + data)
