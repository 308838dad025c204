"""Hundreds of broken files: each violation named, all of them at once, nothing raised, nothing half."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.page.metas import METAS
from memhtml.page.read import read

GOOD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Drain first</title>
<meta name="memhtml-type" content="semantic">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-07-28T10:00:00Z">
<meta name="memhtml-updated" content="2026-07-28T10:00:00Z">
<meta name="memhtml-importance" content="7">
<meta name="memhtml-tag" content="aws">
<link rel="memhtml-relates-to" href="/areas/a.html">
</head>
<body>
<article>
<p><mark>Drain the balancer first.</mark> Then deploy.</p>
<p>It took <time datetime="2026-07-27">a day</time>.</p>
</article>
</body>
</html>
"""

TASK = GOOD.replace('content="semantic"', 'content="task"')
SPARE = {
    "memhtml-type": "semantic",
    "memhtml-status": "active",
    "memhtml-created": "2026-07-28",
    "memhtml-updated": "2026-07-28",
    "memhtml-confidence": "0.5",
    "memhtml-importance": "3",
    "memhtml-content-hash": "sha256:" + "0" * 64,
    "memhtml-author": "ada",
    "memhtml-session": "s",
    "memhtml-prompt": "p",
    "memhtml-turn": "1",
    "memhtml-valid-from": "2026-07-28",
    "memhtml-valid-until": "2026-07-28",
    "memhtml-reprieves": "0",
    "memhtml-archived": "2026-07-28",
    "memhtml-superseded-by": "/areas/a.html",
    "memhtml-needs-revision": "true",
    "memhtml-task-status": "todo",
    "memhtml-due": "2026-07-28",
}
HEAD_END = "</head>"
P = "<p>It took"
CLAIM = "<p><mark>Drain the balancer first.</mark> Then deploy.</p>"
BROKEN: list[tuple[str | bytes, list[str]]] = []


def head(markup: str, *codes: str, base: str = GOOD) -> None:
    """A file with more in its head."""
    BROKEN.append((base.replace(HEAD_END, markup + HEAD_END), list(codes)))


def body(markup: str, *codes: str) -> None:
    """A file with more in its article, after the claim."""
    BROKEN.append((GOOD.replace(P, markup + P), list(codes)))


def claim(markup: str, *codes: str) -> None:
    """A file with another beginning of its article."""
    BROKEN.append((GOOD.replace(CLAIM, markup), list(codes)))


def swap(old: str, new: str, *codes: str, base: str = GOOD) -> None:
    """A file with one text instead of another."""
    assert old in base
    BROKEN.append((base.replace(old, new, 1), list(codes)))


NO_FILE = ["title-missing", *["meta-missing"] * 4, "article-missing"]
BROKEN += [
    (b"", NO_FILE),
    (b" \n", NO_FILE),
    (b"\xef\xbb\xbf", NO_FILE),
    (b"just text", NO_FILE),
    (b"\x00", ["nul"]),
    (b"\xff", ["encoding"]),
    (GOOD.encode("utf-16"), ["encoding"]),
    (GOOD.encode("utf-16-le"), ["nul"]),
    (GOOD.encode("utf-32"), ["encoding"]),
    (GOOD.replace("day", "jour\u00e9e").encode("latin-1"), ["encoding"]),
    (GOOD.replace("day", "da\x00y"), ["nul"]),
    (GOOD.encode() + b"\xc3", ["encoding"]),
    (b"\xed\xa0\x80" + GOOD.encode(), ["encoding"]),
    (b"\x89PNG\r\n\x1a\n\x00\x00", ["encoding"]),
    (b"<" * 1000, NO_FILE),
    (b"<article>", ["unclosed", "claim-missing", "title-missing", *["meta-missing"] * 4]),
    (b"<!doctype html><frameset><frame></frameset>", NO_FILE),
    (b"<?xml version='1.0'?><memory/>", ["unclosed", *NO_FILE]),
    (GOOD + GOOD, [*["lost-tag"] * 3, *["stray-end-tag"] * 3, *["outside-head"] * 8, "article-repeated"]),
]

