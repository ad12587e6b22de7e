"""The data source ``godot`` for Spark: a table of saves, and a stream of the records of logs that grow.

    spark.dataSource.register(gdvar.spark.Godot)
    saves = spark.read.format("godot").option("columns", '{"gold": "player.gold"}').load("s3://bucket/saves")
    moves = spark.readStream.format("godot").option("columns", '{"at": "[0]"}').load("logs/*.log")

| option | |
|---|---|
| ``path``, ``paths`` | a file, folder or pattern, or a JSON list of them; addresses such as ``s3://`` are read by fsspec |
| ``columns`` | a JSON object that maps names to paths, as for `gdvar.columns` |
| ``types`` | a JSON object that maps columns to types; a sample decides about the others |
| ``each`` | a path; each child of the value there is a row |
| ``dialect``, ``objects``, ``password`` | as for `gdvar.columns` |
| ``on_error`` | ``row``: the column ``error`` says why a value is missing; ``drop``: such rows are left out; ``fail``: the job fails |
| ``share`` | bytes of files in a partition (256 MiB); for a stream, bytes of a log in a batch |

A stream reads `store_var` records. A record that is only partly written is read later, when it is complete. Spark's checkpoint holds
a byte offset for each log, so every record is read once. A log must not become shorter. Streams need Spark 4.2 or later, tables
Spark 4.0; gdvar, pyarrow and numpy must be installed on the workers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Tuple

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from . import _scale
from ._errors import Error

__all__ = ["Godot"]

# A longer record means that the log is damaged: the limits of PacketPeer and get_var are far lower.
LONGEST = 1 << 30

BEGIN = {"byte": 0, "record": 0}


class Godot(DataSource):
    """Saves and logs of Godot. The module's documentation lists the options."""

    @classmethod
    def name(cls) -> str:
        return "godot"

    def __init__(self, options: Dict[str, str]) -> None:
        super().__init__(options)
        known = {"path", "paths", "columns", "types", "each", "dialect", "objects", "password", "on_error", "share"}
        unknown = sorted(name for name in options if name.lower() not in known)
        if unknown:
            raise Error(f"godot has no option {unknown[0]}; it has {', '.join(sorted(known))}", "BadOption")
        if "columns" not in options:
            raise Error("""the option columns is missing: .option("columns", '{"gold": "player.gold"}')""", "BadOption")
        paths = options.get("paths") or options.get("path") or ""
        self.paths: List[str] = json.loads(paths) if paths.startswith("[") else [paths]
        self.columns: Dict[str, str] = json.loads(options["columns"])
        self.share = int(options.get("share") or _scale.SHARE)
        texts = ("each", "dialect", "objects", "password", "on_error")
        self.how: Dict[str, Any] = {name: options[name] for name in texts if name in options}
        self.how["types"] = json.loads(options.get("types") or "{}")

    def fixed(self) -> Tuple[Any, Dict[str, Any]]:
        return _scale.fixed(_scale.contents(_scale.sample(_scale.found(self.paths))), self.columns, self.how)

    def schema(self) -> StructType:
        return from_arrow_schema(plain(self.fixed()[0]))

    def reader(self, schema: StructType) -> "Table":
        return Table(self)

    def streamReader(self, schema: StructType) -> "Log":
        return Log(self)


@dataclass
class Share(InputPartition):
    """Some files, or a range of bytes of one file and the index of its first record."""

    names: Tuple[str, ...]
    start: int = 0
    end: int = 0
    record: int = 0


class Table(DataSourceReader):
    """Reads the files once."""

    def __init__(self, source: Godot) -> None:
        self.columns, self.share, self.paths = source.columns, source.share, source.paths
        self.how = source.fixed()[1]

    def partitions(self) -> List[InputPartition]:
        return [Share(names) for names in _scale.shares(_scale.found(self.paths), self.share)]

    def read(self, partition: Any) -> Iterator[Any]:
        source = _scale.contents(partition.names)
        yield from listed(_scale.table(source, self.columns, threads=1, **self.how)).to_batches()


class Log(DataSourceStreamReader):
    """Reads the records after the last offset. An offset is a byte and a number of records for every log."""

    def __init__(self, source: Godot) -> None:
        self.columns, self.share, self.paths = source.columns, source.share, source.paths
        self.how = source.fixed()[1]

    def initialOffset(self) -> Dict[str, Any]:
        return {}

    def latestOffset(self, start: Dict[str, Any], limit: Any) -> Dict[str, Any]:
        end = dict(start)
        for name, size in _scale.found(self.paths):
            last = end.get(name, BEGIN)
            if size < last["byte"]:
                raise Error(f"{name}: {size} bytes, but {last['byte']} were read before: a log must grow, not be replaced", "Shrunk")
            byte, record = whole(name, last["byte"], last["record"], self.share)
            end[name] = {"byte": byte, "record": record}
        return end

    def partitions(self, start: Dict[str, Any], end: Dict[str, Any]) -> List[InputPartition]:
        shares: List[InputPartition] = []
        for name, stop in end.items():
            last = start.get(name, BEGIN)
            if last["byte"] < stop["byte"]:
                shares.append(Share((name,), last["byte"], stop["byte"], last["record"]))
        return shares

    def read(self, partition: Any) -> Iterator[Any]:
        (name,) = partition.names
        data = piece(name, partition.start, partition.end - partition.start)
        if len(data) < partition.end - partition.start:
            raise Error(f"{name}: the log became shorter while it was read", "Shrunk")
        rows = _scale.table({name: data}, self.columns, threads=1, framing="len32", **self.how)
        for place, path in enumerate(self.columns.values()):
            if path == "@record" and partition.record:
                import pyarrow.compute as compute

                rows = rows.set_column(place, rows.schema.field(place), compute.add(rows.column(place), partition.record))
        yield from listed(rows).to_batches()


def piece(name: str, at: int, size: int) -> bytes:
    if "://" in name:
        import fsspec

        opened: Any = fsspec.open(name, "rb").open()
    else:
        opened = open(name, "rb")
    with opened as file:
        file.seek(at)
        data: bytes = file.read(size)
    return data


def whole(name: str, at: int, record: int, share: int) -> Tuple[int, int]:
    """Returns where the last complete record of the next batch ends, and the number of records before that."""
    data = piece(name, at, share)
    end = 0
    while end + 4 <= len(data):
        size = int.from_bytes(data[end : end + 4], "little")
        if size > LONGEST:
            raise Error(f"{name}: record {record} at byte {at + end} says that it has {size} bytes; the log is damaged there", "BadFrame")
        if end + 4 + size > len(data):
            # Incomplete; or complete but longer than a share, so that it becomes a batch by itself.
            if end == 0 and len(data) == share and len(piece(name, at + 4, size)) == size:
                return at + 4 + size, record + 1
            break
        end += 4 + size
        record += 1
    return at + end, record


def plain(schema: Any) -> Any:
    """Returns the schema for Spark, which has no lists of a fixed length."""
    import pyarrow

    def of(type_: Any) -> Any:
        if pyarrow.types.is_list(type_) or pyarrow.types.is_fixed_size_list(type_):
            return pyarrow.list_(of(type_.value_type))
        return type_

    return pyarrow.schema([field.with_type(of(field.type)) for field in schema])


def listed(rows: Any) -> Any:
    return rows.cast(plain(rows.schema))
