"""Columns: equal to what the values say one by one, and taken by others without a copy."""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import subprocess
from pathlib import Path
from typing import Any

import gdvar
import pytest


def records(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": n,
            "name": f"player_{n}",
            "gold": n * 7 % 1000,
            "pos": gdvar.Vector3(n, n / 2, -n),
            "party": [{"level": n % 9}, {"level": n % 5}],
            "xs": gdvar.PackedFloat32Array([n, n + 0.5]),
        }
        for n in range(count)
    ]


WANTED = {
    "record": "@record",
    "name": "name",
    "gold": "gold",
    "x": "pos.x",
    "pos": "pos",
    "levels": "party[*].level",
    "xs": "xs",
}


def expected(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "record": list(range(len(rows))),
        "name": [row["name"] for row in rows],
        "gold": [row["gold"] for row in rows],
        "x": [row["pos"].x for row in rows],
        "pos": [list(row["pos"]) for row in rows],
        "levels": [[one["level"] for one in row["party"]] for row in rows],
        "xs": [row["xs"].tolist() for row in rows],
        "error": [None] * len(rows),
    }


@pytest.mark.parametrize("threads", [1, 3])
def test_every_cell_is_what_the_values_say(threads: int, tmp_path: Path) -> None:
    rows = records(3000)
    values = [gdvar.dumps(row) for row in rows]
    table = gdvar.columns(values, WANTED, threads=threads, batch_rows=700)
    assert len(table) == 3000 and max(len(batch) for batch in table.batches) <= 700
    assert table.types["pos"] == "float32[3]" and table.types["levels"] == "list<int64>"
    assert table.to_pydict() == expected(rows)
    # These as records of one file, as elements of one value, as files.
    log = b"".join(struct.pack("<I", len(value)) + value for value in values)
    assert gdvar.columns(log, WANTED, threads=threads).to_pydict() == expected(rows)
    path = tmp_path / "game.log"
    path.write_bytes(log)
    assert gdvar.columns(path, WANTED, threads=threads).to_pydict() == expected(rows)
    whole = gdvar.dumps({"rows": rows})
    wanted = {**WANTED, "record": "@element"}
    assert gdvar.columns(whole, wanted, each="rows", threads=threads).to_pydict() == expected(rows)
    files = []
    for number, value in enumerate(values[:600]):
        files.append(tmp_path / f"{number:04}.sav")
        files[-1].write_bytes(value)
    found = gdvar.columns(files, {"file": "@file", "gold": "gold"}, threads=threads).to_pydict()
    assert found["gold"] == expected(rows)["gold"][:600] and found["file"] == [str(file) for file in files]


def test_damage_is_a_row(tmp_path: Path) -> None:
    good = gdvar.dumps({"gold": 5})
    for name, data in {"a": good, "b": good[:-2], "c": b"", "d": gdvar.dumps({"gold": "many"})}.items():
        (tmp_path / name).write_bytes(data)
    files = [tmp_path / name for name in "abcde"]
    table = gdvar.columns(files, {"file": "@file", "gold": "gold"}).to_pydict()
    assert table["gold"] == [5, None, None, None, None]
    errors = table["error"]
    assert errors[0] is None and "the bytes end too early" in errors[1] and " in $" in errors[1]
    assert errors[2] and errors[3] == "gold: expected int64, found text" and "No such file" in errors[4]
    assert errors[4].startswith(str(tmp_path / "e"))
    # A file that is asked for alone is there, or there is no table.
    with pytest.raises(FileNotFoundError) as caught:
        gdvar.columns(tmp_path / "e", {"gold": "gold"})
    assert caught.value.filename == str(tmp_path / "e")
    with pytest.raises(FileNotFoundError, match="glob.glob"):
        gdvar.columns(str(tmp_path / "*.sav"), {"gold": "gold"})
    # A log that was cut.
    log = b"".join(struct.pack("<I", len(good)) + good for _ in range(3))[:-5]
    table = gdvar.columns(log, {"gold": "gold"}).to_pydict()
    assert table["gold"] == [5, 5, None] and table["error"][2]


