"""The lexicons do not undo what others keep apart."""

from __future__ import annotations

from memhtml.domain.polarity import NEGATIONS, NUMBER_WORDS, OPPOSITES, QUALIFIERS
from memhtml.domain.rewording import Sense, compare
from memhtml.domain.stems import stem
from memhtml.domain.stopwords import STOP_WORDS
from memhtml.domain.synonyms import CLAUSES, GLUE, LIGHT, PHRASES, RESTRICTING, STARTS, SYNONYMS, TELLING


def test_no_two_synonyms_are_opposites() -> None:
    """A group that held both would make a fact of its contrary."""
    for word, group in SYNONYMS.items():
        contrary = {stem(other) for other, its in SYNONYMS.items() if its == group} & OPPOSITES.get(stem(word), set())
        assert not contrary, (word, contrary)


def test_each_word_is_in_one_group() -> None:
    """A word in two would join them for one side of a comparison only."""
    groups: dict[str, set[str]] = {}
    for word, group in SYNONYMS.items():
        groups.setdefault(group, set()).add(word)
    assert all(len(words) > 1 and group[1:] in words for group, words in groups.items())
    assert sum(map(len, groups.values())) == len(SYNONYMS)


def test_a_group_is_called_by_its_first_word() -> None:
    """Worked: groups in one line, at its end, and at the beginning of the next."""
    words = ("need", "require", "shall", "initiate", "begin", "end", "finish", "utilize")
    assert [SYNONYMS[word] for word in words] == [
        "=need", "=need", "=must", "=start", "=start", "=end", "=end", "=use"
    ]  # fmt: skip


def test_what_decides_between_twins_is_never_left_out() -> None:
    """Negations, numbers, qualifiers, restrictions and what tells cases apart are neither light nor glue."""
    telling = RESTRICTING | TELLING
    assert not {word for word in LIGHT - {"thus"} if stem(word) in telling}  # thus has the stem of thu, a day
    assert not {word for word in GLUE - {"s", "d", "m", "am"} if stem(word) in telling}  # units only after a number
    assert not (LIGHT | GLUE) & (NEGATIONS | QUALIFIERS | set(NUMBER_WORDS))


def test_a_light_word_in_place_of_its_contrary_is_no_light_matter() -> None:
    """Of `also` and `only`, or `remember` and `forget`, none may be left out for the other."""
    assert {word for word in LIGHT if stem(word) in OPPOSITES} <= {"also", "remember", "presently", "every"}
    assert compare("Backups also hold logs.", "Backups only hold logs.").sense is Sense.APART
    assert compare("Remember the key.", "Forget the key.").sense is Sense.APART


def test_glue_is_made_of_function_words() -> None:
    """All that carries no facts is a stop word, but for forms of have and do, and prepositions."""
    assert {"done", "onto", "within", "one"} >= GLUE - STOP_WORDS


def test_negations_and_qualifiers_have_no_synonyms() -> None:
    """Their predicates look at the very words."""
    assert not SYNONYMS.keys() & (NEGATIONS | QUALIFIERS | set(NUMBER_WORDS))


def test_phrases_are_plain() -> None:
    """Lower-case words, and what they become is no phrase itself."""
    assert all(said and all(word == word.lower() for word in said) for said in PHRASES)
    assert not set(PHRASES) & set(PHRASES.values())


def test_clauses_are_among_what_parts_begin_with() -> None:
    """A clause is a part of a sentence."""
    assert CLAUSES <= STARTS
