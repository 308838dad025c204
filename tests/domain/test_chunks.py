"""How an article is cut for the embedder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.chunks import WINDOW, Chunk, chunks, embedded_text, tokens

# Of pieces, since a text that is drawn by its characters is seldom long enough to be cut.
PROSE = st.lists(st.text(st.sampled_from("abc dE1. !?\n。東,-"), max_size=20), max_size=20).map("".join)


@given(st.text(st.sampled_from("ab 1."), max_size=30), PROSE, st.integers(3, 40))
def test_the_pieces_are_the_text(title: str, body: str, window: int) -> None:
    """No gap, no overlap, nothing dropped, none empty; a blank text has none."""
    cut = chunks(title, body, window)
    assert bool(cut) == bool(body.strip())
    if cut:
        assert [0, *(chunk.stop for chunk in cut)] == [*(chunk.start for chunk in cut), len(body)]
        assert all(chunk.start < chunk.stop for chunk in cut)


@given(st.text(st.sampled_from("ab 1."), max_size=30), PROSE, st.integers(8, 40))
def test_no_piece_is_over_the_window(title: str, body: str, window: int) -> None:
    """Together with the title as far as that may take half of it, and the marks at both ends."""
    room = window - 2
    for chunk in chunks(title, body, window):
        assert tokens(body[chunk.start : chunk.stop]) <= room
        if tokens(title) <= room // 2:
            assert tokens(embedded_text(title, body, chunk)) <= room


@given(PROSE, PROSE)
def test_more_text_at_the_end_moves_no_earlier_piece(body: str, more: str) -> None:
    """All but the last piece stay, so their vectors do."""
    before = chunks("", f"{body}. ", 12)
    after = chunks("", f"{body}. {more}", 12)
    assert after[: len(before) - 1] == before[:-1]


def test_what_fits_is_one_piece() -> None:
    """200 short words are inside the window, 300 are not."""
    assert chunks("t", "word " * 200) == (Chunk(0, 1000),)
    assert len(chunks("t", "word " * 300)) == 2


def test_sentences_stay_whole_where_they_can() -> None:
    """Split after the stop and what closes with it, in Latin and in wide script, and at the end of a line."""
    assert [chunk.stop for chunk in chunks("", 'One two. "Three four." Five six.', 9)] == [9, 23, 32]
    assert [chunk.stop for chunk in chunks("", "東京は晴れ。大阪は雨だ。", 10)] == [6, 12]
    assert [chunk.stop for chunk in chunks("", "one two three\nfour five six", 7)] == [14, 27]


def test_a_sentence_over_the_limit_is_cut_between_words_and_a_word_anywhere() -> None:
    """Nothing is dropped."""
    assert [chunk.stop for chunk in chunks("", "one two three four five", 5)] == [14, 23]
    assert [chunk.stop for chunk in chunks("", "x" * 40, 5)] == [13, 25, 37, 40]


def test_a_needle_at_the_end_of_a_long_text_is_in_a_piece() -> None:
    """At character 500,000, whole."""
    body = "Lorem ipsum dolor sit amet. " * 17858 + "The needle is here."
    assert body.index("needle") > 500_000
    last = chunks("t", body)[-1]
    assert "The needle is here." in body[last.start : last.stop]


def test_a_title_stands_above_a_piece_unless_it_begins_it() -> None:
    """Case, spaces and a cut end do not count."""
    body = "Drain  connections first. Then deploy."
    assert embedded_text("drain connections fi…", body, Chunk(0, 25)) == "Drain  connections first."
    assert embedded_text("Deploying", body, Chunk(0, 38)) == f"Deploying\n{body}"


def test_a_window_without_room_is_refused() -> None:
    """Two marks and nothing else."""
    with pytest.raises(ValueError, match="no room"):
        chunks("t", "text", 2)
    assert WINDOW == 256


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("words", 1), ("wordss", 2), ("wordsfour", 2), ("12", 1), ("123", 2), ("東京", 2)],
)
def test_tokens_are_estimated_by_the_shape_of_words(text: str, count: int) -> None:
    """Five letters and each four more, two digits, each other sign."""
    assert tokens(text) == count


LONG_TITLE = "alpha beta gamma delta"  # four tokens
SHORT = "One two. Three four."  # two sentences of three tokens


def stops(title: str, body: str, window: int) -> list[int]:
    """Where the pieces end."""
    return [chunk.stop for chunk in chunks(title, body, window)]


def test_the_title_takes_its_room_from_the_text() -> None:
    """Six tokens fit eight alone and not beside a title of four; ten hold both."""
    assert stops(LONG_TITLE, SHORT, 8 + 2) == [9, 20]
    assert stops(LONG_TITLE, SHORT, 10 + 2) == [20]


def test_a_title_that_begins_the_text_takes_no_room() -> None:
    """It is not put in front a second time."""
    assert stops("One two", SHORT, 6 + 2) == [20]
    assert stops("Two one", SHORT, 6 + 2) == [9, 20]


def test_a_title_takes_half_of_the_room_at_most() -> None:
    """Of six three, of seven three; a window of three still holds one token."""
    assert stops(LONG_TITLE, SHORT, 6 + 2) == [9, 20]
    assert stops(LONG_TITLE, "One. Two. Six.", 6 + 2) == [5, 10, 14]
    assert stops(LONG_TITLE, "one two three four five", 7 + 2) == [19, 23]
    assert stops("t", "\N{CJK UNIFIED IDEOGRAPH-6771}\N{CJK UNIFIED IDEOGRAPH-4EAC}", 3) == [1, 2]


def test_pieces_begin_where_the_one_before_ends() -> None:
    """Whether a sentence ends there or not."""
    assert chunks("", "One. Two. Six. Ten.", 4 + 2) == (Chunk(0, 10), Chunk(10, 19))
    assert chunks("", "Six. one two three four five", 4 + 2) == (Chunk(0, 5), Chunk(5, 24), Chunk(24, 28))


def test_a_title_takes_64_tokens_at_most() -> None:
    """Beside a title of a hundred, 190 tokens of text are left of 254: 38 sentences of five."""
    assert stops("word " * 100, "one two three four. " * 39, 256) == [38 * 20, 39 * 20]


def test_sentences_fill_a_piece_to_the_last_token() -> None:
    """Four tokens are two sentences of two, in the second piece as in the first."""
    assert stops("", "One. Two. Six. Ten.", 4 + 2) == [10, 19]
    assert stops("", "One. Two. Six. Ten.", 5 + 2) == [10, 19]


def test_a_sentence_is_cut_inside_its_own_end() -> None:
    """The one after it is cut for itself; a word stays whole in front of which there is a space."""
    assert stops("", "one two three four five. one two three four five.", 4 + 2) == [19, 25, 44, 49]
    assert stops("", "a,b c,d e,f", 4 + 2) == [4, 8, 11]
    assert stops("", "ab,cd,ef gh", 4 + 2) == [6, 11]


def test_spaces_in_the_text_do_not_hide_the_title() -> None:
    """Up to a width of four times the title; what comes later does not begin the text."""
    spread, apart = f"a{' ' * 8}b and more", f"a{' ' * 15}b and more"
    assert embedded_text("a b", spread, Chunk(0, len(spread))) == spread
    assert embedded_text("a b", apart, Chunk(0, len(apart))) == f"a b\n{apart}"
