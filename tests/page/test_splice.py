"""Edits of a head: only the edited bytes change, whatever the author's spelling."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidMemoryError
from memhtml.domain.memory import Facts, Link, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.page.metas import BY_NAME, METAS
from memhtml.page.read import read
from memhtml.page.splice import (
    AddLink,
    AddValue,
    DropLink,
    DropValue,
    Edit,
    SetMeta,
    add_link,
    add_value,
    apply,
    drop_link,
    drop_value,
    set_meta,
)

PLAIN = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>T</title>
<meta name="memhtml-type" content="semantic">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-07-28">
<meta name="memhtml-updated" content="2026-07-28">
<meta name="memhtml-importance" content="7">
<meta name="memhtml-tag" content="aws">
<meta name="memhtml-alias" content="lb">
<link rel="memhtml-supports" href="/areas/a.html">
</head>
<body>
<article>
<p><mark>Claim</mark></p>
</article>
</body>
</html>
"""
ODD = """<!-- memhtml-type comes later --><!DOCTYPE HTML>
<HTML><HEAD>
  <Meta Charset=utf-8><TITLE>Odd é 日本 😀</TITLE>
  <META content='semantic'  NAME='memhtml-type'
        data-x="1">
\t<meta name=memhtml-status content=active /><meta name = "memhtml-created" content = '2026-07-28' >
  <meta CONTENT="2026&#45;07-28" name="memhtml-updated"><!-- between -->
  <link HREF="/areas/%61.html" REL=memhtml-supports>

  <meta name="memhtml-tag" content="a&amp;b"   ><meta name="viewport" content="width=1">
</HEAD><BODY>
<Article><P>A <Mark>Claim</Mark> é
<PRE>

 x </PRE></Article></BODY></HTML>
<!-- end -->"""
FILES = [
    PLAIN,
    PLAIN.replace("\n", "\r\n"),
    PLAIN.replace("\n", "\r"),
    "\ufeff" + PLAIN,
    "\ufeff" + ODD.replace("\n", "\r\n"),
    ODD,
    PLAIN.replace("\n", ""),
    PLAIN.replace("T</title>\n", "T</title>\r\n").replace("</article>\n", "</article>\r"),
]
A, B = Link(Rel.SUPPORTS, MemoryPath("areas/a.html")), Link(Rel.CAUSED_BY, MemoryPath("areas/é b%.html"))
CONTENTS = {
    "memhtml-status": ["active", "archived"],
    "memhtml-updated": ["2026-07-29", "2026-07-29T10:00:00Z"],
    "memhtml-confidence": ["0.50", None],
    "memhtml-importance": ["1", None],
    "memhtml-author": ["ada", "a \"b\" 'c' <d> & é\u00a0=`", None],
    "memhtml-superseded-by": ["/areas/b.html", None],
    "memhtml-needs-revision": ["true", None],
    "memhtml-archived": ["2026-07-29", None],
}
SETS = st.sampled_from([SetMeta(name, content) for name, values in CONTENTS.items() for content in values])
VALUES = st.sampled_from(["aws", "a&b", "c d"])
EDITS: st.SearchStrategy[Edit] = st.one_of(
    SETS,
    VALUES.map(lambda value: AddValue("memhtml-tag", value)),
    VALUES.map(lambda value: DropValue("memhtml-tag", value)),
    st.sampled_from([AddLink(A), AddLink(B), DropLink(A), DropLink(B), AddValue("memhtml-entity", "person:Ada")]),
)


def facts(data: bytes) -> Facts:
    """The facts of a file."""
    reading = read(data)
    assert reading.facts is not None, reading.violations
    return reading.facts


def article(data: bytes) -> bytes:
    """The article's bytes, tags included."""
    lower = data.lower()
    return data[lower.index(b"<article") : lower.index(b"</article>") + len(b"</article>")]


