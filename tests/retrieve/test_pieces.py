"""Of a long memory the piece that fits is read, judged and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.terms import Term, content_terms, terms
from memhtml.index.index import Index
from memhtml.retrieve.asking import Asked, asked
from memhtml.retrieve.pieces import SNIPPET, best_piece, held, share, snippet

TEXTS = st.text(st.sampled_from("ab dé.語\n"), max_size=300)


@pytest.fixture
def question() -> Iterator[Asked]:
    """A question of three words, each as rare as the others."""
    with Index.in_memory() as empty, empty.reading() as view:
        yield asked("drained queue, failing", view)


def texts(found: Iterable[Term]) -> set[str]:
    """The words of terms."""
    return {term.text for term in found}


def test_words_are_held_as_the_index_holds_them() -> None:
    """By their stems, by the parts of an identifier, by the first character of an unspaced word."""
    query = content_terms(terms("drained queues checkout 水 zebra"))
    assert texts(held(query, "Draining the queue of checkout-api; 水道.")) == {"drained", "queues", "checkout", "水"}
    assert held(query, "") == frozenset()
    assert held((), "Anything.") == frozenset()


def test_the_share_of_words_goes_by_their_rarity(question: Asked) -> None:
    """One of three equal words is a third; all are everything."""
    assert share(question, frozenset()) == 0.0
    assert share(question, frozenset(question.content[:1])) == pytest.approx(1 / 3)
    assert share(question, frozenset(question.content)) == 1.0


def test_a_query_without_words_is_held_by_nothing() -> None:
    """Rather than a division by zero."""
    with Index.in_memory() as empty, empty.reading() as view:
        assert share(asked("?!", view), frozenset()) == 0.0


def test_the_piece_with_most_of_the_query_is_chosen_unless_a_vector_said_which(question: Asked) -> None:
    """The first of equal ones; a number that no piece has says nothing."""
    cut = ("Nothing here.", "The queue is drained.", "A queue.")
    assert best_piece(question, cut, None, ()).text == "The queue is drained."
    assert best_piece(question, cut, 2, ()).text == "A queue."
    assert best_piece(question, cut, 3, ()).text == "The queue is drained."
    assert best_piece(question, ("One.", "Two."), None, ()).text == "One."


def test_a_short_memory_is_judged_whole_and_a_long_one_by_its_piece(question: Asked) -> None:
    """With what belongs to it beside its article; when it happened is no sentence."""
    short = best_piece(question, ("The queue fails.", "It is drained.\n2026-01-05"), 0, ("tag",))
    assert len(short.statements) == 2
    assert texts(short.held) == {"drained", "queue", "failing"}
    long = best_piece(question, ("The queue fails. " + "Words. " * 1000, "It is drained."), 1, ("queue",))
    assert len(long.statements) == 1
    assert texts(long.held) == {"drained", "queue"}


def test_a_memory_of_nothing_but_a_date_has_a_statement(question: Asked) -> None:
    """So that there is always one to compare."""
    assert len(best_piece(question, ("2026-01-05",), None, ()).statements) == 1
    assert len(best_piece(question, ("",), None, ()).statements) == 1


def test_a_short_text_is_its_own_snippet(question: Asked) -> None:
    """As one line."""
    assert snippet(question, " The queue\n is drained. ") == "The queue is drained."
    assert snippet(question, "") == ""


def test_a_snippet_begins_a_little_before_the_first_word_of_the_query(question: Asked) -> None:
    """Three dots stand where something was left out; without any such word it is the beginning."""
    cut = snippet(question, "word " * 200 + "the queue " + "more " * 200)
    assert cut.startswith("…word word")
    assert cut.endswith("…")
    assert 100 <= cut.index("the queue") <= 130
    assert len(cut) <= SNIPPET
    plain = snippet(question, "word " * 300)
    assert plain.startswith("word word")
    assert plain.endswith("…")


@given(TEXTS, st.integers(1, 9))
def test_a_snippet_is_a_part_of_its_text_within_its_length(text: str, times: int) -> None:
    """Whatever the text is."""
    with Index.in_memory() as empty, empty.reading() as view:
        question = asked("a 語", view)
    whole = " ".join((text * times).split())
    shown = snippet(question, text * times)
    assert len(shown) <= SNIPPET
    assert shown.strip("…") in whole
    assert (shown == whole) or "…" in shown
