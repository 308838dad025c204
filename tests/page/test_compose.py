"""A draft becomes a memory, or is refused with everything that is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Citation, Draft, Entity, Facet, Facts, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, Status, TaskStatus
from memhtml.page.canonical import content_hash
from memhtml.page.compose import LONGEST_TITLE, _check_again, compose
from memhtml.page.read import read
from memhtml.page.render import render

NOW = Instant("2026-07-28T10:00:00Z")
BARE = Draft(MemoryType.SEMANTIC, claim="C")
ANYTHING = st.text(st.characters(codec=None), max_size=40)
SPICED = st.lists(
    st.sampled_from(
        [
            *(
                "<b>",
                "</p>",
                "</mark>",
                "<script>alert(1)</script>",
                "<!--",
                "-->",
                "]]>",
                "&amp;",
                "&",
                '"',
                "'",
                "`",
                "```",
            ),
            *(
                "\n",
                "\n\n",
                "\r\n",
                "\r",
                "\t",
                "\f",
                "\v",
                "\x00",
                "\x01",
                "\x1b[31m",
                "\x7f",
                "\x85",
                "\u2028",
                "\ufeff",
            ),
            *(
                "\u202e",
                "\u200b",
                "\u00a0",
                "\ud800",
                "\udfff",
                "\U0010ffff",
                "\ufffe",
                "😀",
                "日本語",
                "e\u0301",
                "word",
                "a. B ",
            ),
        ]
    ),
    max_size=12,
).map("".join)
TEXTS = st.one_of(SPICED, ANYTHING)
OPTIONAL = st.one_of(st.none(), TEXTS)


def facts(draft: Draft) -> Facts:
    """The facts of the file that ``draft`` becomes."""
    reading = read(render(compose(draft, now=NOW)))
    assert reading.facts is not None, reading.violations
    assert reading.facts.head.content_hash == reading.facts.content_hash
    return reading.facts


def violations(draft: Draft) -> tuple[str, ...]:
    """The codes with which ``draft`` is refused."""
    with pytest.raises(InvalidMemoryError) as refusal:
        compose(draft, now=NOW)
    return tuple(sentence.rpartition("[")[2].rstrip("]") for sentence in refusal.value.violations)


def words(text: str) -> list[str]:
    """What must come back: everything but white space and fences."""
    return text.replace("`", " ").split()


@settings(max_examples=300)
@given(claim=OPTIONAL, body=OPTIONAL, title=OPTIONAL)
def test_whatever_prose_is_given_comes_back_or_is_refused(
    claim: str | None, body: str | None, title: str | None
) -> None:
    """Markup, controls, bidirectional text, emoji, surrogates, NUL: the words are in the body, or there is a reason."""
    draft = Draft(MemoryType.SEMANTIC, claim=claim, body=body, title=title)
    try:
        memory = compose(draft, now=NOW)
    except InvalidMemoryError as error:
        refusal = error
    else:
        reading = read(render(memory))
        assert reading.facts is not None, reading.violations
        assert reading.warnings == ()
        said = "".join(words(reading.facts.body))
        known = said + "".join(entity.name for entity in reading.facts.entities)
        assert "".join(words(f"{claim or ''}")) in said
        for word in words(body or ""):
            assert word in known or word.lower() in known
        assert reading.facts.gist
        assert reading.facts.title
        return
    assert refusal.violations
    assert all(sentence.endswith("]") and sentence.isprintable() for sentence in refusal.violations)


@settings(max_examples=200)
@given(st.data())
def test_whatever_else_is_given_comes_back_or_is_refused(data: st.DataObject) -> None:
    """Facets, citations, entities, tags: as values, in their order."""
    pair = st.tuples(TEXTS, TEXTS)
    facets = data.draw(st.lists(st.builds(lambda p, n: Facet(*p, n), pair, st.none() | st.floats()), max_size=2))
    citations = data.draw(st.lists(st.builds(Citation, TEXTS, OPTIONAL), max_size=2))
    tags = data.draw(st.lists(TEXTS, max_size=2))
    draft = replace(
        BARE, facets=tuple(facets), citations=tuple(citations), tags=tuple(tags), author=data.draw(OPTIONAL)
    )
    try:
        memory = compose(draft, now=NOW)
    except InvalidMemoryError as error:
        refusal = error
    else:
        found = read(render(memory)).facts
        assert found is not None
        assert [(row.name, row.value, row.number) for row in found.facets] == [
            (" ".join(row.name.split()), " ".join(row.value.split()), row.number) for row in facets
        ]
        assert {row.uri for row in found.citations} == {row.uri for row in citations}
        assert set(found.head.tags) == {" ".join(tag.split()) for tag in tags}
        return
    assert refusal.violations


def test_a_full_draft_by_example() -> None:
    """Every field arrives where the index looks for it."""
    draft = Draft(
        MemoryType.PROCEDURAL,
        title="Draining",
        claim="Drain first",
        body="Then deploy.",
        tags=("aws", "aws", " b  c "),
        entities=(Entity("service", "x:y"),),
        aliases=("draining",),
        facets=(Facet("Window", "two minutes", 120.0),),
        citations=(Citation("RFC", "https://a.example/"), Citation("book")),
        links=(Link(Rel.RELATES_TO, MemoryPath("areas/a b.html")),),
        event_at="2026-07-27 12:00+02:00",
        valid_from="2026-07-01",
        valid_until="2027-01-01T00:00",
        importance=10,
        confidence=0.875,
        author="agent",
        session=" ",
        prompt="p",
        turn="3",
    )
    found = facts(draft)
    head = found.head
    assert (found.title, found.gist, found.event_at) == ("Draining", "Drain first", "2026-07-27T10:00:00Z")
    assert (head.status, head.created, head.updated) == (Status.ACTIVE, NOW, NOW)
    assert (head.valid_from, head.valid_until) == ("2026-07-01", "2027-01-01T00:00:00Z")
    assert (head.importance, head.confidence, head.author) == (10, 0.88, "agent")
    assert (head.session, head.prompt, head.turn) == (None, "p", "3")
    assert (head.tags, head.aliases, head.entities) == (("aws", "b c"), ("draining",), (Entity("service", "x:y"),))
    assert (found.facets, found.citations, found.links) == (draft.facets, draft.citations, draft.links)
    assert found.body.splitlines()[0] == "Drain first Then deploy."
    assert facts(replace(draft, session="s", author=" ")).head.session == "s"
    assert facts(replace(draft, session="s", author=" ")).head.author is None


def test_a_bare_draft_writes_nothing_that_was_not_given() -> None:
    """No default stands in a file."""
    memory = compose(BARE, now=NOW)
    assert (memory.title, memory.article, memory.links) == ("C", "<p><mark>C</mark></p>", ())
    given = {name for name in memory.head.__struct_fields__ if getattr(memory.head, name) not in {None, ()}}
    assert given == {"type", "status", "created", "updated"}


REFUSED: list[tuple[dict[str, Any], list[str]]] = [
    ({"claim": None}, ["content-missing"]),
    ({"claim": None, "facets": (Facet("a", "b"),)}, ["content-missing"]),
    ({"article_html": "<p><mark>x</mark></p>"}, ["content-twice"]),
    ({"claim": None, "body": "x", "article_html": "<p><mark>x</mark></p>"}, ["content-twice"]),
    ({"claim": ""}, ["claim-empty"]),
    ({"claim": " \u00a0\u200b"}, ["claim-empty"]),
    ({"claim": None, "body": ""}, ["claim-empty"]),
    ({"claim": None, "body": "```\nx\n```"}, ["claim-empty"]),
    ({"claim": "a\x00"}, ["nul"]),
    ({"claim": "a\ud800"}, ["surrogate"]),
    ({"claim": "", "title": "\x00", "tags": ("\udfff",)}, ["nul", "surrogate"]),
    ({"facets": (Facet("a", "\x00"),), "links": (Link(Rel.SUPPORTS, MemoryPath("\ud800")),)}, ["nul", "surrogate"]),
    ({"title": ""}, ["title-empty"]),
    ({"title": "\u00a0\u202e"}, ["title-empty"]),
    ({"tags": ("a", " ")}, ["tag"]),
    ({"aliases": ("",)}, ["alias"]),
    ({"entities": (Entity("", "x"),)}, ["entity"]),
    ({"entities": (Entity("a:b", "x"),)}, ["entity"]),
    ({"entities": (Entity("a", " x"),)}, ["entity"]),
    ({"importance": 0}, ["importance"]),
    ({"importance": 11}, ["importance"]),
    ({"confidence": 1.001}, ["confidence"]),
    ({"confidence": -0.001}, ["confidence"]),
    ({"confidence": float("nan")}, ["confidence"]),
    ({"facets": (Facet("", "x"),)}, ["facet"]),
    ({"facets": (Facet("x", "\u00a0"),)}, ["facet"]),
    ({"facets": (Facet("x", "y", float("inf")),)}, ["facet"]),
    ({"citations": (Citation(""),)}, ["citation"]),
    ({"citations": (Citation(" ", " "),)}, ["citation"]),
    ({"citations": (Citation("x", "javascript:a"),)}, ["address"]),
    ({"event_at": "2026-8-9"}, ["instant"]),
    ({"valid_from": ""}, ["instant"]),
    ({"valid_until": "soon", "due": "2026-13-45"}, ["instant", "instant"]),
    ({"valid_from": "2026-05-01", "valid_until": "2026-01-01"}, ["validity"]),
    ({"valid_from": "2026-05-01T00:00+02:00", "valid_until": "2026-04-30T22:00:00Z"}, ["validity"]),
    ({"valid_from": "2026-05-01T10:00:00Z", "valid_until": "2026-05-01"}, ["validity"]),
    ({"task_status": TaskStatus.TODO}, ["task-status"]),
    ({"links": (Link(Rel.SUPPORTS, MemoryPath("../a.html")),)}, ["link-href"]),
    ({"links": (Link(Rel.SUPPORTS, MemoryPath("/a.html")),)}, ["link-href"]),
    ({"claim": "", "importance": 0, "due": "x", "tags": ("",)}, ["tag", "importance", "instant", "claim-empty"]),
    (
        {
            "claim": None,
            "article_html": '<p><mark>x</mark>\n<time datetime="2026-07-28">y</time></p>',
            "event_at": "2026-07-27",
        },
        ["event-twice"],
    ),
    ({"claim": None, "article_html": "<p><mark>x</mark></p>\n\x00"}, ["nul"]),
    (
        {"claim": None, "article_html": "<p><mark>x</mark>\n<time>y</time></p>", "event_at": "2026-07-27"},
        ["time-datetime", "event-twice"],
    ),
    ({"claim": None, "article_html": "<p><mark>x</mark></p>\n<article></article>"}, ["article-repeated"]),
    ({"claim": None, "article_html": "<p><mark>x</mark></p>\n<p class=y>z</p>"}, ["class"]),
]


@pytest.mark.parametrize(("changes", "codes"), REFUSED)
def test_everything_wrong_is_said_at_once(changes: dict[str, Any], codes: list[str]) -> None:
    """By code, in the order of the fields."""
    assert list(violations(replace(BARE, **changes))) == codes


def test_the_sentences_are_those_of_the_list() -> None:
    """Word for word: whoever changes one sees it here, beside the others."""
    said: set[str] = set()
    for changes, _ in REFUSED:
        with pytest.raises(InvalidMemoryError) as refusal:
            compose(replace(BARE, **changes), now=NOW)
        said.update(refusal.value.violations)
    listed = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(said) == listed


@pytest.mark.parametrize("value", [1, 10])
def test_the_ends_of_importance_are_inside(value: int) -> None:
    """One and ten are importances."""
    assert facts(replace(BARE, importance=value)).head.importance == value


@pytest.mark.parametrize("value", [0.0, 1.0, 1, 0])
def test_the_ends_of_confidence_are_inside(value: float) -> None:
    """Nothing and certainty are confidences."""
    assert facts(replace(BARE, confidence=value)).head.confidence == value


@pytest.mark.parametrize(
    ("start", "end"),
    [("2026-05-01", "2026-05-02"), ("2026-05-01", "2026-05-01T00:00:01Z"), (None, "2020-01-01"), ("2026-05-01", None)],
)
def test_a_window_that_holds_at_some_time_is_taken(start: str | None, end: str | None) -> None:
    """Also one that is open on a side, or long over."""
    head = facts(replace(BARE, valid_from=start, valid_until=end)).head
    assert (head.valid_from, head.valid_until) == (start, end)


def test_a_task_begins_as_todo() -> None:
    """Unless it says otherwise."""
    task = Draft(MemoryType.TASK, claim="Do it", due="2026-08-01")
    assert (facts(task).head.task_status, facts(task).head.due) == (TaskStatus.TODO, "2026-08-01")
    assert facts(replace(task, task_status=TaskStatus.BLOCKED)).head.task_status == TaskStatus.BLOCKED


@pytest.mark.parametrize(
    ("claim", "title"),
    [
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "…"),
        ("word " * 40, ("word " * 23).strip() + "…"),
        ("a\n b", "a b"),
    ],
)
def test_a_claim_gives_the_title(claim: str, title: str) -> None:
    """As one line, cut at a word."""
    memory = compose(Draft(MemoryType.SEMANTIC, claim=claim), now=NOW)
    assert memory.title == title
    assert len(memory.title) <= LONGEST_TITLE


ARTICLE = "<P>a <mark>claim</MARK><p>more"


def test_only_collapsible_white_space_is_trimmed() -> None:
    """An em space at the edge is content."""
    memory = compose(Draft(MemoryType.SEMANTIC, article_html="\u2003<p><mark>x</mark></p>\u2003 \n"), now=NOW)
    assert memory.article == "\u2003<p><mark>x</mark></p>\u2003"


def test_markup_is_brought_to_one_spelling() -> None:
    """Its words and its hash are those of what was given; the title comes from its claim."""
    memory = compose(Draft(MemoryType.SEMANTIC, article_html=f" {ARTICLE} \n"), now=NOW)
    assert memory.article == "<p>a <mark>claim</mark></p><p>more \n</p>"
    assert memory.title == "claim"
    assert content_hash(memory.article) == content_hash(ARTICLE)


@pytest.mark.parametrize(
    ("markup", "codes"),
    [
        ("", ["claim-missing"]),
        ("<p>x</p>", ["claim-missing"]),
        ("<p><mark>x</mark></p></article><script>a</script>", ["script", "stray-end-tag"]),
        ("<article><p><mark>x</mark></p></article>", ["article-repeated"]),
        ("<p><mark>x</mark></p><section>", ["unclosed"]),
        ("<p class=a><mark>x</mark></p><time>y</time>", ["class", "time-datetime"]),
        ("<p><mark>x</mark></p><!-- y", ["eof-in-comment", "unclosed"]),
        ("<p><mark>x</mark></p><meta name=memhtml-tag content=y><title>z</title>", ["outside-head", "outside-head"]),
        ("<p><mark>x</mark></p>\x00", ["nul"]),
        ("<p><mark>x</mark></p>\ud800", ["surrogate"]),
        ("<p><mark><code>x</code></mark></p>", ["claim-empty"]),
    ],
)
def test_markup_passes_the_same_checks(markup: str, codes: list[str]) -> None:
    """As a file does."""
    assert sorted(violations(Draft(MemoryType.SEMANTIC, article_html=markup))) == codes


def test_lines_of_violations_are_those_of_the_markup() -> None:
    """Not of the file that it would have become."""
    with pytest.raises(InvalidMemoryError, match="line 2: <p class>"):
        compose(Draft(MemoryType.SEMANTIC, article_html="<p><mark>x</mark></p>\n<p class=a>y</p>"), now=NOW)


def test_an_event_beside_markup_is_one_event() -> None:
    """It is added when the markup has none, is there when they agree, and refused when they differ."""
    plain = Draft(MemoryType.EPISODIC, article_html="<p><mark>x</mark></p>", event_at="2026-07-28")
    timed = replace(plain, article_html='<p><mark>x</mark> <time datetime="2026-07-28">y</time></p>')
    assert facts(plain).event_at == facts(timed).event_at == "2026-07-28"
    assert compose(timed, now=NOW).article == timed.article_html
    both = compose(replace(timed, facets=(Facet("a", "b"),)), now=NOW).article
    assert both == f"{timed.article_html}<dl><dt>a</dt><dd>b</dd></dl>"
    assert violations(replace(timed, event_at="2026-07-29")) == ("event-twice",)


def test_markup_is_read_once_more_before_it_is_taken() -> None:
    """Should the serialiser ever write what the parser reads otherwise, it is refused, not stored."""
    memory = compose(BARE, now=NOW)
    with pytest.raises(InvalidMemoryError, match="claim-missing"):
        _check_again(replace(memory, article="<p>x</p>"))
    _check_again(memory)


def test_markup_that_reads_otherwise_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second reading is of what the markup became, not of what was given."""
    monkeypatch.setattr("memhtml.page.compose.article_markup", lambda _: "<p>no claim</p>")
    with pytest.raises(InvalidMemoryError, match="claim-missing"):
        compose(Draft(MemoryType.SEMANTIC, article_html=ARTICLE), now=NOW)
    assert compose(BARE, now=NOW).article == "<p>no claim</p>"


