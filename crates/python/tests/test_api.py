"""Tasks of users, by the names of the package."""

from __future__ import annotations

import asyncio
import copy
import gc
import io
import json
import pickle
import struct
import subprocess
import sys
import threading
from pathlib import Path

import gdvar
import pytest

SAVES = Path(__file__).parents[3] / "testdata" / "saves"
FILES = Path(__file__).parents[3] / "testdata" / "files"


def test_bytes_of_the_engine() -> None:
    # var_to_bytes({"hp": 80})
    data = bytes.fromhex("1b0000000100000004000000020000006870000002000000" "50000000")
    assert gdvar.loads(data) == {"hp": 80}
    assert gdvar.dumps({"hp": 80}) == data
    assert gdvar.loads(bytearray(data)) == gdvar.loads(memoryview(data)) == {"hp": 80}


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(1 << 63),
        0.1,
        "grün 🎮",
        [],
        {},
        [1, [2, [3]]],
        {"a": {"b": [None, 1.5]}, 3: "int key"},
        gdvar.Vector2(1.5, -2),
        gdvar.Vector2i(3, 4),
        gdvar.Rect2(gdvar.Vector2(1, 2), gdvar.Vector2(3, 4)),
        gdvar.Transform3D(gdvar.Basis(1, 0, 0, 0, 1, 0, 0, 0, 1), gdvar.Vector3(7, 8, 9)),
        gdvar.Color(1, 0, 0.5, 1),
        gdvar.StringName("idle"),
        gdvar.NodePath.parse("../Player:position:x"),
        gdvar.RID(7),
        gdvar.Callable(),
        gdvar.Signal("hit", 9),
        gdvar.ObjectId(1 << 60),
        gdvar.Array([1, 2], gdvar.ElementType("builtin", "Int")),
        gdvar.Dictionary({"a": 1}, gdvar.ElementType("builtin", "String"), gdvar.ElementType("builtin", "Int")),
        gdvar.PackedInt32Array([1, -2]),
        gdvar.PackedInt64Array([1 << 40]),
        gdvar.PackedFloat32Array([0.5]),
        gdvar.PackedFloat64Array([0.1]),
        gdvar.PackedStringArray(["a", ""]),
        gdvar.PackedVector2Array([(1, 2), (3, 4)]),
        gdvar.PackedVector3Array([(1, 2, 3)]),
        gdvar.PackedVector4Array([(1, 2, 3, 4)]),
        gdvar.PackedColorArray([(1, 0, 0, 1)]),
        gdvar.PackedByteArray(b"xyz"),
        gdvar.Vector3(0.1, 0.2, 0.3, wide=True),
    ],
    ids=repr,
)
def test_values_come_back(value: object) -> None:
    data = gdvar.dumps(value)
    for exact in (False, True):
        again = gdvar.loads(data, exact=exact)
        assert again == value
        assert gdvar.dumps(again) == data
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value
    assert gdvar.validate(data) == len(data)


def test_math_is_like_that_of_scripts() -> None:
    basis = gdvar.Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert basis.x == gdvar.Vector3(1, 4, 7)
    box = gdvar.AABB((1, 2, 3), (4, 5, 6))
    assert (box.position, box.size) == (gdvar.Vector3(1, 2, 3), gdvar.Vector3(4, 5, 6))
    assert list(gdvar.Color(1, 0.5, 0, 1)) == [1, 0.5, 0, 1]
    assert hash(gdvar.Vector2(0.0, 1)) == hash(gdvar.Vector2(-0.0, 1))
    assert gdvar.Vector2(1, 2) != gdvar.Vector2i(1, 2)
    assert repr(gdvar.Vector2(1, 2)) == "Vector2(1.0, 2.0)"
    with pytest.raises(TypeError, match="Vector2 has 2 numbers, not 3"):
        gdvar.Vector2(1, 2, 3)
    with pytest.raises(AttributeError):
        gdvar.Vector2(1, 2).x = 3  # type: ignore[misc]


