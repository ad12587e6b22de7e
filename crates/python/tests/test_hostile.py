"""Inputs made to harm: each is an error, soon, and the interpreter lives on."""

from __future__ import annotations

import struct
import subprocess
import sys
import time
from typing import Any

import gdvar
import pytest


def words(*all_words: int) -> bytes:
    return struct.pack(f"<{len(all_words)}I", *all_words)


def refused(data: bytes, **options: Any) -> gdvar.DecodeError:
    start = time.perf_counter()
    with pytest.raises(gdvar.DecodeError) as caught:
        gdvar.loads(data, **options)
    assert time.perf_counter() - start < 5
    return caught.value


def test_a_million_nested_arrays() -> None:
    data = words(28, 1) * 1_000_000 + words(0)
    for exact in (False, True):
        error = refused(data, exact=exact)
        assert (error.code, error.offset) == ("DepthExceeded", 8 * 1025)
    # As deep as the reader may be told to go, and back again.
    deep = gdvar.loads(words(28, 1) * 60_000 + words(0), max_depth=65_535)
    assert isinstance(deep, list)
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.dumps(deep)
    assert caught.value.code == "DepthExceeded"
    del deep


@pytest.mark.parametrize("kind", [4, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38])
@pytest.mark.parametrize("count", [0xFFFF_FFFF, 0x7FFF_FFFF, 0x4000_0000])
def test_counts_that_claim_gigabytes(kind: int, count: int) -> None:
    # The top bit of the counts of containers means nothing: it is taken away, and what is left is too much.
    for tail in (b"", b"\0" * 64):
        try:
            gdvar.loads(words(kind, count) + tail)
        except gdvar.DecodeError as error:
            assert error.code in ("Truncated", "InvalidLength", "OldNodePath"), error
        else:
            # A negative count of strings means none, as the engines have it.
            assert kind == 34 and count == 0xFFFF_FFFF


def test_memory_does_not_follow_claims() -> None:
    """A process with 512 MB of memory reads them all."""
    code = """
import resource, struct
import gdvar
resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
for kind in range(40):
    for count in (0xFFFFFFFF, 0x7FFFFFFF, 0x3FFFFFFF, 1 << 20):
        data = struct.pack("<II", kind, count) + bytes(32)
        for read in (gdvar.loads, gdvar.validate, lambda data: gdvar.view(data).load()):
            try:
                read(data)
            except gdvar.DecodeError:
                pass
        gdvar.columns([data], {"a": "$", "b": "x[*]"}, threads=1)
        gdvar.columns([data], {"a": "$"}, each="$", threads=1)
print("alive")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "alive\n", done.stderr


def test_lists_that_hold_themselves() -> None:
    loop: list[Any] = []
    loop.append({"again": loop})
    with pytest.raises(gdvar.EncodeError) as caught:
        gdvar.dumps(loop)
    assert caught.value.code == "DepthExceeded" and str(caught.value.path).startswith('$[0]["again"][0]')


def test_every_cut_and_every_changed_byte_ends() -> None:
    value = {
        "a": [1, 2.5, None, True, "text", b"bytes", gdvar.Vector3(1, 2, 3)],
        "b": gdvar.PackedStringArray(["x", "yy"]),
        "c": gdvar.NodePath.parse("/root/A:b"),
        5: gdvar.StringName("name"),
    }
    data = gdvar.dumps(value)
    for end in range(len(data)):
        refused(data[:end])
    for at in range(len(data)):
        for change in (0x01, 0x80, 0xFF):
            hurt = bytearray(data)
            hurt[at] ^= change
            for exact in (False, True):
                try:
                    gdvar.loads(hurt, objects="inert", exact=exact)
                except gdvar.DecodeError as error:
                    assert error.offset is not None


def test_values_that_change_while_they_are_written() -> None:
    class Odd:
        def __index__(self) -> int:
            holder.clear()
            rows.clear()
            return 7

    holder: dict[str, Any] = {}
    rows: list[Any] = [Odd(), 1, 2]
    holder.update({"rows": rows, "more": 1})
    with pytest.raises((gdvar.EncodeError, IndexError)):
        gdvar.dumps(holder)


def test_no_objects_are_made_unless_asked() -> None:
    data = gdvar.dumps(gdvar.Object("Node", {"script": None}))
    assert refused(data).code == "ObjectsNotAllowed"
    found = gdvar.loads(data, objects="inert")
    assert (found.class_name, found.properties) == ("Node", {"script": None})
    assert refused(gdvar.dumps(gdvar.ObjectId(5)), objects="deny").code == "ObjectsNotAllowed"
