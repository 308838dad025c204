"""A sentence is read for its words, its denials and what they speak of, its numbers and its qualifiers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.statements import read, sentences

TEXTS = st.text(st.sampled_from("aZ1 .!?\n\"'),it's not Dr"), max_size=60) | st.text(max_size=60)
WORDS = st.lists(
    st.sampled_from(["cache", "never", "retries", "3", "beta", "the", "but", "not", ",", "."]), max_size=14
)


@given(TEXTS)
def test_sentences_hold_the_whole_text(text: str) -> None:
    """Nothing but white space is lost, none is blank, and none has white space at its edges."""
    found = sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence and sentence == sentence.strip() for sentence in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It failed. It went on.", ("It failed.", "It went on.")),
        ("It failed. it went on. Then it ended.", ("It failed. it went on.", "Then it ended.")),
        ("Ask Dr. Chan. She knows!", ("Ask Dr. Chan.", "She knows!")),
        ("J. Doe wrote it. Fine.", ("J. Doe wrote it.", "Fine.")),
        ("It failed. iOS went on.", ("It failed. iOS went on.",)),
        ("Go and ask Dr. Chan. She knows!", ("Go and ask Dr. Chan.", "She knows!")),
        ("Ask ('Dr. Chan'). She knows.", ("Ask ('Dr. Chan').", "She knows.")),
        ("? Yes.", ("?", "Yes.")),
        ("See e.g. This. Now that.", ("See e.g. This.", "Now that.")),
        ('"It failed." Then it ended.', ('"It failed."', "Then it ended.")),
        ("Release v1.2 is out. Use it.", ("Release v1.2 is out.", "Use it.")),
        ("Really? Yes!", ("Really?", "Yes!")),
        ("one\ntwo\n\nThree", ("one", "two", "Three")),
        ("no end", ("no end",)),
        (" \n ", ()),
        ("", ()),
    ],
)
def test_sentences_worked_out(text: str, expected: tuple[str, ...]) -> None:
    """Stops, quotes, lines; abbreviations, initials and small letters end nothing."""
    assert sentences(text) == expected


@given(WORDS)
def test_what_is_read_fits_together(words: list[str]) -> None:
    """The set is that of the sequence, pairs are neighbours, denials include the plain ones, nearness is a share."""
    said = read(" ".join(words))
    assert said.held == frozenset(said.stems)
    assert len(said.stems) == sum(word not in {",", "."} for word in words)
    assert said.pairs == frozenset(zip(said.stems, said.stems[1:], strict=False))
    assert said.negations <= said.denials
    assert said.content <= said.held
    assert set(said.near) <= said.content
    assert all(0 < nearness <= 1 for nearness in said.near.values())
    assert bool(said.near) <= bool(said.denials)


@given(TEXTS)
def test_any_text_is_read_and_case_does_not_matter(text: str) -> None:
    """Nor is a reading changed by having been made before."""
    assert read(text) == read(text)
    assert read(text.lower()).numbers == read(text).numbers


def test_a_statement_worked_out() -> None:
    """Denials are written out, and speak of what stands near: 1 for the next word, less further on."""
    said = read("It isn't retried 3 times.")
    assert said.stems == ("it", "is", "not", "retri", "3", "time")
    assert said.pairs == {("it", "is"), ("is", "not"), ("not", "retri"), ("retri", "3"), ("3", "time")}
    assert said.content == {"retri", "3", "time"}
    assert (said.negations, said.denials) == (1, 1)
    assert {word: round(near, 3) for word, near in said.near.items()} == {"retri": 1.0, "3": 0.5, "time": 0.333}
    assert said.numbers == {"3"}
    assert said.qualifiers == frozenset()


def test_a_denial_speaks_of_its_clause_alone() -> None:
    """A turn or a stop ends its reach; what stands before it counts less than what stands behind."""
    said = read("The cache never expires, but the token is renewed.")
    assert {word: round(near, 3) for word, near in said.near.items()} == {"cach": 0.667, "expir": 1.0}
    assert set(read("The cache never expires. Tokens renew.").near) == {"cach", "expir"}
    assert set(read("alpha. never bravo. charlie").near) == {"bravo"}
    assert set(read("alpha. never bravo, charlie").near) == {"bravo", "charli"}
    assert set(read("never alpha. But bravo").near) == {"alpha"}
    assert set(read("alpha. never bravo but charlie").near) == {"bravo"}


def test_a_denial_reaches_three_words_back_and_four_on() -> None:
    """Content words are counted, function words are not."""
    said = read("alpha bravo charlie delta never echo foxtrot golf hotel india")
    assert set(said.near) == {"bravo", "charli", "delta", "echo", "foxtrot", "golf", "hotel"}
    assert {word: round(said.near[word], 3) for word in ("bravo", "delta", "hotel")} == {
        "bravo": 0.222,
        "delta": 0.667,
        "hotel": 0.25,
    }
    assert read("never in the of cache").near == {"cach": 1.0}


def test_the_nearest_denial_counts() -> None:
    """Between two, a word belongs to the nearer one."""
    assert read("never alpha bravo not charlie").near["bravo"] == pytest.approx(1 / 1.5)
    assert read("never alpha not").near["alpha"] == 1.0


def test_contractions_are_written_out() -> None:
    """Each is one plain denial, whichever apostrophe it has; short forms of is and have are left out."""
    assert read("We can't and cannot; won't and shan't.").negations == 4
    assert read("We cannot drain.").stems == ("we", "can", "not", "drain")
    assert read("isn\N{RIGHT SINGLE QUOTATION MARK}t").stems == ("is", "not")
    assert read("it's they're we've").stems == ("it", "thei", "we")


def test_words_that_deny_in_themselves_are_denials_and_not_negations() -> None:
    """Failing, being disabled or unsafe denies without a not; what is denied is content."""
    said = read("Disabled checks fail on unsafe input")
    assert (said.negations, said.denials) == (0, 3)
    assert said.content == {"check", "input"}
    assert said.denying == {"disabl", "fail", "unsaf"}
    assert read("It never fails").denying == {"fail"}


def test_numbers_are_read_as_digits() -> None:
    """Words, thousands, shares and decimals; one is a pronoun."""
    assert read("Twenty pods, 1,000 users and 95% of 3.5 hours").numbers == {"20", "1000", "95", "3.5"}
    assert read("one of them").numbers == frozenset()


def test_qualifiers_are_read_in_any_case() -> None:
    """As they are written, not stemmed."""
    assert read("a Beta of the LEGACY client").qualifiers == {"beta", "legacy"}


def test_accents_do_not_count() -> None:
    """Decomposed or not."""
    assert read("na\u00efve caf\u00e9").stems == read("nai\u0308ve cafe\u0301").stems == ("naiv", "cafe")


def test_nothing_is_said_by_nothing() -> None:
    """No words, no denials, no numbers."""
    said = read(" .,!")
    assert said == read("")
    assert (said.stems, said.held, said.near, said.numbers, said.denials) == ((), frozenset(), {}, frozenset(), 0)
