"""Shares of many files. scripts/measure/test-scale runs Spark, Ray and Dask on them."""

from __future__ import annotations

import importlib.util
import struct
from pathlib import Path
from typing import Any

import gdvar
import pytest

pytest.importorskip("pyarrow")
from gdvar import _scale  # noqa: E402


def saves(folder: Path, count: int) -> list[dict[str, Any]]:
    values = [{"gold": n * 7 % 100, "name": f"player_{n}"} for n in range(count)]
    for n, value in enumerate(values):
        own = folder / f"{n % 3}" / f"{n:04}.sav"
        own.parent.mkdir(exist_ok=True)
        data = gdvar.dumps(value)
        own.write_bytes(data[:-3] if n % 10 == 9 else data)
    (folder / ".hidden").write_bytes(b"not a save")
    return values


def test_shares_hold_every_file_once_and_are_of_a_size(tmp_path: Path) -> None:
    saves(tmp_path, 100)
    files = _scale.found(str(tmp_path))
    assert len(files) == 100 and files == sorted(files)
    assert [name for name, _ in files] == sorted(str(path) for path in tmp_path.glob("*/*.sav"))
    shares = _scale.shares(files, 10 * 4096)
    assert [name for share in shares for name in share] == [name for name, _ in files]
    assert [len(share) for share in shares] == [10] * 10
    assert _scale.shares([("a", 9 << 20), ("b", 1), ("c", 2 << 20)], 1 << 20) == [("a",), ("b",), ("c",)]
    one = tmp_path / "1"
    assert _scale.found([f"{one}/*.sav"]) == _scale.found(str(one)) and len(_scale.found(files[0][0])) == 1
    with pytest.raises(gdvar.Error, match="no file is there"):
        _scale.found(str(tmp_path / "nothing"))


def test_a_relative_name_leads_to_the_same_file_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saves(tmp_path, 20)
    driver, worker = tmp_path / "0", tmp_path / "elsewhere"
    worker.mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("0", "./0", "0/", "0/*.sav", "1/../0", ["0"]):
        monkeypatch.chdir(tmp_path)
        names = tuple(name for name, _ in _scale.found(name))
        assert names == tuple(sorted(map(str, driver.glob("*.sav")))), name
        monkeypatch.chdir(worker)
        rows = _scale.table(_scale.contents(names), {"gold": "gold"})
        assert rows.num_rows == 7 and rows["error"].null_count == sum(int(Path(own).stem) % 10 != 9 for own in names)
    with pytest.raises(gdvar.Error, match="the path is empty"):
        _scale.found("")
    # A worker that does not have the driver's disk: none of its files is there.
    with pytest.raises(FileNotFoundError, match="none of these 2 files is there"):
        _scale.table(_scale.contents(("/no/such/a.sav", "/no/such/b.sav")), {"gold": "gold"}, types={"gold": "int64"})


def test_errors_are_rows_or_left_out_or_end_it(tmp_path: Path) -> None:
    values = saves(tmp_path, 100)
    names = tuple(name for name, _ in _scale.found(str(tmp_path)))
    columns = {"file": "@file", "gold": "gold"}
    schema, how = _scale.fixed(_scale.contents(names), columns, {})
    assert how == {"types": {"gold": "int64"}} and schema.names == ["file", "gold", "error"]
    rows = _scale.table(list(names), columns, **how)
    whole = [value["gold"] for n, value in enumerate(values) if n % 10 != 9]
    assert rows.num_rows == 100 and rows["error"].null_count == 90 and sum(rows["gold"].drop_null().to_pylist()) == sum(whole)
    rows = _scale.table(list(names), columns, on_error="drop", **how)
    assert rows.num_rows == 90 and sum(rows["gold"].to_pylist()) == sum(whole)
    with pytest.raises(gdvar.Error, match="10 rows have an error"):
        _scale.table(list(names), columns, on_error="fail", **how)
    with pytest.raises(gdvar.Error, match="'row', 'drop' or 'fail'"):
        _scale.table(list(names), columns, on_error="ignore", **how)
    with pytest.raises(gdvar.Error, match="give its type"):
        _scale.fixed(list(names), {"silver": "silver"}, {})


@pytest.mark.skipif(not importlib.util.find_spec("fsspec"), reason="fsspec is not installed")
def test_what_lies_elsewhere_is_read_by_fsspec() -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for n in range(5):
        memory.pipe(f"/saves/{n}.sav", gdvar.dumps({"gold": n}))
    files = _scale.found("memory://saves")
    assert len(files) == 5 and all(name.startswith("memory://") for name, _ in files)
    source = _scale.contents(tuple(name for name, _ in files))
    rows = _scale.table(source, {"file": "@file", "gold": "gold"})
    assert rows["gold"].to_pylist() == [0, 1, 2, 3, 4] and rows["file"].to_pylist() == [name for name, _ in files]
    memory.rm("/saves", recursive=True)


@pytest.mark.skipif(not importlib.util.find_spec("pyspark"), reason="pyspark is not installed")
def test_a_half_written_record_is_none_yet(tmp_path: Path) -> None:
    from gdvar import spark

    record = struct.pack("<I", 8) + gdvar.dumps(5)
    log = tmp_path / "game.log"
    for extra in (0, 1, 4, 11):
        log.write_bytes(record * 3 + record[:extra])
        assert spark.whole(str(log), 0, 0, 1 << 20) == (36, 3)
        assert spark.whole(str(log), 24, 2, 1 << 20) == (36, 3)
        # Some records in a batch; one that is longer than a batch is one of its own.
        assert spark.whole(str(log), 0, 0, 25) == (24, 2)
        assert spark.whole(str(log), 12, 1, 6) == (24, 2)
    log.write_bytes(record + b"\xff\xff\xff\x7f")
    with pytest.raises(gdvar.Error, match="record 1 at byte 12 says that it has 2147483647 bytes"):
        spark.whole(str(log), 0, 0, 1 << 20)
