"""Links that lead nowhere, and pages that list what is no longer there."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.sleep.corpora import Fixed, corpus, memory, row, tie

from memhtml.domain.errors import UnsafeFileError
from memhtml.domain.memory import Draft, Instant, Link, MemoryPath
from memhtml.domain.sealed import is_sealed
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.evals.scratch import Scratch, scratch
from memhtml.index.pinned import Clean, Pinned
from memhtml.models.fakes import HashedWords
from memhtml.page.listing import PAGE, SITE_MAP, Shown, pages, site_map
from memhtml.page.splice import AddLink, DropLink, Edit
from memhtml.sleep.changes import Edited, Generated, Moved, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.mind import Mind
from memhtml.sleep.outcome import Result
from memhtml.sleep.phase import Phase
from memhtml.sleep.phases.integrity import PHASE
from memhtml.sleep.pipeline import run
from memhtml.store.branches import Runs
from memhtml.store.landing import land

A, GONE = "areas/a.html", "areas/gone/x.html"


def link(rel: str, target: str) -> Link:
    """As an edit names it."""
    return Link(Rel(rel), MemoryPath(target))


def edits(proposal: Proposal) -> dict[str, tuple[Edit, ...]]:
    """What is edited, and how."""
    return {change.path: change.edits for change in proposal.changes if isinstance(change, Edited)}


def generated(proposal: Proposal) -> dict[str, bytes | None]:
    """What is made from other files."""
    return {change.path: change.data for change in proposal.changes if isinstance(change, Generated)}


def with_loose(
    *others: Remembered,
    rel: str = "relates_to",
    source: str = A,
    **parts: Any,  # noqa: ANN401 - whatever a store is made of
) -> Corpus:
    """A store in which a link leads nowhere; ``parts`` as for a corpus."""
    return corpus(memory(A), *others, ties=[tie(source, rel, GONE, None)], **parts)


def test_links_lead_where_the_one_memory_of_that_name_is_or_go() -> None:
    """Of three dangling ones in one file; links that lead somewhere, and whence it is, stay."""
    store = corpus(
        memory(A), memory("resources/r/x.html"), memory("resources/r/y.html"), memory("areas/y.html"),
        ties=[
            tie(A, "relates_to", GONE, None), tie(A, "supports", "areas/y.html"), tie(A, "part_of", "old/y.html", None),
            tie(A, "leads_to", "areas/z.html", None), tie(A, "from_session", "sessions/s1", None),
        ],
    )  # fmt: skip
    proposal = PHASE.propose(store, None)
    (change,) = proposal.changes
    assert isinstance(change, Edited)
    assert (change.path, change.edits) == (
        A, (
            DropLink(link("relates_to", GONE)), AddLink(link("relates_to", "resources/r/x.html")),
            DropLink(link("part_of", "old/y.html")),
            DropLink(link("leads_to", "areas/z.html")),
        ),
    )  # fmt: skip
    assert change.reason.why == "3 links of it lead nowhere"
    assert [one.source for one in change.reason.evidence] == [GONE, "old/y.html", "areas/z.html"]
    assert "resources/r/x.html is the memory of that name" in change.reason.evidence[0].said
    assert dict(proposal.counts) == {"left": 0, "pages": 0, "removed": 2, "repointed": 1}


def test_a_store_in_order_stays_as_it_is() -> None:
    """Nothing is published, so no page is made either."""
    proposal = PHASE.propose(corpus(memory(A), memory("areas/b.html"), ties=[tie(A, "supports", "areas/b.html")]), None)
    assert proposal.changes == ()
    assert set(proposal.counts.values()) == {0}
    assert PHASE.propose(corpus(), None).changes == ()


@pytest.mark.parametrize(
    ("rel", "others", "archived", "heir"),
    [
        # One in use comes before what is in the archive, of which there may then be many.
        ("relates_to", ["b/x.html"], ["archive/2025/areas/x.html", "archive/2026/areas/q/x.html"], "areas/b/x.html"),
        ("relates_to", [], ["archive/2025/areas/x.html"], "archive/2025/areas/x.html"),
        ("relates_to", [], ["archive/2025/areas/x.html", "archive/2026/areas/q/x.html"], None),
        ("relates_to", ["b/x.html", "c/x.html"], ["archive/2025/areas/x.html"], None),
        ("relates_to", ["b/xx.html", "b/X.html"], [], None),
        # What is superseded is out of use; a name alone puts nothing out of use.
        ("supersedes", ["b/x.html"], [], None),
        ("supersedes", ["b/x.html"], ["archive/2025/areas/x.html"], "archive/2025/areas/x.html"),
        # Who somebody is does not lie anywhere.
        ("about_person", ["b/x.html"], [], None),
        ("authored_by", [], ["archive/2025/resources/people/x.html"], "archive/2025/resources/people/x.html"),
        ("blocks", ["b/x.html"], [], None),
    ],
)
def test_where_a_link_may_lead(rel: str, others: list[str], archived: list[str], heir: str | None) -> None:
    """Exactly one of that name, of those that the rel may join."""
    store = with_loose(
        *(memory(f"areas/{name}") for name in others), rel=rel, archived=[row(path) for path in archived]
    )
    added = (AddLink(link(rel, heir)),) if heir else ()
    assert edits(PHASE.propose(store, None)) == {A: (DropLink(link(rel, GONE)), *added)}


def test_a_person_is_found_by_the_name_of_the_file() -> None:
    """In the folder of people, wherever else that name is."""
    store = with_loose(memory("resources/people/team/x.html"), memory("areas/x.html"), rel="about_person")
    assert edits(PHASE.propose(store, None))[A][1] == AddLink(link("about_person", "resources/people/team/x.html"))


def test_a_memory_is_not_linked_to_a_task_nor_to_itself() -> None:
    """Both may be called so."""
    tasks = [row("projects/p/tasks/x.html", type=MemoryType.TASK)]
    assert edits(PHASE.propose(with_loose(tasks=tasks), None)) == {A: (DropLink(link("relates_to", GONE)),)}
    itself = corpus(memory("areas/x.html"), ties=[tie("areas/x.html", "relates_to", GONE, None)])
    assert len(edits(PHASE.propose(itself, None))["areas/x.html"]) == 1


@pytest.mark.parametrize(
    "store",
    [
        corpus(memory(A, importance=10), ties=[tie(A, "relates_to", GONE, None)]),
        corpus(memory(A, author="human"), ties=[tie(A, "relates_to", GONE, None)]),
        with_loose(source="projects/p/tasks/t.html", tasks=[row("projects/p/tasks/t.html", type=MemoryType.TASK)]),
        replace(with_loose(), refused=frozenset({A})),
        # Something is there, and it is no memory as it stands.
        with_loose(files={GONE: b"broken"}),
        with_loose(files={f"archive/2024/{GONE}": b"broken"}),
        corpus(
            memory(A), ties=[tie(A, "relates_to", f"archive/2024/{GONE}", None)], files={GONE: b"broken"}
        ),
    ],
)  # fmt: skip
def test_what_may_not_be_edited_is_left_and_counted(store: Corpus) -> None:
    """A person's, a task's, what a reviewer left, and what leads to a broken file."""
    proposal = PHASE.propose(store, None)
    assert (proposal.changes, proposal.counts["left"]) == ((), 1)
    assert proposal.counts["removed"] == 0


def shown(store: Corpus) -> list[Shown]:
    """What pages show of it."""
    rows = [*(one.row for one in store.memories.values()), *store.tasks.values(), *store.archived.values()]
    return [Shown(one.path, one.title, one.gist, one.updated) for one in sorted(rows, key=lambda one: one.path)]


def published(store: Corpus, base: str = "https://a.org/") -> dict[str, bytes]:
    """Its pages and its site map."""
    made = {path: text.encode() for path, text in pages(shown(store))}
    return {**made, SITE_MAP: site_map(shown(store), base).encode()}


BEFORE = corpus(memory(A, "A."), memory("areas/old/b.html", "B."))


def now(files: dict[str, bytes]) -> Corpus:
    """The store as it is now, with files of before."""
    return corpus(
        memory(A, "A."),
        memory("resources/r/b.html", "B."),
        tasks=[row("projects/p/tasks/t.html", type=MemoryType.TASK)],
        archived=[row("archive/2026/areas/c.html")],
        files=files,
    )


def test_what_is_published_is_made_again() -> None:
    """As publish would, byte for byte, with the base that it had; a page of an empty folder goes."""
    before = published(BEFORE, "https://a.org/x/")
    store = now(before)
    wanted = published(store, "https://a.org/x/")
    made = generated(PHASE.propose(store, None))
    assert made.pop("areas/old/index.html") is None
    assert made == {path: data for path, data in wanted.items() if before.get(path) != data}
    assert set(made) == {
        PAGE, SITE_MAP, "areas/index.html", "resources/index.html", "resources/r/index.html", "projects/index.html",
        "projects/p/index.html", "projects/p/tasks/index.html", "archive/index.html", "archive/2026/index.html",
        "archive/2026/areas/index.html",
    }  # fmt: skip
    assert PHASE.propose(now(wanted), None).changes == ()
    assert PHASE.propose(store, None).counts["pages"] == 12


def test_what_is_not_published_is_not_made() -> None:
    """Pages without a site map, a site map without pages, and neither where what is there is a person's own."""
    before = published(BEFORE)
    mapped = {SITE_MAP: before.pop(SITE_MAP)}
    assert SITE_MAP not in generated(PHASE.propose(now(before), None))
    assert set(generated(PHASE.propose(now(mapped), None))) == {SITE_MAP}
    own = {PAGE: b"mine", "areas/index.html": before["areas/index.html"] + b" ", SITE_MAP: b"<urlset></urlset>"}
    assert PHASE.propose(now(own), None).changes == ()


