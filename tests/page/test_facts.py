"""What the index takes from an article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import Citation, Entity, Facet, Facts
from memhtml.page.facts import number
from memhtml.page.read import read

HEAD = """<!doctype html><title>t</title>
<meta name="memhtml-type" content="semantic"><meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-07-28"><meta name="memhtml-updated" content="2026-07-28">
"""


def facts(article: str, head: str = "") -> Facts:
    """The facts of a file with this article."""
    reading = read(f"{HEAD}{head}<article>{article}</article>".encode())
    assert reading.facts is not None, reading.violations
    return reading.facts


CLAIM = "<p><mark>C</mark></p>"


@pytest.mark.parametrize(
    ("mark", "gist"),
    [
        ("Drain first.", "Drain first."),
        (" Drain\n  <em>first</em> ", "Drain first"),
        ("Run <code>ls</code> now", "Run now"),
        ("a\u00a0b", "a b"),
        ("H<sub>2</sub>O", "H2O"),
        ("a<br>b", "a b"),
        ("a<!-- x -->b", "ab"),
        ("Use <kbd>ctrl</kbd>", "Use ctrl"),
    ],
)
def test_the_gist_is_the_claim_as_one_line(mark: str, gist: str) -> None:
    """Code is left out, white space counts once."""
    assert facts(f"<p><mark>{mark}</mark></p>").gist == gist


@pytest.mark.parametrize(
    ("markup", "body"),
    [
        ("", "C"),
        ("<p>a  b\nc</p>", "C\na b c"),
        ("<p></p><p> </p>x", "C\nx"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>", "C\na\nb\nc"),
        ("<pre>  a\n\n b  \n</pre>", "C\n  a\n\n b"),
        ("<pre><code>\n\n  x\n</code></pre>", "C\n  x"),
        ("<table><caption>T</caption><tr><th>a</th><td>b</td></tr><tr><td>c<td>d</table>", "C\nT\na b\nc d"),
        ("<dl><dt>N</dt><dd>a</dd><dd>b</dd><dt>M:</dt><dd>c</dd></dl>", "C\nN: a; b\nM: c"),
        ("<dl><dd>a</dd></dl>", "C\na"),
        ("<dl><dt></dt><dd></dd><dd>a</dd><dd> </dd><dd>b</dd></dl>", "C\na; ; b"),
        ("<details><summary>s</summary>f<pre> g</pre></details>", "C\ns\nf\n g"),
        ("<aside>a<p>b</p></aside>", "C\na\nb"),
        ("<figure><pre><code>x</code></pre><figcaption>y</figcaption></figure>", "C\nx\ny"),
        ("<p>a<b>b</b>c</p>", "C\nabc"),
        ("<p>a\u00a0b\u2003c</p>", "C\na\u00a0b\u2003c"),
        ("<template><p>a</p></template>", "C\na"),
        ("<noscript>a</noscript>", "C\na"),
        ("<svg><text>a</text></svg>", "C\na"),
        ("<blockquote>a</blockquote>", "C\na"),
    ],
)
def test_the_body_is_all_text_a_line_a_block(markup: str, body: str) -> None:
    """Folds, asides, code, captions and cells included; blank blocks are none."""
    assert facts(CLAIM + markup).body == body


@pytest.mark.parametrize(
    ("markup", "disclosure"),
    [
        ("<p>a</p><aside>b</aside><p>c</p>", "C\na\nc"),
        ("<details><summary>s</summary><p>f</p></details>d", "C\ns\nd"),
        ("<details><p>f</p><summary>s <em>t</em></summary></details>", "C\ns t"),
        ("<details><div><summary>s</summary></div></details>", "C"),
        ("<aside><details><summary>s</summary></details></aside>", "C"),
        ("<details><summary>s</summary><details><summary>t</summary></details></details>", "C\ns"),
        ("<details><summary>s<aside>a</aside></summary></details>", "C\ns"),
        ("<aside><summary>s</summary></aside>", "C"),
        ("<dl><dt>N</dt><dd>v</dd></dl>", "C\nN: v"),
        ("<figure><pre>x</pre></figure>", "C\nx"),
        ("<summary>s</summary>", "C\ns"),
        ("<aside><dl><dt>N</dt><dd>a</dd><dd>b</dd></dl></aside>", "C"),
    ],
)
def test_the_disclosure_leaves_out_folds_and_asides(markup: str, disclosure: str) -> None:
    """Only the summary of a fold is quotable, and nothing inside a hidden part is."""
    assert facts(CLAIM + markup).disclosure == disclosure


@pytest.mark.parametrize(
    ("markup", "event_at"),
    [
        ("", None),
        ('<p><time datetime="2026-07-28">x</time> <time datetime="2020-01-01">y</time></p>', "2026-07-28"),
        ('<details><time datetime="2026-07-28 01:30+02:00">x</time></details>', "2026-07-27T23:30:00Z"),
        ('<svg><time></time></svg><p><time datetime="2020-01-01"></time></p>', "2020-01-01"),
    ],
)
def test_the_event_is_the_first_time(markup: str, event_at: str | None) -> None:
    """Normalised, wherever in the article it stands."""
    assert facts(CLAIM + markup.replace("<svg><time></time></svg>", "")).event_at == event_at


def test_a_time_outside_the_article_is_no_event() -> None:
    """The article is the memory."""
    file = HEAD + f'<p><time datetime="2020-01-01">x</time></p><article>{CLAIM}</article>'
    reading = read(file.encode())
    assert reading.facts is not None
    assert reading.facts.event_at is None
    assert reading.facts.body == "C"


@pytest.mark.parametrize(
    ("markup", "rows"),
    [
        ("<dl></dl>", ()),
        ("<dl><dt>N</dt><dd>a</dd><dd>b</dd></dl>", (Facet("N", "a"), Facet("N", "b"))),
        ("<dl><dt>N</dt><dt>M</dt><dd>a</dd></dl>", (Facet("M", "a"),)),
        ("<dl><dt>N</dt><dd>a</dd><dt>M</dt><dd>b</dd></dl>", (Facet("N", "a"), Facet("M", "b"))),
        ("<dl><dd>a</dd><dt>N</dt></dl>", ()),
        ("<dl><dt>N</dt><dd> </dd><dt></dt><dd>a</dd></dl>", ()),
        ("<dl><div><dt>N</dt><dd>a</dd></div></dl>", (Facet("N", "a"),)),
        ("<dl>\n<div>\n<dt>N</dt>\n<dd>a</dd>\n</div>\n<p>b</p></dl>", (Facet("N", "a"),)),
        ("<dl>\n<dt>N</dt>\n<dd>a</dd>\n</dl>", (Facet("N", "a"),)),
        ('<dl><dt>W</dt><dd><data value="120">two minutes</data></dd></dl>', (Facet("W", "two minutes", 120.0),)),
        (
            '<dl><dt>W</dt><dd><data value="x">a</data> <data value=" -1e2 ">b</data></dd></dl>',
            (Facet("W", "a b", -100.0),),
        ),
        ('<dl><dt>W</dt><dd><data value="inf">a</data></dd></dl>', (Facet("W", "a"),)),
        ("<dl><dt>W</dt><dd><data>a</data></dd></dl>", (Facet("W", "a"),)),
        ("<dl><dt>N</dt><dd>a<dl><dt>M</dt><dd>b</dd></dl></dd></dl>", (Facet("N", "a M: b"), Facet("M", "b"))),
        ("<details><dl><dt>N<dd>a</dl></details>", (Facet("N", "a"),)),
    ],
)
def test_facets_are_the_pairs_of_definition_lists(markup: str, rows: tuple[Facet, ...]) -> None:
    """One name may govern several values; a machine value counts when it is finite."""
    assert facts(CLAIM + markup).facets == rows


@pytest.mark.parametrize(
    ("markup", "rows"),
    [
        ("<p><cite>RFC 9110</cite></p>", (Citation("RFC 9110"),)),
        ('<p><q cite="https://a.example/">x</q></p>', (Citation("x", "https://a.example/"),)),
        ("<p><q>x</q></p>", ()),
        ('<p><cite><a href="/b">x</a></cite></p>', (Citation("x", "/b"),)),
        ('<p><a href="/b"><cite>x</cite></a> <cite>y</cite></p>', (Citation("x", "/b"), Citation("y"))),
        ("<p><cite><a>x</a></cite></p>", (Citation("x"),)),
        ("<p><cite> </cite><q cite=''></q></p>", ()),
        ("<p><cite>x</cite> <cite>x</cite></p>", (Citation("x"),)),
        ('<p><q cite="/b"><cite>x</cite></q></p>', (Citation("x", "/b"), Citation("x"))),
    ],
)
def test_citations_are_sources_with_their_address(markup: str, rows: tuple[Citation, ...]) -> None:
    """In document order, once each."""
    assert facts(CLAIM + markup).citations == rows


def test_entities_come_from_head_terms_and_languages() -> None:
    """In this order, without repeats, languages in lower case, bad ones warned of."""
    head = '<meta name="memhtml-entity" content="service:x"><meta name="memhtml-entity" content="concept:drain">'
    article = (
        '<p><dfn>drain</dfn> <dfn>VIP</dfn> <dfn></dfn> <code data-lang="C++">x</code> <code data-lang="?">y</code></p>'
    )
    article += "<code>z</code>"
    found = facts(CLAIM + article, head).entities
    assert found == (
        Entity("service", "x"),
        Entity("concept", "drain"),
        Entity("concept", "VIP"),
        Entity("lang", "c++"),
    )


def test_the_head_is_read_into_values() -> None:
    """Repeats once, instants normalised, nothing taken on trust."""
    fake = "sha256:" + "0" * 64
    head = f"""<meta name="memhtml-confidence" content="0.8"><meta name="memhtml-importance" content="10">