def test_facets_beside_markup_are_added() -> None:
    """At its end."""
    draft = Draft(MemoryType.SEMANTIC, article_html="<p><mark>x</mark></p>", facets=(Facet("a", "b"),))
    assert compose(draft, now=NOW).article == "<p><mark>x</mark></p><dl><dt>a</dt><dd>b</dd></dl>"


PIECES = [
    "<p>",
    "</p>",
    "<mark>x</mark>",
    "<em>",
    "</em>",
    "<ul>",
    "</ul>",
    "<li>",
    "<br>",
    "<pre>\n",
    "</pre>",
    "<div>",
    "</div>",
]
PIECES += [
    "a ",
    "&lt;",
    "&#13;",
    "<!--c-->",
    "<table>",
    "</table>",
    "<td>",
    "<textarea>\n\n",
    "</textarea>",
    "<svg/>",
    "\n",
]
PIECES += [
    "<noscript>",
    "</noscript>",
    "<xmp>",
    "</xmp>",
    "<b>",
    "</b>",
    "<?x?>",
    "<!x-->",
    "<template>",
    "</template>",
]


@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_accepted_markup_keeps_its_hash_and_its_spelling(inner: str) -> None:
    """What is written is read as what was given, and rendering it once more changes nothing."""
    markup = "<p><mark>claim</mark></p>" + inner
    try:
        memory = compose(Draft(MemoryType.SEMANTIC, article_html=markup), now=NOW)
    except InvalidMemoryError:
        return
    data = render(memory)
    reading = read(data)
    assert reading.facts is not None
    assert reading.facts.content_hash == content_hash(markup)
    assert render(replace(memory, article=memory.article)) == data
    assert content_hash(memory.article) == content_hash(markup)
