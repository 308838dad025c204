"""Every memory that names a person leads to that person's file, which is made once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.afterwards import afterwards, seen
from tests.sleep.corpora import NIGHT, memory, row, tie

from memhtml.domain.memory import Draft, Entity, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.compose import compose
from memhtml.page.splice import AddLink, DropLink
from memhtml.sleep.changes import AUTHOR, Archived, Created, Edited, Proposal
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.phases.person_links import propose

A, B, C = "areas/a.html", "areas/b.html", "areas/c.html"
ADA = MemoryPath("resources/people/ada-lovelace.html")
OLD = MemoryPath("resources/people/countess-lovelace.html")


def page(path: str = ADA, name: str = "Ada Lovelace", **fields: object) -> Remembered:
    """A person's file."""
    return memory(path, f"{name} writes programs.", title=name, entities=(f"person:{name}",), **fields)  # type: ignore[arg-type]  # any field


def naming(path: str, *names: str, **fields: object) -> Remembered:
    """A memory that names these people."""
    entities = tuple(f"person:{name}" for name in names)
    return memory(path, f"A talk at {path}.", entities=entities, **fields)  # type: ignore[arg-type]  # any field


def links(proposal: Proposal) -> list[tuple[str, str]]:
    """From where to where links are added."""
    return [
        (change.path, edit.link.target)
        for change in proposal.changes
        if isinstance(change, Edited)
        for edit in change.edits
        if isinstance(edit, AddLink)
    ]


def made(proposal: Proposal) -> list[str | None]:
    """The files that are made."""
    return [change.draft.path for change in proposal.changes if isinstance(change, Created)]


def test_a_memory_is_linked_to_the_file_of_whom_it_names() -> None:
    """Worked: one link, into the memory's head; nothing is made."""
    proposal = propose(seen(page(), naming(A, "Ada Lovelace")), None)
    (change,) = proposal.changes
    assert isinstance(change, Edited)
    assert change.edits == (AddLink(Link(Rel.ABOUT_PERSON, ADA)),)
    assert [(one.source, one.said) for one in change.reason.evidence] == [
        (A, "person:Ada Lovelace"), (ADA, "Ada Lovelace")
    ]  # fmt: skip
    assert proposal.counts == {"linked": 1, "made": 0, "stale": 0, "ambiguous": 0}


def test_a_missing_file_is_made_before_the_links_to_it() -> None:
    """Once, however many name the person and however they write the name."""
    proposal = propose(seen(naming(A, "Ada Lovelace"), naming(B, "ada lovelace"), naming(C, "Zoë")), None)
    assert made(proposal) == [ADA, "resources/people/zoe.html"]
    assert links(proposal) == [(A, ADA), (B, ADA), (C, "resources/people/zoe.html")]
    assert [type(change) for change in proposal.changes] == [Created, Created, Edited, Edited, Edited]


def test_the_file_that_is_made_can_be_written() -> None:
    """It passes every rule of the format, and says no more than what is known."""
    change = propose(seen(naming(A, "Tom & <b>Jerry</b>")), None).changes[0]
    assert isinstance(change, Created)
    written = compose(change.draft, now=NIGHT.now)
    assert written.head.entities == (Entity("person", "Tom & <b>Jerry</b>"),)
    assert (
        written.article == "<p><mark>Tom &amp; &lt;b&gt;Jerry&lt;/b&gt; is a person whom memories here name.</mark></p>"
    )
    assert change.draft == Draft(
        type=MemoryType.SEMANTIC, title="Tom & <b>Jerry</b>",
        claim="Tom & <b>Jerry</b> is a person whom memories here name.",
        path="resources/people/tom-b-jerry-b.html", entities=(Entity("person", "Tom & <b>Jerry</b>"),),
    )  # fmt: skip


def test_an_alias_leads_to_the_file_that_declares_it() -> None:
    """Nothing is made for it."""
    proposal = propose(seen(page(aliases=("Countess Lovelace",)), naming(A, "Countess Lovelace")), None)
    assert (links(proposal), made(proposal)) == ([(A, ADA)], [])


def test_an_alias_of_two_people_leads_nowhere() -> None:
    """It is counted, and no third person is made of it."""
    other = page("resources/people/anne.html", "Anne", aliases=("Countess",))
    proposal = propose(seen(page(aliases=("Countess",)), other, naming(A, "Countess")), None)
    assert (proposal.changes, proposal.counts["ambiguous"]) == ((), 1)


def test_a_link_that_is_there_is_not_added_again() -> None:
    """Neither when it is spelled by an older place of the file."""
    for target in (ADA, "resources/ada.html"):
        store = seen(page(), naming(A, "Ada Lovelace"), ties=[tie(A, "about_person", target, ADA)])
        assert propose(store, None).changes == ()


def test_a_persons_file_is_not_linked_to_itself() -> None:
    """But to the other people that it names."""
    bob = page("resources/people/bob.html", "Bob")
    ada = memory(ADA, "She.", title="Ada Lovelace", entities=("person:Ada Lovelace", "person:Bob"))
    assert links(propose(seen(ada, bob), None)) == [(ADA, bob.path)]


