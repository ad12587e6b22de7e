"""What is around values in files: layers, headers, readings that are equally good; as the command opens them."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Callable

import gdvar
import pytest

TESTDATA = Path(__file__).parents[3] / "testdata"
SAVE = gdvar.dumps({"name": "Ann", "hp": 80, "bag": ["torch", "rope"]})


def framed(*values: bytes, order: str = "<") -> bytes:
    return b"".join(struct.pack(f"{order}I", len(value)) + value for value in values)


def layers() -> list[tuple[str, dict[str, Any], bytes]]:
    """Each file of testdata/layers, with the contents that the engine put into it."""
    rows = []
    for name, dialect in (("godot4.jsonl", "godot4"), ("godot3.jsonl", "godot3")):
        plain = b""
        for line in (TESTDATA / "layers" / name).read_text().splitlines():
            row = json.loads(line)
            if not row["layers"]:
                plain = bytes.fromhex(row["hex"])
            rows.append((dialect, row, plain))
    return rows


def named(layer: str) -> str:
    """The name that the package gives a layer of testdata."""
    return {"hex": "text:hex", "base64": "text:base64"}.get(layer, layer.split(":")[0] if layer.startswith("fastlz:") else layer)


def test_every_layer_of_the_engines_is_taken_off_and_put_back() -> None:
    rows = layers()
    assert len(rows) == 132
    for dialect, row, plain in rows:
        data = bytes.fromhex(row["hex"])
        file = gdvar.File(data, password="secret")
        assert (file.dialect, file.contents) == (dialect, plain), row
        assert file.layers == [named(layer) for layer in row["layers"]], row
        assert file[0].get("hp") == 80
        again = gdvar.File(file.edit(0).set("hp", gdvar.Raw(gdvar.dumps("more than a number", target=dialect))).file_bytes(), password="secret")
        assert (again.layers, again.framing, again.dialect) == (file.layers, file.framing, dialect)
        assert again[0].get("hp") == "more than a number" and len(again) == len(file)
        assert again[0].get("name") == file[0].get("name")


@pytest.mark.parametrize(
    ("data", "code", "readings"),
    [
        (bytes.fromhex("0400000000000000"), "AmbiguousFraming", [{"framing": "bare"}, {"framing": "len32"}]),
        (struct.pack("<I4f", 14, 0, 1, 0, 2), "AmbiguousDialect", [{"dialect": "godot4"}, {"dialect": "godot3"}]),
        (
            struct.pack("<I", 29) + framed(gdvar.dumps(b"x" * 40)),
            "AmbiguousFraming",
            [{"framing": "bare"}, {"skip": 4}],
        ),
    ],
)
def test_two_readings_are_an_error_that_names_both(data: bytes, code: str, readings: list[dict[str, Any]]) -> None:
    if readings[-1] == {"skip": 4}:
        data = struct.pack("<I", 29) + framed(SAVE)
    with pytest.raises(gdvar.DecodeError) as caught:
        gdvar.File(data)
    error = caught.value
    assert error.code == code, error
    found = set()
    for reading in readings:
        (choice,) = [one for one in error.choices if reading.items() <= one.items()]
        (argument,) = [f"{name}={json.dumps(value)}" for name, value in reading.items()]
        assert argument in str(error), error
        file = gdvar.File(data, **choice)
        found.add((file.framing, file[0].type, file.header))
    assert len(found) == 2, found
    # And a table has a row that says so, with what chooses.
    errors = gdvar.columns({"a": data}, {"it": "$"}).to_pydict()["error"]
    assert len(errors) == 1 and str(error) == errors[0]
    assert gdvar.columns({"a": data}, {"type": "@file"}, **{k: v for k, v in error.choices[0].items() if k != "skip"}).to_pydict()["error"] == [None]


@pytest.mark.parametrize(
    "header",
    [struct.pack("<I", n) for n in (1, 2, 6)]
    + [struct.pack("<I", 6) + b"v1.2.3", b"SAVE", b"MYGAME\x00\x01\x02\x03\x04\x05", b'{"version": 3}\n', struct.pack("<4sII", b"GSAV", 3, len(SAVE) + 4)],
)
def test_a_header_of_the_games_own_is_shown_and_kept(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "slot1.sav"
    path.write_bytes(header + framed(SAVE))
    file = gdvar.open(path)
    assert (file.header, file.framing, file.load()) == (header, "len32", [gdvar.loads(SAVE)])
    file.edit().set("name", "a longer name than before").save()
    again = gdvar.open(path)
    assert again.load()[0]["name"] == "a longer name than before" and again.load()[0]["bag"] == ["torch", "rope"]
    if header[:4] == b"GSAV":
        # A size is the new one.
        assert again.header == header[:8] + struct.pack("<I", len(path.read_bytes()) - len(header))
    else:
        assert again.header == header
    assert gdvar.open(path, skip=len(header)).load() == again.load()


def test_records_of_either_order_and_lines_of_text() -> None:
    values = [SAVE, gdvar.dumps([1, 2, 3])]
    wanted = [gdvar.loads(value) for value in values]
    lines = {
        "len32": framed(*values),
        "len32be": framed(*values, order=">"),
        "hex": "\n".join(value.hex() for value in values).encode(),
        "base64": b"\n".join(base64.b64encode(value) for value in values),
    }
    for framing, data in lines.items():
        file = gdvar.File(data)
        assert (file.framing, file.load()) == (framing, wanted)
        assert file.raw(1) == values[1]
        again = gdvar.File(file.edit(1).append("$", 4).file_bytes())
        assert (again.framing, again.load()) == (framing, [wanted[0], [1, 2, 3, 4]])
    commented = b"# a log\n" + lines["hex"] + b"\nnot hex at all\n"
    file = gdvar.File(commented, framing="hex")
    assert len(file) == 2 and [one.code for one in file.damage] == ["BadHex"] and "line 4" in file.damage[0].message


def test_text_and_compression_by_hand() -> None:
    record = framed(SAVE)
    dump = "".join(
        f"{at:08x}: {' '.join(record[at + n : at + n + 2].hex() for n in range(0, 16, 2))}\n" for at in range(0, len(record), 16)
    ).encode()
    files = {
        ("gzip",): gzip.compress(record),
        ("zlib",): zlib.compress(record),
        ("gzip", "zlib"): gzip.compress(zlib.compress(record)),
        ("text:base64", "gzip"): base64.b64encode(gzip.compress(record)),
        ("text:hexdump",): dump,
        ("text:array",): str(list(record)).encode(),
    }
    for names, data in files.items():
        file = gdvar.File(data)
        assert (tuple(file.layers), file.load()) == (names, [gdvar.loads(SAVE)])
        # A dump without the column of text is none that a program prints.
        if names[0] == "text:hexdump":
            with pytest.raises(gdvar.EncodeError, match="can be read but not written"):
                file.edit(0).set("hp", 1).file_bytes()
        else:
            assert gdvar.File(file.edit(0).set("hp", 1).file_bytes()).load()[0]["hp"] == 1
    with pytest.raises(gdvar.DecodeError):
        gdvar.File(gzip.compress(record)[:-9])


def test_a_save_that_ends_early_keeps_what_there_is() -> None:
    data = (TESTDATA / "saves" / "rpg4.sav").read_bytes()
    whole, half = gdvar.File(data), gdvar.File(data[: len(data) // 2])
    assert (half.framing, half.dialect) == (whole.framing, whole.dialect) == ("len32", "godot4")
    assert half[0].type == "Dictionary" and len(half[0]) == len(whole[0]) and whole.damage == []
    assert [one.code for one in half.damage] == ["Truncated"] and str(len(data) - 4) in half.damage[0].message
    with pytest.raises(gdvar.DecodeError) as caught:
        half.load()
    assert caught.value.code == "Truncated"


def test_settings_and_scripts() -> None:
    for name, dialect in (("godot4", "godot4"), ("godot3", "godot3")):
        data = (TESTDATA / "projects" / f"{name}.binary").read_bytes()
        file = gdvar.File(data)
        assert (file.layers, file.dialect, len(file)) == (["project-settings"], dialect, 1)
        path = '["application/config/name"]'
        changed = gdvar.File(file.edit().set(path, "Another name").file_bytes())
        assert changed.value.get(path) == "Another name"
        assert repr({**changed.load(), "application/config/name": None}) == repr({**file.load(), "application/config/name": None})
        assert file.edit().file_bytes() == data
    script = gdvar.open(TESTDATA / "scripts" / "godot4.gdc")
    assert script.layers[0].startswith("script:") and script.value.type == "Array"
    with pytest.raises(gdvar.EncodeError, match="compiled script can be read but not written"):
        script.edit().append("$", 1).file_bytes()


def test_files_that_are_no_saves_say_what_they_are() -> None:
    for data, code in ((b"", "Empty"), (b'{"a": 1, "b": [1, 2, 3]}', "Json"), (b"\xff" * 64, "Blank"), (bytes(range(100, 200)), "Unreadable")):
        with pytest.raises(gdvar.DecodeError) as caught:
            gdvar.File(data)
        assert caught.value.code == code and caught.value.choices == [], caught.value
    wrongs: list[dict[str, Any]] = [{"framing": "records"}, {"encoding": "morse"}, {"dialect": "godot9"}]
    for wrong in wrongs:
        with pytest.raises(gdvar.Error, match="not |no engine"):
            gdvar.File(framed(SAVE), **wrong)
    with pytest.raises(gdvar.DecodeError, match="to skip are more than there are"):
        gdvar.File(framed(SAVE), skip=10_000)


def test_saves_of_two_engines_in_one_table(tmp_path: Path) -> None:
    files = {
        "a": gdvar.dumps({"gold": 5}),
        "b": framed(gdvar.dumps({"gold": 6}, target="godot3")),
        "c": gzip.compress(b"SAVE" + framed(gdvar.dumps({"gold": 7}))),
    }
    table = gdvar.columns(files, {"gold": "gold"}).to_pydict()
    assert (table["gold"], table["error"]) == ([5, 6, 7], [None] * 3)
    (tmp_path / "b.sav").write_bytes(files["b"])
    shown = subprocess.run([sys.executable, "-m", "gdvar", tmp_path / "b.sav", "gold"], capture_output=True, text=True, check=True)
    assert shown.stdout == "6\n"


@pytest.mark.parametrize("framing", ["len32", "len32be", "hex", "base64"])
def test_the_error_of_a_file_says_which_record_it_is(tmp_path: Path, framing: str) -> None:
    """The same record, byte and path as in File.damage, which `gdvar check` shows, too."""
    records = [gdvar.dumps({"name": "Ann", "gold": n}) for n in range(600)]
    records[573] = records[573].replace(struct.pack("<II", 2, 573), struct.pack("<II", 119, 573))
    lines = {"hex": bytes.hex, "base64": lambda one: base64.b64encode(one).decode()}
    if framing in lines:
        data = "".join(lines[framing](one) + "\n" for one in records).encode()
    else:
        data = b"".join(struct.pack("<I" if framing == "len32" else ">I", len(one)) + one for one in records)
    path = tmp_path / "log.dat"
    header = b"MYGAME" if framing == "len32" else b""
    path.write_bytes(gzip.compress(header + data))
    options: dict[str, Any] = {"framing": framing, "skip": len(header)}
    file = gdvar.open(path, **options)
    [damage] = file.damage
    place = records[573].index(struct.pack("<I", 119))
    if framing not in lines:
        place += len(header) + sum(4 + len(one) for one in records[:573]) + 4
    assert (damage.record, damage.offset, damage.path) == (573, place, "$.gold")
    loads: list[Callable[[], Any]] = [file.load, lambda: gdvar.load(path, **options), lambda: file.load(exact=True)]
    for load in loads:
        with pytest.raises(gdvar.DecodeError) as caught:
            load()
        error = caught.value
        assert (error.code, error.offset, error.path) == (damage.code, damage.offset, damage.path)
        assert str(error) == f"UnknownType at byte {place:#x}: {damage.message} in record 573 at $.gold"


def test_the_error_of_a_file_with_one_value_is_a_byte_of_the_file() -> None:
    data = b"MYGAME\1\0" + gdvar.dumps({"gold": 5}).replace(struct.pack("<II", 2, 5), struct.pack("<II", 119, 5))
    file = gdvar.File(data, framing="bare", skip=8, dialect="godot4")
    with pytest.raises(gdvar.DecodeError, match=r"byte 0x1c: .* in \$\.gold$") as caught:
        file.load()
    assert caught.value.offset == file.damage[0].offset == data.index(b"w")