# The title.
swap("<title>Drain first</title>\n", "", "title-missing")
swap("Drain first", "", "title-empty")
swap("Drain first", " \n ", "title-empty")
swap("Drain first", "&nbsp;", "title-empty")
swap("Drain first", "&#8203;", "title-empty")
head("<title>x</title>", "title-repeated")
head("<title></title>", "title-repeated")
body("<title>x</title>", "outside-head")
swap("<title>Drain first</title>", "<title>Drain first", "article-missing", "unclosed", *["meta-missing"] * 4)

# The metas.
for rule in METAS:
    if rule.required:
        line = next(line for line in GOOD.splitlines(keepends=True) if rule.name in line)
        swap(line, "", "meta-missing")
        swap(line, f'<meta name="{rule.name}">', "meta-value")
        swap(line, f'<meta name="{rule.name}" content="">', "meta-value")
        swap(line, f'<meta name="{rule.name}" content="2026-8-9">', "meta-value")
        swap(line, f'<meta name="{rule.name}" content="2026-13-45">', "meta-value")
        swap(line, f'<meta name="{rule.name}" content="Aug 9">', "meta-value")
        swap(line, f'<meta name="{rule.name}" content=" active ">', "meta-value")
    if not rule.repeatable:
        meta = f'<meta name="{rule.name}" content="{SPARE[rule.name]}">\n'
        base = TASK if rule.name == "memhtml-task-status" else GOOD
        head(meta * 2 if f'"{rule.name}"' not in GOOD else meta, "meta-repeated", base=base)
for name in ("memhtml-", "memhtml-mood", "memhtml-Type", "MEMHTML-TAG", " memhtml-tag", "memhtml_tag-", "memhtml-tags"):
    if name.strip().lower().startswith("memhtml-"):
        head(f'<meta name="{name}" content="x">', "meta-unknown")
body('<meta name="memhtml-tag" content="x">', "outside-head")
body('<meta name="memhtml-mood" content="x">', "outside-head")
swap("</body>", '<meta name="memhtml-tag" content="x"></body>', "outside-head")
swap("</head>\n", '</head>\n<meta name="memhtml-tag" content="x">\n', "misplaced")
head('<noscript><meta name="memhtml-tag" content="x"></noscript>', "outside-head")
head('<template><meta name="memhtml-tag" content="x"></template>', "outside-head")
head('<meta name="memhtml-tag" name="description" content="x">', "duplicate-attribute")
head('<meta name="memhtml-tag" content="x" content="y">', "duplicate-attribute")
for kind in ("", "fact", "Semantic", "semantic ", "agent-insight"):
    swap('content="semantic"', f'content="{kind}"', "meta-value")
for status in ("done", "Active", "archived,active"):
    swap('content="active"', f'content="{status}"', "meta-value")

# Tasks.
BROKEN.append((TASK, ["task-status"]))
for status in ("", "open", "DONE", "in progress"):
    head(f'<meta name="memhtml-task-status" content="{status}">', "task-status", base=TASK)
head('<meta name="memhtml-task-status">', "task-status", base=TASK)
for status in ("todo", "", "later"):
    head(f'<meta name="memhtml-task-status" content="{status}">', "task-status")

# The links.
for rel in ("memhtml-", "memhtml-likes", "memhtml-relates_to", "Memhtml-Relates-To", "memhtml-supports next"):
    head(f'<link rel="{rel}" href="/areas/b.html">', "link-rel")
for address in (
    *(
        "",
        "/",
        "areas/b.html",
        "./b.html",
        "//host/b.html",
        "https://host/b.html",
        "/areas/../b.html",
        "/..",
        "/areas//b",
    ),
    *("/areas\\b.html", "/areas/%2e%2e/b.html", "/areas/b.html#c", "/areas/b.html?c", "/areas/%00.html", "/areas/&#1;"),
):
    head(f'<link rel="memhtml-supports" href="{address}">', "link-href")
head('<link rel="memhtml-supports">', "link-href")
head('<link rel="memhtml-likes">', "link-rel", "link-href")
head('<link rel="memhtml-supports" href="file:///etc/passwd">', "link-href", "address")
head('<link rel="memhtml-supports" href="javascript:alert(1)">', "link-href", "address")
body('<link rel="memhtml-supports" href="/areas/b.html">', "outside-head")

