"""Title, metas and links of a head: what is taken, and what is said of the rest."""

from __future__ import annotations

import pytest

from memhtml.domain.memory import Link, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.page.head import HeadElements, astray, head_elements, read_links, read_metas, read_title
from memhtml.page.parse import parse
from memhtml.page.violation import Violation


def plane(head: str, body: str = "") -> HeadElements:
    """The machine plane of a file with this head."""
    return head_elements(parse(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"))


def metas(**values: str) -> str:
    """A head with these metas, ``_`` standing for ``-``."""
    given = {"type": "semantic", "status": "active", "created": "2026-07-28", "updated": "2026-07-28", **values}
    return "\n".join(
        f'<meta name="memhtml-{name.replace("_", "-")}" content="{value}">' for name, value in given.items()
    )


MISSING = Violation("title-missing", "there is no <title> in <head>; write one")
EMPTY = Violation("title-empty", "the <title> is empty; write what the memory says", 1)
REPEATED = Violation("title-repeated", "there is a second <title>; keep one", 1)


@pytest.mark.parametrize(
    ("head", "title", "violations"),
    [
        ("", "", [MISSING]),
        ("<title>\n a  &amp; b\n</title>", "a & b", []),
        ("<title></title>", "", [EMPTY]),
        ("<title>\u200b</title><title>a</title>", "\u200b", [EMPTY, REPEATED]),
        ("<title>a</title><title>b</title><title>c</title>", "a", [REPEATED, REPEATED]),
    ],
)
def test_the_first_title_counts(head: str, title: str, violations: list[Violation]) -> None:
    """As one line; what is wrong with it comes before what is wrong with others."""
    assert read_title(plane(head)) == (title, violations)


def test_a_link_is_whole_or_none() -> None:
    """A good rel does not save a bad address, nor the other way round; a good one is taken once."""
    good = '<link rel="memhtml-supports" href="/areas/a.html">'
    bad = '<link rel="memhtml-likes" href="/areas/b.html"><link rel="memhtml-supports" href="b.html">'
    links, violations = read_links(plane(good + bad + good))
    assert links == (Link(Rel.SUPPORTS, MemoryPath("areas/a.html")),)
    assert [violation.code for violation in violations] == ["link-rel", "link-href"]


def test_a_window_that_never_holds_is_named_where_it_ends() -> None:
    """The head is read all the same."""
    head, violations, warnings = read_metas(plane(metas(valid_from="2026-02-01", valid_until="2026-01-01")))
    message = "memhtml-valid-until is not after memhtml-valid-from, so that it never holds; correct one of them"
    assert warnings == [Violation("validity", message, 6)]
    assert violations == []
    assert head is not None
    assert (head.valid_from, head.valid_until) == ("2026-02-01", "2026-01-01")


def test_without_a_required_meta_there_is_no_head() -> None:
    """Each that is missing is named, in the order in which they are written."""
    head, violations, warnings = read_metas(plane('<meta name="memhtml-tag" content="a">'))
    assert head is None
    assert [str(violation).partition("; ")[0] for violation in violations] == [
        f"there is no memhtml-{name}" for name in ("type", "status", "created", "updated")
    ]
    assert warnings == []


def test_elements_are_found_by_what_they_are_and_where_they_stand() -> None:
    """Names and rels in any case, one of ours among several rels; other people's elements are nobody's business."""
    ours = '<meta name=" MEMHTML-TAG" content="a"><link rel="next Memhtml-Supports">'
    others = '<meta name="description" content="memhtml-"><meta content="a"><link rel="x-memhtml-a"><link href="a">'
    found = plane(f"<title>t</title>{ours}{others}", f"<article>{ours}{others}</article><svg><title>t</title></svg>")
    assert ([len(found.titles), len(found.metas), len(found.links)]) == [1, 1, 1]
    assert astray(found) == [
        Violation("outside-head", f"<{tag}> of the head stands outside <head>; move it there", 1)
        for tag in ("meta", "link")
    ]


def test_a_dropped_value_is_named_with_what_to_write() -> None:
    """An optional meta outside its rule warns, and the head is as without it; a task status has words of its own."""
    head, violations, warnings = read_metas(plane(metas(importance="11", tag="a")))
    message = "memhtml-importance says '11' and is dropped; write an integer from 1 to 10"
    assert warnings == [Violation("meta-dropped", message, 5)]
    assert violations == []
    assert head == read_metas(plane(metas(tag="a")))[0]
    _, violations, warnings = read_metas(plane(metas(task_status="later")))
    assert violations == [Violation("task-status", "only a task may have memhtml-task-status; take it out", 5)]
    assert warnings == []
