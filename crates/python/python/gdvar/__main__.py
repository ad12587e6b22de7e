"""``python -m gdvar FILE [PATH]`` shows what is in a save."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TextIO

import gdvar

#: Characters that a terminal would obey: control characters, and those that reorder bidirectional text.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def show(text: str, out: TextIO) -> None:
    """Prints a line. Escapes what a terminal would obey, because a stranger's save may contain any text."""
    if out.isatty():
        text = OBEYED.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
    print(text, file=out)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m gdvar", description="Shows what is in a save of Godot.")
    parser.add_argument("file", help="a save, a log of records, a project.binary")
    parser.add_argument("path", nargs="?", default="$", help="a path: party[0].name")
    parser.add_argument("-d", "--dialect", default="auto", help="auto (the default: Godot 4 or Godot 3), any, godot4, godot3, godot2, pandemonium3, pandemonium4, pandemonium5, or a version: godot3.2")
    parser.add_argument("--json", choices=["plain", "native", "tagged"], help="as JSON of that style")
    parser.add_argument("--password", help="of an encrypted file")
    parser.add_argument(
        "--framing",
        default="auto",
        choices=["auto", "bare", "len32", "len32be", "hex", "base64"],
        help="what is around the values: nothing, their lengths as store_var writes them, lines of text",
    )
    parser.add_argument("--skip", type=int, help="the length of a header of the game's own, in bytes")
    parser.add_argument(
        "--objects", default="inert", choices=["ids", "inert", "deny"], help="objects that are stored whole: inert reads them"
    )
    parser.add_argument("--version", action="version", version=gdvar.__version__)
    args = parser.parse_args()
    try:
        file = gdvar.open(
            args.file,
            dialect=args.dialect,
            objects=args.objects,
            framing=args.framing,
            skip=args.skip,
            password=args.password,
        )
        for number in range(len(file)):
            found = file[number] if args.path == "$" else file[number][args.path]
            if not isinstance(found, gdvar.Value):
                text = repr(found)
            else:
                text = found.to_json(args.json) if args.json else found.to_text()
            show(text, sys.stdout)
        for one in file.damage:
            show(f"gdvar: {one.message}, in record {one.record} at byte {one.offset}", sys.stderr)
        if file.damage:
            return 4
    except (gdvar.Error, OSError) as error:
        show(f"gdvar: {args.file}: {error}", sys.stderr)
        return 4
    except (KeyError, IndexError) as error:
        show(f"gdvar: {args.file}: there is nothing at {error}", sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
