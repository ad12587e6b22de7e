"""The recipes of docs/guide/scale.md on the engines themselves: python engines.py spark|ray|dask|takers FOLDER

FOLDER holds 2000 saves of Godot 4 that saves.py has made, `saves`, and `saves.truth.json`. With AWS_ENDPOINT_URL in the environment
the first 200 of them lie in the bucket s3://saves there, too. scripts/measure/test-scale runs this, within a time, and installs what it needs.
Every engine listens on 127.0.0.1, and every process that is started here is ended here.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

COLUMNS = {"file": "@file", "gold": "gold", "levels": "party[*].level", "name": "player.name"}


def truth(folder: Path) -> dict:
    return json.loads((folder / "saves.truth.json").read_text())


def same(what: str, found: Any, expected: Any) -> None:
    if found != expected:
        raise SystemExit(f"{what}: {found!s:.2000}, not {expected!s:.2000}")
    print(f"{what}: as it was made", flush=True)


def until(what: str, is_so: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not after {seconds:.0f} s")
        time.sleep(0.05)


def bucket(folder: Path) -> int | None:
    """The gold of the saves in the bucket, if there is one."""
    if not os.environ.get("AWS_ENDPOINT_URL"):
        return None
    import plain

    total = 0
    for path in sorted(folder.glob("saves/*/*"))[:200]:
        try:
            total += plain.read(path)["gold"]
        except plain.Damage:
            pass
    return total


# --- Spark


def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def slow(batches: Any) -> Any:
    """Lets a task take some time, so that there is a middle of the job."""
    for batch in batches:
        time.sleep(0.25)
        yield batch


def spark(folder: Path) -> None:
    import psutil
    import pyspark

    home = Path(pyspark.__file__).parent
    python = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), "SPARK_NO_DAEMONIZE": "1"}
    os.environ.update(python)
    own = [str(home / "bin" / "spark-class")]
    master = f"spark://127.0.0.1:{port()}"
    started = []

    def start(*arguments: str) -> Any:
        log = open(folder / f"spark-{len(started)}.log", "wb")
        work = ["--work-dir", str(folder / f"work-{len(started)}")] if "worker" in arguments[0] else []
        process = subprocess.Popen([*own, *arguments[:1], *work, *arguments[1:]], stdout=log, stderr=subprocess.STDOUT)
        started.append(process)
        return process

    def end(process: Any) -> int:
        """Kills a process with its children, as a machine that is gone; how many."""
        tree = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        for one in [*tree, process]:
            try:
                one.kill()
            except psutil.NoSuchProcess:
                pass
        process.wait()
        return 1 + len(tree)

    try:
        start("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", master.rsplit(":", 1)[1], "--webui-port", str(port()))
        worker = "org.apache.spark.deploy.worker.Worker"
        workers = [start(worker, "--host", "127.0.0.1", "--webui-port", str(port()), "-c", "1", "-m", "1g", master) for _ in range(2)]
        batch(folder, master, workers, end)
    finally:
        for process in started:
            end(process)


def batch(folder: Path, master: str, workers: list, end: Callable[[Any], int]) -> None:
    import gdvar.spark
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import expr

    builder = SparkSession.builder.master(master).appName("gdvar")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "600m",
        "spark.network.timeout": "60s",
        "spark.executor.heartbeatInterval": "5s",
        "spark.sql.shuffle.partitions": "2",
        "spark.python.worker.reuse": "true",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    try:
        session.sparkContext.setLogLevel("OFF")
        session.dataSource.register(gdvar.spark.Godot)
        expected = truth(folder)
        size = expected["bytes"] // 40
        reader = session.read.format("godot").option("columns", json.dumps(COLUMNS)).option("share", size)
        saves = reader.load(str(folder / "saves"))
        parts = saves.rdd.getNumPartitions()
        assert parts >= 40, parts
        sums = ["count(*)", "sum(gold)", "sum(aggregate(levels, 0L, (a, b) -> a + b))", "count(error)"]
        facts = (expected["files"], expected["gold"], expected["levels"], len(expected["damaged"]))

        def asked(frame: Any) -> tuple:
            return tuple(frame.agg(*map(expr, sums)).first())

        same("Spark, a table of 2000 saves", asked(saves), facts)
        same("Spark, on_error=drop", reader.option("on_error", "drop").load(str(folder / "saves")).count(), facts[0] - facts[3])
        gold = bucket(folder)
        if gold is not None:
            same("Spark, s3://saves", reader.load("s3://saves").agg({"gold": "sum"}).first()[0], gold)

        tracker = session.sparkContext.statusTracker()
        found: list = []
        job = threading.Thread(target=lambda: found.append(asked(saves.mapInArrow(slow, saves.schema))), daemon=True)
        job.start()

        def done() -> int:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            return max((stage.numCompletedTasks for stage in stages if stage), default=0)

        until("a quarter of the job", lambda: done() >= parts // 4)
        killed = end(workers[0])
        after = done()
        assert not found and after < parts, "the job was done before the worker was killed"
        print(f"kill -9 of a worker and its executor, {killed} processes, after {after} of {parts} tasks", flush=True)
        until("the rest of the job", lambda: bool(found), 300)
        same("Spark, the job that lost a worker", found[0], facts)
        streamed(folder, session)
    finally:
        session.stop()


def streamed(folder: Path, session: Any) -> None:
    """Records of a log that grows, one of them half written when Spark looks, and a restart."""
    import gdvar

    for name in ("logs", "checkpoint", "moves"):
        shutil.rmtree(folder / name, ignore_errors=True)
    logs = folder / "logs"
    logs.mkdir()
    log = logs / "moves.log"
    dice = random.Random(5)
    moves: list = []

    def move() -> bytes:
        moves.append((len(moves), dice.randrange(1 << 40), dice.choice(["walk", "jump"])))
        value = gdvar.dumps([moves[-1][1], gdvar.Vector2(1, 2), moves[-1][2]])
        return struct.pack("<I", len(value)) + value

    def grow(data: bytes) -> None:
        with log.open("ab") as file:
            file.write(data)

    grow(b"".join(move() for _ in range(500)))
    wanted = {"record": "@record", "at": "[0]", "what": "[2]"}
    source = session.readStream.format("godot").option("columns", json.dumps(wanted)).option("share", 20_000)

    def start() -> Any:
        sink = source.load(str(logs)).writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
        return sink.trigger(processingTime="200 milliseconds").start(str(folder / "moves"))

    def there() -> list:
        rows = session.read.parquet(str(folder / "moves")).orderBy("record").collect()
        assert all(row.error is None for row in rows)
        return [(row.record, row.at, row.what) for row in rows]

    query = start()
    query.processAllAvailable()
    same("Spark, a stream of 500 records", there(), moves)
    for cut in (2, 4, 11):
        known = list(moves)
        data = move()
        grow(data[:cut])
        query.processAllAvailable()
        same(f"Spark, {cut} bytes of a record more", there(), known)
        grow(data[cut:])
        query.processAllAvailable()
        same("Spark, the whole record", there(), moves)
    growing = threading.Thread(target=lambda: [(grow(move()), time.sleep(0.01)) for _ in range(300)], daemon=True)
    growing.start()
    growing.join()
    query.stop()
    grow(b"".join(move() for _ in range(200)))
    query = start()
    query.processAllAvailable()
    same("Spark, a log that grew while it was read, and while no query ran", there(), moves)
    query.stop()


# --- Ray and Dask


def ray(folder: Path) -> None:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=256 << 20, _node_ip_address="127.0.0.1", log_to_driver=False)
    try:
        import gdvar.ray

        expected = truth(folder)
        ray.data.DataContext.get_current().enable_progress_bars = False
        saves = gdvar.ray.read(str(folder / "saves"), COLUMNS, share=expected["bytes"] // 8)
        rows = saves.to_pandas()
        facts = (expected["files"], expected["gold"], len(expected["damaged"]), expected["levels"])
        levels = sum(sum(own) for own in rows.levels.dropna())
        same("Ray, a table of 2000 saves", (len(rows), int(rows.gold.sum()), int(rows.error.notna().sum()), int(levels)), facts)
        damaged = sorted(str(Path(own).relative_to(folder / "saves")) for own in rows.file[rows.error.notna()])
        same("Ray, the damaged files", damaged, sorted(expected["damaged"]))
        gold = bucket(folder)
        if gold is not None:
            same("Ray, s3://saves", gdvar.ray.read("s3://saves", {"gold": "gold"}).sum("gold"), gold)
    finally:
        ray.shutdown()


def dask(folder: Path) -> None:
    import gdvar.dask
    from dask.distributed import Client, LocalCluster

    expected = truth(folder)
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster, Client(cluster):
        saves = gdvar.dask.read(str(folder / "saves"), COLUMNS, share=expected["bytes"] // 8)
        assert saves.npartitions >= 8
        rows = saves.compute()
        facts = (expected["files"], expected["gold"], len(expected["damaged"]), expected["levels"])
        levels = sum(sum(own) for own in rows.levels.dropna())
        same("Dask, a table of 2000 saves", (len(rows), int(rows.gold.sum()), int(rows.error.notna().sum()), levels), facts)
        same("Dask, a sum on the workers", int(saves.gold.sum().compute()), expected["gold"])
        gold = bucket(folder)
        if gold is not None:
            same("Dask, s3://saves", int(gdvar.dask.read("s3://saves", {"gold": "gold"}).gold.sum().compute()), gold)


# --- Who takes the columns without a copy


def takers(folder: Path) -> None:
    import duckdb
    import gdvar
    import pandas
    import polars
    import psutil
    import pyarrow

    values = [gdvar.dumps({"n": n, "x": n / 3, "m": gdvar.Projection(*range(n, n + 16))}) for n in range(1000)]
    table = gdvar.columns(values * 700, {"n": "n", "x": "x", "m": "m"}, batch_rows=1 << 20, threads=1)
    (one,) = table.batches
    addresses = [one.address(0), one.address(1)]

    frame = polars.DataFrame(table)
    found = [frame[name].to_arrow().buffers()[1].address for name in ("n", "x")]
    same("polars, the addresses of its columns", found, addresses)
    same("polars, a sum", frame["n"].sum(), 349_650_000)

    frame = pandas.DataFrame({name: pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array(pyarrow.table(table)[name])) for name in ("n", "x")})
    found = [pyarrow.array(frame[name].array).buffers()[1].address for name in ("n", "x")]
    same("pandas, the addresses of its columns", found, addresses)
    found = [pyarrow.table(table)[name].chunk(0).to_numpy(zero_copy_only=True).__array_interface__["data"][0] for name in ("n", "x")]
    same("numpy, the addresses of its arrays", found, addresses)

    # DuckDB tells no address. It is asked to look at every byte of the columns, and may not take memory for them.
    connection = duckdb.connect(config={"threads": 1})
    saves = connection.from_arrow(table)
    same("DuckDB, a sum", saves.aggregate("sum(n)").fetchall()[0][0], 349_650_000)
    process, most, stop = psutil.Process(), [0], threading.Event()
    before = process.memory_info().rss

    def watch() -> None:
        while not stop.wait(0.002):
            most[0] = max(most[0], process.memory_info().rss - before)

    watcher = threading.Thread(target=watch)
    watcher.start()
    total = connection.from_arrow(table).aggregate("sum(n), sum(x), sum(m[1] + m[16])").fetchall()[0]
    stop.set()
    watcher.join()
    assert total[2] == 700 * sum(2 * n + 15 for n in range(1000)), total
    size = 700_000 * (8 + 8 + 64)
    print(f"DuckDB read columns of {size >> 20} MiB and took {most[0] >> 20} MiB", flush=True)
    assert most[0] < size / 4, "DuckDB copied the columns"


if __name__ == "__main__":
    {"spark": spark, "ray": ray, "dask": dask, "takers": takers}[sys.argv[1]](Path(sys.argv[2]).resolve())