@pytest.mark.parametrize("place", ["areas/index.html", "projects/index.html", "areas/old/index.html"])
def test_a_page_of_a_persons_own_stays(place: str) -> None:
    """Where one was, where one would be made, and where one would be taken away."""
    own = published(BEFORE) | {place: b"mine"}
    made = generated(PHASE.propose(now(own), None))
    assert place not in made
    assert "resources/index.html" in made


def test_a_name_that_is_a_pages_on_some_systems_is_in_its_way() -> None:
    """`Index.html` beside it could not be checked out there."""
    made = generated(PHASE.propose(now(published(BEFORE) | {"resources/Index.html": b"mine"}), None))
    assert "resources/index.html" not in made
    assert "resources/r/index.html" in made


class Linked(Fixed):
    """Files of which one is a symbolic link."""

    def read(self, path: str) -> bytes | None:
        """As a snapshot reads."""
        if path == "areas/index.html":
            raise UnsafeFileError("areas/index.html is a symbolic link in the branch")
        return super().read(path)


def test_a_symbolic_link_in_the_place_of_a_page_stays() -> None:
    """Links are never followed, and this one is no reason to make no page at all."""
    before = published(BEFORE)
    made = generated(PHASE.propose(replace(now(before), files=Linked(before)), None))
    assert "areas/index.html" not in made
    assert PAGE in made