def test_keys_that_python_takes_for_equal_stay_apart() -> None:
    both = gdvar.Pairs([(1, "int"), (1.0, "float"), (True, "bool")])
    data = gdvar.dumps(both)
    assert gdvar.loads(data) == both and isinstance(gdvar.loads(data), gdvar.Pairs)
    lists = gdvar.Pairs([([1], "list"), ({}, "dict")])
    assert gdvar.loads(gdvar.dumps(lists)) == lists
    # Of repeated texts the engines keep the place of the first and the value of the last.
    assert gdvar.loads(gdvar.dumps(gdvar.Pairs([("a", 1), ("b", 2), ("a", 3)]))) == {"a": 3, "b": 2}


def test_widths_are_kept_on_request() -> None:
    data = struct.pack("<IqId", 0x10002, 5, 0x10003, 0.5)
    wide = struct.pack("<II", 28, 2) + data
    assert gdvar.loads(wide) == [5, 0.5]
    assert gdvar.dumps(gdvar.loads(wide)) != wide
    exact = gdvar.loads(wide, exact=True)
    assert [value.bits for value in exact] == [64, 64]
    assert gdvar.dumps(exact) == wide


def test_targets_say_what_they_cannot_write() -> None:
    assert gdvar.dumps(5, target="godot3.0") == struct.pack("<Iq", 0x10002, 5)
    with pytest.raises(gdvar.EncodeError, match="Godot 3 has no StringName") as caught:
        gdvar.dumps({"a": [gdvar.StringName("x")]}, target="godot3")
    assert (caught.value.code, caught.value.path) == ("Unrepresentable", '$["a"][0]')
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.dumps([1 << 63])
    assert caught.value.path == "$[0]"
    with pytest.raises(gdvar.Error, match="there is no dialect godot5; there are godot4"):
        gdvar.loads(b"\0\0\0\0", dialect="godot5")


def test_errors_say_where() -> None:
    data = gdvar.dumps({"party": [{"name": "Ann"}]})
    with pytest.raises(gdvar.DecodeError) as caught:
        gdvar.loads(data[:-4])
    assert caught.value.code == "Truncated"
    assert caught.value.path == "$.party[0].name"
    assert str(caught.value.offset) and isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).path == "$.party[0].name"
    with pytest.raises(gdvar.DecodeError, match="length of what follows"):
        gdvar.loads(struct.pack("<I", len(data)) + data)


def test_lazy_values() -> None:
    data = gdvar.dumps({"player": {"name": "Ann", "pos": gdvar.Vector2(1, 2)}, "xs": [10, 20], 7: "seven"})
    value = gdvar.view(data)
    assert (value.type, len(value)) == ("Dictionary", 3)
    assert value.get("player.name") == "Ann"
    assert value["player.name"].load() == "Ann"
    assert value["player"]["pos"].load() == gdvar.Vector2(1, 2)
    assert value.get("player.pos.y") == 2.0
    assert value.get("missing") is None and value.get("missing", 5) == 5
    assert [item.load() for item in value["xs"]] == [10, 20]
    assert value["xs"][-1].load() == 20 and value[7].load() == "seven"
    assert list(value) == value.keys() == ["player", "xs", 7]
    assert dict(value.items())["xs"].load() == [10, 20]
    assert "player.name" in value and "player.age" not in value
    with pytest.raises(KeyError):
        value["missing"]
    with pytest.raises(IndexError):
        value["xs"][2]
    with pytest.raises(gdvar.Error, match="this is no path from byte"):
        value["xs["]
    assert value["xs"].raw() == gdvar.dumps([10, 20])
    assert value["xs"].to_json() == "[10,20]"
    assert value["player.pos"].to_text() == "Vector2(1, 2)"
    native = value["xs"].to_json("native")
    assert gdvar.loads(gdvar.from_json(native, style="native")) == [10, 20]