def changed(before: bytes, after: bytes) -> tuple[bytes, bytes]:
    """What stands between the longest common beginning and the longest common end, before and after."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return before[start : len(before) - end], after[start : len(after) - end]


@settings(max_examples=200)
@given(st.sampled_from(FILES), st.lists(EDITS, max_size=6))
def test_no_head_edit_touches_the_article(file: str, edits: list[Edit]) -> None:
    """Its bytes and its hash stay, and the file stays good, after any sequence of edits."""
    data = file.encode()
    edited = apply(data, edits)
    assert article(edited) == article(data)
    assert facts(edited).content_hash == facts(data).content_hash
    assert facts(edited).body == facts(data).body


@given(st.sampled_from(FILES), st.lists(EDITS, max_size=3), EDITS)
def test_an_edit_made_twice_is_made_once(file: str, before: list[Edit], edit: Edit) -> None:
    """Every edit says what should be, so that it converges."""
    once = apply(file.encode(), [*before, edit])
    assert apply(once, [edit]) == once


@settings(max_examples=200)
@given(st.sampled_from(FILES), st.lists(SETS, min_size=1, max_size=4))
def test_setting_back_gives_the_original_bytes(file: str, edits: list[SetMeta]) -> None:
    """In whatever quotes, and where there was nothing before; the date spelled with a reference is left alone."""
    data = file.encode()
    head = facts(data).head
    there = {"memhtml-status": head.status.value, "memhtml-importance": None if head.importance is None else "7"}
    touched = {edit.name for edit in edits if edit.name != "memhtml-updated"}
    if "memhtml-importance" in touched and head.importance is not None:
        # Taken out and set again it would stand at the end: the promise is about values.
        edits = [edit for edit in edits if edit.content is not None or edit.name != "memhtml-importance"]
    edited = apply(data, [edit for edit in edits if edit.name in touched])
    assert apply(edited, [SetMeta(name, there.get(name)) for name in touched]) == data


@settings(max_examples=100)
@given(st.sampled_from(FILES), st.lists(EDITS, max_size=3), st.sampled_from(["x", "person:Ada"]))
def test_what_was_added_can_be_dropped_without_a_trace(file: str, before: list[Edit], value: str) -> None:
    """Values and links."""
    data = apply(file.encode(), before)
    name = "memhtml-entity" if ":" in value else "memhtml-tag"
    if value not in {str(one) for one in facts(data).head.entities}:
        assert drop_value(add_value(data, name, value), name, value) == data
    new = Link(Rel.LEADS_TO, MemoryPath("areas/new.html"))
    assert drop_link(add_link(data, new), new) == data


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (SetMeta("memhtml-status", "archived"), b'content="active"', b'content="archived"'),
        (SetMeta("memhtml-status", "active"), b"", b""),
        (SetMeta("memhtml-importance", None), b'\n<meta name="memhtml-importance" content="7">', b""),
        (SetMeta("memhtml-author", None), b"", b""),
        (
            SetMeta("memhtml-author", 'a "b" & c'),
            b'content="7">',
            b'content="7">\n<meta name="memhtml-author" content="a &quot;b&quot; &amp; c">',
        ),
        (
            AddValue("memhtml-tag", "x"),
            b'content="lb">',
            b'content="lb">\n<meta name="memhtml-tag" content="x">',
        ),
        (AddValue("memhtml-tag", "aws"), b"", b""),
        (DropValue("memhtml-tag", "aws"), b'\n<meta name="memhtml-tag" content="aws">', b""),
        (DropValue("memhtml-tag", "x"), b"", b""),
        (
            AddLink(B),
            b'a.html">',
            'a.html">\n<link rel="memhtml-caused-by" href="/areas/é%20b%25.html">'.encode(),
        ),
        (AddLink(A), b"", b""),
        (DropLink(A), b'\n<link rel="memhtml-supports" href="/areas/a.html">', b""),
        (DropLink(B), b"", b""),
    ],
)
def test_edits_of_a_plain_file_by_example(edit: Edit, old: bytes, new: bytes) -> None:
    """New scalars after the last scalar, new values after the last value, links after links; one line each."""
    data = PLAIN.encode()
    assert apply(data, [edit]) == data.replace(old, new, 1) if old else data
    crlf = data.replace(b"\n", b"\r\n")
    assert apply(crlf, [edit]) == (
        crlf.replace(old.replace(b"\n", b"\r\n"), new.replace(b"\n", b"\r\n"), 1) if old else crlf
    )


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (SetMeta("memhtml-type", "verdict"), "content='semantic'", "content='verdict'"),
        (SetMeta("memhtml-status", "archived"), "content=active ", "content=archived "),
        (SetMeta("memhtml-created", "2026-07-30"), "= '2026-07-28' ", "= '2026-07-30' "),
        (SetMeta("memhtml-updated", "2026-07-30"), '"2026&#45;07-28"', '"2026-07-30"'),
        (SetMeta("memhtml-updated", "2026-07-28"), "", ""),
        (
            SetMeta("memhtml-author", "x"),
            'name="memhtml-updated">',
            'name="memhtml-updated">\n  <meta name="memhtml-author" content="x">',
        ),
        (
            AddValue("memhtml-tag", "x"),
            'content="a&amp;b"   >',
            'content="a&amp;b"   >\n  <meta name="memhtml-tag" content="x">',
        ),
        (DropValue("memhtml-tag", "a&b"), '\n  <meta name="memhtml-tag" content="a&amp;b"   >', ""),
        (
            AddLink(B),
            "REL=memhtml-supports>",
            'REL=memhtml-supports>\n  <link rel="memhtml-caused-by" href="/areas/é%20b%25.html">',
        ),
        (DropLink(A), '\n  <link HREF="/areas/%61.html" REL=memhtml-supports>', ""),
    ],
)
def test_edits_of_an_odd_file_by_example(edit: Edit, old: str, new: str) -> None:
    """Quotes, case, order, comments, indentation and a mark in front stay as they are."""
    for file in (ODD, "\ufeff" + ODD):
        assert old in file
        assert apply(file.encode(), [edit]).decode() == file.replace(old, new, 1)


@pytest.mark.parametrize(
    ("spelled", "content", "expected"),
    [
        ("content=ada", "a b", "content=a&#32;b"),
        ("content=ada", "a\"'<>=`&\u00a0b", "content=a&#34;&#39;&#60;&#62;&#61;&#96;&amp;&nbsp;b"),
        ("content='ada'", "a'\"b", "content='a&#39;\"b'"),
        ('content="ada"', "a'\"b", 'content="a\'&quot;b"'),
        ("content", "x", 'content="x"'),
        ("content=''", "x", "content='x'"),
        ('content=""', "x", 'content="x"'),
        ("data-a", "x", 'content="x" data-a'),
    ],
)
def test_a_value_keeps_its_quotes(spelled: str, content: str, expected: str) -> None:
    """And is escaped for them; a meta without a content gets one right behind its name."""
    file = PLAIN.replace("</head>", f'<meta name="memhtml-author" {spelled}></head>')
    edited = set_meta(file.encode(), "memhtml-author", content)
    assert edited.decode() == file.replace(f'-author" {spelled}', f'-author" {expected}')
    assert facts(edited).head.author == " ".join(content.split())


def test_a_file_on_one_line_stays_on_one_line() -> None:
    """What parts an element from its neighbour is taken from the neighbour."""
    data = PLAIN.replace("\n", "").encode()
    edited = apply(data, [SetMeta("memhtml-author", "x"), AddValue("memhtml-tag", "y"), AddLink(B)])
    assert b"\n" not in edited
    assert facts(edited).head.author == "x"


def test_a_new_value_goes_behind_the_scalars_when_there_is_none() -> None:
    """And a new link behind the metas."""
    file = PLAIN.replace('<meta name="memhtml-tag" content="aws">\n<meta name="memhtml-alias" content="lb">\n', "")
    file = file.replace('<link rel="memhtml-supports" href="/areas/a.html">\n', "")
    edited = apply(file.encode(), [AddLink(A), AddValue("memhtml-tag", "x"), SetMeta("memhtml-author", "y")]).decode()
    assert edited == file.replace(
        'content="7">\n',
        'content="7">\n<meta name="memhtml-author" content="y">\n<meta name="memhtml-tag" content="x">\n'
        '<link rel="memhtml-supports" href="/areas/a.html">\n',
    )


MIDDLE = """<!doctype html>
<title>T</title>
 \t <meta name="memhtml-tag" content="a">
