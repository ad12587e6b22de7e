"""Reads the engines' vectors with the compiled descriptions: read.py OUT VECTORS.

Each must be used to its last byte, and be the value that the engine says it is. Values are compared with the tagged
JSON of testdata/vectors/README.md.
"""

import importlib
import io
import json
import math
import struct
import sys
import threading
from pathlib import Path
from typing import Any


def bits(number: float) -> bytes | str:
    """What makes two numbers the same: their bits, but for NaN, whose bits Python may change."""
    return "NaN" if math.isnan(number) else struct.pack("<d", number)


def plain(number: Any) -> Any:
    """A number of the compiled reader, whose width may be its own object."""
    number = getattr(number, "value", number)
    return bits(number) if isinstance(number, float) else number


def numbers(payload: Any) -> dict[str, Any]:
    """The numbers of a payload by their names, in the order of the bytes."""
    given = vars(payload).items()
    return {name: plain(value) for name, value in given if not name.startswith("_") and name != "wide"}


def expected_number(number: Any) -> Any:
    """A number of tagged JSON: hexadecimal digits of a float, or an int."""
    if isinstance(number, str):
        form = ">f" if len(number) == 8 else ">d"
        return bits(struct.unpack(form, bytes.fromhex(number))[0])
    return number


def named(value: Any, prefix: str = "") -> dict[str, Any]:
    """Numbers of a matrix in tagged JSON, by the names that the description gives them."""
    if isinstance(value, dict):
        return {name: n for key, part in value.items() for name, n in named(part, f"{prefix}{key}_").items()}
    return {prefix + "xyzw"[place]: expected_number(number) for place, number in enumerate(value)}


def text(padded: Any) -> str:
    return padded.bytes.decode()


def packed_text(padded: Any) -> str:
    """A text of a packed array: its length counts a NUL."""
    return padded.bytes.split(b"\0")[0].decode()


def same_type(expected: Any, found: Any) -> bool:
    if expected is None:
        return found.typing == 0
    if "builtin" in expected:
        return found.typing == 1 and int(getattr(found.number, "value", found.number)) == expected["builtin"]
    form, name = ("class", 2) if "class" in expected else ("script", 3)
    return found.typing == name and text(found.name) == expected[form]


def same_pairs(expected: list[Any], pairs: list[Any]) -> bool:
    return len(expected) == len(pairs) and all(
        same(key, pair.key) and same(value, pair.value) for (key, value), pair in zip(expected, pairs)
    )


def same_items(expected: list[Any], items: list[Any]) -> bool:
    return len(expected) == len(items) and all(map(same, expected, items))


def same(expected: dict[str, Any], value: Any) -> bool:
    """Whether a value that was read is the one that tagged JSON describes."""
    ((tag, content),) = expected.items()
    payload = value.payload
    match tag:
        case "Nil" | "Callable":
            return value.kind.name in ("nil", "callable")
        case "Bool":
            return payload.value == content
        case "Int":
            return plain(payload.value) == int(content)
        case "Float":
            return plain(payload.value) == expected_number(content["bits"])
        case "String" | "StringName":
            return text(payload) == content
        case "RID":
            return getattr(payload, "id", 0) == int(content)
        case "Signal":
            return (text(payload.name), payload.object_id) == (content["name"], int(content["object_id"]))
        case "ObjectId":
            return payload.is_id and payload.id == int(content)
        case "Object":
            if content is None:
                return value.kind.name == "nil" or payload.is_id and payload.id == 0
            found = [(text(one.name), one.value) for one in getattr(payload, "properties", [])]
            names = [name for name, _ in content["props"]]
            return (text(payload.class_name), [name for name, _ in found]) == (content["class"], names) and same_items(
                [one for _, one in content["props"]], [one for _, one in found]
            )
        case "NodePath":
            names, subnames = (list(map(text, part)) for part in (payload.names, payload.subnames))
            return (names, subnames, payload.is_absolute) == (content["names"], content["subnames"], content["absolute"])
        case "Array":
            return same_items(content, payload.elements)
        case "TypedArray":
            return same_type(content["elem"], payload.element_type) and same_items(content["items"], payload.elements)
        case "Dictionary":
            return same_pairs(content, payload.pairs)
        case "TypedDictionary":
            types = same_type(content["key"], payload.key_type) and same_type(content["value"], payload.value_type)
            return types and same_pairs(content["entries"], payload.pairs)
        case "Nest":
            for step in content["steps"]:
                if step == "[]":
                    (value,) = value.payload.elements
                else:
                    (pair,) = value.payload.pairs
                    if not same(step["key"], pair.key):
                        return False
                    value = pair.value
            return same(content["leaf"], value)
        case "PackedByteArray":
            return payload.elements.hex() == content
        case "PackedStringArray":
            return list(map(packed_text, getattr(payload, "elements", None) or [])) == content
        case "PackedInt64Array":
            return payload.elements == list(map(int, content))
        case _ if tag.startswith("Packed"):
            wanted = [list(map(expected_number, one)) if isinstance(one, list) else [expected_number(one)] for one in content]
            found = [list(numbers(one).values()) if hasattr(one, "_read") and not hasattr(one, "narrow_value") else [plain(one)] for one in payload.elements]
            return found == wanted
    if isinstance(content, dict):
        return numbers(payload) == named(content)
    return list(numbers(payload).values()) == list(map(expected_number, content))


def main() -> bool:
    """Returns `True` if nothing was wrong."""
    out, vectors = map(Path, sys.argv[1:])
    sys.path.insert(0, str(out))
    wrong = []
    for file, module, name in [
        ("godot4.jsonl", "godot_variant", "GodotVariant"),
        ("godot3.jsonl", "godot3_variant", "Godot3Variant"),
        ("godot4-double.jsonl", "godot_variant", "GodotVariant"),
    ]:
        reader = getattr(importlib.import_module(module), name)
        read = compared = 0
        for line in (vectors / file).read_text().splitlines():
            vector = json.loads(line)
            if vector["origin"] != "engine":
                continue
            stream = reader.from_io(io.BytesIO(bytes.fromhex(vector["hex"])))
            read += 1
            if not stream._io.is_eof():
                wrong.append(f"{file} {vector['id']}: bytes are left")
            # Texts that only Godot 3 can hold are lists of codes.
            elif '"codes"' not in line:
                compared += 1
                if not same(vector.get("wire_value", vector["value"]), stream.root):
                    wrong.append(f"{file} {vector['id']}: another value")
        print(f"Python: {read} values of {file}, each to its last byte, {compared} of them compared")
    print("\n".join(wrong), end="")
    return not wrong


def run() -> None:
    passed.append(main())


# Values nested a thousand deep are read by recursion.
sys.setrecursionlimit(100_000)
threading.stack_size(512 << 20)
passed: list[bool] = []
thread = threading.Thread(target=run)
thread.start()
thread.join()
sys.exit(passed != [True])