def test_packed_arrays_are_looked_at_without_a_copy() -> None:
    data = gdvar.dumps({"xs": gdvar.PackedFloat32Array(range(1000))})
    packed = gdvar.loads(data)["xs"]
    view = memoryview(packed)
    assert (view.format, view.shape, view.readonly, view.itemsize) == ("f", (1000,), True, 4)
    assert packed[999] == packed[-1] == 999.0 and len(packed) == 1000
    points = gdvar.PackedVector3Array([(1, 2, 3), (4, 5, 6)])
    assert memoryview(points).shape == (2, 3)
    assert points.tolist() == [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)] and points[1] == (4.0, 5.0, 6.0)
    with pytest.raises(IndexError):
        points[2]
    with pytest.raises(ValueError, match="elements of 3 numbers"):
        gdvar.PackedVector3Array([1, 2])
    del packed, data
    gc.collect()
    assert view[5] == 5.0


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    data = gdvar.dumps(gdvar.PackedVector2Array([(1, 2), (3, 4)]))
    packed = gdvar.loads(data)
    array = numpy.asarray(packed)
    assert array.dtype == numpy.float32 and array.tolist() == [[1, 2], [3, 4]]
    # The address check: the array looks at the bytes of `data`.
    inside = array.__array_interface__["data"][0] - numpy.frombuffer(data, "u1").__array_interface__["data"][0]
    assert inside == 8
    assert gdvar.loads(gdvar.dumps(array)) == packed
    assert gdvar.loads(gdvar.dumps(numpy.arange(5))).kind == "PackedInt64Array"
    assert gdvar.loads(gdvar.dumps({"n": numpy.int64(5), "f": numpy.float32(0.5)})) == {"n": 5, "f": 0.5}
    assert numpy.asarray(gdvar.Vector3(1, 2, 3)).tolist() == [1, 2, 3]
    with pytest.raises(BufferError, match="ascontiguousarray"):
        gdvar.dumps(numpy.zeros((4, 3), "f4")[:, :2])


def test_saves_of_the_engines() -> None:
    file = gdvar.open(SAVES / "rpg4.sav")
    assert file.form in ("value", "records")
    assert file[0].get("party[0].xp") is not None
    again = b"".join(struct.pack("<I", len(file.raw(n))) + file.raw(n) for n in range(len(file)))
    assert again == file.contents or file.contents == file.raw(0)
    for path in sorted(SAVES.glob("*3.sav")):
        assert len(gdvar.open(path, dialect="godot3", objects="inert")) > 0


def test_files_round(tmp_path: Path) -> None:
    path = tmp_path / "slot1.sav"
    gdvar.save(path, {"gold": 5}, [1, 2])
    file = gdvar.open(path)
    assert (file.form, len(file)) == ("records", 2)
    assert file.load() == gdvar.load(path) == [{"gold": 5}, [1, 2]]
    gdvar.save(path, {"gold": 6})
    assert gdvar.load(path) == {"gold": 6} and gdvar.open(path).value.get("gold") == 6
    stream = io.BytesIO()
    gdvar.dump({"a": 1}, stream, record=True)
    gdvar.dump({"a": 2}, stream, record=True)
    assert gdvar.load(io.BytesIO(stream.getvalue())) == [{"a": 1}, {"a": 2}]
    path.write_bytes(stream.getvalue()[:-2])
    hurt = gdvar.open(path)
    assert len(hurt) == 2 and hurt[0].load() == {"a": 1}
    with pytest.raises(gdvar.DecodeError):
        hurt[1].load()


def test_containers_of_the_engines() -> None:
    compressed = sorted(SAVES.glob("*.gcpf"))
    assert compressed
    for path in compressed:
        dialect = "godot3" if "3." in path.name else "godot4"
        file = gdvar.open(path, dialect=dialect, objects="inert")
        assert file.layers[0] == "compressed" and len(file) > 0
    encrypted = [path for path in SAVES.iterdir() if path.read_bytes()[:4] == b"GDEC"]
    assert encrypted
    with pytest.raises(gdvar.DecodeError) as caught:
        gdvar.open(encrypted[0])
    assert caught.value.code == "NoPassword"
    with pytest.raises(gdvar.DecodeError):
        gdvar.open(encrypted[0], password="wrong, surely")
    for path in encrypted:
        told = json.loads((path.parent / (path.name + ".json")).read_text())
        key = bytes.fromhex(told["key_hex"]) if told.get("key_hex") else None
        dialect = "godot3" if "3." in path.name else "godot4"
        file = gdvar.open(path, dialect=dialect, objects="inert", password=told.get("password"), key=key)
        assert file.layers == ["encrypted"] and len(file) > 0
        assert all(value.load() is not None for value in file)


