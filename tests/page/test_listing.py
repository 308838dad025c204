"""The pages of a store and its site map, as text."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.sealed import SLOT, is_sealed, seal
from memhtml.page.listing import SITE_MAP, Shown, address, base_of, pages, site_map

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=8)
BASES = st.sampled_from(["", "https://a.org/", "https://a.org/areas/", "https://a.org/my%20notes/projects/x/", "//&/"])


def shown(path: str, title: str = "Drain", gist: str = "Drain first.", updated: str = "2026-07-28") -> Shown:
    """What a page shows of it."""
    return Shown(MemoryPath(path), title, gist, Instant(updated))


STORE = [
    shown("archive/2026/areas/inbox/old.html", "Old", "It was so."),
    shown("areas/inbox/a b.html", "A < B", "A & B.", "2026-07-28T10:00:00Z"),
    shown("projects/checkout/tasks/c.html", "Check", "Check."),
]


def links(markup: str) -> list[str]:
    """Where a page leads."""
    return re.findall('href="([^"]*)"', markup)


def test_every_folder_has_a_page_that_lists_it() -> None:
    """Folders of the page's own folder, one floor below, then memories; the root's page leads nowhere up."""
    made = dict(pages(STORE))
    assert list(made) == [
        "index.html", "archive/index.html", "archive/2026/index.html", "archive/2026/areas/index.html",
        "archive/2026/areas/inbox/index.html", "areas/index.html", "areas/inbox/index.html", "projects/index.html",
        "projects/checkout/index.html", "projects/checkout/tasks/index.html",
    ]  # fmt: skip
    assert links(made["index.html"]) == ["./archive/index.html", "./areas/index.html", "./projects/index.html"]
    assert links(made["projects/checkout/index.html"]) == ["../index.html", "./tasks/index.html"]
    assert '<a href="./tasks/index.html"><bdi>tasks/</bdi></a>' in made["projects/checkout/index.html"]
    assert links(made["areas/inbox/index.html"]) == ["../index.html", "./a%20b.html"]
    assert "<bdi>A &lt; B</bdi></a>: <bdi>A &amp; B.</bdi></li>" in made["areas/inbox/index.html"]
    assert "<title>Memories in areas/inbox</title>" in made["areas/inbox/index.html"]
    assert "<h1>Memories</h1>" in made["index.html"]


def test_a_page_is_this_markup() -> None:
    """To the byte: nothing is loaded, a title turns nothing around, and what is not said leaves no mark."""
    made = dict(
        pages([shown("areas/inbox/a.html"), shown("areas/b c.html", "A < B", "A & B."), shown("areas/d.html", "D", "")])
    )
    assert made["areas/index.html"] == seal(f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="generator" content="memhtml publish {SLOT}">
<title>Memories in areas</title>
</head>
<body>
<h1>Memories in areas</h1>
<p><a href="../index.html">Up</a></p>
<ul>
<li><a href="./inbox/index.html"><bdi>inbox/</bdi></a></li>
</ul>
<ul>
<li><a href="./b%20c.html"><bdi>A &lt; B</bdi></a>: <bdi>A &amp; B.</bdi></li>
<li><a href="./d.html"><bdi>D</bdi></a></li>
</ul>
</body>
</html>
""")