def test_what_a_reviewer_left_is_not_made_again() -> None:
    """Page or site map."""
    store = replace(now(published(BEFORE)), refused=frozenset({SITE_MAP, "areas/index.html"}))
    made = generated(PHASE.propose(store, None))
    assert not {SITE_MAP, "areas/index.html"} & made.keys()
    assert PAGE in made


def test_a_site_map_that_lists_nothing_stays() -> None:
    """Nobody can tell what base it had."""
    assert PHASE.propose(now({SITE_MAP: site_map([], "https://a.org/").encode()}), None).changes == ()


NAMES = st.sampled_from(["areas/x.html", "areas/y.html", "resources/r/x.html", "resources/r/z.html", "areas/q/y.html"])
LINKS = st.lists(
    st.tuples(NAMES, st.sampled_from(["relates_to", "supersedes", "about_person", "blocks"]), NAMES), max_size=8
)


def resolved(paths: Sequence[str], links: Sequence[tuple[str, str, str]]) -> Corpus:
    """A store of these links, each led to the memory there, if one is."""
    there = set(paths)
    ties = [
        tie(source, rel, target, target if target in there else None)
        for source, rel, target in links
        if source in there
    ]
    return corpus(*map(memory, paths), ties=ties)


@given(st.lists(NAMES, unique=True), LINKS, st.randoms(use_true_random=False))
def test_a_second_look_finds_nothing_to_mend(
    paths: list[str], links: list[tuple[str, str, str]], chance: Random
) -> None:
    """Whatever dangles; and the same for any order of the memories."""
    first = PHASE.propose(resolved(paths, links), None)
    shuffled = list(paths)
    chance.shuffle(shuffled)
    assert PHASE.propose(resolved(shuffled, links), None) == first
    after = {(source, rel, target) for source, rel, target in links if source in paths}
    for path, done in edits(first).items():
        after -= {(path, one.link.rel.value, one.link.target) for one in done if isinstance(one, DropLink)}
        after |= {(path, one.link.rel.value, one.link.target) for one in done if isinstance(one, AddLink)}
    assert PHASE.propose(resolved(paths, sorted(after)), None).changes == ()


