"""Addresses are judged by the scheme that a browser would see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.page.addresses import is_allowed, scheme

ADDRESSES = st.sampled_from(["https://a.example/", "javascript:alert(1)", "mailto:ada", "a/b.html", "/a:b", "c:x", ""])
OUT = st.text("\t\n\r", max_size=2)
OFF = st.text("".join(map(chr, range(0x21))), max_size=2)


@given(ADDRESSES, st.lists(OUT, min_size=25, max_size=25), OFF, OFF)
def test_what_a_browser_ignores_hides_no_scheme(address: str, between: list[str], before: str, behind: str) -> None:
    """Tabs and newlines anywhere, spaces and controls at both ends."""
    spread = "".join(gap + character for gap, character in zip(between, address, strict=False))
    assert scheme(f"{before}{spread}{behind}") == scheme(address)


@pytest.mark.parametrize(
    ("address", "expected", "allowed"),
    [
        ("https://a.example/", "https", True),
        ("HTTP:a", "http", True),
        ("ht\n\ttps:a", "https", True),
        ("mailto:ada@example.org", "mailto", True),
        ("\x00 javaScript:a", "javascript", False),
        ("java\r\nscript:a", "javascript", False),
        ("x-Y.z+1:a", "x-y.z+1", False),
        ("XXjavascript:a", "xxjavascript", False),
        ("1a:b", None, True),
        ("a b:c", None, True),
        ("\u00a0https:a", None, True),
        ("/a:b", None, True),
        ("?a:b", None, True),
        (":a", None, True),
        ("", None, True),
    ],
)
def test_schemes_worked_out(address: str, expected: str | None, *, allowed: bool) -> None:
    """In lower case; what has none is relative, and stays on the page's own ground."""
    assert scheme(address) == expected
    assert is_allowed(address) is allowed
