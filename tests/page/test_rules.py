"""Rules on elements that are easily taken for something else."""

from __future__ import annotations

import pytest

from memhtml.page.fragment import parse_article
from memhtml.page.rules import is_visible, safety


@pytest.mark.parametrize(
    "text", ["", " ", "\x07", "\u00ad", "\u00a0", "\u2003", "\u200b", "\u2028", "\u2029", "\ufeff"]
)
def test_what_takes_no_ink_is_not_visible(text: str) -> None:
    """Spaces, controls, format characters, and the separators of lines and paragraphs; one letter among them is."""
    assert not is_visible(text)
    assert is_visible(text + "\u6c34" + text)


@pytest.mark.parametrize(
    ("markup", "codes"),
    [
        ("<p title='javascript: a language'>a</p>", []),
        ("<img src='a.png' alt='onclick'>", []),
        ("<img src='data:image/png;base64,AAAA'>", []),
        ("<p data-on='a' data-class='b'>c</p>", []),
        ("<a href='mailto:a'>b</a><q cite='/c'>d</q>", []),
        ("<img src=' VBscript:a'>", ["address"]),
        ("<p one='a'>b</p>", ["event-handler"]),
    ],
)
def test_only_what_runs_or_styles_is_unsafe(markup: str, codes: list[str]) -> None:
    """Words in a title are words; a picture may be anywhere; every name that begins with on is a handler's."""
    assert [violation.code for violation in safety(parse_article(markup).elements)] == codes