# The article and the claim.
swap("<article>", "<div>", "unclosed", "stray-end-tag", "article-missing")
swap("</article>", "</article><article></article>", "article-repeated")
body("<article><p>x</p></article>", "article-repeated")
swap("<article>", "<template><article>", "article-hidden", "unclosed", "stray-end-tag", "stray-end-tag")
BROKEN.append(
    (
        GOOD.replace("<article>", "<template><article>").replace("</article>", "</article></template>"),
        ["article-hidden"],
    )
)
BROKEN.append(
    (
        GOOD.replace("<article>", "<svg><foreignObject><article>").replace(
            "</article>", "</article></foreignObject></svg>"
        ),
        ["article-hidden"],
    )
)
BROKEN.append(
    (
        GOOD.replace("<article>", "<noscript><article>").replace("</article>", "</article></noscript>"),
        ["article-missing"],
    )
)
swap("</article>\n", "", "unclosed")
swap("<article>", "<!-- <article>", "eof-in-comment", "article-missing")
claim("", "claim-missing")
claim("<p>No claim.</p>", "claim-missing")
claim("<p><mark></mark></p>", "claim-empty")
claim("<p><mark> \n </mark></p>", "claim-empty")
claim("<p><mark>&nbsp;</mark></p>", "claim-empty")
claim("<p><mark>\u200b\u202e</mark></p>", "claim-empty")
claim("<p><mark><code>x</code></mark></p>", "claim-empty")
claim("<p><mark><!-- x --></mark></p>", "claim-empty")
claim("<li><mark><pre>x</pre></mark></li>", "claim-empty")
claim("<p><mark>a</mark> <mark>b</mark></p>", "claim-repeated")
claim("<p><mark>a<mark>b</mark></mark></p>", "claim-repeated")
claim("<p>a</p><p><mark>b</mark></p>", "claim-place")
claim("<p>a</p><ul><li><mark>b</mark></li></ul>", "claim-place")
claim("<mark>a</mark>", "claim-place")
claim("<section><mark>a</mark><p>b</p></section>", "claim-place")
BROKEN.append((GOOD[: GOOD.index(CLAIM)] + "<mark>a</mark>\n</article>\n</body>\n</html>\n", ["claim-place"]))
claim("<aside><p><mark>a</mark></p></aside>", "claim-folded")
claim("<details><summary>s</summary><p><mark>a</mark></p></details>", "claim-folded")
claim("<aside><details><p><mark>a</mark></p></details></aside>", "claim-folded", "claim-folded")
claim("<aside><p>a</p></aside><p><mark>b</mark></p>", "claim-place")
claim("<aside><mark></mark></aside>", "claim-empty", "claim-place", "claim-folded")
claim("<p><template><mark>a</mark></template></p>", "claim-folded")
claim("<p><noscript><mark>a</mark></noscript></p>", "claim-missing")
claim("<p><mark>a</p>", "unclosed")
claim("<p>a</mark></p>", "stray-end-tag", "claim-missing")
claim("<svg><mark>a</mark></svg>", "claim-missing")

# Times.
for value in ("", "2026", "2026-07", "yesterday", "2026-8-9", "10:00", "2026-07-28T25:00", "P1D", " 2026-07-28"):
    body(f'<p><time datetime="{value}">x</time></p>', "time-datetime")
body("<p><time>2026-07-28</time></p>", "time-datetime")
body("<p><time>x</time>\n<time>y</time></p>", "time-datetime", "time-datetime")
swap("</body>", "<p><time>x</time></p></body>", "time-datetime")

# What styles or runs, and addresses that do.
for place in (body, head):
    place("<style>p{}</style>", "style")
    place("<script>alert(1)</script>", "script")
    place("<noscript><style>p{}</style></noscript>", "style")
