"""Checks the links inside of a built site: links.py FOLDER.

Every link leads to a file of the site and to an element of its page, or to another site. No script, style, font or
picture comes from another site. The pages of rustdoc are only followed to: rustdoc checks their own links.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(HTMLParser):
    """The names, links and loaded files of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.names |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if (loaded := given.get(LOADS.get(tag, ""))) and given.get("rel") != "canonical":
            self.loads.append(loaded)


def main() -> None:
    site = Path(sys.argv[1]).resolve()
    files = [file for file in site.rglob("*.html")]
    pages: dict[Path, Page] = {}

    def page(file: Path) -> Page:
        if file not in pages:
            pages[file] = Page(file.read_text())
        return pages[file]

    wrong, links = [], 0
    own = [file for file in files if "rust" not in file.relative_to(site).parts[:1]]
    for file in own:
        here = page(file)
        for target in here.loads:
            if target.startswith(("http:", "https:", "//")):
                wrong.append(f"{file.relative_to(site)} loads {target}")
        for target in here.links + here.loads:
            if ":" in target.split("/")[0] or target.startswith("//"):
                continue
            links += 1
            name, _, fragment = unquote(target).partition("#")
            name = name.partition("?")[0]
            # The page of a missing address has the address of the site in front of its links.
            to = (site / name.lstrip("/") if name.startswith("/") else file.parent / name).resolve() if name else file
            if to.is_dir():
                to /= "index.html"
            if not to.is_file():
                if not lacks(site, to):
                    wrong.append(f"{file.relative_to(site)}: {target} leads nowhere")
            elif fragment and to.suffix == ".html" and fragment not in page(to).names:
                wrong.append(f"{file.relative_to(site)}: {target}: there is no such place in the page")
    for file in site.rglob("*.css"):
        if "url(http" in (text := file.read_text()) or "@import" in text and "http" in text:
            wrong.append(f"{file.relative_to(site)} loads from another site")
    print("\n".join(sorted(set(wrong))))
    print(f"{links} links of {len(own)} pages, {len(set(wrong))} wrong")
    sys.exit(bool(wrong))


def lacks(site: Path, to: Path) -> bool:
    """Whether the site was built without the part that a link leads to."""
    part = to.relative_to(site).parts[0] if to.is_relative_to(site) else ""
    return part in ("rust", "open") and not (site / part).exists()


main()
