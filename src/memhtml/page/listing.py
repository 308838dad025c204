"""Pages to browse a store by, and its site map: made of what the memories are called, and nothing else."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from memhtml.domain.gists import listed
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import ARCHIVE, ROOTS, is_archived
from memhtml.domain.sealed import SLOT, seal
from memhtml.page.markup import escape_text

PAGE: Final = "index.html"
SITE_MAP: Final = "sitemap.xml"

# A site map lists what is in use, so no path in it begins with the archive.
_ROOT = re.compile("|".join(f"{root}/" for root in ROOTS if root != ARCHIVE))
_LOCATION = re.compile(r"<loc>(.*?)</loc>")
_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


class Shown(Struct, frozen=True):
    """What a page shows of a memory."""

    path: MemoryPath
    title: str
    gist: str
    updated: Instant


def pages(memories: Sequence[Shown]) -> Iterator[tuple[str, str]]:
    """The page of every folder that holds a memory, at whatever depth, and of the root: (path, markup).

    The root comes first, then folders in order; a page lists memories in the order in which they are given.

    >>> [path for path, _ in pages([Shown(MemoryPath("areas/inbox/a.html"), "A", "A.", Instant("2026-07-28"))])]
    ['index.html', 'areas/index.html', 'areas/inbox/index.html']
    """
    by_folder: dict[str, list[Shown]] = {"": []}
    for memory in memories:
        folder = memory.path.rpartition("/")[0]
        by_folder.setdefault(folder, []).append(memory)
        while folder:
            folder = folder.rpartition("/")[0]
            by_folder.setdefault(folder, [])
    inside: dict[str, list[str]] = {}
    for folder in sorted(by_folder):
        if folder:
            inside.setdefault(folder.rpartition("/")[0], []).append(folder)
    for folder in sorted(by_folder):
        yield (f"{folder}/{PAGE}" if folder else PAGE), _page(folder, inside.get(folder, ()), by_folder[folder])


def site_map(memories: Sequence[Shown], base: str) -> str:
    """The site map: memories in use, in the given order, each with the day of its last change.

    Args:
        memories: of the store, those in the archive too.
        base: what stands in front of each path: an address that ends with a slash, or nothing.
    """
    entries = [
        f"<url><loc>{escape_text(base + address(memory.path))}</loc><lastmod>{memory.updated[:10]}</lastmod></url>"
        for memory in memories
        if not is_archived(memory.path)
    ]
    return seal(
        "\n".join(
            [
                '<?xml version="1.0" encoding="UTF-8"?>',
                f"<!-- memhtml publish {SLOT} -->",
                '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
                *entries,
                "</urlset>\n",
            ]
        )
    )


def base_of(text: str, paths: Collection[str]) -> str | None:
    """The base that a site map was made with; ``None`` when it lists nothing, so that nobody can tell.

    An address may be cut at each name of a root in it. All addresses must be cut alike; of several ways the one that
    leaves the most of ``paths``, those that the store has, is taken, then the shortest base.

    >>> made = site_map([Shown(MemoryPath("areas/a.html"), "A", "A.", Instant("2026-07-28"))], "https://a.org/areas/")
    >>> base_of(made, ["areas/a.html"]), base_of(site_map([], "https://a.org/"), [])
    ('https://a.org/areas/', None)
    """
    locations = [html.unescape(found) for found in _LOCATION.findall(text)]
    cuts = [set(_bases(location)) for location in locations]
    bases = cuts[0].intersection(*cuts) if cuts else set[str]()
    known = {address(path) for path in paths}

    def rank(base: str) -> tuple[int, int]:
        return -sum(location[len(base) :] in known for location in locations), len(base)

    return min(sorted(bases), key=rank, default=None)


def address(path: str) -> str:
    """``path`` as it stands in an address: percent-escaped, but for slashes.

    >>> address("areas/a b.html"), address("areas/é.html")
    ('areas/a%20b.html', 'areas/%C3%A9.html')
    """
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in path.encode())


def _bases(location: str) -> Iterator[str]:
    """What may stand in front of a path in ``location``: nothing, or what ends with a slash."""
    for found in _ROOT.finditer(location):
        if found.start() == 0 or location[found.start() - 1] == "/":
            yield location[: found.start()]


def _page(folder: str, inside: Sequence[str], memories: Sequence[Shown]) -> str:
    title = escape_text(f"Memories in {folder}" if folder else "Memories")
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        # The titles are what agents wrote: escaped, and nothing in the page could run or load if they were not.
        """<meta http-equiv="Content-Security-Policy" content="default-src 'none'">""",
        f'<meta name="generator" content="memhtml publish {SLOT}">',
        f"<title>{title}</title>",
        "</head>",
        "<body>",
        f"<h1>{title}</h1>",
    ]
    if folder:
        lines.append('<p><a href="../index.html">Up</a></p>')
    lines += _list([(f"{each.rpartition('/')[2]}/", f"{each.rpartition('/')[2]}/{PAGE}", "") for each in inside])
    lines += _list([(each.title, each.path.rpartition("/")[2], listed(each.gist)) for each in memories])
    return seal("\n".join([*lines, "</body>", "</html>\n"]))


def _list(entries: Sequence[tuple[str, str, str]]) -> list[str]:
    """A list of links: (text, address from here, what is said beside it)."""
    if not entries:
        return []
    items = [
        # A direction mark in a title turns nothing outside of its own <bdi>.
        f'<li><a href="./{address(where)}"><bdi>{escape_text(name)}</bdi></a>'
        + (f": <bdi>{escape_text(words)}</bdi>" if words and words != name else "")
        + "</li>"
        for name, where, words in entries
    ]
    return ["<ul>", *items, "</ul>"]
