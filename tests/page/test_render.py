"""A memory to the bytes of its file."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Entity, Head, Instant, Link, Memory, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus
from memhtml.page.canonical import content_hash
from memhtml.page.metas import METAS
from memhtml.page.read import read
from memhtml.page.render import render
from memhtml.page.rules import is_visible

NOW = Instant("2026-07-28T10:00:00Z")
HEAD = Head(
    type=MemoryType.TASK,
    status=Status.ARCHIVED,
    created=NOW,
    updated=Instant("2026-07-29"),
    confidence=0.5,
    importance=7,
    content_hash="sha256:" + "0" * 64,
    author='agent "x"',
    session="s&t",
    prompt="p",
    turn="3",
    valid_from=Instant("2026-07-01"),
    valid_until=Instant("2026-08-01"),
    reprieves=2,
    archived=NOW,
    superseded_by=MemoryPath("areas/a b.html"),
    needs_revision=True,
    task_status=TaskStatus.DONE,
    due=Instant("2026-07-30"),
    entities=(Entity("service", "x"), Entity("person", "Ada")),
    tags=("b", "a"),
    aliases=("z",),
)
MEMORY = Memory(
    title="A < B\u00a0& C",
    head=HEAD,
    links=(Link(Rel.CAUSED_BY, MemoryPath("areas/b.html")), Link(Rel.BLOCKS, MemoryPath("areas/a%.html"))),
    article=" <p><mark>C</mark> \n",
)
FILE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>A &lt; B&nbsp;&amp; C</title>
<meta name="memhtml-type" content="task">
<meta name="memhtml-status" content="archived">
<meta name="memhtml-created" content="2026-07-28T10:00:00Z">
<meta name="memhtml-updated" content="2026-07-29">
<meta name="memhtml-confidence" content="0.50">
<meta name="memhtml-importance" content="7">
<meta name="memhtml-content-hash" content="sha256:6b23c0d5f35d1b11f9b683f0b0a617355deb11277d91ae091d399c655b87940d">
<meta name="memhtml-author" content="agent &quot;x&quot;">
<meta name="memhtml-session" content="s&amp;t">
<meta name="memhtml-prompt" content="p">
<meta name="memhtml-turn" content="3">
<meta name="memhtml-valid-from" content="2026-07-01">
<meta name="memhtml-valid-until" content="2026-08-01">
<meta name="memhtml-reprieves" content="2">
<meta name="memhtml-archived" content="2026-07-28T10:00:00Z">
<meta name="memhtml-superseded-by" content="/areas/a%20b.html">
<meta name="memhtml-needs-revision" content="true">
<meta name="memhtml-task-status" content="done">
<meta name="memhtml-due" content="2026-07-30">
<meta name="memhtml-entity" content="service:x">
<meta name="memhtml-entity" content="person:Ada">
<meta name="memhtml-tag" content="b">
<meta name="memhtml-tag" content="a">
<meta name="memhtml-alias" content="z">
<link rel="memhtml-caused-by" href="/areas/b.html">
<link rel="memhtml-blocks" href="/areas/a%25.html">
</head>
<body>
<article>
<p><mark>C</mark>
</p>
</article>
</body>
</html>
"""


def test_a_full_file_by_example() -> None:
    """One element a line in the promised order; the hash is computed, whatever the head claims."""
    assert render(replace(MEMORY, article="<p><mark>C</mark></p>")).decode() == FILE.replace(
        "</mark>\n</p>", "</mark></p>"
    )


def test_a_bare_file_has_the_four_metas_and_its_hash() -> None:
    """What is not there is not written."""
    bare = Memory("T", Head(MemoryType.VERDICT, Status.ACTIVE, NOW, NOW), (), "<p><mark>C</mark></p>")
    names = [line.split('"')[1] for line in render(bare).decode().splitlines() if "memhtml-" in line]
    assert names == [rule.name for rule in METAS if rule.required or rule.name == "memhtml-content-hash"]


def test_what_is_rendered_is_read_as_it_was() -> None:
    """Every value of the head, every link."""
    reading = read(render(MEMORY))
    assert reading.violations == reading.warnings == ()
    assert reading.facts is not None
    assert reading.facts.head == replace(HEAD, content_hash=reading.facts.content_hash)
    assert reading.facts.links == MEMORY.links
    assert reading.facts.title == "A < B & C"


def test_the_metas_are_those_of_the_format() -> None:
    """Counted against the fields of the head: one rule each, nineteen single, three repeatable, four required."""
    assert [rule.field for rule in METAS] == list(Head.__struct_fields__)
    assert len({rule.name for rule in METAS}) == len(METAS) == 22
    assert [rule.name for rule in METAS if rule.repeatable] == ["memhtml-entity", "memhtml-tag", "memhtml-alias"]
    assert sum(rule.required for rule in METAS) == 4


LINE = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
LINE = LINE.map(lambda text: " ".join(text.split())).filter(bool)
WHEN = st.sampled_from([Instant("2026-07-28"), NOW])
PATH = st.sampled_from([MemoryPath("areas/a.html"), MemoryPath("areas/é b%#?.html")])


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A value or none."""
    return st.none() | strategy


HEADS = st.builds(
    Head,
    type=st.sampled_from([kind for kind in MemoryType if kind is not MemoryType.TASK]),
    status=st.sampled_from(Status),
    created=WHEN,
    updated=WHEN,
    confidence=maybe(st.sampled_from([0.0, 0.25, 1.0])),
    importance=maybe(st.integers(1, 10)),
    author=maybe(LINE),
    session=maybe(LINE),
    prompt=maybe(LINE),
    turn=maybe(LINE),
    valid_from=maybe(WHEN),
    valid_until=maybe(WHEN),
    reprieves=maybe(st.integers(0, 99)),
    archived=maybe(WHEN),
    superseded_by=maybe(PATH),
    needs_revision=maybe(st.booleans()),
    due=maybe(WHEN),
    entities=st.lists(st.builds(Entity, st.just("service"), LINE), max_size=2, unique=True).map(tuple),
    tags=st.lists(LINE, max_size=2, unique=True).map(tuple),
    aliases=st.lists(LINE, max_size=2, unique=True).map(tuple),
)


@given(HEADS, LINE.filter(is_visible), st.lists(st.builds(Link, st.sampled_from(Rel), PATH), max_size=2, unique=True))
def test_no_metadata_moves_the_hash_and_all_of_it_comes_back(head: Head, title: str, links: list[Link]) -> None:
    """Whatever the head says, the article is what it is; and the head is read as it was written."""
    article = "<p><mark>C</mark></p>"
    reading = read(render(Memory(title, head, tuple(links), article)))
    assert reading.facts is not None, reading.violations
    assert reading.facts.content_hash == content_hash(article)
    assert reading.facts.head == replace(head, content_hash=content_hash(article))
    assert (reading.facts.title, reading.facts.links) == (title, tuple(links))


def test_markup_that_would_be_mended_is_not_rendered() -> None:
    """Nothing is moved or lost on the way to a file."""
    with pytest.raises(InvalidMemoryError, match="unclosed"):
        render(replace(MEMORY, article="<p><mark>C</mark></p><section>"))