for markup, *expected in (
    ('<p class="x">a</p>', "class"),
    ("<p class>a</p>", "class"),
    ('<p style="color:red">a</p>', "style"),
    ("<p CLASS=x STYLE=y ONCLICK=z>a</p>", "class", "style", "event-handler"),
    ("<p onclick=a()>a</p>", "event-handler"),
    ("<p on>a</p>", "event-handler"),
    ("<p onanything=1>a</p>", "event-handler"),
    ('<svg onload="a()"></svg>', "event-handler"),
    ("<svg><script>a</script></svg>", "script"),
    ("<svg><style>a</style></svg>", "style"),
    ("<math><mi onclick=a></mi></math>", "event-handler"),
    ("<template><p class=x>a</p></template>", "class"),
    ("<template><script>a</script></template>", "script"),
    ('<div><template shadowrootmode="open"><script>a</script></template></div>', "script"),
    ("<noscript><p onclick=a>b</p></noscript>", "event-handler"),
    (
        '<noscript><p title="</noscript><img src=x onerror=a>">b</p></noscript>',
        "misplaced",
        "lost-tag",
        *["stray-end-tag"] * 2,
    ),
    ('<iframe srcdoc="<p>"></iframe>', "srcdoc"),
    ('<p><a href="javascript:a">b</a></p>', "address"),
    ('<p><a href=" java&#10;script:a">b</a></p>', "address"),
    ('<p><a href="&#1;JAVASCRIPT:a">b</a></p>', "address"),
    ('<p><a href="data:text/html,x">b</a></p>', "address"),
    ('<p><a href="vbscript:a">b</a></p>', "address"),
    ('<p><a href="file:///etc/passwd">b</a></p>', "address"),
    ('<p><a href="ftp://x/">b</a></p>', "address"),
    ('<p><a href="c:/x">b</a></p>', "address"),
    ('<p><q cite="javascript:a">b</q></p>', "address"),
    ('<blockquote cite="data:,x">b</blockquote>', "address"),
    ('<svg><a xlink:href="javascript:a">b</a></svg>', "address"),
    ('<svg><a href="javascript:a">b</a></svg>', "address"),
    ('<p><img src="javascript:a"></p>', "address"),
    ('<form action="javascript:a"></form>', "address"),
    ('<p><button formaction="JavaScript:a">b</button></p>', "address"),
    ('<object data="vbscript:a"></object>', "address"),
    ('<p><a href="javascript:a" class="b" onclick="c">d</a></p>', "address", "class", "event-handler"),
):
    body(markup, *expected)
swap("<body>", '<body class="x">', "class")
swap("<body>", '<body onload="a()">', "event-handler")
swap('<html lang="en">', '<html lang="en" class="x">', "class")
head('<base href="javascript:a">', "address")

# Structure.
for markup, *expected in (
    ("<section>a", "unclosed"),
    ("<ul><li>a</ul></li>", "stray-end-tag"),
    ("<p><em>a</p>", "unclosed"),
    ("<p><em>a</p></em>", "unclosed", "stray-end-tag"),
    ("a</div>", "stray-end-tag"),
    ("</p>", "stray-end-tag"),
    ("<p>a<div>b</div></p>", "stray-end-tag"),
    ("<table><p>a</p></table>", "misplaced"),
    ("<table>a</table>", "misplaced"),
    ("<td>a</td>", "lost-tag", "stray-end-tag"),
    ("<p title=a title=b>c</p>", "duplicate-attribute"),
    ("<![CDATA[a]]>", "cdata-in-html-content"),
    ("<html><head><body>", *["lost-tag"] * 3),
    ("<div>" * 250 + "a" + "</div>" * 250, "nesting"),
):
    body(markup, *expected)
swap("</html>\n", "</html>\n<p>after</p>", "misplaced")
swap("</html>\n", "</html>\nafter", "misplaced")
swap("</html>\n", "</html", "eof-in-tag")


def test_there_are_enough_of_them() -> None:
    """Two hundred at least, no two alike."""
    assert len(BROKEN) == len({file if isinstance(file, bytes) else file.encode() for file, _ in BROKEN}) >= 200


def test_the_file_they_are_made_from_is_good() -> None:
    """Not one violation, not one warning."""
    reading = read(GOOD.encode())
    assert (reading.violations, reading.warnings) == ((), ())
    assert reading.facts is not None