<meta name="memhtml-content-hash" content="{fake}"><meta name="memhtml-author" content=" human:ada ">
<meta name="memhtml-valid-from" content="2026-07-28 02:00+02:00"><meta name="memhtml-reprieves" content="2">
<meta name="memhtml-superseded-by" content="/archive/2026/areas/a%20b.html">
<meta name="memhtml-needs-revision" content="false"><meta name="memhtml-due" content="2026-08-01">
<meta name="memhtml-tag" content="a"><meta name="memhtml-alias" content="z"><meta name="memhtml-tag" content="b">
<meta name="memhtml-tag" content="a"><meta name="description" content="left alone">
<link rel="memhtml-supports" href="/areas/a.html"><link rel="memhtml-supports" href="/areas/%61.html">
<link rel="stylesheet" href="https://a.example/x.css"><link>"""
    found = facts(CLAIM, head)
    values = found.head
    assert (values.confidence, values.importance, values.content_hash) == (0.8, 10, fake)
    assert found.content_hash != fake
    assert (values.author, values.valid_from, values.reprieves) == ("human:ada", "2026-07-28T00:00:00Z", 2)
    assert (values.superseded_by, values.needs_revision) == ("archive/2026/areas/a b.html", False)
    assert (values.due, values.tags, values.aliases) == ("2026-08-01", ("a", "b"), ("z",))
    assert [(link.rel.value, link.target) for link in found.links] == [("supports", "areas/a.html")]


@pytest.mark.parametrize(
    "meta",
    [
        *(
            'confidence" content="1.01',
            'confidence" content="-0.5',
            'confidence" content="nan',
            'confidence" content="1e0',
        ),
        *('importance" content="0', 'importance" content="11', 'importance" content="5.0', 'importance" content=" 5'),
        *(
            'content-hash" content="sha256:00',
            'author" content=" ',
            'valid-from" content="2026-8-9',
            'reprieves" content="-1',
        ),
        *(
            'superseded-by" content="areas/a.html',
            'needs-revision" content="yes',
            'due" content="soon',
            'archived" content="',
        ),
        *('entity" content="checkout', 'tag" content="', 'alias" content="&nbsp;'),
    ],
)
def test_an_optional_value_outside_its_rule_is_dropped_and_said(meta: str) -> None:
    """A warning never refuses; the fact is as if the meta were not there."""
    file = f'{HEAD}<meta name="memhtml-{meta}"><article>{CLAIM}</article>'
    reading = read(file.encode())
    assert [warning.code for warning in reading.warnings] == ["meta-dropped"]
    assert reading.facts == facts(CLAIM)


def test_a_window_that_never_holds_is_warned_of() -> None:
    """A hand-written one is read as it is; half of one is no window."""
    start, end = (
        '<meta name="memhtml-valid-from" content="2026-05-01">',
        '<meta name="memhtml-valid-until" content="{}">',
    )
    file = f"{HEAD}{start}\n{end.format('2026-04-01')}<article>{CLAIM}</article>"
    reading = read(file.encode())
    assert [(warning.code, warning.line) for warning in reading.warnings] == [("validity", 5)]
    assert reading.facts == facts(CLAIM, start + end.format("2026-04-01"))
    for head in (start, end.format("2020-01-01"), start + end.format("2026-05-02")):
        assert read(f"{HEAD}{head}<article>{CLAIM}</article>".encode()).warnings == ()


@pytest.mark.parametrize("content", ["0", "1", "0.00", "1.00", "0.955", "1.0"])
def test_confidence_may_have_any_decimals(content: str) -> None:
    """Two are written, more are read."""
    assert facts(CLAIM, f'<meta name="memhtml-confidence" content="{content}">').head.confidence == float(content)


def test_warnings_name_each_foreign_element_once() -> None:
    """Outside the vocabulary, loose divs, bad languages: in document order, and nothing is refused."""
    article = f"<h1>a</h1>\n<h1>b</h1>\n<div>c</div>\n{CLAIM}<figure><div><span>d</span></div></figure>\n<span>e</span>"
    article += "<div><span>e</span></div>"
    article += '\n<code data-lang="">f</code>\n<svg><a></a></svg>'
    reading = read(f"{HEAD}<article>{article}</article>".encode())
    assert reading.violations == ()
    said = [(warning.code, warning.message.split()[0], warning.line) for warning in reading.warnings]
    assert said == [
        ("element", "<h1>", 4),
        ("element", "<div>", 6),
        ("element", "<span>", 8),
        ("data-lang", "data-lang=''", 9),
        ("element", "<svg>", 10),
        ("element", "<a>", 10),
    ]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_is_read_back(value: float) -> None:
    """As Python writes it."""
    assert number(repr(value)) == value


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1e999", "1_000", "\u0661", "0x10", "1,5", ".", "1e", "--1", " 1", "1\n"]
)
def test_what_is_no_finite_number_is_none(text: str) -> None:
    """No underscores, no other digits, no infinities."""
    assert number(text) is None
