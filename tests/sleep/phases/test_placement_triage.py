"""What leaves the inbox for its place, and how the links to it follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.corpora import corpus, memory, row, tie

from memhtml.domain.memory import Draft, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.evals.scratch import Scratch, scratch
from memhtml.index.pinned import Clean, Pinned
from memhtml.models.fakes import HashedWords
from memhtml.page.compose import compose
from memhtml.page.render import render
from memhtml.page.splice import AddLink, DropLink, SetMeta, apply
from memhtml.sleep.changes import Change, Edited, Moved
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.outcome import Result
from memhtml.sleep.phases.placement_triage import PHASE
from memhtml.sleep.pipeline import run
from memhtml.store.branches import Runs
from memhtml.store.landing import land

NEW = "areas/inbox/new.html"
EAST, NORTH, ALMOST = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.8, 0.6, 0.0)


def filed(folder: str, count: int, vector: Sequence[float] = EAST, **fields: Any) -> list[Remembered]:  # noqa: ANN401 - as for a memory
    """Memories of one folder."""
    return [memory(f"{folder}/m{number}.html", vector=vector, **fields) for number in range(count)]


def stranger(name: str = "new", vector: Sequence[float] | None = ALMOST, **fields: Any) -> Remembered:  # noqa: ANN401 - as for a memory
    """A memory of the inbox."""
    return memory(f"areas/inbox/{name}.html", vector=vector, **fields)


def moves(changes: Sequence[Change]) -> dict[str, str]:
    """What goes where."""
    return {change.path: change.to for change in changes if isinstance(change, Moved)}


def file(*, links: Sequence[Link] = (), superseded_by: str | None = None) -> bytes:
    """A memory's file."""
    data = render(compose(Draft(MemoryType.SEMANTIC, claim="It is so."), now=Instant("2026-07-01T00:00:00Z")))
    edits = [SetMeta("memhtml-superseded-by", superseded_by)] if superseded_by else []
    return apply(data, [*edits, *map(AddLink, links)])


def link(rel: str, target: str) -> Link:
    """As an edit names it."""
    return Link(Rel(rel), MemoryPath(target))


def test_three_of_the_five_nearest_make_a_place_clear() -> None:
    """Cosine 0.8 with the three in resources/deploys; the other two of the five are nearer, and elsewhere."""
    proposal = PHASE.propose(
        corpus(stranger(), *filed("resources/deploys", 3), *filed("resources/queues", 2, (0.9, 0.5, 0.0))), None
    )
    (change,) = proposal.changes
    assert isinstance(change, Moved)
    assert (change.path, change.to) == (NEW, "resources/deploys/new.html")
    assert change.reason.why == "3 of its 5 nearest filed neighbours are in resources/deploys"
    assert [(one.source, one.said) for one in change.reason.evidence] == [
        (f"resources/deploys/m{number}.html", "cosine 0.80000") for number in range(3)
    ]
    assert dict(proposal.counts) == {"held": 0, "links": 0, "moved": 1, "protected": 0}


@pytest.mark.parametrize(
    "store",
    [
        [],
        filed("resources/deploys", 2),
        # At 0.6 exactly, and not above.
        filed("resources/deploys", 5, (0.0, 1.0, 0.0)),
        [*filed("resources/a", 2), *filed("resources/b", 2), *filed("resources/c", 1)],
        # The sixth is not asked.
        [*filed("resources/a", 2, ALMOST), *filed("resources/b", 2, ALMOST), *filed("areas/c", 1, ALMOST),
         *filed("resources/d", 9)],
        # Two above 0.6, and a third at it.
        [*filed("resources/a", 2), memory("resources/a/x.html", vector=NORTH)],
        # Each of a folder's own folders is a place of its own.
        [*filed("resources/a", 2), *filed("resources/a/b", 2)],
        # What lies in the inbox, or in a folder of it, is not filed.
        [*filed("areas/inbox", 5), *filed("areas/inbox/later", 5)],
    ],
)  # fmt: skip
def test_what_is_not_clear_stays(store: list[Remembered]) -> None:
    """Too few, too far, or of several minds."""
    proposal = PHASE.propose(corpus(stranger(), *store), None)
    assert proposal.changes == ()
    assert set(proposal.counts.values()) == {0}


