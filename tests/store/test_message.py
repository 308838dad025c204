"""Commit messages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.store.message import (
    LONGEST_SUBJECT,
    Wording,
    message,
    one_line,
    subject,
    trailers,
    trailers_of,
    with_trailers,
)


@given(st.text(), st.integers(1, 50))
def test_a_line_is_a_line(text: str, longest: int) -> None:
    """No line break, no control character, no mark that turns the direction, never too long."""
    line = one_line(text, longest)
    assert len(line) <= longest
    assert len(line.splitlines()) <= 1
    assert not set(line) & set("\x00\x1b\n\r\u2028\u2029\u202e\u2066")
    assert line == line.strip()


@given(st.text(), st.text(), st.text())
def test_a_message_has_the_trailers_that_were_given_and_no_other(title: str, session: str, prompt: str) -> None:
    """Whatever the texts, there is one subject, and at most one line for each trailer."""
    lines = message(subject("write", title), trailers(session=session, prompt=prompt)).splitlines()
    assert len(lines[0]) <= LONGEST_SUBJECT
    assert lines[0].startswith("memory(write):")
    assert [line.split(":")[0] for line in lines[2:]] == [
        name
        for name, text in (("Memhtml-Session", session), ("Memhtml-Prompt", prompt))
        if one_line(text, LONGEST_SUBJECT)
    ]


def test_a_worked_example() -> None:
    """Subject, blank line, trailers in their order."""
    text = message(subject("correct", "Deploy\ntakes  six minutes"), trailers(session="s-1", prompt="p-2"))
    assert text == "memory(correct): Deploy takes six minutes\n\nMemhtml-Session: s-1\nMemhtml-Prompt: p-2\n"


def test_nothing_known_is_no_trailer() -> None:
    """And an empty subject is still one."""
    assert trailers() == ()
    assert message("", ()) == "memory\n"


@given(st.lists(st.tuples(st.sampled_from(["Memhtml-Run", "X"]), st.text(min_size=1)), max_size=4))
def test_trailers_are_read_as_they_were_written(pairs: list[tuple[str, str]]) -> None:
    """Whatever is in their values; more may be added, and those that are there stay first."""
    written = tuple((name, line) for name, value in pairs if (line := one_line(value, 500)))
    text = message("sleep(test): x", pairs)
    assert trailers_of(text) == written
    assert trailers_of(with_trailers(text, [("Y", "1"), ("Y", "")])) == (*written, ("Y", "1"))
    assert with_trailers(text, []) == text


def test_a_last_paragraph_that_is_prose_is_no_trailers() -> None:
    """One line that is none makes the whole paragraph prose, as for git."""
    assert trailers_of("a\n\nMemhtml-Run: x\nand so on\n") == ()
    assert with_trailers("a\n\nMemhtml-Run: x\nand so on\n", [("X", "y")]).endswith("and so on\n\nX: y\n")
    assert trailers_of("Memhtml-Run: x\n") == trailers_of("") == trailers_of("\n\n") == ()
    path = "areas/" + "x" * 940 + ".html"
    assert trailers_of(with_trailers("a\n", [("P", path)])) == (("P", path),), "the longest path fits"


hostile = st.text() | st.lists(
    st.sampled_from(["Memhtml-Run: y", "\n", "\n\n", " ", "x", "\r", "\x85", "\u2028", "\u202e", "Merge: a"]),
    max_size=9,
).map("".join)


@given(st.text(), st.lists(hostile, max_size=3), st.lists(st.tuples(st.sampled_from(["Memhtml-Run"]), st.text())))
def test_a_text_forges_neither_subject_nor_trailer(
    title: str, paragraphs: list[str], pairs: list[tuple[str, str]]
) -> None:
    """Whatever is in it: subject and trailers are those of the message without it, and more trailers may follow."""
    with_text, without = message(Wording(title, tuple(paragraphs)), pairs), message(title, pairs)
    assert with_text.splitlines()[0] == without.splitlines()[0]
    assert trailers_of(with_text) == trailers_of(without)
    assert trailers_of(with_trailers(with_text, [("Y", "1")])) == (*trailers_of(without), ("Y", "1"))
    assert not set(with_text) & set("\x00\x1b\r\x85\u2028\u202e\u2066")


def test_a_text_stands_between_subject_and_trailers() -> None:
    """Its spaces stay, its empty lines do not, and what is no letter can be read as what it is."""
    text = message(Wording("sleep(x): 1", ('{"why":"a  b\u00a0\u202ec"}\n\nRun: z', "", " ")), [("Memhtml-Run", "a")])
    assert text == 'sleep(x): 1\n\n{"why":"a  b\u00a0\\u202ec"}\n Run: z\n\nMemhtml-Run: a\n'
    assert message(Wording("sleep(x): 1", ("said",)), ()) == "sleep(x): 1\n\nsaid\n"
    assert message(Wording("sleep(x): 1"), ()) == message("sleep(x): 1", ())
