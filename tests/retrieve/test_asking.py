"""A query is read once, for all arms, against what the index holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.agreement import ASKED, CLAIMED
from memhtml.domain.memory import MemoryPath
from memhtml.domain.terms import Term
from memhtml.domain.wordings import digest
from memhtml.index.index import Index
from memhtml.retrieve.asking import LONGEST, LONGEST_PHRASE, MOST_TERMS, Asked, asked

Write = Callable[..., MemoryPath]


def read(store: Index, query: str) -> Asked:
    """``query`` as the arms are given it."""
    with store.reading() as view:
        return asked(query, view)


def words(found: Iterable[Term]) -> list[str]:
    """The texts of terms, in order."""
    return [term.text for term in found]


def test_a_query_worked_out(store: Index, write: Write) -> None:
    """Of two memories both hold a word, one another, none the third: idf by Robertson and Spärck Jones."""
    write("a", "Deploys are frozen.")
    write("b", "Deploys wait.")
    question = read(store, "Which deploys are frozen today?")
    assert words(question.content) == ["deploys", "frozen", "today"]
    assert [round(question.rarity[term], 4) for term in question.content] == [
        round(math.log(1 + (2 - held + 0.5) / (held + 0.5)), 4) for held in (2, 1, 0)
    ]
    assert question.sought == question.content
    assert question.perfect == pytest.approx(sum(question.rarity.values()))
    assert question.question.weights is ASKED
    assert read(store, "deploys are frozen").question.weights is CLAIMED


def test_function_words_count_where_there_are_no_others(store: Index, write: Write) -> None:
    """They are sought then, and left out otherwise."""
    write("a", "To be or not.")
    assert words(read(store, "who is it").sought) == ["who", "is", "it"]
    assert words(read(store, "who is the deploy of it").sought) == ["deploy"]


def test_the_words_of_a_query_in_order_and_as_a_whole(store: Index) -> None:
    """Its digest is that of all of it; its phrase is empty for a word or two, and for very many."""
    question = read(store, "Deploys are frozen!")
    assert question.digest == digest("deploys are frozen")
    assert question.phrase == "deploys are frozen"
    assert read(store, "frozen deploys").phrase == ""
    assert read(store, "a " * (LONGEST_PHRASE + 1)).phrase == ""
    assert read(store, "a " * LONGEST_PHRASE).phrase != ""


def test_what_no_words_are_in_asks_for_nothing(store: Index) -> None:
    """No terms, no digest, no phrase, and nothing that a hit could reach."""
    question = read(store, " ?! \n")
    assert (question.content, question.sought, question.rarity) == ((), (), {})
    assert (question.digest, question.phrase, question.perfect, question.at_home) == (None, "", 0, frozenset())


def test_words_of_more_than_a_tenth_of_the_memories_are_at_home(store: Index, write: Write) -> None:
    """Four of thirty: yes. Three of thirty: no."""
    for number in range(30):
        named = f"{'checkout ' * (number < 4)}{'billing ' * (number < 3)}"
        write(f"m{number}", f"Note {number} {named}")
    for number, name in enumerate(("checkout", "billing")):
        assert (name in words(read(store, f"what of {name}?").at_home)) is (number == 0)


def test_of_very_many_words_the_rarest_are_sought(store: Index, write: Write) -> None:
    """A pasted page costs no more than a paragraph, and what every memory holds goes first."""
    write("a", "common ground")
    write("b", "common sense")
    query = "common " + " ".join(f"qu{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(MOST_TERMS))
    question = read(store, query)
    assert len(question.content) == MOST_TERMS + 1
    assert len(question.sought) == MOST_TERMS
    assert "common" not in words(question.sought)


def test_what_stands_behind_the_longest_query_is_not_looked_at(store: Index) -> None:
    """Nor does it cost anything."""
    question = read(store, "deploys " + " " * LONGEST + "frozen")
    assert words(question.content) == ["deploys"]


@given(st.text(max_size=60))
def test_any_text_is_read(query: str) -> None:
    """What is sought is some of the content, and each has its rarity."""
    with Index.in_memory() as store:
        question = read(store, query)
    assert set(question.sought) <= set(question.content) == set(question.rarity)
    assert question.at_home <= set(question.content)
    assert all(rare >= 0 for rare in question.rarity.values())
