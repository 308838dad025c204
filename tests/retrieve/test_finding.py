"""Each arm finds what it looks for, in scope, best first; or says what kept it out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from memhtml.domain.memory import Entity, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.retrieve.answer import Arm, Degraded
from memhtml.retrieve.asking import asked
from memhtml.retrieve.finding import FINDERS, Found, Sought, find

Write = Callable[..., MemoryPath]


EVERYTHING = Scope()


def found(
    store: Index,
    query: str,
    embedder: Embedder | None = None,
    *,
    scope: Scope = EVERYTHING,
    arms: Iterable[Arm] = tuple(FINDERS),
) -> dict[Arm, Found]:
    """What the arms find."""
    with store.reading() as view:
        return find(Sought(asked(query, view), view, embedder, scope, 100), frozenset(arms))[0]


def looked(store: Index, query: str, embedder: Embedder | None) -> tuple[dict[Arm, Found], tuple[Degraded, ...]]:
    """What all arms find, and what kept one out."""
    with store.reading() as view:
        return find(Sought(asked(query, view), view, embedder, EVERYTHING, 100), frozenset(FINDERS))


def names(values: Found | None) -> list[str]:
    """The memories of an arm, in its order."""
    return [] if values is None else [path.rpartition("/")[2].removesuffix(".html") for path in values.values]


def test_each_arm_by_what_it_looks_for(store: Index, write: Write) -> None:
    """Words, vectors, names and wording, each its own memories."""
    write("words", "Deploys wait for Ada.")
    write("name", "Nobody ships then.", tags=("freeze",))
    write("entity", "It is slow.", entities=(Entity("service", "Deploy Freeze"),))
    write("wording", "Is the deploy freeze over?")
    fill(store, HashedWords())
    arms = found(store, "is the deploy freeze over", HashedWords())
    assert set(names(arms[Arm.LEXICAL])) == {"words", "name", "entity", "wording"}
    assert names(arms[Arm.LEXICAL])[0] == "wording"
    assert names(arms[Arm.VECTOR])[0] == "wording"
    assert len(names(arms[Arm.VECTOR])) == 4
    assert dict(arms[Arm.EXACT].values) == dict.fromkeys(arms[Arm.EXACT].values, 0.5)
    assert set(names(arms[Arm.EXACT])) == {"name", "entity"}
    assert dict(arms[Arm.VERBATIM].values) == {MemoryPath("areas/inbox/wording.html"): 1.0}


def test_a_name_that_is_the_whole_query_counts_whole(store: Index, write: Write) -> None:
    """As an alias, a tag or an entity; a part of the query counts half."""
    write("alias", "The database.", aliases=("Elephant",))
    write("tag", "The zoo.", tags=("elephant",))
    assert set(found(store, "ELEPHANT")[Arm.EXACT].values.values()) == {1.0}
    assert set(found(store, "the elephant there")[Arm.EXACT].values.values()) == {0.5}


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("deploys are frozen on fridays", 1.0),  # the claim
        ("Deploys are frozen on Fridays. Ask Ada", 1.0),  # the body
        ("The freeze!", 1.0),  # the title
        ("frozen on fridays ask", 0.5),  # a part of it, over the end of a sentence
        ("deploy is freezing on Fridays", None),  # the same stems, and another word
        ("frozen fridays", None),  # no phrase
    ],
)
def test_a_memory_is_quoted_whole_or_in_part(store: Index, write: Write, query: str, value: float | None) -> None:
    """By its claim, its body or its title; or by three words of it and more that stand in this order."""
    path = write("frozen", "Deploys are frozen on Fridays.", title="The freeze", body="Ask Ada.")
    write("other", "Deploys go on.")
    wording = found(store, query).get(Arm.VERBATIM)
    assert (None if wording is None else dict(wording.values)) == (None if value is None else {path: value})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It fails at -5 degrees.", "It fails at 5 degrees."),
        ("Alerts fire at load > 5.", "Alerts fire at load < 5."),
        ("The IT team owns it.", "The it team owns IT."),
        ("It holds 1-5 items.", "It holds 1.5 items."),
    ],
)
def test_what_is_quoted_to_the_letter_comes_before_what_has_the_same_words(
    store: Index, write: Write, one: str, other: str
) -> None:
    """Signs and case decide where the words are the same; white space does not."""
    first, second = write("one", one), write("other", other)
    assert list(found(store, one)[Arm.VERBATIM].values) == [first, second]
    assert list(found(store, f" {other}\n")[Arm.VERBATIM].values) == [second, first]


def test_a_turn_of_speech_is_no_wording(store: Index, write: Write) -> None:
    """What more than a hundred memories hold says nothing; the one that says nothing else is still found."""
    for number in range(101):
        write(f"n{number}", f"Number {number} says: what have you been up to, my friend {number}?")
    only = write("only", "What have you been up to?")
    assert dict(found(store, "what have you been up to")[Arm.VERBATIM].values) == {only: 1.0}
    assert Arm.VERBATIM not in found(store, "have you been up")


def test_every_arm_keeps_to_the_scope(store: Index, write: Write) -> None:
    """An archived memory is found by no arm, unless it is asked for."""
    write("archive/2025/areas/old.html", "Deploys are frozen on Fridays.", tags=("freeze",))
    write("new", "Nothing of that kind.")
    fill(store, HashedWords())
    query = "deploys are frozen on fridays"
    live = found(store, query, HashedWords())
    assert {arm: names(values) for arm, values in live.items()} == {Arm.VECTOR: ["new"]}
    everything = found(store, query, HashedWords(), scope=Scope(archived=True))
    assert all("old" in names(everything[arm]) for arm in (Arm.LEXICAL, Arm.VECTOR, Arm.VERBATIM))
    assert names(found(store, "freeze", scope=Scope(archived=True))[Arm.EXACT]) == ["old"]


def test_only_the_arms_that_are_asked_look(store: Index, write: Write) -> None:
    """And one that finds nothing is not named."""
    write("frozen", "Deploys are frozen on Fridays.")
    assert set(found(store, "deploys are frozen on fridays", arms={Arm.LEXICAL})) == {Arm.LEXICAL}
    assert found(store, "zebra") == {}
    assert found(store, "") == {}


def test_an_arm_that_cannot_take_part_says_why(store: Index, write: Write) -> None:
    """Without vectors, with those of another model, with a model that fails; never without an embedder at all."""
    write("frozen", "Deploys are frozen.")
    _, degraded = looked(store, "frozen", HashedWords())
    assert degraded == (Degraded(Arm.VECTOR, "only 0% of the texts have a vector; `memhtml index embed` makes them"),)
    fill(store, HashedWords())
    assert looked(store, "frozen", HashedWords())[1] == ()
    assert looked(store, "frozen", None)[1] == ()
    for other in (HashedWords(64), AlwaysFailing(256)):
        arms, degraded = looked(store, "frozen", other)
        assert [one.arm for one in degraded] == [Arm.VECTOR]
        assert Arm.VECTOR not in arms
        assert names(arms[Arm.LEXICAL]) == ["frozen"]
