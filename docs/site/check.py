"""Find what is wrong with the built site."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LIMIT = 300_000  # bytes of a page without its figures


class Page(HTMLParser):
    """The links, ids and outside addresses of an HTML page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.outside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        self.links += [values[name] for name in ("href", "src", "data-live") if name in values]
        loads = values.get("src") or (values.get("href") if tag == "link" else None) or ""
        if re.match(r"(https?:)?//", loads) and values.get("rel") != "canonical":
            self.outside.append(loads)


def faults(site: Path) -> Iterator[str]:
    """Yield what is wrong with the built site: broken links, outside files, and pages that are too large."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        yield from (f"{name}: loads {address}" for address in page.outside)
        if (size := path.stat().st_size) > LIMIT:
            yield f"{name}: {size:,} bytes, more than {LIMIT:,}"
        for link in page.links:
            target, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:|//", target):
                continue
            there = (path.parent / target.partition("?")[0]).resolve() if target else path
            there = (
                there.with_name(there.name + ".js")
                if "/live/" in target or target.startswith("live/")
                else there
            )
            if not there.exists() or anchor and there in pages and anchor not in pages[there].ids:
                yield f"{name}: broken link {link}"