<meta name="memhtml-type" content="semantic"><meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-07-28">   <meta name="memhtml-updated" content="2026-07-28"> <meta
name="memhtml-author" content="x"><meta name="viewport"><meta name="memhtml-alias"><link rel="memhtml-supports"
href="nowhere"><link rel="memhtml-likes" href="/areas/a.html"><link rel="memhtml-supports">
<article><p><mark>Claim</mark></p></article>
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (SetMeta("memhtml-updated", None), '   <meta name="memhtml-updated" content="2026-07-28">', ""),
        (SetMeta("memhtml-status", None), '<meta name="memhtml-status" content="active">', ""),
        (SetMeta("memhtml-author", None), ' <meta\nname="memhtml-author" content="x">', ""),
        (DropValue("memhtml-tag", "a"), '\n \t <meta name="memhtml-tag" content="a">', ""),
        (DropValue("memhtml-alias", "XXXX"), "", ""),
        (DropLink(A), "", ""),
        (
            SetMeta("memhtml-turn", "1"),
            'content="x">',
            'content="x"> <meta name="memhtml-turn" content="1">',
        ),
        (
            AddValue("memhtml-tag", "b"),
            '<meta name="memhtml-alias">',
            '<meta name="memhtml-alias"><meta name="memhtml-tag" content="b">',
        ),
        (
            AddLink(B),
            '<link rel="memhtml-supports">',
            '<link rel="memhtml-supports"><link rel="memhtml-caused-by" href="/areas/é%20b%25.html">',
        ),
    ],
)
def test_edits_between_others_on_a_line_by_example(edit: Edit, old: str, new: str) -> None:
    """What parts an element from the one before it is the white space between them, and no more."""
    assert old in MIDDLE
    assert apply(MIDDLE.encode(), [edit]).decode() == (MIDDLE.replace(old, new) if old else MIDDLE)