def test_a_site_map_is_this_text() -> None:
    """To the byte, as sitemaps.org has it."""
    assert site_map([shown("areas/a.html")], "https://a.org/") == seal(f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!-- memhtml publish {SLOT} -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://a.org/areas/a.html</loc><lastmod>2026-07-28</lastmod></url>
</urlset>
""")


def test_a_title_that_is_the_claim_is_said_once() -> None:
    """Whoever gives no title sees the claim twice otherwise."""
    page = dict(pages([shown("areas/a.html", "Drain first.", "Drain first.")]))["areas/index.html"]
    assert page.count("Drain first.") == 1


def test_an_empty_store_has_one_page_and_lists_nothing() -> None:
    """The root's, and a site map without entries."""
    made = dict(pages([]))
    assert list(made) == ["index.html"]
    assert links(made["index.html"]) == []
    assert "<url>" not in site_map([], "https://a.org/")


def test_what_is_made_is_sealed_whatever_titles_say() -> None:
    """A title that looks like a seal's slot is only a title."""
    made = [*pages([shown("areas/a.html", f"memhtml publish {SLOT}")]), (SITE_MAP, site_map(STORE, ""))]
    assert all(is_sealed(text.encode()) for _, text in made)


def test_the_site_map_has_what_is_in_use() -> None:
    """Each with the day of its last change, and nothing of the archive."""
    text = site_map(STORE, "https://a.org/x/")
    assert re.findall("<url>.*</url>", text) == [
        "<url><loc>https://a.org/x/areas/inbox/a%20b.html</loc><lastmod>2026-07-28</lastmod></url>",
        "<url><loc>https://a.org/x/projects/checkout/tasks/c.html</loc><lastmod>2026-07-28</lastmod></url>",
    ]


def test_the_base_is_escaped_as_markup_is() -> None:
    """An address may have an ampersand, and a reader of the site map would stumble over a bare one."""
    assert "<loc>https://a.org/?a&amp;b/areas/a.html</loc>" in site_map([shown("areas/a.html")], "https://a.org/?a&b/")


def test_a_claim_without_end_is_cut() -> None:
    """At 400 characters, as in every listing."""
    page = dict(pages([shown("areas/a.html", "A", "x" * 1000)]))["areas/index.html"]
    assert f"<bdi>{'x' * 399}…</bdi>" in page


@pytest.mark.parametrize(
    ("base", "path", "known", "told"),
    [
        ("https://a.org/", "areas/a.html", [], "https://a.org/"),
        ("", "areas/a.html", [], ""),
        ("https://a.org/?a=1&b=", "resources/a.html", ["resources/a.html"], None),
        # A base that is called like a root: what the store has decides, and else the shortest base does.
        ("https://a.org/areas/", "areas/a.html", ["areas/a.html"], "https://a.org/areas/"),
        ("https://a.org/", "areas/areas/a.html", ["areas/areas/a.html", "areas/b.html"], "https://a.org/"),
        ("https://a.org/areas/", "areas/a.html", [], "https://a.org/"),
        ("https://a.org/archive/", "areas/a.html", [], "https://a.org/archive/"),
        ("https://myareas/", "areas/a.html", [], "https://myareas/"),
    ],
)
def test_the_base_is_told_from_the_site_map(base: str, path: str, known: list[str], told: str | None) -> None:
    """Where there is one that ends with a slash, as every base that `publish` takes."""
    assert base_of(site_map([shown(path)], base), known) == told


def test_no_entry_tells_no_base() -> None:
    """And entries that agree on none tell none either."""
    assert base_of(site_map([], "https://a.org/"), ["areas/a.html"]) is None
    assert base_of("<loc>https://a.org/areas/a.html</loc><loc>https://b.org/areas/b.html</loc>", []) is None


@given(st.lists(NAMES, min_size=1, max_size=5, unique=True), BASES)
def test_a_base_comes_back_for_any_names(names: list[str], base: str) -> None:
    """With the store as it was when the site map was made."""
    paths = [f"areas/{name}.html" for name in names]
    assert base_of(site_map([shown(path) for path in paths], base), paths) == base


@given(NAMES)
def test_an_address_is_escaped_as_web_addresses_are(name: str) -> None:
    """The standard library's own escaping is the judge."""
    assert address(f"areas/{name}") == quote(f"areas/{name}", safe="/")


def test_a_plain_path_is_its_own_address() -> None:
    """Letters, digits and these signs stand as they are."""
    assert address("areas/Az09-._~.html") == "areas/Az09-._~.html"
