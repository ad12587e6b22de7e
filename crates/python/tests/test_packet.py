"""Packets of real engines: ``testdata/captures``, each call held against the log of the engine that got it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import gdvar
import pytest

CAPTURES = Path(__file__).parents[3] / "testdata" / "captures"


def heard(name: str, engine: str, carrier: str) -> list[gdvar.packet.Item]:
    """All items of a capture, with the letters of its directions."""
    session = gdvar.packet.Session(engine, carrier)
    items = []
    for line in (CAPTURES / f"{name}.hex").read_text().splitlines():
        if line.startswith("#"):
            continue
        _, way, digits = line.split()
        start, end = way.split(">")
        to_server = end in "SE"
        link = int(start if to_server else end) if carrier != "debugger" else 0
        direction = "to_server" if to_server else "to_client"
        items += session.hear(bytes.fromhex(digits), direction, link=link)
    return items


def received(log: str) -> list[str]:
    """The arguments that the engine says it got, as bytes of ``var_to_bytes``."""
    # Of a call with bytes alone it tells size and checksum.
    return re.findall(r"^RECV (?!.* d_bytes ).*?(?:hex=)?([0-9a-f]{16,})$", (CAPTURES / log).read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "engine", "carrier"),
    [
        ("g4-enet-rpc", "godot4", "enet"),
        ("g4-ws-rpc", "godot4", "websocket"),
        ("g4-enet-zstd", "godot4", "enet"),
        ("g3-enet-fastlz", "godot3", "enet"),
    ],
)
def test_calls_are_what_the_engine_got(name: str, engine: str, carrier: str) -> None:
    items = heard(name, engine, carrier)
    assert not [item for item in items if item.error]
    calls = [item for item in items if item.command == "CALL" and item.to_server and not item.resent]
    told = received(f"{name}.server.log")
    assert len(told) > 40
    # NodePaths of Godot 3 are followed by bytes of its memory, which are not the value.
    got = [gdvar.dumps(gdvar.loads(bytes.fromhex(digits), dialect=engine), target=engine) for digits in told]
    sent = Counter(gdvar.dumps(item.args, target=engine) for item in calls)
    # Unreliable calls come in another order.
    assert Counter(got) <= sent
    # Those that the log has no arguments of: calls with bytes alone, and the one that ends the server.
    for data in sent - Counter(got):
        args = gdvar.loads(data, dialect=engine)
        assert args == [] or [getattr(arg, "kind", None) for arg in args] == ["PackedByteArray"]
    assert sum((sent - Counter(got)).values()) <= 4
    assert all(item.node for item in calls)


def test_values_and_the_debugger() -> None:
    values = [item for item in heard("g4-tcp-put_var", "godot4", "records") if item.to_server]
    told = received("g4-tcp-put_var.server.log")
    # The engine told each as an Array of one.
    assert len(told) == 66
    assert [gdvar.dumps(item.args).hex() for item in values][:66] == told
    names = [item.method for item in heard("g4-debugger", "godot4", "debugger")]
    assert names[:2] == ["set_pid", "output"]
    assert "scene:scene_tree" in names


def test_damage_is_an_item() -> None:
    session = gdvar.packet.Session("godot4", "values")
    (item,) = session.hear(b"\x1c\0\0\0\xff\xff\xff\xff", "to_client")
    assert item.command == "DAMAGED" and item.error and item.args is None and not item.to_server
    with pytest.raises(gdvar.Error):
        gdvar.packet.Session("godot5")
    with pytest.raises(ValueError):
        session.hear(b"", "up")
