"""A block in a file of Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.integrations.blocks import BEGIN, END, add, take_out
from memhtml.integrations.parts import Block, Disputed, unspliced

PART = Block("## Theirs\n\nUse (it). `a` $1 \\1")
NOTE = "why"

texts = st.text(st.sampled_from("ab #\n\r\t\ufeff`"), max_size=30).filter(lambda text: "```" not in text)


@given(texts, texts)
def test_a_block_comes_and_goes_without_a_trace(text: str, later: str) -> None:
    """What was written after it, too, stays as it is."""
    added = add(text, PART, NOTE)
    assert added.text.startswith(text)
    assert unspliced(added.text, added.splices) == text
    assert add(added.text, PART, NOTE).splices == ()
    if text.endswith(("\n", "\n\n")) or not text:
        assert take_out(added.text + later, PART, NOTE) == text + later


def test_the_block_in_full() -> None:
    """After an empty line, between its marks, with the line ends of the file."""
    after = add("# Mine\r\n", Block("a\nb"), NOTE).text
    assert after == "# Mine\r\n\r\n<!-- memhtml:begin: why -->\r\na\r\nb\r\n<!-- memhtml:end -->\r\n"
    assert take_out(after.replace("\r\n", "\n"), Block("a\nb"), NOTE) == "# Mine\n"
    assert take_out("# Mine\n", Block("a\nb"), NOTE) == "# Mine\n"


def test_a_last_line_without_an_end_gets_one() -> None:
    """And it stays when the block is taken out of a file that has changed since."""
    after = add("# Mine", PART, NOTE).text
    assert after.startswith("# Mine\n\n<!--")
    assert take_out(after + "more\n", PART, NOTE) == "# Mine\nmore\n"


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("Theirs", "Mine"),
        lambda text: text.replace(END, ""),
        lambda text: text.replace(BEGIN, "<!-- "),
        lambda text: text + text,
    ],
)
def test_a_block_that_somebody_changed_is_not_taken_out(edit: object) -> None:
    """It is theirs now, and so is a second one."""
    assert callable(edit)
    text = edit(add("x\n", PART, NOTE).text)
    with pytest.raises(Disputed):
        take_out(text, PART, NOTE)
    if text.count(BEGIN) < 2:
        with pytest.raises(Disputed):
            add(text, PART, NOTE)


@pytest.mark.parametrize(
    "text", ["```\ncode", "~~~ py\n```\n", "a\n````md\n```\n", "<!-- a --> b <!-- c", "```x\n``` y\n"]
)
def test_a_block_is_put_where_it_is_read(text: str) -> None:
    """Not within code or a comment that somebody has left open."""
    with pytest.raises(Disputed, match="not closed"):
        add(text, PART, NOTE)


@pytest.mark.parametrize(
    "text", ["```\n<!-- \n```\n", "~~~\n```\n~~~~\n", "``` a ``` b\n", "<!-- a -->\n", "    ```\n", "a ```\n"]
)
def test_what_is_closed_is_no_hindrance(text: str) -> None:
    """Nor what is no fence at all."""
    assert take_out(add(text, PART, NOTE).text, PART, NOTE) == text


def test_where_other_marks_stand_is_said() -> None:
    """Counted from 1."""
    with pytest.raises(Disputed, match=r"\(line 3\)"):
        add(f"a\nb\n{BEGIN}\n", PART, NOTE)