def test_each_kind_goes_behind_the_last_of_its_kind() -> None:
    """Also where scalars stand behind values."""
    scalar, value = '<meta name="memhtml-importance" content="7">\n', '<meta name="memhtml-alias" content="lb">\n'
    file = PLAIN.replace(scalar, "").replace(value, value + scalar)
    new = '<meta name="memhtml-tag" content="x">\n'
    assert add_value(file.encode(), "memhtml-tag", "x").decode() == file.replace(value, value + new)


def test_every_twin_is_dropped() -> None:
    """A value or a link that is written twice is gone afterwards, in whatever spelling."""
    twins = '<meta name="memhtml-tag" content=" aws "><link href="/areas/%61.html" rel="memhtml-supports">\n</head>'
    file = PLAIN.replace("</head>", twins)
    edited = apply(file.encode(), [DropValue("memhtml-tag", "aws"), DropLink(A)])
    assert facts(edited).head.tags == ()
    assert facts(edited).links == ()


def test_only_the_edited_bytes_differ() -> None:
    """Measured on the bytes, for a long edit of the odd file."""
    data = FILES[4].encode()
    before, after = changed(data, set_meta(data, "memhtml-status", "archived"))
    assert (before, after) == (b"active"[1:], b"archived"[1:]) or (before, after) == (b"ctiv", b"rchived"[:6])