def test_only_what_lies_directly_in_the_inbox_is_asked_about() -> None:
    """Not what somebody sorted into a folder of it, and not what is filed amid strangers."""
    store = [memory("areas/inbox/later/x.html", vector=EAST), memory("areas/other/x.html", vector=EAST)]
    assert PHASE.propose(corpus(*store, *filed("resources/deploys", 5)), None).changes == ()


def test_of_equally_near_ones_none_is_asked_before_another() -> None:
    """Two in a and four in b at one cosine: two of the five surely are in neither, and with six in b three are."""
    tied = [*filed("resources/a", 2), *filed("resources/b", 4)]
    assert moves(PHASE.propose(corpus(stranger(), *tied), None).changes) == {NEW: "resources/b/new.html"}
    assert PHASE.propose(corpus(stranger(), *tied, *filed("resources/c", 1)), None).changes == ()


def test_shared_entities_make_neighbours_of_what_is_not_alike() -> None:
    """After those that are alike, the more entities the nearer; the language of a snippet is none."""
    about = ("concept:drain", "service:checkout")
    near = [*filed("resources/a", 1), *filed("resources/b", 3, NORTH, entities=about)]
    one = stranger(vector=(1.0, 0.0, 0.0), entities=about)
    (change,) = PHASE.propose(corpus(one, *near), None).changes
    assert isinstance(change, Moved)
    assert (change.to, change.reason.why) == (
        "resources/b/new.html", "3 of its 4 nearest filed neighbours are in resources/b",
    )  # fmt: skip
    assert change.reason.evidence[0].said == "entities in common: 2"
    language = ("lang:python",)
    many = filed("resources/b", 3, NORTH, entities=language)
    assert PHASE.propose(corpus(stranger(vector=EAST, entities=language), *many), None).changes == ()


def test_a_neighbour_counts_once() -> None:
    """Two that are alike and share an entity too are two, and a third makes the place clear."""
    about = ("concept:drain",)
    two = filed("resources/a", 2, entities=about)
    assert PHASE.propose(corpus(stranger(entities=about), *two), None).changes == ()
    third = memory("resources/a/x.html", vector=NORTH, entities=about)
    (change,) = PHASE.propose(corpus(stranger(entities=about), *two, third), None).changes
    assert [one.said for one in change.reason.evidence] == ["cosine 0.80000"] * 2 + ["entities in common: 1"]


def test_an_entity_that_many_folders_name_tells_no_place() -> None:
    """Of forty that share it and of which most are in one folder, no five are nearer than the others."""
    everywhere = ("person:ada",)
    store = [*filed("resources/a", 37, NORTH, entities=everywhere), *filed("areas/b", 3, NORTH, entities=everywhere)]
    one = stranger(vector=None, type=MemoryType.EPISODIC, entities=everywhere)
    assert PHASE.propose(corpus(one, *store), None).changes == ()
    assert len(PHASE.propose(corpus(one, *store[:-1]), None).changes) == 1


@pytest.mark.parametrize(
    ("folder", "fields", "goes"),
    [
        ("areas/arcs", {}, False),
        ("areas/arcs", {"type": MemoryType.ARC}, True),
        ("resources/a", {"type": MemoryType.ARC}, False),
        ("resources/people", {"type": MemoryType.PROCEDURAL, "entities": ("person:ada",)}, False),
        ("resources/people", {}, False),
        ("resources/people", {"entities": ("person:ada",)}, True),
        # It would be taken for the file of Ada herself.
        ("resources/people", {"entities": ("person:ada",), "aliases": ("countess",)}, False),
        ("projects/checkout/tasks", {}, False),
        ("projects/checkout", {}, True),
        ("resources/tasks", {}, True),
        ("areas/arcs-of-bridges", {}, True),
    ],
)
def test_folders_for_one_kind_take_no_other(folder: str, fields: dict[str, Any], *, goes: bool) -> None:
    """Arcs, people, and the tasks of a project."""
    changes = PHASE.propose(corpus(stranger(**fields), *filed(folder, 5)), None).changes
    assert moves(changes) == ({NEW: f"{folder}/new.html"} if goes else {})


