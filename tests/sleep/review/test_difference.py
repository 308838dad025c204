"""What was and what is."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.sleep.review.difference import MOST_BYTES, MOST_LINES, MOST_SHOWN, Difference, difference

lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c\r\n", "d\u2028d\n"]), max_size=12).map("".join)


def kept(text: str, sign: str) -> str:
    """One side, put together again from a whole difference without context left out."""
    rows = [row for row in text.split("\n") if not row.startswith("@@")]
    return "".join(f"{row[1:]}\n" for row in rows if row[:1] in {" ", sign})


@given(lines, lines)
def test_both_sides_are_in_it(old: str, new: str) -> None:
    """Where both have few lines nothing is left out, and each side can be put together from it."""
    found = difference(old.encode(), new.encode())
    assert found.omitted == ""
    assert (found.text == "") == (old == new)
    whole = "\n".join(list(difflib.unified_diff(old.split("\n")[:-1], new.split("\n")[:-1], lineterm=""))[2:])
    assert found.text == whole
    if old != new and len(old) + len(new) < 20:
        assert set(kept(found.text, "+")) <= set(new)


def test_a_worked_example() -> None:
    """A line that ends otherwise is another line, and a last one without an end says so."""
    assert difference(b"a\nb\nc", b"a\nb\r\nc\n") == Difference(
        "@@ -1,3 +1,3 @@\n a\n-b\n-c\n\\ No newline at the end\n+b\r\n+c"
    )
    assert difference(None, b"a\n").text == "@@ -0,0 +1 @@\n+a"
    assert difference(b"a\n", None).text == "@@ -1 +0,0 @@\n-a"


def test_nothing_differs() -> None:
    """Not even what is no text, or nothing."""
    assert difference(b"\xff\x00", b"\xff\x00") == difference(None, None) == difference(None, b"") == Difference("")


@pytest.mark.parametrize("data", [b"\xff", b"a\x00b"])
def test_what_is_no_text_is_not_shown(data: bytes) -> None:
    """On either side; how big it is, is."""
    assert difference(b"text\n", data) == Difference("", f"no text: 5 and {len(data)} bytes")
    assert difference(data, None) == Difference("", f"no text: {len(data)} and 0 bytes")


def test_what_is_long_is_not_compared_or_cut() -> None:
    """By its bytes, by its lines, and by what comes out."""
    long = b"x" * (MOST_BYTES + 1)
    assert difference(b"", long).omitted == f"too long: 0 and {MOST_BYTES + 1:,} bytes"
    assert difference(long, b"").omitted == f"too long: {MOST_BYTES + 1:,} and 0 bytes"
    assert difference(b"\n" * (MOST_LINES + 1), b"").omitted.startswith("too long")
    assert difference(b"\n" * MOST_LINES, b"").omitted == ""
    cut = difference(b"", (b"y" * 99 + b"\n") * 1000)
    assert cut.omitted == "the rest is left out"
    assert MOST_SHOWN - 200 < len(cut.text) <= MOST_SHOWN
    assert difference(b"", b"y" * (MOST_SHOWN + 1)) == Difference("@@ -0,0 +1 @@", "the rest is left out")