@pytest.mark.parametrize(("file", "codes"), BROKEN, ids=range(len(BROKEN)))
def test_every_violation_is_named(file: str | bytes, codes: list[str]) -> None:
    """By its code, as often as it occurs, and no other; then there are no facts at all."""
    reading = read(file if isinstance(file, bytes) else file.encode())
    assert Counter(violation.code for violation in reading.violations) == Counter(codes)
    assert (reading.facts is None) == bool(codes)
    lines = [violation.line or 10**9 for violation in reading.violations]
    assert lines == sorted(lines)
    assert all(str(violation).isprintable() for violation in reading.violations)


@pytest.mark.parametrize(
    ("inner", "good"),
    [
        ("<dl><dt>N</dt>" + "<dd>a</dd>\n" * 20_000 + "</dl>", True),
        ("<dl><dt>N</dt>" + "<dd></dd>\n" * 20_000 + "</dl>", True),
        ("<dl>" + "<dt>a" * 20_000 + "<dd>b" * 20_000 + "</dl>", True),
        ("<p>" + "a<!---->" * 20_000 + "</p>", True),
        ("<p>" + "<cite>" * 150 + "a" * 20_000 + "</cite>" * 150 + "</p>", True),
        ("<p>a" * 20_000, True),
        ("<svg><g/></svg>" * 10_000, True),
        ("<p>" + "<mark>a</mark>\n" * 10_000 + "</p>", False),
        ("</b>\n" * 20_000, False),
        ("<section>" * 20_000, False),
        ("<a><b>" * 2_000, False),
        ("<!--" + "a--" * 20_000, False),
    ],
    ids=range(12),
)
def test_no_file_takes_quadratic_time(inner: str, good: bool) -> None:  # noqa: FBT001 - a column of the table
    """Quadratic time would meet the limit of every test."""
    assert (read(GOOD.replace(P, inner + P).encode()).facts is not None) == good


def test_the_sentences_are_those_of_the_list() -> None:
    """Word for word, lines and codes included: whoever changes one sees it here, beside the others."""
    readings = [read(file if isinstance(file, bytes) else file.encode()) for file, _ in BROKEN]
    said = {str(violation) for reading in readings for violation in (*reading.violations, *reading.warnings)}
    listed = Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(said) == listed


@pytest.mark.parametrize(
    "markup",
    [
        "<x\x1b[31m>a</x\x1b[31m>",
        "<x\x1b[31m>a",
        "a</x\u202e>",
        "<x\x1b class=a>b</x\x1b>",
        "<p on\x07=a>b</p>",
        "<p onclick\u202e=a>b</p>",
        "<svg\x1b><x/></svg\x1b>",
        "<p><time datetime='\x1b]0;a\x07'>b</time></p>",
        "<p><a href='data:\x1b'>b</a></p>",
        "<table><tr\x1b>a</table>",
        "<x" + "y" * 500 + ">a",
    ],
    ids=range(11),
)
def test_no_name_reaches_a_terminal_as_it_is(markup: str) -> None:
    """HTML lets control characters into names; a message shows them escaped, and shows little of them."""
    reading = read(GOOD.replace(P, markup + P).encode())
    said = [str(violation) for violation in (*reading.violations, *reading.warnings)]
    assert said
    assert all(sentence.isprintable() and len(sentence) < 250 for sentence in said)


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever is read, there is an answer, and never facts beside violations."""
    reading = read(data)
    assert (reading.facts is None) == bool(reading.violations)


@given(st.data())
def test_a_good_file_with_a_damage_is_good_or_named(data: st.DataObject) -> None:
    """Bytes cut out, doubled or replaced: an answer, all or nothing."""
    good = GOOD.encode()
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, min(len(good), start + 40)))
    put = data.draw(st.sampled_from([b"", b"<", b">", b'"', b"</p>", b"<!--", b"&", b"\r", good[start:end] * 2]))
    reading = read(good[:start] + put + good[end:])
    assert (reading.facts is None) == bool(reading.violations)
