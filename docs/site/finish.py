"""Mends what mdBook's pages lack for people who do not see them, or have no mouse: finish.py FOLDER."""

import re
import sys
from pathlib import Path

MENDED = [
    # What can be scrolled is reached by the keyboard.
    (r'<div class="table-wrapper">', '<div class="table-wrapper" tabindex="0">'),
    (r"(<pre(?: [^>]*)?><code)(?= |>)", r'\1 tabindex="0"'),
    # The corner of a table is no heading of anything.
    (r"<th([^>]*)></th>", r"<td\1></td>"),
    # The bar with the title is a landmark.
    (r'<div id="mdbook-menu-bar" ', '<div id="mdbook-menu-bar" role="banner" '),
    # A label cannot say whether it is pressed, and the keyboard does not reach it. A button does both.
    (
        r'<label id="mdbook-sidebar-toggle"(.*?) for="mdbook-sidebar-toggle-anchor"(.*?)</label>',
        r'<button type="button" id="mdbook-sidebar-toggle"\1'
        r""" onclick="document.getElementById('mdbook-sidebar-toggle-anchor').click()"\2</button>""",
    ),
]


def main() -> None:
    for page in Path(sys.argv[1]).rglob("*.html"):
        text = page.read_text()
        for old, new in MENDED:
            text = re.sub(old, new, text, flags=re.DOTALL)
        page.write_text(text)


main()