def test_edits_and_differences() -> None:
    old = gdvar.dumps({"gold": 5, "party": [{"name": "Ann"}, {"name": "Bo"}]})
    new = gdvar.edit(old).set("gold", 9).remove("party[0]").append("party", {"name": "Cy"}).bytes()
    assert gdvar.loads(new) == {"gold": 9, "party": [{"name": "Bo"}, {"name": "Cy"}]}
    found = gdvar.diff(old, new)
    assert ("set", "$.gold", 5, 9) in found
    assert {one.what for one in found} <= {"set", "added", "removed", "moved"} and len(found) >= 2
    assert gdvar.diff(old, old) == []
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.edit(old).set("party[7].name", "x").bytes()
    assert caught.value.path == "party[7].name"


def test_patterns_lead_to_many_values() -> None:
    data = gdvar.dumps({"party": [{"name": "Ann", "pos": gdvar.Vector2(1, 2)}, {"name": "Bo"}], "name": "x"})
    value = gdvar.view(data)
    assert [(path, name.load()) for path, name in value.select("party[*].name")] == [
        ("$.party[0].name", "Ann"),
        ("$.party[1].name", "Bo"),
    ]
    assert [name.load() for _, name in value.select("..name")] == ["Ann", "Bo", "x"]
    assert value.select("party[*].pos.y") == [("$.party[0].pos.y", 2.0)]
    assert value.select("party[9:].name") == []
    with pytest.raises(gdvar.Error, match=r"use select\(\)"):
        value.get("party[*].name")
    with pytest.raises(gdvar.Error, match="this is no path from byte"):
        value.select("party[")


def same_elsewhere(old: gdvar.File, new: gdvar.File, number: int) -> None:
    """All values of two files are the same bytes but that one."""
    assert (new.form, new.layers, new.names, len(new)) == (old.form, old.layers, old.names, len(old))
    for other in range(len(old)):
        assert (old.raw(other) == new.raw(other)) == (other != number)


def test_an_edited_file_stays_in_its_form(tmp_path: Path) -> None:
    """Saves of the engines: bare, records, compressed in each way, encrypted in each way, settings."""
    forms = set()
    for source in sorted(SAVES.iterdir()):
        if source.suffix in (".json", ".md"):
            continue
        told = Path(str(source) + ".json")
        facts = json.loads(told.read_text()) if told.exists() else {}
        options = {
            "dialect": "godot3" if "3." in source.name else "godot4",
            "objects": "inert",
            "password": facts.get("password"),
            "key": bytes.fromhex(facts["key_hex"]) if facts.get("key_hex") else None,
        }
        old = gdvar.open(source, **options)
        roots = [value.type for value in old]
        if "Dictionary" not in roots:
            continue
        number = len(roots) - 1 - roots[::-1].index("Dictionary")
        path = tmp_path / source.name
        path.write_bytes(source.read_bytes())
        file = gdvar.open(path, **options)
        file.edit(number).set('["a new key"]', "of some length").save()
        new = gdvar.open(path, **options)
        assert new[number].get('["a new key"]') == "of some length"
        assert file[number].raw() == new[number].raw()
        same_elsewhere(old, new, number)
        file.edit(number).remove('["a new key"]').save()
        back = path.read_bytes()
        # Two encryptions differ, and so may two packers; the contents do not.
        assert gdvar.open(path, **options).contents == old.contents
        if not old.layers:
            assert back == source.read_bytes()
        forms.add((old.form, *old.layers))
    bare = gdvar.open(SAVES / "rpg4.sav").raw(0)
    (tmp_path / "bare").write_bytes(bare)
    gdvar.open(tmp_path / "bare").edit().set('["a new key"]', 1).save()
    assert (tmp_path / "bare").read_bytes() == gdvar.edit(bare).set('["a new key"]', 1).bytes()
    assert ("records",) in forms and {layer for form in forms for layer in form} >= {"compressed", "encrypted"}


