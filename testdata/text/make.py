#!/usr/bin/env python3
"""Asks both engines how they print numbers and sort the keys of dictionaries.

usage: make.py            (needs the engines: ../oracle/README.md)

Writes numbers4.txt and numbers3.txt ("<bits of a double in hex> <text>") and keys4.jsonl and
keys3.jsonl ({"hex", "text"}), always the same ones.
"""
import json
import os
import random
import struct
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NAN, INF = float("nan"), float("inf")
pack = struct.pack

IDS = {
    4: dict(Nil=0, Bool=1, Int=2, Float=3, String=4, Vector2=5, Vector2i=6, Rect2=7, Vector3=9, Vector3i=10,
            Vector4=12, Vector4i=13, Plane=14, Color=20, StringName=21, NodePath=22, RID=23, Dictionary=27,
            Array=28, Bytes=29),
    3: dict(Nil=0, Bool=1, Int=2, Float=3, String=4, Vector2=5, Rect2=6, Vector3=7, Plane=9, Color=14,
            NodePath=15, Dictionary=18, Array=19),
}
REALS = dict(Vector2=2, Rect2=4, Vector3=3, Vector4=4, Plane=4, Color=4)
INTS = dict(Vector2i=2, Vector3i=3, Vector4i=4)


def ask(engine, blobs):
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "in.blobs")
        with open(path, "wb") as f:
            for blob in blobs:
                f.write(pack("<I", len(blob)) + blob)
        subprocess.run([os.path.join(HERE, "../oracle/run-engine.sh"), str(engine),
                        os.path.join(HERE, f"print{engine}.gd"), d + "/out", "@" + path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(d + "/out/out.bin", "rb") as f:
            data = f.read()
    texts, at = [], 0
    while at < len(data):
        n = struct.unpack_from("<I", data, at)[0]
        texts.append(data[at + 4:at + 4 + n].decode())
        at += 4 + n
    assert len(texts) == len(blobs)
    return texts


def bits(x):
    return struct.unpack("<Q", pack("<d", x))[0]


def numbers(r):
    out = [bits(x) for x in (0.0, -0.0, INF, -INF, NAN, -NAN, 1e15, 1e16, 999999.5, 1e-4, 1e-5, 5e-324)]
    for _ in range(400):
        out.append(r.getrandbits(64))
        out.append(bits(r.uniform(-1, 1) * 10 ** r.randint(-8, 20)))
        out.append(bits(float(round(r.uniform(-1, 1) * 10 ** r.randint(0, 18)))))
        out.append(bits(r.randint(10**15, 10**17) / r.choice([1, 10, 100])))
        single = struct.unpack("<f", pack("<I", r.getrandbits(32)))[0]
        out.append(bits(single))
        out.append(bits((r.randint(100000, 999999) + 0.5) / 2 ** r.randint(0, 9)))
    return out


class Maker:
    def __init__(self, engine, r, kinds):
        self.ids, self.r, self.kinds = IDS[engine], r, [k for k in kinds if k in IDS[engine]]

    def real(self):
        return self.r.choice([0.0, -0.0, 1.0, -1.0, 0.5, NAN, INF, -INF, 1.0000001, 1.00001, 2.0, 1e10])

    def text(self):
        return "".join(self.r.choice("aabAZ0/é€😀\"\\\n'?") for _ in range(self.r.randint(0, 3)))

    def field(self):
        b = self.text().encode()
        return pack("<I", len(b)) + b + bytes(-len(b) % 4)

    def leaf(self):
        r, k = self.r, self.r.choice(self.kinds)
        head = pack("<I", self.ids[k])
        if k == "Bool":
            return head + pack("<I", r.randint(0, 1))
        if k == "Int":
            return pack("<Iq", self.ids[k] | 1 << 16, r.choice([0, 1, -1, 255, 2**40, r.randint(-9, 9)]))
        if k == "Float":
            return pack("<Id", self.ids[k] | 1 << 16, self.real())
        if k in ("String", "StringName"):
            return head + self.field()
        if k in REALS:
            return head + pack("<%df" % REALS[k], *(self.real() for _ in range(REALS[k])))
        if k in INTS:
            return head + pack("<%di" % INTS[k], *(r.randint(-2, 2) for _ in range(INTS[k])))
        if k == "NodePath":
            n, m = r.randint(0, 2), r.randint(0, 2)
            return head + pack("<III", 1 << 31 | n, m, r.randint(0, 1)) + b"".join(self.field() for _ in range(n + m))
        if k == "RID":
            return head + pack("<Q", r.choice([0, 1, 2, 2**63, 2**64 - 1]))
        if k == "Bytes":
            return head + pack("<I", 2) + bytes([r.randint(0, 2), r.randint(0, 2), 0, 0])
        return head

    def array(self, items):
        return pack("<II", self.ids["Array"], len(items)) + b"".join(items)

    def dict(self, keys):
        entries = (key + pack("<Ii", 2, n) for n, key in enumerate(keys))
        return pack("<II", self.ids["Dictionary"], len(keys)) + b"".join(entries)

    def key(self, depth):
        p = self.r.random()
        if depth == 0 or p < 0.5:
            return self.leaf()
        inner = [self.key(depth - 1) for _ in range(self.r.randint(0, 3))]
        return self.array(inner) if p < 0.85 else self.dict(inner)


def keys(engine, r):
    blobs = []
    all_kinds = [k for k in IDS[engine] if k not in ("Array", "Dictionary")]
    for n in range(80):
        kinds = all_kinds if n % 5 == 0 else r.sample(all_kinds, r.randint(1, 4))
        # Inside arrays StringNames compare by where they are in memory.
        depth = 0 if "StringName" in kinds else r.randint(0, 2)
        maker = Maker(engine, r, kinds)
        blobs.append(maker.dict([maker.key(depth) for _ in range(r.choice([2, 3, 5, 12, 17, 18, 25, 33]))]))
    return blobs


def main():
    for engine in (4, 3):
        r = random.Random(engine)
        values = numbers(r)
        texts = ask(engine, [pack("<IQ", 3 | 1 << 16, b) for b in values])
        with open(f"{HERE}/numbers{engine}.txt", "w") as f:
            f.writelines("%016x %s\n" % pair for pair in zip(values, texts))
        blobs = keys(engine, r)
        with open(f"{HERE}/keys{engine}.jsonl", "w") as f:
            for blob, text in zip(blobs, ask(engine, blobs)):
                f.write(json.dumps({"hex": blob.hex(), "text": text}) + "\n")


main()
