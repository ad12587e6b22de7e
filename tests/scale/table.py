"""`gdvar table` over many saves, held against the truth, a decoder in plain Python, `cat` and orjson, in one run.

    python tests/scale/table.py GDVAR FOLDER COUNT     GDVAR is built with --features tables; FOLDER holds what is made

Needs pyarrow and orjson. Every time is the wall clock's, the best of three with the files in the page cache, and the CPU seconds
beside it; memory is the most that the process has for itself, without the files that it maps. Ends with an error where a row, a
sum or a damaged file is not as it was made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import zlib
from pathlib import Path

import plain
import saves

COLUMNS = "gold,version,levels=party[*].level,xp=party[*].xp,play_time,name=player.name"

# What people write: a file after the other, the fields into lists, the lists into Parquet.
ORJSON = """
import sys, orjson, pyarrow, pyarrow.parquet
from pathlib import Path
rows = {name: [] for name in ("file", "gold", "version", "levels", "xp", "play_time", "name")}
writer = None
def flush():
    global writer
    table = pyarrow.table(rows)
    writer = writer or pyarrow.parquet.ParquetWriter(sys.argv[2], table.schema, compression="zstd")
    writer.write_table(table)
    for own in rows.values():
        own.clear()
for folder in sorted(Path(sys.argv[1]).iterdir()):
    for path in sorted(folder.iterdir()):
        save = orjson.loads(path.read_bytes())
        party = save["party"]
        for name, value in (("file", str(path)), ("gold", save["gold"]), ("version", save["version"]),
                ("levels", [one["level"] for one in party]), ("xp", [one["xp"] for one in party]),
                ("play_time", save["play_time"]), ("name", save["player"]["name"])):
            rows[name].append(value)
    if len(rows["gold"]) >= 65536:
        flush()
flush()
writer.close()
"""


def own_memory(process: subprocess.Popen, done: threading.Event, most: list) -> None:
    """The memory that a process has for itself, in MiB: without files that it has mapped, which the system may drop."""
    while not done.wait(0.005):
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            return
        own = [int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon")]
        most.extend(own)


def ran(command: list, runs: int = 3) -> tuple:
    """Seconds by the clock and of CPU, the best of so many runs; MiB at most, looked at every 5 ms."""
    found = []
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        done, memory = threading.Event(), [0.0]
        watcher = threading.Thread(target=own_memory, args=(process, done, memory))
        watcher.start()
        message = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        done.set()
        watcher.join()
        process.returncode = status
        if status:
            raise SystemExit(f"{command[0]}: {message.decode()[-2000:]}")
        found.append((time.perf_counter() - start, used.ru_utime + used.ru_stime, max(memory)))
    return min(one[0] for one in found), min(one[1] for one in found), max(one[2] for one in found)


def told(name: str, count: int, size: int, time_: tuple) -> None:
    wall, cpu, memory = time_
    print(f"  {name:34} {wall:7.2f} s {cpu:7.2f} s CPU {count / wall:9.0f} saves/s {size / wall / 1e6:7.0f} MB/s {memory:6.0f} MiB")


def of_parquet(path: Path, folder: Path) -> dict:
    """The sums of a table."""
    import pyarrow.compute as compute
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    flat = lambda name: compute.list_flatten(table.column(name).combine_chunks())  # noqa: E731
    whole = table.filter(compute.is_null(table.column("error")))
    versions = {str(own["values"].as_py()): own["counts"].as_py() for own in compute.value_counts(whole.column("version"))}
    # A damaged save may look like several records; each of them is a row with an error.
    damaged = compute.unique(table.filter(compute.is_valid(table.column("error"))).column("file")).to_pylist()
    assert not set(damaged) & set(whole.column("file").to_pylist())
    return {
        "files": whole.num_rows + len(damaged),
        "damaged": [str(Path(own).relative_to(folder)) for own in damaged],
        "gold": compute.sum(table.column("gold")).as_py(),
        "rich": compute.sum(compute.greater(whole.column("gold"), 5_000_000)).as_py(),
        "levels": compute.sum(flat("levels")).as_py(),
        "heroes": len(flat("levels")),
        "xp": compute.sum(flat("xp")).as_py(),
        "play_time": compute.sum(table.column("play_time")).as_py(),
        "names": sum(zlib.crc32(name.encode()) for name in whole.column("name").to_pylist()) & 0xFFFF_FFFF_FFFF,
        "versions": versions,
    }


def same(name: str, found: dict, truth: dict) -> None:
    """Ends the run where a sum differs. Sums of floats depend on the order."""
    for key, value in found.items():
        own = sorted(value) if key == "damaged" else value
        alike = abs(value - truth[key]) <= 1e-9 * abs(value) if key == "play_time" else own == truth[key]
        if not alike:
            raise SystemExit(f"{name}: {key} is {value!s:.300}, not {truth[key]!s:.300}")
    print(f"  {name}: rows, sums and {len(truth['damaged'])} damaged files are as they were made")


def main() -> None:
    gdvar, place, count = sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3])
    place.mkdir(parents=True, exist_ok=True)
    folder, texts, lines = place / f"saves-{count}", place / f"json-{count}", place / f"saves-{count}.jsonl"
    if not lines.exists():
        saves.write(folder, count, 1, lines)
    truth = json.loads(Path(f"{folder}.truth.json").read_text())
    if not texts.exists():
        for n, line in enumerate(lines.open("rb")):
            own = texts / f"{n // 1000:04}"
            if n % 1000 == 0:
                own.mkdir(parents=True)
            (own / f"{n:07}.json").write_bytes(line)
    size, text_size = truth["bytes"], lines.stat().st_size
    print(f"{count} saves, {size / 1e6:.0f} MB; as JSON {text_size / 1e6:.0f} MB")
    out = place / "table.parquet"
    table = [gdvar, "table", str(folder), "--columns", COLUMNS, "--out", str(out), "--quiet"]
    # The files in the page cache.
    cat_of = lambda place: ["sh", "-c", f"find '{place}' -type f -print0 | xargs -0 cat | cat > /dev/null"]  # noqa: E731
    ran(cat_of(texts), 1)
    cat = ran(cat_of(folder))
    ours = ran(table)
    one = ran(["env", "RAYON_NUM_THREADS=1", *table])
    again = ran(cat_of(folder))
    orjson = ran([sys.executable, "-c", ORJSON, str(texts), str(place / "json.parquet")], 2)
    told("cat of the files", count, size, min(cat, again))
    told(f"gdvar table, {os.cpu_count()} cores", count, size, ours)
    told("gdvar table, 1 thread", count, size, one)
    told("orjson and pyarrow, 1 thread", count, text_size, orjson)
    print(f"  gdvar table takes {ours[0] / min(cat, again)[0]:.2f} of cat, and is {orjson[0] / ours[0]:.1f} times as fast as orjson by the clock, "
          f"{orjson[1] / ours[1]:.1f} by CPU")
    same("gdvar table", of_parquet(out, folder), truth)
    start = time.perf_counter()
    same("plain.py", plain.sums(folder), truth)
    print(f"  plain.py took {time.perf_counter() - start:.0f} s in two processes")


if __name__ == "__main__":
    main()
