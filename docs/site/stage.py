"""Puts a copy of the pages that docs/guide/SUMMARY.md lists into a folder that mdBook builds: stage.py FOLDER.

The pages are written for the forge: their links are relative to the repository. In the copy a link to another page
of the book, or to a picture or table, leads to its copy, and a link to any other file leads to the forge.
"""

import os
import re
import shutil
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
GUIDE = TOP / "docs/guide"
FORGE = "https://github.com/gdvar/gdvar/blob/main/"
# The book begins with the guide; the repository's own page comes second.
FRONT = {"docs/guide/README.md": "index.md", "README.md": "about.md"}
ASSETS = {".svg", ".png", ".csv"}
LINK = re.compile(r"(?<=\]\()[^()\s]+(?=\))|(?<=\]: )[^\s<]+$", re.MULTILINE)
# Fenced blocks, and code in a line: nothing in them is a link.
CODE = re.compile(r"^ *```.*?^ *```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def place(path: Path) -> str:
    """Where a file of the repository is in the book."""
    name = path.relative_to(TOP).as_posix()
    if name in FRONT:
        return FRONT[name]
    name = name.removeprefix("docs/")
    return re.sub(r"(^|/)README\.md$", r"\1index.md", name)


def staged(summary: str) -> dict[Path, str]:
    """The pages of the table of contents, with their places in the book."""
    links = re.findall(r"\]\(([^)]+)\)", summary)
    return {path: place(path) for path in ((GUIDE / link).resolve() for link in links)}


def outside_code(text: str, change) -> str:
    """The text with `change` applied to what is not code."""
    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [change(text[end : code.start()]), code.group()]
        end = code.end()
    return "".join([*parts, change(text[end:])])


def main() -> None:
    folder = Path(sys.argv[1])
    source = folder / "src"
    summary = (GUIDE / "SUMMARY.md").read_text()
    pages = staged(summary)
    for page, to in pages.items():
        here = os.path.dirname(to)

        def moved(link: re.Match[str]) -> str:
            target = link.group()
            name, mark, fragment = target.partition("#")
            path = TOP / name.removeprefix(FORGE) if name.startswith(FORGE) else page.parent / name
            path = path.resolve()
            if target.startswith("#") or ":" in name and path not in pages:
                return target
            if path / "README.md" in pages:
                path /= "README.md"
            if path in pages:
                return os.path.relpath(pages[path], here or ".") + mark + fragment
            if not path.exists():
                sys.exit(f"{page}: {target} leads nowhere")
            if path.suffix in ASSETS:
                copy = source / place(path)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
                return os.path.relpath(place(path), here or ".")
            return FORGE + path.relative_to(TOP).as_posix() + mark + fragment

        copy = source / to
        copy.parent.mkdir(parents=True, exist_ok=True)
        # A label in code, as [`deliberate.rs`](…), is code, and its address is not.
        copy.write_text(outside_code(page.read_text(), lambda text: LINK.sub(moved, text)))
    listed = re.sub(r"(?<=\]\()[^)]+(?=\))", lambda link: pages[(GUIDE / link.group()).resolve()], summary)
    (source / "SUMMARY.md").write_text(listed)
    shutil.copyfile(GUIDE / "book.toml", folder / "book.toml")
    shutil.copyfile(Path(__file__).parent / "site.css", folder / "site.css")
    shutil.copytree(Path(__file__).parent / "theme", folder / "theme", dirs_exist_ok=True)


main()