@pytest.mark.parametrize(
    "edit",
    [
        SetMeta("memhtml-mood", "x"),
        SetMeta("description", "x"),
        SetMeta("memhtml-tag", "x"),
        SetMeta("memhtml-tag", None),
        AddValue("memhtml-author", "x"),
        DropValue("memhtml-author", "x"),
        SetMeta("memhtml-status", "gone"),
        SetMeta("memhtml-created", "2026-8-9"),
        SetMeta("memhtml-author", ""),
        SetMeta("memhtml-author", "a\x00"),
        SetMeta("memhtml-author", "a\ud800"),
        AddValue("memhtml-tag", " "),
        AddValue("memhtml-entity", "x"),
        AddLink(Link(Rel.SUPPORTS, MemoryPath("../a.html"))),
        AddLink(Link(Rel.SUPPORTS, MemoryPath(""))),
    ],
)
def test_an_edit_outside_the_format_is_refused(edit: Edit) -> None:
    """Before anything is written."""
    with pytest.raises(InvalidMemoryError):
        apply(PLAIN.encode(), [edit])


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (SetMeta("memhtml-tag", "x"), "'memhtml-tag' is no single meta of memories"),
        (AddValue("memhtml-author", "x"), "'memhtml-author' is no repeatable meta of memories"),
        (SetMeta("memhtml-status", "gone"), "memhtml-status cannot say 'gone'; write one of active archived"),
        (AddLink(Link(Rel.SUPPORTS, MemoryPath("/a"))), "'/a' is no path from the root of the store"),
    ],
)
def test_a_refusal_names_what_was_asked(edit: Edit, sentence: str) -> None:
    """And what could be."""
    with pytest.raises(InvalidMemoryError) as refusal:
        apply(PLAIN.encode(), [edit])
    assert refusal.value.violations == (sentence,)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        PLAIN.encode() + b"\x00",
        PLAIN.replace("</article>", "").encode(),
        PLAIN.replace("memhtml-", "other-").encode(),
        PLAIN.replace("<head>", "<head><noscript>").replace("</head>", "</noscript></head>").encode(),
    ],
)
def test_a_file_that_cannot_be_edited_safely_is_refused(data: bytes) -> None:
    """No text, no metas, or markup that a parser would move."""
    with pytest.raises(InvalidMemoryError):
        set_meta(data, "memhtml-status", "archived")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"<!doctype html>\n<p>\xff", "line 2: byte 19 is not UTF-8; save the file as UTF-8 [encoding]"),
        (b"\n\n\x00", "line 3: the file holds a NUL character; take it out [nul]"),
        (
            b"<!doctype html><title>t</title>",
            "the file has no metas of a memory in its <head>; write memhtml-type first",
        ),
    ],
    ids=["encoding", "nul", "no metas"],
)
def test_a_file_that_cannot_be_edited_is_told_why(data: bytes, sentence: str) -> None:
    """As the format check would say it, line and rule included."""
    with pytest.raises(InvalidMemoryError) as refusal:
        set_meta(data, "memhtml-status", "archived")
    assert refusal.value.violations == (sentence,)


def test_a_file_that_breaks_other_rules_can_still_be_edited() -> None:
    """That is how it is mended."""
    data = PLAIN.replace('content="active"', 'content="odd"').encode()
    assert facts(set_meta(data, "memhtml-status", "active")) == facts(PLAIN.encode())


def test_nothing_to_do_gives_the_same_bytes() -> None:
    """No edits, or edits that say what is there."""
    data = FILES[4].encode()
    assert apply(data, []) is data
    assert apply(data, [SetMeta("memhtml-type", "semantic"), AddLink(A), DropLink(B)]) == data


@pytest.mark.parametrize("rule", [rule for rule in METAS if not rule.required], ids=lambda rule: rule.name)
def test_every_optional_meta_can_be_written_and_dropped(rule: object) -> None:
    """By name, in a file that has none of them."""
    assert rule in BY_NAME.values()
    name = next(name for name, known in BY_NAME.items() if known is rule)
    samples = ["0.50", "3", "sha256:" + "0" * 64, "2026-07-28", "/areas/a.html", "true", "todo", "a:b"]
    content = next(text for text in samples if BY_NAME[name].read(text) is not None)
    data = PLAIN.replace('<meta name="memhtml-importance" content="7">\n', "").encode()
    if BY_NAME[name].repeatable:
        assert drop_value(add_value(data, name, content), name, content) == data
    else:
        assert set_meta(set_meta(data, name, content), name, None) == data
