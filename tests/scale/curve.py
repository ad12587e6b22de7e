"""The cost curve of a table: python curve.py GDVAR FOLDER [--svg FILE] [--most RECORDS]

From 1000 to 1 000 000 records of 1.2 kB (a hero of saves.py with inventory) in one log, and the same records as files up to 100 000. Each size is
measured in turn, and all of them so many times; the best counts: CPU seconds of the process, and its most memory. The slope of a
line through the logarithms says how the cost grows: 1 is linear. What a start costs, the time for one record, is taken off first.
"""

from __future__ import annotations

import argparse
import math
import random
from pathlib import Path

import pyarrow.parquet
import saves
from table import ran

SIZES = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
COLUMNS = "name,level,xp,x=position.x,kinds=inventory[*].kind"


def log(path: Path, count: int) -> int:
    """Records by turns of 500 heroes; the bytes of all."""
    dice = random.Random(9)
    heroes = [saves.framed(saves.encoded(saves.hero(dice, 4), 4)) for _ in range(500)]
    size = 0
    with path.open("wb") as file:
        for n in range(count):
            size += file.write(heroes[n % 500])
    return size


def files(folder: Path, count: int) -> int:
    dice = random.Random(9)
    heroes = [saves.framed(saves.encoded(saves.hero(dice, 4), 4)) for _ in range(500)]
    for n in range(count):
        if n % 1000 == 0:
            (folder / f"{n // 1000:04}").mkdir(parents=True, exist_ok=True)
        (folder / f"{n // 1000:04}" / f"{n:07}.sav").write_bytes(heroes[n % 500])
    return sum(len(heroes[n % 500]) for n in range(count))


def slope(points: list) -> float:
    """Of the line through the logarithms, least squares."""
    pairs = [(math.log(count), math.log(seconds)) for count, seconds in points]
    x, y = (sum(own) / len(pairs) for own in zip(*pairs))
    return sum((a - x) * (b - y) for a, b in pairs) / sum((a - x) ** 2 for a, _ in pairs)


def drawn(curves: dict, note: str) -> str:
    """A figure with logarithmic axes, on a white ground of its own as those of the benchmarks."""
    width, height, left, top, right, bottom = 900, 460, 90, 70, 860, 400
    ink, faint, edge = "#24292f", "#6e7781", "#d0d7de"
    all_ = [seconds for points in curves.values() for _, seconds in points]
    low, high = math.floor(math.log10(min(all_))), math.ceil(math.log10(max(all_)))
    x = lambda count: left + (math.log10(count) - 3) / 3 * (right - left)  # noqa: E731
    y = lambda seconds: bottom - (math.log10(seconds) - low) / (high - low) * (bottom - top)  # noqa: E731
    text = '<text x="{:.0f}" y="{:.0f}" font-size="{}" fill="{}" text-anchor="{}">{}</text>'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
        f'<rect width="{width - 1}" height="{height - 1}" fill="white" stroke="{edge}"/>',
        text.format(16, 28, 20, ink, "start", "gdvar table: CPU seconds by records"),
        text.format(16, 50, 13, faint, "start", note),
    ]
    for power in range(3, 7):
        parts.append(f'<path d="M{x(10**power):.1f} {top}V{bottom}" stroke="{edge}"/>')
        parts.append(text.format(x(10**power), bottom + 20, 13, ink, "middle", f"{10**power:,}".replace(",", " ")))
    for power in range(low, high + 1):
        parts.append(f'<path d="M{left} {y(10.0**power):.1f}H{right}" stroke="{edge}"/>')
        parts.append(text.format(left - 8, y(10.0**power) + 4, 13, ink, "end", f"{10.0**power:g} s"))
    for (name, points), color in zip(curves.items(), ("#478cbf", "#dda45c")):
        line = " ".join(f"{x(count):.1f},{y(seconds):.1f}" for count, seconds in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts.extend(f'<circle cx="{x(count):.1f}" cy="{y(seconds):.1f}" r="4" fill="{color}"/>' for count, seconds in points)
        parts.append(text.format(x(points[-1][0]) - 8, y(points[-1][1]) - 12, 13, color, "end", name))
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gdvar")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    kinds = {"records of one log": (log, options.most, "log"), "files of one record": (files, min(options.most, 100_000), "files")}
    curves = {}
    for kind, (make, most, name) in kinds.items():
        points = []
        for count in [1, *(size for size in SIZES if size <= most)]:
            place = options.folder / f"{name}-{count}"
            size = make(place, count)
            command = [options.gdvar, "table", str(place), "--columns", COLUMNS, "--quiet", "--out", str(options.folder / "out.parquet")]
            wall, cpu, memory = ran(command, options.runs)
            out = pyarrow.parquet.read_table(options.folder / "out.parquet")
            assert (out.num_rows, out.column("error").null_count) == (count, count), "rows are missing"
            if count == 1:
                start = cpu
                continue
            points.append((count, max(cpu - start, 1e-4)))
            print(
                f"{kind}: {count:8} records, {size / 1e6:7.1f} MB: {cpu:7.3f} s CPU, {wall:7.3f} s, {memory:4.0f} MiB, "
                f"{(cpu - start) / count * 1e6:5.2f} us a record",
                flush=True,
            )
        print(f"{kind}: a start takes {start:.3f} s; the cost grows with the power {slope(points):.3f} of the records")
        curves[kind] = points
    if options.svg:
        powers = ", ".join(f"{slope(points):.2f}" for points in curves.values())
        options.svg.write_text(drawn(curves, f"records of 1.2 kB, five columns to Parquet; without the start; the slopes are {powers}"))
    # Below 1, for the sample of 1000 rows is a fixed cost; above 1 it would not be linear.
    assert all(slope(points) < 1.05 for points in curves.values()), "the cost grows faster than the records"


if __name__ == "__main__":
    main()
