"""Names of one thing become one, names of two never do, and a model needs two nights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.afterwards import afterwards, seen
from tests.sleep.corpora import memory

from memhtml.domain.memory import Facts, Instant, MemoryPath
from memhtml.models.language import Question
from memhtml.models.scripted import Scripted
from memhtml.page.splice import AddValue, DropValue
from memhtml.sleep.changes import Edited, Generated, Proposal
from memhtml.sleep.corpus import Night, Remembered
from memhtml.sleep.mind import Budget, Mind
from memhtml.sleep.phases import entity_resolution
from memhtml.sleep.phases.entity_resolution import propose
from memhtml.store.layout import PENDING

TOMORROW = Night("2026-07-29", Instant("2026-07-29T00:00:00Z"))
LATER = Night("2026-09-15", Instant("2026-09-15T00:00:00Z"))


def naming(*entities: str, **fields: object) -> list[Remembered]:
    """A memory for each of these, which names it; several in one are parted by ``+``."""
    return [
        memory(f"areas/{number:02}.html", f"It is {number}.", entities=tuple(text.split("+")), **fields)  # type: ignore[arg-type]  # any field
        for number, text in enumerate(entities)
    ]


def renamed(proposal: Proposal) -> dict[str, str]:
    """What is called otherwise now, by its old name."""
    found: dict[str, str] = {}
    for change in proposal.changes:
        if isinstance(change, Edited):
            new, old = change.edits[0], change.edits[1]
            assert isinstance(new, AddValue)
            assert isinstance(old, DropValue)
            found[old.content] = new.content
    return found


def mind(answer: object) -> Mind:
    """A model that always answers this, or by this function of the question."""
    return Mind(Scripted(answer if callable(answer) else lambda _: answer), Budget(50, 1_000_000))


def all_one(question: Question) -> object:
    """The answer of a model that takes all names for one."""
    return {"clusters": [{"keys": [passage.key for passage in question.passages], "confidence": 1.0}]}


def test_the_name_of_more_files_stays() -> None:
    """Worked: two files say `checkout api`, one `Checkout API`; that one is edited, and says why."""
    store = seen(*naming("service:Checkout API", "service:checkout api", "service:checkout api"))
    proposal = propose(store, None)
    (change,) = proposal.changes
    assert isinstance(change, Edited)
    assert change.path == "areas/00.html"
    assert change.edits == (
        AddValue("memhtml-entity", "service:checkout api"),
        DropValue("memhtml-entity", "service:Checkout API"),
    )
    assert [(one.source, one.said) for one in change.reason.evidence] == [
        ("similarity", "1.0000"),
        ("files", "2 with service:checkout api, 1 with service:Checkout API"),
    ]
    assert proposal.counts == {"declared": 0, "merged": 1, "offered": 0, "edited": 1}


def test_of_as_many_files_the_smaller_name_stays() -> None:
    """By the order of characters, in which capitals come first."""
    assert renamed(propose(seen(*naming("service:checkout-api", "service:Checkout API")), None)) == {
        "service:checkout-api": "service:Checkout API"
    }


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("checkout-api", "checkout api"), ("CheckoutApi", "checkout api"), ("the checkout api", "checkout api"),
        ("chekout api", "checkout api"), ("payments service", "payment service"), ("Postgres", "postgres"),
        ("data warehouse", "datawarehouse"), ("Zoë-Service", "zoe service"),
    ],
)  # fmt: skip
def test_spellings_of_one_name_are_one(first: str, second: str) -> None:
    """Signs, capitals, humps, accents, articles, a letter or a plural make no other thing."""
    assert len(renamed(propose(seen(*naming(f"service:{first}", f"service:{second}")), None))) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("eu-west-1", "eu-west-2"), ("import api", "export api"), ("checkout beta", "checkout"),
        ("billing-api", "billing-ui"), ("auth service", "oauth service"), ("secure gateway", "insecure gateway"),
        ("cache-read-pool", "cache-write-pool"), ("staging database", "testing database"), ("node10", "node100"),
    ],
)  # fmt: skip
def test_names_of_two_things_stay_two(first: str, second: str) -> None:
    """However alike their letters are, and even when a model takes them for one on two nights."""
    store = seen(*naming(f"service:{first}", f"service:{second}"))
    assert renamed(propose(store, None)) == {}
    tonight = propose(store, mind(all_one))
    assert renamed(propose(afterwards(store, tonight, TOMORROW), mind(all_one))) == {}


def test_the_floors_belong_to_what_they_begin() -> None:
    """Worked: 17 of 20 characters in common are 0.85, merged; 15 of 20 are 0.75, offered; 14 of 20 are nothing."""
    same, other = "abcdefghijklmnopq", "abcdefghijklmno"
    merged = propose(seen(*naming(f"service:{same}xyz", f"service:{same}uvw")), None)
    assert merged.counts["merged"] == 1
    offered = propose(seen(*naming(f"service:{other}vwxyz", f"service:{other}lmnop")), None)
    assert (offered.counts["merged"], offered.counts["offered"], offered.changes) == (0, 1, ())
    assert offered.refused == (
        (
            "service:abcdefghijklmnolmnop and service:abcdefghijklmnovwxyz look alike (0.75); "
            "merge them by hand, or declare an alias, if they are one"
        ),
    )
    nothing = propose(seen(*naming("service:abcdefghijklmnuvwxyz", "service:abcdefghijklmn123456")), None)
    assert nothing.counts["offered"] == 0


def test_a_letter_makes_another_person() -> None:
    """Maria and Mario are offered for review, not merged; nor are versions, files and addresses."""
    for kind in ("person", "file", "url", "version", "host"):
        proposal = propose(seen(*naming(f"{kind}:Maria Lopez", f"{kind}:Mario Lopez")), None)
        assert (proposal.changes, proposal.counts["offered"]) == ((), 1)
    assert len(renamed(propose(seen(*naming("person:Maria López", "person:maria lopez")), None))) == 1


def test_two_types_are_two_things() -> None:
    """A person and a service of one name are never one."""
    assert propose(seen(*naming("service:mercury", "person:mercury")), mind(all_one)).changes == ()


def test_one_memory_that_names_both_shows_that_they_are_two() -> None:
    """Unless they are the same but for signs and capitals."""
    assert propose(seen(*naming("service:payment api+service:payments api")), None).changes == ()
    assert len(renamed(propose(seen(*naming("service:payment api+service:Payment-API")), None))) == 1


def test_a_chain_of_likenesses_ends_with_the_name_that_stays() -> None:
    """What is like a dropped name and not like the one that stays is left; the next night has nothing to do."""
    store = seen(*naming(*["service:abcdefghij"] * 3, *["service:abcdefghijk"] * 2, "service:abcdefghijkmn"))
    proposal = propose(store, None)
    assert renamed(proposal) == {
        "service:abcdefghijk": "service:abcdefghij", "service:abcdefghijkmn": "service:abcdefghij"
    }  # fmt: skip
    assert propose(afterwards(store, proposal), None).changes == ()


def ada(**fields: object) -> Remembered:
    """A person's file with another name."""
    known = {"title": "Ada Lovelace", "entities": ("person:Ada Lovelace",), "aliases": ("Countess Lovelace",)}
    return memory("resources/people/ada-lovelace.html", "She wrote programs.", **{**known, **fields})  # type: ignore[arg-type]  # any field


