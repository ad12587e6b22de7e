#!/usr/bin/env python3
"""Asks Godot 4 for each line of ../vectors/godot4.jsonl what JSON it makes of the value.

usage: make_json4.py OUT
OUT gets {"id","native","back"} for each line that the engine reads without leave for objects and that is
not too deep for its JSON: the text
of JSON.stringify(JSON.from_native(value), "", false, true), and what JSON.to_native makes of it again
as bytes, null where that is not what the value was.
"""
import json, os, struct, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
lines = [json.loads(line) for line in open(HERE + "/../vectors/godot4.jsonl")]
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/values.bin", "wb") as out:
        for line in lines:
            value = bytes.fromhex(line["hex"])
            out.write(struct.pack("<I", len(value)) + value)
    done = subprocess.run([HERE + "/run-engine.sh", "4", "json4.gd", folder, "@" + folder + "/values.bin"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode == 77:
        sys.exit(77)
    answers, rest = [], open(folder + "/answers.bin", "rb").read()
    while rest:
        size, = struct.unpack("<I", rest[:4])
        answers.append(rest[4:4 + size])
        rest = rest[4 + size:]
assert len(answers) == 2 * len(lines), "the engine ended early"
with open(sys.argv[1], "w") as out:
    for line, native, back in zip(lines, answers[::2], answers[1::2]):
        # Not what the engine gives up as too deep.
        if not native or b"...]" in native or b"...}" in native:
            continue
        same = back.hex() == line.get("reenc", line["hex"])
        out.write(json.dumps({"id": line["id"], "native": native.decode(), "back": back.hex() if same else None}) + "\n")
