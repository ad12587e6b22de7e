"""The goals of the package, measured side by side in one run: python bench/bench.py

Times are this process's CPU seconds, the best of so many runs; of work in several threads both CPU and wall time are
given. Needs msgpack, orjson, pandas, pyarrow; what is missing is left out, and said.
"""

from __future__ import annotations

import gc
import io
import json
import struct
import sys
import time

import gdvar


def best(work, runs: int = 7) -> tuple:
    """CPU and wall milliseconds."""
    cpu, wall = [], []
    for _ in range(runs):
        gc.collect()
        a, b = time.process_time(), time.perf_counter()
        kept = work()
        wall.append(time.perf_counter() - b)
        cpu.append(time.process_time() - a)
        del kept
    return min(cpu) * 1e3, min(wall) * 1e3


def records(count: int) -> list:
    return [
        {"id": n, "name": f"player_{n}", "hp": n % 100, "x": n / 3, "alive": n % 3 > 0} for n in range(count)
    ]


def pure(data: bytes):
    """A plain decoder in Python, as people write it: struct and recursion."""
    at = 0

    def take(form: str, size: int):
        nonlocal at
        (value,) = struct.unpack_from(form, data, at)
        at += size
        return value

    def value():
        nonlocal at
        head = take("<I", 4)
        kind, wide = head & 0xFF, head >> 16 & 1
        if kind == 0:
            return None
        if kind == 1:
            return take("<I", 4) != 0
        if kind == 2:
            return take("<q", 8) if wide else take("<i", 4)
        if kind == 3:
            return take("<d", 8) if wide else take("<f", 4)
        if kind == 4:
            size = take("<I", 4)
            text = data[at : at + size].decode()
            at += size + -size % 4
            return text
        count = take("<I", 4)
        if kind == 27:
            return {value(): value() for _ in range(count)}
        if kind == 28:
            return [value() for _ in range(count)]
        raise ValueError(kind)

    return value()


def decoding() -> None:
    rows = records(10_000)
    data = gdvar.dumps(rows)
    text = json.dumps(rows)
    ours, _ = best(lambda: gdvar.loads(data))
    print(f"\nloads of {len(rows)} records, {len(data) / 1e6:.2f} MB ({len(text) / 1e6:.2f} MB as JSON), CPU ms")
    print(f"  gdvar.loads   {ours:7.2f}")
    peers = {"json.loads": lambda: json.loads(text), "pure Python": lambda: pure(data)}
    try:
        import msgpack

        packed = msgpack.packb(rows)
        peers["msgpack"] = lambda: msgpack.unpackb(packed)
    except ImportError:
        print("  msgpack is not installed")
    try:
        import orjson

        peers["orjson.loads"] = lambda: orjson.loads(text)
    except ImportError:
        print("  orjson is not installed")
    assert pure(data) == gdvar.loads(data) == rows
    for name, work in peers.items():
        time_, _ = best(work)
        print(f"  {name:13} {time_:7.2f}   gdvar takes {ours / time_:.2f} of it")
    ours, _ = best(lambda: gdvar.dumps(rows))
    theirs, _ = best(lambda: json.dumps(rows))
    print(f"  gdvar.dumps   {ours:7.2f}\n  json.dumps    {theirs:7.2f}   gdvar takes {ours / theirs:.2f} of it")


def columns() -> None:
    rows = records(100_000)
    values = [gdvar.dumps(row) for row in rows]
    log = b"".join(struct.pack("<I", len(value)) + value for value in values)
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    wanted = {"name": "name", "hp": "hp", "x": "x"}
    ours = best(lambda: gdvar.columns(log, wanted))
    print(f"\nthree columns of {len(rows)} records, {len(log) / 1e6:.1f} MB ({len(lines) / 1e6:.1f} MB as JSON lines), ms: CPU, wall")
    print(f"  gdvar.columns            {ours[0]:7.1f} {ours[1]:7.1f}")
    one = best(lambda: gdvar.columns(log, wanted, threads=1))
    print(f"  gdvar.columns, 1 thread  {one[0]:7.1f} {one[1]:7.1f}")

    def told(name: str, theirs: tuple) -> None:
        print(
            f"  {name:24} {theirs[0]:7.1f} {theirs[1]:7.1f}   gdvar {theirs[0] / ours[0]:.1f} times as fast by CPU, "
            f"{theirs[1] / ours[1]:.1f} by the clock"
        )

    try:
        import orjson
        import pandas

        told("orjson and pandas", best(lambda: pandas.DataFrame([orjson.loads(line) for line in lines.split(b"\n")])))
    except ImportError:
        print("  orjson or pandas is not installed")
    try:
        import pyarrow
        import pyarrow.json

        schema = pyarrow.schema([("name", pyarrow.string()), ("hp", pyarrow.int64()), ("x", pyarrow.float64())])
        options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
        told("pyarrow.json", best(lambda: pyarrow.json.read_json(io.BytesIO(lines), parse_options=options)))
        table = gdvar.columns(log, wanted)
        assert pyarrow.table(table).column("hp").to_pylist() == [row["hp"] for row in rows]
    except ImportError:
        print("  pyarrow is not installed")


def packed() -> None:
    try:
        import numpy
    except ImportError:
        return
    data = gdvar.dumps(numpy.zeros(4_000_000, "f4"))
    runs = 1000
    start = time.process_time()
    for _ in range(runs):
        numpy.asarray(gdvar.loads(data))
    print(f"\na PackedFloat32Array of {len(data) / 1e6:.0f} MB as numpy's: {(time.process_time() - start) / runs * 1e6:.1f} us")


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, gdvar {gdvar.__version__}")
    decoding()
    columns()
    packed()
