"""The goals of the package, measured side by side in one run: python bench/bench.py

Times are this process's CPU seconds, the best of so many runs; of work in several threads CPU and wall time are both
given. Needs msgpack, orjson, pandas, pyarrow, numpy; what is missing is left out, and said. `--write` renews bench/README.md
and, with node, bench/chart.svg.
"""

from __future__ import annotations

import gc
import io
import json
import os
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, List, Tuple

import gdvar

HERE = Path(__file__).parent


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


class Part:
    """Work that several do: CPU and wall milliseconds of each, by name."""

    def __init__(self, title: str, about: str) -> None:
        self.title = title
        self.about = about
        self.times: Dict[str, Tuple[float, float]] = {}

    def add(self, name: str, work, runs: int = 7) -> None:
        self.times[name] = best(work, runs)

    def missing(self, name: str, *packages: str) -> bool:
        """True if one of the packages is not installed; the page says so then."""
        for package in packages:
            try:
                __import__(package)
            except ImportError:
                self.about += f" {name} is left out: {package} is not installed."
                return True
        return False

    def page(self) -> str:
        ours = next(iter(self.times.values()))
        lines = [f"## {self.title}", "", self.about, "", "| | CPU ms | wall ms | gdvar, CPU | gdvar, wall |", "|---|---:|---:|---:|---:|"]
        for name, (cpu, wall) in self.times.items():
            times = f"{cpu / ours[0]:.2f} times as fast | {wall / ours[1]:.2f} times" if name[:5] != "gdvar" else " | "
            lines.append(f"| {name} | {cpu:.2f} | {wall:.2f} | {times} |")
        return "\n".join(lines)


def decoding() -> List[Part]:
    rows = records(10_000)
    data = gdvar.dumps(rows)
    text = json.dumps(rows)
    assert pure(data) == gdvar.loads(data) == rows
    sizes = f"{len(rows):,} records of five fields: {len(data) / 1e6:.2f} MB, {len(text) / 1e6:.2f} MB as JSON."
    reading = Part("Reading records into Python's values", sizes)
    reading.add("gdvar.loads", lambda: gdvar.loads(data))
    reading.add("json.loads", lambda: json.loads(text))
    if not reading.missing("msgpack", "msgpack"):
        import msgpack

        packed = msgpack.packb(rows)
        reading.add("msgpack.unpackb", lambda: msgpack.unpackb(packed))
    if not reading.missing("orjson", "orjson"):
        import orjson

        reading.add("orjson.loads", lambda: orjson.loads(text))
    reading.add("a decoder in pure Python", lambda: pure(data))
    writing = Part("Writing them", sizes)
    writing.add("gdvar.dumps", lambda: gdvar.dumps(rows))
    writing.add("json.dumps", lambda: json.dumps(rows))
    return [reading, writing]


def columns() -> List[Part]:
    rows = records(100_000)
    values = [gdvar.dumps(row) for row in rows]
    log = b"".join(struct.pack("<I", len(value)) + value for value in values)
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    wanted = {"name": "name", "hp": "hp", "x": "x"}
    part = Part(
        "Three columns of many records",
        f"{len(rows):,} records of five fields: {len(log) / 1e6:.1f} MB, {len(lines) / 1e6:.1f} MB as JSON lines.",
    )
    part.add(f"gdvar.columns, {os.cpu_count()} threads", lambda: gdvar.columns(log, wanted))
    part.add("gdvar.columns, 1 thread", lambda: gdvar.columns(log, wanted, threads=1))
    if not part.missing("orjson and pandas", "orjson", "pandas"):
        import orjson
        import pandas

        part.add("orjson and pandas", lambda: pandas.DataFrame([orjson.loads(line) for line in lines.split(b"\n")]))
    if not part.missing("pyarrow.json", "pyarrow"):
        import pyarrow
        import pyarrow.json

        schema = pyarrow.schema([("name", pyarrow.string()), ("hp", pyarrow.int64()), ("x", pyarrow.float64())])
        options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
        part.add("pyarrow.json", lambda: pyarrow.json.read_json(io.BytesIO(lines), parse_options=options))
        table = gdvar.columns(log, wanted)
        assert pyarrow.table(table).column("hp").to_pylist() == [row["hp"] for row in rows]
    return [part]


def packed() -> str:
    try:
        import numpy
    except ImportError:
        return "numpy is not installed."
    data = gdvar.dumps(numpy.zeros(4_000_000, "f4"))
    runs = 1000
    start = time.process_time()
    for _ in range(runs):
        numpy.asarray(gdvar.loads(data))
    each = (time.process_time() - start) / runs * 1e6
    return f"A PackedFloat32Array of {len(data) / 1e6:.0f} MB becomes an array of numpy's in {each:.1f} µs: nothing is copied."


def processor() -> str:
    try:
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        return f"{len(names)} × {names[0].split(':')[1].strip()}"
    except (OSError, IndexError):
        return "an unknown processor"


def page(parts: List[Part]) -> str:
    sections = "\n\n".join(part.page() for part in parts)
    return f"""# How fast the package is

Made by `python bench/bench.py --write` with Python {sys.version.split()[0]} on {processor()}. Each number is the shortest of seven runs,
one after the other in one process; `gdvar` says how many times as fast gdvar is. Run it again on your own machine before you rely on it.

![The figures below as bars, the fastest first](chart.svg)

{sections}

## Packed arrays

{packed()}
"""


def chart(parts: List[Part]) -> None:
    """Draws as the JavaScript package does; needs node."""
    drawn = {
        "title": "Python: gdvar, JSON and MessagePack",
        "note": f"Python {sys.version.split()[0]}: the shortest wall time of seven runs, shorter is better",
        "parts": [
            {"title": part.title, "rows": {name: wall * 1e3 for name, (_, wall) in part.times.items()}} for part in parts
        ],
    }
    with open(HERE / "chart.svg", "w") as out:
        draw = [HERE.parents[1] / "wasm" / "bench" / "chart.mjs", "--from-stdin"]
        subprocess.run(["node", *draw], input=json.dumps(drawn).encode(), stdout=out, check=True)


if __name__ == "__main__":
    measured = decoding() + columns()
    text = page(measured)
    print(text)
    if "--write" in sys.argv:
        (HERE / "README.md").write_text(text)
        chart(measured)