def record(data: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}I", len(data)) + data


ONE, TWO = gdvar.dumps({"gold": 1}), gdvar.dumps({"gold": 2})
#: A file with a damaged record, its framing, the column, and the start of each row's error.
DAMAGED: dict[str, tuple[bytes, str, list[Any], list[str | None]]] = {
    "none": (record(ONE) * 2, "len32", [1, 1], [None, None]),
    "a cut value": (record(ONE) + record(TWO)[:-3], "len32", [1, None], [None, "Truncated|the bytes end too early"]),
    "a cut record with a whole value": (record(ONE) + struct.pack("<I", 100) + TWO, "len32", [1, None], [None, "Truncated: record 1 is cut"]),
    "the same, big-endian": (record(ONE, ">") + struct.pack(">I", 100) + TWO, "len32be", [1, None], [None, "Truncated: record 1 is cut"]),
    "a cut length": (record(ONE) + b"\x1c\0", "len32", [1, None], [None, "Truncated"]),
    "a length and no more": (record(ONE) + record(TWO)[:4], "len32", [1, None], [None, "Truncated|the bytes end too early"]),
    "bytes FF": (record(ONE) + b"\xff" * 64 + record(TWO), "len32", [1, None], [None, "Blank"]),
    "bytes 00": (record(ONE) + bytes(64) + record(TWO), "len32", [1, None], [None, "Blank"]),
    "no type": (record(ONE) + record(b"\xee\0\0\0"), "len32", [1, None], [None, "UnknownType|there is no type"]),
    "no hex": (f"{ONE.hex()}\nzz{TWO.hex()[2:]}\n".encode(), "hex", [1, None], [None, "BadHex"]),
    "no base64": (base64.b64encode(ONE) + b"\n" + b"!" + base64.b64encode(TWO)[1:] + b"\n", "base64", [1, None], [None, "BadBase64"]),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_each_kind_of_damage_is_an_error_as_in_the_command(what: str, tmp_path: Path) -> None:
    data, framing, gold, told = DAMAGED[what]
    path = tmp_path / "game.log"
    path.write_bytes(data)
    for source in (data, {"name": data}, path, [path, path]):
        table = gdvar.columns(source, {"gold": "gold"}, framing=framing, dialect="godot4").to_pydict()
        assert len(table["gold"]) >= 2 and table["gold"][:2] == gold, table
        for error, wanted in zip(table["error"], told):
            assert (error is None) == (wanted is None), table
            assert wanted is None or re.search(wanted, error), error
    # The command says which records they are.
    command = os.environ.get("GDVAR")
    if command is None:
        pytest.skip("the command GDVAR is not given: nothing to compare with")
    asked = [command, "table", "--framing", framing, "--dialect", "godot4", "--columns", "gold", str(path), "--format", "json-lines"]
    rows = [json.loads(line) for line in subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()]
    table = gdvar.columns(path, {"gold": "gold"}, framing=framing, dialect="godot4").to_pydict()
    assert [row.get("gold") for row in rows] == table["gold"]
    assert [row.get("error") is None for row in rows] == [error is None for error in table["error"]]


def test_notes_count_all_rows() -> None:
    """Also those after the sample of a thousand."""
    kinds: dict[str, list[Any]] = {"int64": [1, 7], "text": ["x"], "list<int64>": [[1, 2]], "float32[2]": [gdvar.Vector2(1, 2)], "bool": [True]}
    for first in kinds:
        for second in kinds:
            if first == second:
                continue
            counts = {first: 1400, second: 1200}
            values = [kinds[name][n % len(kinds[name])] for name, count in counts.items() for n in range(count)]
            for rows in (values, values[::-1]):
                for threads in (1, 3):
                    table = gdvar.columns([gdvar.dumps({"g": value}) for value in rows], {"g": "g"}, threads=threads)
                    told = dict(re.findall(r"(\S+) in (\d+)", table.notes[0].split("(", 1)[1]))
                    assert told == {name: str(count) for name, count in counts.items()}, table.notes
    mixed = [gdvar.dumps(n + (0.5 if n >= 2000 else 0)) for n in range(2500)]
    assert gdvar.columns(mixed, {"g": "$"}).notes[0] == "g: float64 (int64 in 2000 rows, float64 in 500)"


def test_the_contents_of_files_that_lie_elsewhere_have_their_names(tmp_path: Path) -> None:
    good = gdvar.dumps({"gold": 5})
    record = struct.pack("<I", len(good)) + good
    contents = {"s3://saves/a": good, "s3://saves/b": record * 2 + b"\x08\0", "s3://saves/c": b""}
    table = gdvar.columns(contents, {"file": "@file", "record": "@record", "gold": "gold"}).to_pydict()
    assert table["file"] == [f"s3://saves/{name}" for name in "abbbc"]
    assert table["record"] == [0, 0, 1, 2, 0] and table["gold"] == [5, 5, 5, None, None]
    assert [error is None for error in table["error"]] == [True, True, True, False, False]
    assert len(gdvar.columns({}, {"gold": "gold"})) == 0
    with pytest.raises(TypeError):
        gdvar.columns({"a": "b"}, {"gold": "gold"})


def told_type(values: list[Any]) -> str:
    """The rule, once more: the type of most rows; ints beside floats are floats."""
    numbers = [type(value) for value in values if type(value) in (int, float)]
    families = {
        "float64" if float in numbers else "int64": len(numbers),
        "bool": sum(type(value) is bool for value in values),
        "text": sum(type(value) is str for value in values),
    }
    return max(families, key=lambda name: families[name])


@pytest.mark.parametrize("mixed", ["nothing", "nulls", "strings", "bools", "most are strings"])
def test_a_column_has_one_type_whatever_the_order(mixed: str, tmp_path: Path) -> None:
    for count, place in [(n, p) for n in (3, 2400) for p in (0, 1, n // 2, 999, 1000, 1001, n - 1) if p < n] + [(100_002, 100_000)]:
        values: list[Any] = [n % 1000 for n in range(count)]
        if mixed != "nothing":
            other = {"nulls": None, "bools": True}.get(mixed, "x")
            every = 5 if mixed != "most are strings" else 2
            values = [other if (n % every == 0) == (every == 5) or n < 2 and every == 2 else value for n, value in enumerate(values)]
        values[place] = 0.5
        wanted = told_type(values)
        fits = {"float64": (int, float), "int64": (int,), "bool": (bool,), "text": (str,)}[wanted]
        cells = [value if type(value) in fits else None for value in values]
        lost = sum(value is not None and type(value) not in fits for value in values)
        rows = [gdvar.dumps({"it": value}) for value in values]
        log = b"".join(struct.pack("<I", len(row)) + row for row in rows)
        sources: list[tuple[Any, int]] = [(rows, 1), (rows, 3), (log, 1), (log, 3)] if count < 5000 else [(log, 2)]
        if count == 2400 and place == 1001:
            files = []
            for number, row in enumerate(rows):
                files.append(tmp_path / f"{number:04}.sav")
                files[-1].write_bytes(row)
            sources.append((files, 2))
        for source, threads in sources:
            table = gdvar.columns(source, {"it": "it"}, threads=threads)
            what = (mixed, count, place, threads)
            assert table.types["it"] == wanted, what
            found = table.to_pydict()
            assert found["it"] == cells, what
            assert sum(error is not None for error in found["error"]) == lost, what


def test_no_file_at_all_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "a.sav").write_bytes(gdvar.dumps({"gold": 5}))
    missing = [str(tmp_path / name) for name in ("b.sav", "c.sav")]
    with pytest.raises(FileNotFoundError, match="none of these 2 files is there"):
        gdvar.columns(missing, {"gold": "gold"})
    table = gdvar.columns([*missing, tmp_path / "a.sav"], {"gold": "gold"}).to_pydict()
    assert table["gold"] == [None, None, 5] and [error is None for error in table["error"]] == [False, False, True]


def test_a_type_of_a_column_that_is_not_asked_for_is_refused() -> None:
    """A typing error in ``types`` would otherwise leave the column as it was found, without a word."""
    with pytest.raises(gdvar.Error, match="glod.*gold, name") as caught:
        gdvar.columns([gdvar.dumps({"gold": 1})], {"gold": "gold", "name": "name"}, types={"glod": "float64"})
    assert caught.value.code == "Query"


def test_types_can_be_given_and_are_told() -> None:
    values = [gdvar.dumps({"n": n}) for n in (1, 2.5)]
    table = gdvar.columns(values, {"n": "n"})
    assert table.notes[0] == "n: float64 (int64 in 1 rows, float64 in 1)"
    table = gdvar.columns(values, {"n": "n"}, types={"n": "int64"})
    assert table.to_pydict()["n"] == [1, None]
    assert table.to_pydict()["error"] == [None, "n: expected int64, found Float 2.5"]
    wrongs: list[dict[str, Any]] = [{"types": {"n": "int65"}}, {"each": "a["}, {"error": "n"}]
    for wrong in wrongs:
        with pytest.raises(gdvar.Error):
            gdvar.columns(values, {"n": "n"}, **wrong)


def test_pyarrow_takes_it_without_a_copy() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = records(2000)
    table = gdvar.columns([gdvar.dumps(row) for row in rows], WANTED, batch_rows=1500, threads=1)
    taken = pyarrow.table(table)
    taken.validate(full=True)
    assert taken.to_pydict() == expected(rows)
    assert str(taken.schema.field("pos").type) == "fixed_size_list<item: float>[3]"
    # The address check: the chunks lie where the columns have them.
    for place in (0, 2, 3):
        for number, batch in enumerate(table.batches):
            values = taken.column(place).chunk(number).buffers()[1]
            assert values.address == batch.address(place)
    batch = pyarrow.record_batch(table.batches[1])
    assert batch.num_rows == 500 and batch.column(2).buffers()[1].address == table.batches[1].address(2)
    assert pyarrow.schema(table) == taken.schema
    # It outlives the table.
    column = taken.column("gold")
    del table, taken
    assert column.to_pylist() == expected(rows)["gold"]


def test_polars_takes_it() -> None:
    polars = pytest.importorskip("polars")
    rows = records(1000)
    table = gdvar.columns([gdvar.dumps(row) for row in rows], WANTED)
    frame = polars.DataFrame(table)
    assert frame["gold"].sum() == sum(row["gold"] for row in rows)
    assert frame["levels"].to_list() == expected(rows)["levels"] and frame["name"].to_list()[7] == "player_7"


def test_duckdb_takes_it() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = records(1000)
    table = gdvar.columns([gdvar.dumps(row) for row in rows], WANTED)
    assert len(table) == 1000
    saves = duckdb.from_arrow(table)
    found = saves.aggregate("sum(gold), count(*), max(x)").fetchall()[0]
    assert found == (sum(row["gold"] for row in rows), 1000, 999.0)


def test_pandas_takes_it() -> None:
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    rows = records(1000)
    table = gdvar.columns([gdvar.dumps(row) for row in rows], {"gold": "gold", "name": "name"})
    if hasattr(pandas.DataFrame, "from_arrow"):
        frame = pandas.DataFrame.from_arrow(table)
    else:
        frame = pyarrow.table(table).to_pandas()
    assert frame["gold"].sum() == sum(row["gold"] for row in rows)


def test_capsules_that_nobody_takes_are_let_go() -> None:
    table = gdvar.columns([gdvar.dumps({"a": [1, 2]})], {"a": "a"})
    for _ in range(1000):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
        table.batches[0].__arrow_c_array__()