@pytest.mark.parametrize("fields", [{"importance": 10}, {"author": "human:ada"}])
def test_what_is_a_persons_stays_and_is_counted(fields: dict[str, Any]) -> None:
    """Where its place is clear; else there is nothing to tell."""
    proposal = PHASE.propose(corpus(stranger(**fields), *filed("resources/a", 5)), None)
    assert (proposal.changes, proposal.counts["protected"]) == ((), 1)
    assert PHASE.propose(corpus(stranger(**fields)), None).counts["protected"] == 0


def test_links_follow() -> None:
    """Of whatever class, also one that names a place in the archive, and those between two that both move."""
    ties = [
        tie("areas/x.html", "supports", NEW),
        tie("areas/x.html", "relates_to", f"archive/2025/{NEW}", NEW),
        tie("areas/x.html", "relates_to", "areas/y.html"),
        tie(NEW, "part_of", "areas/inbox/other.html"),
        tie("areas/inbox/other.html", "supersedes", NEW),
    ]
    proposal = PHASE.propose(
        corpus(
            stranger(), stranger("other"), memory("areas/x.html"), memory("areas/y.html"),
            *filed("resources/a", 5), ties=ties,
        ), None,
    )  # fmt: skip
    to, other = "resources/a/new.html", "resources/a/other.html"
    assert [(change.path, change.edits) for change in proposal.changes if isinstance(change, Edited)] == [
        (NEW, (DropLink(link("part_of", "areas/inbox/other.html")), AddLink(link("part_of", other)))),
        ("areas/inbox/other.html", (DropLink(link("supersedes", NEW)), AddLink(link("supersedes", to)))),
        ("areas/x.html", (
            DropLink(link("supports", NEW)), AddLink(link("supports", to)),
            DropLink(link("relates_to", f"archive/2025/{NEW}")), AddLink(link("relates_to", to)),
        )),
    ]  # fmt: skip
    assert moves(proposal.changes) == {NEW: to, "areas/inbox/other.html": other}
    # An edit names its file as it is before the move.
    assert [type(change) for change in proposal.changes] == [Edited] * 3 + [Moved] * 2
    assert dict(proposal.counts) == {"held": 0, "links": 4, "moved": 2, "protected": 0}


@pytest.mark.parametrize("source", ["projects/p/tasks/t.html", "areas/hers.html", "areas/kept.html"])
def test_what_a_link_leads_to_that_may_not_follow_stays(source: str) -> None:
    """From a task, from what is a person's, and from a file of which a reviewer took such an edit out."""
    store = corpus(
        stranger(), memory("areas/hers.html", author="human:ada"), memory("areas/kept.html"),
        *filed("resources/a", 5),
        tasks=[row("projects/p/tasks/t.html", type=MemoryType.TASK)],
        ties=[tie(source, "about_person", NEW)],
    )  # fmt: skip
    proposal = PHASE.propose(replace(store, refused=frozenset({"areas/kept.html"})), None)
    assert (proposal.changes, proposal.counts["held"]) == ((), 1)
    assert proposal.counts["moved"] == 0


def test_what_a_reviewer_left_in_the_inbox_stays() -> None:
    """And the links to it stay as they are."""
    store = corpus(
        stranger(), memory("areas/x.html"), *filed("resources/a", 5), ties=[tie("areas/x.html", "supports", NEW)]
    )
    proposal = PHASE.propose(replace(store, refused=frozenset({NEW})), None)
    assert (proposal.changes, proposal.counts["held"]) == ((), 1)


