#!/usr/bin/env python3
"""Checks the links of a built book: every page, picture and heading that one points to is there.

    packaging/book-links.py target/book
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the names of headings of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.names.update(filter(None, [found.get("id"), found.get("name")]))
        link = found.get("href") if tag == "a" else found.get("src") if tag == "img" else None
        if link:
            self.links.append(link)


def main() -> None:
    book = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in book.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or path.name in ("toc.html", "404.html"):
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if not target.exists() or not target.is_relative_to(book):
                broken.append(f"{path.relative_to(book)}: {link} is not there")
            elif url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].names:
                broken.append(f"{path.relative_to(book)}: {link} names no heading")
    if broken:
        sys.exit("\n".join(sorted(set(broken))))


if __name__ == "__main__":
    main()