def test_edits_of_files_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "slot1.sav"
    gdvar.save(path, {"gold": 5}, {"gold": 6})
    file = gdvar.open(path)
    with pytest.raises(gdvar.Error, match="holds 2 values"):
        file.edit()
    first, stale, second = file.edit(0), file.edit(0), file.edit(-1)
    first.set("gold", 100_000_000_000).save()
    second.set("gold", 7).save()
    assert gdvar.load(path) == [{"gold": 100_000_000_000}, {"gold": 7}]
    with pytest.raises(gdvar.Error, match="in the meantime"):
        stale.set("gold", 0).save()
    before = path.read_bytes()
    gdvar.save(path, {"gold": 8}, records=True)
    with pytest.raises(gdvar.Error, match="changed since it was opened"):
        file.edit(0).set("gold", 1).save()
    assert gdvar.load(path) == [{"gold": 8}]
    file.edit(0).set("gold", 1).save(tmp_path / "copy.sav")
    assert gdvar.load(tmp_path / "copy.sav") == [{"gold": 1}, {"gold": 7}] and path.read_bytes() != before
    with pytest.raises(gdvar.EncodeError):
        gdvar.open(path).edit().set("no.such.place", 1).save()
    assert gdvar.load(path) == [{"gold": 8}]
    with pytest.raises(gdvar.Error, match="give save"):
        gdvar.File(path.read_bytes()).edit().set("gold", 1).save()


def test_a_cut_record_is_told_as_one(tmp_path: Path) -> None:
    """A game that was killed while it saved: the record is shorter than its length says."""
    cuts = 0
    for name in ("rpg4.sav", "camp4.sav", "rpg3.sav"):
        dialect = "godot3" if "3." in name else "godot4"
        value = gdvar.open(SAVES / name, dialect=dialect, objects="inert").raw(0)
        record = struct.pack("<I", len(value)) + value
        for kept in range(len(record) // 4, len(record), 97):
            file = gdvar.File(record[:kept], dialect=dialect, objects="inert")
            assert file.form == "records", (name, kept)
            with pytest.raises(gdvar.DecodeError) as caught:
                file.load()
            assert caught.value.code == "Truncated", (name, kept, str(caught.value))
            cuts += 1
        with pytest.raises(gdvar.Error):
            gdvar.File(record[:-8], dialect=dialect, objects="inert").edit(0).append("x", 1).file_bytes()
    assert cuts > 50


def test_the_lock_is_free_in_long_work() -> None:
    data = gdvar.dumps([[n, float(n), str(n)] for n in range(300_000)])
    ticks, stop = [0], threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    interval = sys.getswitchinterval()
    # So long an interval that only work without the lock lets the other thread run.
    sys.setswitchinterval(1)
    try:
        thread.start()
        before = ticks[0]
        # A busy machine may not wake the other thread at once.
        for _ in range(100):
            gdvar.validate(data)
            if ticks[0] > before:
                break
        assert ticks[0] > before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_garbage_is_looked_for_again_after_reading() -> None:
    assert gc.isenabled()
    gdvar.loads(gdvar.dumps([1]))
    assert gc.isenabled()
    gc.disable()
    try:
        gdvar.loads(gdvar.dumps([1]))
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(gdvar.DecodeError):
        gdvar.loads(b"\x1c")
    assert gc.isenabled()


def test_the_command() -> None:
    def run(*args: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, "-m", "gdvar", *args], capture_output=True, text=True)

    done = run(str(SAVES / "rpg4.sav"), "party[0]", "--json", "plain")
    assert done.returncode == 0 and '"xp"' in done.stdout, done.stderr
    assert run(str(SAVES / "rpg4.sav"), "no.such").returncode == 3
    assert run("no such file").returncode == 4


def test_streams_of_asyncio() -> None:
    async def session() -> list:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            async for value in gdvar.stream.values(reader):
                gdvar.stream.put(writer, {"echo": value})
                await writer.drain()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        answers = []
        for value in (5, "text", [gdvar.Vector2(1, 2)]):
            gdvar.stream.put(writer, value)
            answers.append(await gdvar.stream.get(reader))
        writer.write_eof()
        with pytest.raises(EOFError):
            await gdvar.stream.get(reader)
        writer.close()
        server.close()
        return answers

    assert asyncio.run(session()) == [{"echo": 5}, {"echo": "text"}, {"echo": [gdvar.Vector2(1, 2)]}]


def test_streams_that_end_or_lie() -> None:
    async def read(data: bytes) -> object:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await gdvar.stream.get(reader, max_len=100)

    for data, code in [(b"\x08\0", "Truncated"), (b"\x08\0\0\0\x02", "Truncated"), (b"\xff\xff\xff\xff", "TooLong")]:
        with pytest.raises(gdvar.DecodeError) as caught:
            asyncio.run(read(data))
        assert caught.value.code == code