def test_what_merely_tells_of_a_person_is_no_persons_file() -> None:
    """Facts about people are filed in the same folder."""
    fact = naming("resources/people/ada-likes-tea.html", "Ada Lovelace")
    proposal = propose(seen(fact), None)
    assert made(proposal) == [ADA]
    assert links(proposal) == [(fact.path, ADA)]


def test_a_place_that_is_taken_by_another_is_left_to_it() -> None:
    """A memory without that person, or a person of the same slug."""
    taken = memory(ADA, "A ship of that name.")
    assert made(propose(seen(taken, naming(A, "Ada Lovelace")), None)) == ["resources/people/ada-lovelace-2.html"]
    assert made(propose(seen(naming(A, "A+B", "A B", "A & B")), None)) == [
        "resources/people/a-b.html", "resources/people/a-b-2.html", "resources/people/a-b-3.html"
    ]  # fmt: skip


def test_someone_in_the_archive_is_not_made_again() -> None:
    """What was put away stays there, and links lead to it."""
    place = f"archive/2026/{ADA}"
    store = seen(
        naming(A, "Ada Lovelace"),
        archived=[row(place, title="Ada Lovelace", entities=("person:Ada Lovelace",))],
    )
    proposal = propose(store, None)
    assert (made(proposal), links(proposal)) == ([], [(A, place)])


@pytest.mark.parametrize("fields", [{"importance": 10}, {"author": "human"}])
def test_what_is_a_persons_is_not_edited(fields: dict[str, object]) -> None:
    """And nobody gets a file for its sake alone; as a target it is as good as any."""
    assert propose(seen(naming(A, "Ada Lovelace", **fields)), None).changes == ()
    assert links(propose(seen(page(**fields), naming(A, "Ada Lovelace")), None)) == [(A, ADA)]


@pytest.mark.parametrize("name", ["?!", "x" * 121, "\u202e"])
def test_what_is_no_name_makes_no_file(name: str) -> None:
    """Signs, endless names, and what cannot be seen."""
    assert propose(seen(naming(A, name)), None).changes == ()


def stale_store() -> Corpus:
    """A file that a night once made for a name which Ada's file has since declared; one memory is linked to it."""
    return seen(
        page(aliases=("Countess Lovelace",)),
        memory(OLD, "Countess Lovelace is a person whom memories here name.", title="Countess Lovelace",
               entities=("person:Ada Lovelace",), author=AUTHOR),
        naming(A, "Ada Lovelace"),
        ties=[tie(A, "about_person", OLD)],
    )  # fmt: skip


def test_a_file_made_for_what_became_an_alias_gives_way() -> None:
    """Its links lead to the person now, and it goes to the archive."""
    store = stale_store()
    proposal = propose(store, None)
    edited, archived = proposal.changes
    assert isinstance(edited, Edited)
    assert edited.edits == (DropLink(Link(Rel.ABOUT_PERSON, OLD)), AddLink(Link(Rel.ABOUT_PERSON, ADA)))
    assert archived == Archived(OLD, archived.reason, ADA)
    assert propose(afterwards(store, proposal), None).changes == ()


def test_a_file_that_somebody_wrote_does_not_give_way() -> None:
    """Only what a night made, and nobody has added a name to since."""
    for fields in (
        {"author": "agent"},
        {"author": AUTHOR, "aliases": ("Countess",)},
        {"author": AUTHOR, "importance": 10},
    ):
        store = seen(page(aliases=("Countess Lovelace",)), page(OLD, "Countess Lovelace", **fields))
        assert not any(isinstance(change, Archived) for change in propose(store, None).changes)


PEOPLE = ["Ada Lovelace", "ada lovelace", "Countess Lovelace", "Zoë", "Bob", "?!"]


@given(
    st.lists(st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True), max_size=6),
    st.sampled_from([(), ("Countess Lovelace",)]),
    st.randoms(),
)
def test_shuffled_it_is_the_same_and_the_next_night_has_nothing(
    found: list[list[str]], aliases: tuple[str, ...], chance: object
) -> None:
    """Whoever is named, with and without a file."""
    memories = [naming(f"areas/{number}.html", *names) for number, names in enumerate(found)]
    memories += [page(aliases=aliases)] if aliases else []
    store = seen(*memories)
    proposal = propose(store, None)
    chance.shuffle(memories)  # type: ignore[attr-defined]  # a random.Random
    assert propose(seen(*memories), None) == proposal
    assert propose(afterwards(store, proposal), None).changes == ()


def test_nothing_happens_where_nobody_is_named() -> None:
    """Nor in an empty store."""
    for store in (seen(), seen(memory(A, entities=("service:ada",)))):
        assert propose(store, None) == Proposal(counts={"linked": 0, "made": 0, "stale": 0, "ambiguous": 0})


def test_what_a_reviewer_took_out_is_not_proposed_again() -> None:
    """A link is not added to that memory; a file is not made, and then nothing is linked to it."""
    store = seen(page(), naming(A, "Ada Lovelace"), naming(B, "Ada Lovelace"))
    assert links(propose(replace(store, refused=frozenset({A})), None)) == [(B, ADA)]
    assert propose(replace(seen(naming(A, "Ada Lovelace")), refused=frozenset({ADA})), None).changes == ()
    store = replace(stale_store(), refused=frozenset({OLD}))
    assert not any(isinstance(change, Archived) for change in propose(store, None).changes)