@pytest.mark.parametrize(
    "data",
    [
        file(superseded_by=f"/{NEW}"),
        file(superseded_by=f"/archive/2024/{NEW}"),
        file(links=[link("relates_to", NEW)]),
        file(links=[link("relates_to", f"archive/2025/{NEW}")]),
    ],
)
def test_what_the_archive_leads_to_stays(data: bytes) -> None:
    """By a stamp or by a link, at the inbox or at a place in the archive from which it came back."""
    old = MemoryPath("archive/2026/areas/old.html")
    stamp = MemoryPath(NEW) if b"superseded" in data else None
    store = corpus(stranger(), *filed("resources/a", 5), archived=[row(old, superseded_by=stamp)], files={old: data})
    proposal = PHASE.propose(store, None)
    assert (proposal.changes, proposal.counts["held"]) == ((), 1)


def test_what_the_archive_only_seems_to_lead_to_goes() -> None:
    """Its own link says what it supersedes, and goes along; or another memory is at the place that is named."""
    old, twin = MemoryPath("archive/2026/areas/old.html"), f"archive/2025/{NEW}"
    store = corpus(
        stranger(), *filed("resources/a", 5),
        archived=[row(old, superseded_by=MemoryPath(NEW)), row(twin)],
        files={old: file(links=[link("relates_to", twin)]), twin: file()},
        ties=[tie(NEW, "supersedes", old)],
    )  # fmt: skip
    assert moves(PHASE.propose(store, None).changes) == {NEW: "resources/a/new.html"}


def test_a_stamp_of_a_memory_in_use_holds_too() -> None:
    """Nothing edits it."""
    stamped = memory("areas/x.html", superseded_by=MemoryPath(NEW))
    store = corpus(stranger(), stamped, *filed("resources/a", 5), files={"areas/x.html": file(superseded_by=f"/{NEW}")})
    assert PHASE.propose(store, None).counts["held"] == 1


@pytest.mark.parametrize(
    ("taken", "to"),
    [
        ({"files": {"resources/a/new.html": b"", "resources/a/NEW-2.html": b""}}, "resources/a/new-3.html"),
        ({"archived": [row("archive/2020/resources/a/new.html")]}, "resources/a/new-2.html"),
        ({"tasks": [row("resources/a/New.html", type=MemoryType.TASK)]}, "resources/a/new-2.html"),
        ({"files": {"resources/b/new.html": b""}}, "resources/a/new.html"),
    ],
)
def test_a_name_that_somebody_has_or_had_is_not_taken(taken: dict[str, Any], to: str) -> None:
    """In the folder, in whatever case, or from there in the archive."""
    changes = PHASE.propose(corpus(stranger(), *filed("resources/a", 5), **taken), None).changes
    assert moves(changes) == {NEW: to}


def test_two_that_go_to_one_place_get_two_names() -> None:
    """In path order."""
    store = [stranger("new"), stranger("NEW"), *filed("resources/a", 5)]
    assert moves(PHASE.propose(corpus(*store), None).changes) == {
        "areas/inbox/NEW.html": "resources/a/NEW.html", NEW: "resources/a/new-2.html",
    }  # fmt: skip


def test_what_finds_no_path_stays() -> None:
    """A hundred have its name, or the folder lies so deep that the name would make the path too long."""
    names = ("new", *(f"new-{number}" for number in range(2, 101)))
    files = {f"resources/a/{name}.html": b"" for name in names}
    assert PHASE.propose(corpus(stranger(), *filed("resources/a", 5), files=files), None).counts["held"] == 1
    del files["resources/a/new-100.html"]
    assert PHASE.propose(corpus(stranger(), *filed("resources/a", 5), files=files), None).counts["moved"] == 1
    deep = "resources/" + "/".join(["d" * 150] * 6)
    proposal = PHASE.propose(corpus(stranger("n" * 60), *filed(deep, 5)), None)
    assert (proposal.changes, proposal.counts["held"]) == ((), 1)


def chain() -> list[Remembered]:
    """Three filed ones, and memories of the inbox each of which is near only to what comes before it."""
    angles = [(1.0, 0.0), (0.8, 0.6), (0.28, 0.96)]
    chained = [stranger(f"c{step}{copy}", (*angles[step], 0.0)) for step in (1, 2) for copy in range(3)]
    return [*filed("resources/a", 3), *chained]


