#!/usr/bin/env python3
"""Records what a game says to a debugger: takes the editor's place, sends the requests below, and
writes the bytes of the game to a file.

usage: record.py 3|4 PORT OUT
Then start the game of game3 or game4 with --remote-debug (tcp:// in front for Godot 4) 127.0.0.1:PORT
(README.md has the command lines)."""
import socket
import struct
import sys
import time

engine, port, out = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def text(value):
    raw = value.encode()
    return struct.pack("<II", 4, len(raw)) + raw + b"\0" * (-len(raw) % 4)


def encode(value):
    if isinstance(value, bool):
        return struct.pack("<II", 1, value)
    if isinstance(value, int):
        wide = not -(2**31) <= value < 2**31
        return struct.pack("<Iq", 2 | 1 << 16, value) if wide else struct.pack("<Ii", 2, value)
    if isinstance(value, str):
        return text(value)
    kind = 28 if engine == 4 else 19
    return struct.pack("<II", kind, len(value)) + b"".join(map(encode, value))


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", port))
listener.listen(1)
listener.settimeout(30)
game, _ = listener.accept()
game.settimeout(0.05)
heard = b""


def listen(seconds):
    global heard
    end = time.time() + seconds
    while time.time() < end:
        try:
            heard += game.recv(65536)
        except socket.timeout:
            pass


def send(name, *args):
    message = encode([name, 1, list(args)] if engine == 4 else [name, *args])
    game.sendall(struct.pack("<I", len(message)) + message)


def node(name):
    """The number of a node: the int after its name and its class. In Godot 3 each has a prefix."""
    prefix = 0 if engine == 4 else 4
    at = heard.rindex(text(name)) + len(text(name)) + prefix
    (length,) = struct.unpack_from("<I", heard, at + 4)
    at += 8 + length + -length % 4 + prefix
    (head,) = struct.unpack_from("<I", heard, at)
    return struct.unpack_from("<q" if head >> 16 else "<i", heard, at + 4)[0]


scene = "scene:" if engine == 4 else ""
listen(1.5)
send(scene + "request_scene_tree")
listen(0.5)
main = node("Main")
send(scene + "inspect_object", main)
listen(0.3)
send(scene + "inspect_object", 12345)
listen(0.3)
send(scene + "set_object_property", main, "speed", 42)
listen(0.5)
send("breakpoint", "res://main.gd", 24, True)
listen(1)
send("get_stack_dump")
send("get_stack_frame_vars", 0)
listen(0.3)
if engine == 4:
    send("evaluate", "speed + 1", 0)
    listen(0.3)
send("next")
listen(0.3)
send("breakpoint", "res://main.gd", 24, False)
send("continue")
listen(0.5)
send("break")
listen(0.3)
send("get_stack_dump")
listen(0.3)
send("continue")
listen(0.5)
send(*(["profiler:servers", True, [16]] if engine == 4 else ["start_profiling", 16]))
listen(0.25)
send(*(["profiler:servers", False] if engine == 4 else ["stop_profiling"]))
listen(0.5)
open(out, "wb").write(heard)