def test_a_declared_alias_applies_at_once() -> None:
    """However little the letters have in common, and even when more files use the old name."""
    store = seen(ada(), *naming("person:Countess Lovelace", "person:countess lovelace", "person:Ada Lovelace"))
    proposal = propose(store, None)
    assert renamed(proposal) == {
        "person:Countess Lovelace": "person:Ada Lovelace",
        "person:countess lovelace": "person:Ada Lovelace",
    }
    assert proposal.counts["declared"] == 2
    reason = proposal.changes[0].reason
    assert reason.why == "The file of Ada Lovelace declares Countess Lovelace as another name."
    assert propose(afterwards(store, proposal), None).changes == ()


def test_an_alias_of_two_people_is_nobodys() -> None:
    """Nor is one that is another's own name."""
    other = memory(
        "resources/people/anne-king.html", "She.", title="Anne King", entities=("person:Anne King",),
        aliases=("Countess Lovelace",),
    )  # fmt: skip
    assert propose(seen(ada(), other, *naming("person:Countess Lovelace")), None).changes == ()
    own = memory("resources/people/bob.html", "He.", title="Bob", entities=("person:Bob",), author="agent")
    assert propose(seen(ada(aliases=("Bob",)), own, *naming("person:Bob")), None).changes == ()


def test_what_is_a_persons_is_not_edited() -> None:
    """The highest importance and human authors keep the name that they wrote."""
    for fields in ({"importance": 10}, {"author": "human:ada"}):
        store = seen(
            *naming("service:Checkout API", **fields), memory("areas/x.html", "x", entities=("service:checkout api",)),
            memory("areas/y.html", "y", entities=("service:checkout api",)),
        )  # fmt: skip
        assert propose(store, None).changes == ()


def test_what_an_article_defines_stays_as_it_is_written() -> None:
    """A term of the article is no meta of the head, and an edit of the head cannot rename it."""
    one, other = naming("concept:Back-pressure", "concept:back pressure")
    store = seen(one, other)

    def without_metas(path: MemoryPath) -> Facts | None:
        found = store.facts(path)
        return None if found is None else replace(found, head=replace(found.head, entities=()))

    assert propose(replace(store, facts=without_metas), None).changes == ()