def test_what_is_filed_tonight_makes_clear_where_others_belong() -> None:
    """The second ones have cosine 0.28 with what was filed, and 0.8 with what is filed tonight."""
    proposal = PHASE.propose(corpus(*chain(), stranger("hers", author="human:ada")), None)
    assert moves(proposal.changes) == {
        f"areas/inbox/c{step}{copy}.html": f"resources/a/c{step}{copy}.html" for step in (1, 2) for copy in range(3)
    }
    assert dict(proposal.counts) == {"held": 0, "links": 0, "moved": 6, "protected": 1}


def after(store: Corpus, changes: Sequence[Change]) -> Corpus:
    """The store with the moves made."""
    places = moves(changes)
    return corpus(
        *(
            replace(one, row=replace(one.row, path=MemoryPath(places.get(path, path))))
            for path, one in store.memories.items()
        )
    )


PLANE = st.tuples(st.integers(-4, 4), st.integers(-4, 4)).filter(any)
FOLDERS = st.sampled_from(["areas/inbox", "areas/inbox", "resources/a", "resources/b", "areas/arcs"])
ENTITIES = st.sets(st.sampled_from(["concept:a", "concept:b"])).map(sorted).map(tuple)
STORES = st.lists(st.tuples(FOLDERS, PLANE, ENTITIES), max_size=24).map(
    lambda parts: [
        memory(f"{folder}/m{number}.html", vector=vector, entities=entities)
        for number, (folder, vector, entities) in enumerate(parts)
    ]
)


@given(STORES, st.randoms(use_true_random=False))
def test_a_second_look_finds_nothing_to_move(store: list[Remembered], chance: Random) -> None:
    """Whatever the store, and the same for any order of it."""
    first = PHASE.propose(corpus(*store), None)
    shuffled = list(store)
    chance.shuffle(shuffled)
    assert PHASE.propose(corpus(*shuffled), None) == first
    assert PHASE.propose(after(corpus(*store), first.changes), None).changes == ()


@pytest.fixture
def kept(environment: dict[str, str]) -> Iterator[Scratch]:
    """Facts of two folders, and three in the inbox of which two belong to them."""
    now = Instant("2026-03-01T12:00:00Z")
    claim = "The drain of pool {} runs before deploys."
    with scratch(environment) as made:
        drafts = [
            Draft(
                MemoryType.SEMANTIC, claim=f"The drain of pool {word} runs before deploys.", path=f"{place}/{word}.html"
            )
            for place in ("resources/deploys",)
            for word in ("one", "two", "three", "four")
        ]
        drafts += [
            Draft(MemoryType.SEMANTIC, claim=claim.format("five"), path="areas/inbox/five.html"),
            Draft(
                MemoryType.SEMANTIC, claim="Lunch is at noon on Fridays.", path="areas/inbox/lunch.html",
                links=(link("relates_to", "areas/inbox/five.html"),),
            ),
        ]  # fmt: skip
        made.write([(draft, now) for draft in drafts])
        made.embed(HashedWords())
        yield made


def night(store: Scratch) -> Result:
    """A run of this phase alone, landed."""
    means = Means(embedder=HashedWords(), phases=(PHASE,))
    outcome = run(store.repository, store.index, Wish("2026-07-28"), means)
    with Runs(store.repository).resume(outcome.run or "") as opened:
        land(opened, opened.run())
    store.index.update(Pinned(store.repository, store.repository.head(), Clean()))
    return outcome.results[1]


def test_a_night_moves_and_a_second_one_moves_nothing(kept: Scratch) -> None:
    """In a real store: the file is at its place as it was, the link leads there, and all is at rest."""
    before = (kept.repository.root / "areas/inbox/five.html").read_bytes()
    first = night(kept)
    assert (len(first.changes), first.refused) == (2, ())
    assert (kept.repository.root / "resources/deploys/five.html").read_bytes() == before
    assert not (kept.repository.root / "areas/inbox/five.html").exists()
    with kept.index.reading() as view:
        assert [(one.source, one.target, one.resolved) for one in view.links()] == [
            ("areas/inbox/lunch.html", "resources/deploys/five.html", "resources/deploys/five.html")
        ]
    second = night(kept)
    assert (second.changes, second.refused) == ((), ())