@pytest.fixture
def kept(environment: dict[str, str]) -> Iterator[Scratch]:
    """A store with pages, and a link that leads to what somebody took away by hand."""
    written = Instant("2026-03-01T12:00:00Z")
    drafts = [
        Draft(MemoryType.SEMANTIC, claim="Apples are red.", path="areas/apples.html"),
        Draft(MemoryType.SEMANTIC, claim="Bananas are yellow.", path="areas/bananas.html"),
        Draft(
            MemoryType.SEMANTIC, claim="Cherries are small.", path="areas/inbox/cherries.html",
            links=(link("relates_to", "areas/apples.html"), link("relates_to", "areas/bananas.html")),
        ),
    ]  # fmt: skip
    with scratch(environment) as made:
        made.write([(draft, written) for draft in drafts])
        made.embed(HashedWords())
        with made.index.reading() as view:
            rows = view.rows([MemoryPath(draft.path or "") for draft in drafts])
        known = [Shown(one.path, one.title, one.gist, one.updated) for one in rows.values()]
        with made.repository.transaction() as tx:
            for path, text in (*pages(known), (SITE_MAP, site_map(known, "https://a.org/"))):
                tx.put(path, text.encode())
            tx.remove("areas/apples.html")
            tx.move("areas/bananas.html", "resources/bananas.html", tx.read("areas/bananas.html") or b"")
            tx.commit("by hand")
        made.index.update(Pinned(made.repository, made.repository.head(), Clean()))
        yield made


def git(root: Path, *arguments: str) -> str:
    """What git says."""
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True, text=True).stdout


def night(store: Scratch, *before: Phase) -> Result:
    """A run of this phase, landed."""
    means = Means(embedder=HashedWords(), phases=(*before, PHASE))
    outcome = run(store.repository, store.index, Wish("2026-07-28"), means)
    with Runs(store.repository).resume(outcome.run or "") as opened:
        land(opened, opened.run())
    store.index.update(Pinned(store.repository, store.repository.head(), Clean()))
    return outcome.results[1 + len(before)]


def moving(store: Corpus, mind: Mind | None) -> Proposal:
    """Another phase files the cherries, once."""
    del mind
    there = MemoryPath("areas/inbox/cherries.html")
    move = Moved(there, MemoryPath("resources/fruit/cherries.html"), Reason("the test says so"))
    return Proposal((move,) if there in store.memories else ())


def test_a_night_sets_right_what_it_finds_and_what_it_did_and_a_second_finds_nothing(kept: Scratch) -> None:
    """In a real store: links, pages and site map are of what the run has, moves of the same night too."""
    root = kept.repository.root
    first = night(kept, Phase("moving", moving))
    assert first.refused == ()
    with kept.index.reading() as view:
        assert [(one.source, one.target, one.resolved) for one in view.links()] == [
            ("resources/fruit/cherries.html", "resources/bananas.html", "resources/bananas.html")
        ]
    made = {"index.html", "resources/fruit/index.html", "resources/index.html", "sitemap.xml"}
    assert {path for path in git(root, "ls-files").split() if path.endswith((PAGE, SITE_MAP))} == made
    assert all(is_sealed((root / path).read_bytes()) for path in made)
    assert git(root, "status", "--short") == ""
    assert "cherries.html" in (root / "resources/fruit/index.html").read_text()
    assert "https://a.org/resources/fruit/cherries.html" in (root / SITE_MAP).read_text()
    second = night(kept, Phase("moving", moving))
    assert (second.changes, second.refused) == ((), ())