NAMES = [
    "checkout api",
    "Checkout-API",
    "chekout api",
    "payment api",
    "payments api",
    "eu-1",
    "eu-2",
    "search",
    "serach",
]


@given(st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True), max_size=8), st.randoms())
def test_shuffled_it_is_the_same_and_the_next_night_has_nothing(found: list[list[str]], chance: object) -> None:
    """Whatever names a store has."""
    memories = naming(*("+".join(f"service:{name}" for name in names) for names in found))
    store = seen(*memories)
    proposal = propose(store, None)
    chance.shuffle(memories)  # type: ignore[attr-defined]  # a random.Random
    assert propose(seen(*memories), None) == proposal
    assert propose(afterwards(store, proposal), None).changes == ()


K8S = ("service:k8s", "service:kubernetes", "service:kubernetes")


def test_a_model_needs_two_nights() -> None:
    """The first waits, the same night again still waits, the next renames and settles it."""
    store = seen(*naming(*K8S))
    first = propose(store, mind(all_one))
    assert [type(change) for change in first.changes] == [Generated]
    again = afterwards(store, first)
    assert propose(again, mind(all_one)).changes == ()
    second = propose(afterwards(store, first, TOMORROW), mind(all_one))
    assert renamed(second) == {"service:k8s": "service:kubernetes"}
    assert second.changes[-1] == Generated(PENDING, None, second.changes[-1].reason)
    assert second.changes[0].reason.why == "On two nights a model took service:k8s and service:kubernetes for one."


def test_a_finding_of_a_month_ago_is_no_second_night() -> None:
    """After 30 days it is forgotten, and waits anew."""
    store = seen(*naming(*K8S))
    assert renamed(propose(afterwards(store, propose(store, mind(all_one)), LATER), mind(all_one))) == {}


@pytest.mark.parametrize(
    "answer",
    [
        {"clusters": []}, "k8s is kubernetes", {"clusters": [{"keys": ["m1", "m2"]}]},
        {"clusters": [{"keys": ["m1", "m2"], "confidence": 0.69}]},
        {"clusters": [{"keys": ["m1", "m2"], "confidence": 7}]},
        {"clusters": [{"keys": ["m1", "service:kubernetes"], "confidence": 1.0}]},
        {"clusters": [{"keys": ["m1", "m9"], "confidence": 1.0}]},
    ],
)  # fmt: skip
def test_an_unsure_or_unusable_answer_changes_nothing(answer: object) -> None:
    """Not tonight, and not tomorrow."""
    store = seen(*naming(*K8S))
    first = propose(store, mind(answer))
    assert first.changes == ()
    assert propose(afterwards(store, first, TOMORROW), mind(answer)).changes == ()


def test_a_model_cannot_join_what_letters_keep_apart() -> None:
    """Two names that have nothing in common are refused on every night, and the report says so."""
    store = seen(*naming("service:billing", "service:kubernetes", "service:search"))
    for _ in range(3):
        proposal = propose(store, mind(all_one))
        assert proposal.changes == ()
        assert any("nothing in the names says so" in one for one in proposal.refused)


def test_names_go_to_the_model_as_names() -> None:
    """Under keys, with no path, those of one type together, at most 40 at once."""
    model = Scripted(lambda _: {"clusters": []})
    names = [f"service:{word}{number:03}" for number, word in enumerate(["tea", "rust", "moss"] * 30)]
    propose(seen(*naming("person:Ada", "team:core", *names)), Mind(model, Budget(50, 1_000_000)))
    assert [len(question.passages) for question in model.asked] == [40, 40, 10]
    assert not any("areas/" in passage.text for question in model.asked for passage in question.passages)


def test_nothing_happens_where_names_are_one_already() -> None:
    """Nor in an empty store."""
    for store in (seen(), seen(*naming("service:checkout", "service:checkout", "service:billing"))):
        assert propose(store, None) == Proposal(counts={"declared": 0, "merged": 0, "offered": 0, "edited": 0})


def test_the_guard_of_two_things_is_what_holds_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it, read and write pools would be one by their letters."""
    store = seen(*naming("service:cache reads", "service:cache leads"))
    assert propose(store, None).changes == ()
    store = seen(*naming("service:node 10 pool", "service:node 11 pool"))
    monkeypatch.setattr(entity_resolution, "_are_two", lambda *_: False)
    monkeypatch.setattr(entity_resolution, "_are_one", lambda *_: True)
    assert len(renamed(propose(store, None))) == 1


def test_what_a_reviewer_took_out_is_not_proposed_again() -> None:
    """The others that use the name are renamed."""
    store = seen(*naming("service:Checkout API", "service:Checkout API", *["service:checkout api"] * 3))
    proposal = propose(replace(store, refused=frozenset({"areas/00.html"})), None)
    assert [change.path for change in proposal.changes if isinstance(change, Edited)] == ["areas/01.html"]
