"""What the Python package says of files: reads lines of JSON (`path`, `password`, `key`, `framing`), writes a line of JSON for each."""

from __future__ import annotations

import json
import sys

import gdvar


def text(value: gdvar.Value) -> str | None:
    try:
        return value.to_text()
    except gdvar.Error:
        return None


def answer(path: str, password: str | None, key: str | None, framing: str) -> dict[str, object]:
    try:
        file = gdvar.open(path, objects="inert", password=password, key=bytes.fromhex(key) if key else None, framing=framing)
    except gdvar.Error as error:
        return {"error": error.code}
    texts = []
    for number in range(len(file)):
        try:
            texts.append(text(file[number]))
        except gdvar.Error:
            texts.append(None)
    return {
        "layers": file.layers,
        "header": len(file.header),
        "framing": file.framing,
        "dialect": file.dialect,
        "certainty": file.certainty,
        "same": file.same,
        "values": texts,
        "damage": [[one.record, one.code, one.offset, one.path] for one in file.damage],
    }


for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps(answer(row["path"], row.get("password"), row.get("key"), row.get("framing", "auto"))), flush=True)
