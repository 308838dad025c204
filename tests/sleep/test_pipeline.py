"""A night with phases of the tests' own: what it commits, what a failure costs, and how it is gone on with."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import DirtyTreeError, IndexStaleError, InvalidPathError, WriteConflictError
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.scratch import Scratch, scratch
from memhtml.models.fakes import HashedWords
from memhtml.models.scripted import Scripted
from memhtml.page.splice import AddValue, SetMeta
from memhtml.sleep.changes import Archived, Change, Created, Edited, Folded, Moved, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.mind import Budget, Mind, Offer
from memhtml.sleep.outcome import Outcome
from memhtml.sleep.phase import Phase
from memhtml.sleep.pipeline import rehearse, resume, run
from memhtml.sleep.trailers import State, told
from memhtml.store.branches import Runs
from memhtml.store.chain import Step, steps

NOW = Instant("2026-03-01T12:00:00Z")
WHY = Reason("the test says so")
CLAIMS = ("Apples are red.", "Bananas are yellow.", "Cherries are small.", "The apples are red.")
APPLES, BANANAS, CHERRIES, COPY = (
    MemoryPath(f"areas/inbox/{claim[:-1].lower().replace(' ', '-')}.html") for claim in CLAIMS
)


@pytest.fixture
def store(environment: dict[str, str]) -> Iterator[Scratch]:
    """Four facts, with vectors."""
    with scratch(environment) as made:
        made.write([(Draft(MemoryType.SEMANTIC, claim=claim), NOW) for claim in CLAIMS])
        made.embed(HashedWords())
        yield made


def always(*changes: Change, counts: dict[str, int] | None = None, apart: bool = False) -> Callable[..., Proposal]:
    """A phase that proposes these, whatever there is."""

    def propose(_corpus: Corpus, _mind: Mind | None) -> Proposal:
        return Proposal(changes, counts or {}, apart=apart)

    return propose


def tagged(path: MemoryPath, tag: str) -> Edited:
    """The memory gets a tag."""
    return Edited(path, (AddValue("memhtml-tag", tag),), WHY)


def night(store: Scratch, *phases: Phase, deep: bool = False, model: Scripted | None = None) -> Outcome:
    """A run of these phases."""
    wish = Wish("2026-07-28", deep)
    return run(store.repository, store.index, wish, Means(model, embedder=HashedWords(), phases=phases))


def commits(store: Scratch, name: str = "2026-07-28") -> tuple[Step, ...]:
    """Those of the run, oldest first."""
    found = Runs(store.repository).find(name)
    return steps(store.repository.git, found.base, found.tip)


def everything(root: Path) -> dict[str, bytes]:
    """All files of the work tree, and where main is."""
    files = {path.as_posix(): path.read_bytes() for path in root.rglob("*.html") if ".git" not in path.parts}
    head = subprocess.run(["git", "-C", root, "rev-parse", "main"], check=True, capture_output=True).stdout
    return {**files, "main": head}


def test_every_phase_ends_with_a_commit_and_main_stays(store: Scratch) -> None:
    """A commit also for a phase that did nothing, dated by the night; work tree, main and index are as they were."""
    before = everything(store.repository.root)
    outcome = night(store, Phase("one", always(tagged(APPLES, "fruit"), counts={"tagged": 1})), Phase("two", always()))
    chain = commits(store)
    said = [told(step.trailers) for step in chain]
    assert [one.phase for one in said if one] == ["preflight", "one", "two", "report"]
    assert chain[1].paths == {APPLES}
    assert not chain[2].paths
    assert dict(said[1].counts) == {"tagged": 1} if said[1] else False
    assert all(b"1785196800 +0000" in step.signatures for step in chain)
    assert everything(store.repository.root) == before
    assert outcome.tip == Runs(store.repository).find("2026-07-28").tip
    with store.index.reading() as view:
        assert view.rows([APPLES])[APPLES].tags == ()


def test_the_same_night_twice_is_the_same_commits(store: Scratch) -> None:
    """Nothing but the date and what main holds is in them."""
    phases = (Phase("one", always(tagged(APPLES, "fruit"), Archived(COPY, WHY))),)
    first = night(store, *phases).tip
    Runs(store.repository).drop("2026-07-28")
    assert night(store, *phases).tip == first


def test_a_later_phase_sees_what_an_earlier_one_did(store: Scratch) -> None:
    """Of memories, archive, links and new memories, which have vectors too."""
    seen: list[Corpus] = []

    def look(corpus: Corpus, _mind: Mind | None) -> Proposal:
        seen.append(corpus)
        return Proposal()

    made = Created(Draft(MemoryType.SEMANTIC, claim="Figs are soft."), WHY)
    moved = Moved(CHERRIES, MemoryPath("areas/fruit/cherries.html"), WHY)
    night(store, Phase("one", always(Folded(APPLES, COPY, WHY), made, moved)), Phase("two", look))
    corpus = seen[0]
    figs = MemoryPath("areas/inbox/figs-are-soft.html")
    assert [*corpus.memories] == ["areas/fruit/cherries.html", APPLES, BANANAS, figs]
    assert [*corpus.archived] == [f"archive/2026/{COPY}"]
    assert corpus.archived[MemoryPath(f"archive/2026/{COPY}")].superseded_by == APPLES
    assert [(tie.source, tie.rel.value, tie.resolved) for tie in corpus.ties] == [
        (APPLES, "supersedes", f"archive/2026/{COPY}")
    ]
    assert corpus.memories[figs].vector is not None
    assert corpus.memories[figs].row.author == "agent:sleep"
    facts = corpus.facts(APPLES)
    assert facts is not None
    assert facts.gist == "Apples are red."


def test_a_failing_phase_costs_itself_and_those_that_need_it(store: Scratch) -> None:
    """What failed says so in a commit of its own, without what a stranger's error may hold."""

    def fail(_corpus: Corpus, _mind: Mind | None) -> Proposal:
        raise ZeroDivisionError("a private thing")

    outcome = night(
        store,
        Phase("one", fail),
        Phase("two", always(tagged(APPLES, "a")), needs=("one",)),
        Phase("three", always(tagged(APPLES, "b"))),
    )
    states = {result.told.phase: result.told.state for result in outcome.results}
    assert states == {
        "preflight": State.DONE, "one": State.FAILED, "two": State.SKIPPED, "three": State.DONE, "report": State.DONE,
    }  # fmt: skip
    chain = commits(store)
    assert "private" not in "".join(step.text for step in chain)
    assert [sorted(step.paths) for step in chain[1:4]] == [[], [], [APPLES]]


def test_what_the_store_does_not_take_is_kept_out_and_told(store: Scratch) -> None:
    """One change costs itself; the others of its phase are made."""
    bad = Edited(BANANAS, (SetMeta("memhtml-confidence", "a lot"),), WHY)
    taken = Moved(CHERRIES, COPY, WHY)
    again = Created(Draft(MemoryType.SEMANTIC, claim="Apples are red."), WHY)
    outcome = night(store, Phase("one", always(bad, taken, again, tagged(APPLES, "fruit"))))
    result = outcome.results[1]
    assert [doing.about for doing in result.changes] == [APPLES]
    assert len(result.refused) == 3
    assert "memhtml-confidence" in result.refused[0]
    chain = commits(store)
    assert chain[1].paths == {APPLES}
    assert all(sentence in chain[1].text for sentence in result.refused[1:])


@pytest.mark.parametrize("stop", range(7))
def test_a_run_that_is_broken_off_anywhere_ends_as_an_unbroken_one(store: Scratch, stop: int) -> None:
    """In a phase, between two commits of one, in the report: the same commits come of it."""
    phases = (
        Phase("one", always(tagged(APPLES, "fruit"))),
        Phase("two", always(tagged(APPLES, "b"), tagged(BANANAS, "b"), tagged(CHERRIES, "b"), apart=True)),
        Phase("three", always(Archived(COPY, WHY))),
    )
    whole = night(store, *phases).tip
    Runs(store.repository).drop("2026-07-28")
    calls = 0

    def broken(_doing: str, _done: int, _total: int | None) -> None:
        nonlocal calls
        calls += 1
        if calls == stop + 1:
            raise KeyboardInterrupt

    def breaking(_corpus: Corpus, _mind: Mind | None) -> Proposal:
        raise KeyboardInterrupt

    cut = tuple(Phase(phase.name, breaking) if stop == number + 4 else phase for number, phase in enumerate(phases))
    means = Means(embedder=HashedWords(), progress=broken, phases=cut)
    with pytest.raises(KeyboardInterrupt):
        run(store.repository, store.index, Wish("2026-07-28"), means)
    outcome = resume(store.repository, store.index, "2026-07-28", Means(embedder=HashedWords(), phases=phases))
    assert outcome.tip == whole
    assert resume(store.repository, store.index, "2026-07-28", Means(phases=phases)).results == ()


def two_untagged(corpus: Corpus, _mind: Mind | None) -> Proposal:
    """The first two memories without a tag get one, each in a commit of its own."""
    left = [path for path, memory in corpus.memories.items() if not memory.row.tags]
    return Proposal(tuple(tagged(path, "seen") for path in left[:2]), apart=True)


def test_what_was_only_begun_is_taken_back(store: Scratch) -> None:
    """A phase with a commit for each change was killed after the first: it begins again from what it saw then."""
    phases = (Phase("one", two_untagged),)
    whole = night(store, *phases).tip
    found = Runs(store.repository).find("2026-07-28")
    chain = steps(store.repository.git, found.base, found.tip)
    assert [dict(step.trailers).get("Memhtml-Part") for step in chain] == [None, "1", "2", None, None]
    with Runs(store.repository).resume("2026-07-28") as opened:
        opened.move(found.tip, chain[1].commit, "as a kill leaves it")
    assert (
        resume(store.repository, store.index, "2026-07-28", Means(embedder=HashedWords(), phases=phases)).tip == whole
    )


def test_a_change_that_changes_nothing_is_none(store: Scratch) -> None:
    """It makes no commit of its own, and is not counted."""
    outcome = night(store, Phase("one", always(tagged(APPLES, "b"), tagged(APPLES, "b"), apart=True)))
    assert len(outcome.results[1].changes) == 1
    assert outcome.results[1].refused == (f"{APPLES} says this already",)


def test_a_deep_night_asks_again_until_nothing_is_left(store: Scratch) -> None:
    """Only phases that repeat, and only a deep one."""

    def untagged(corpus: Corpus, _mind: Mind | None) -> Proposal:
        left = [path for path, memory in corpus.memories.items() if not memory.row.tags]
        return Proposal(tuple(tagged(path, "seen") for path in left[:1]), {"asked": 1}, apart=True)

    outcome = night(store, Phase("one", untagged, repeats=True), deep=True)
    assert dict(outcome.results[1].told.counts) == {"asked": 5}
    assert len(outcome.results[1].changes) == 4
    Runs(store.repository).drop("2026-07-28")
    assert len(night(store, Phase("one", untagged, repeats=True)).results[1].changes) == 1


def test_what_a_model_cost_is_remembered_when_a_run_is_resumed(store: Scratch) -> None:
    """The budget is the run's, not the process's."""

    def ask(_corpus: Corpus, mind: Mind | None) -> Proposal:
        assert mind is not None
        for _ in range(2):
            mind.ask("Say it.", [Offer(APPLES, "Apples are red.")], Draft)
        return Proposal(counts={"calls": mind.calls})

    def breaking(_corpus: Corpus, _mind: Mind | None) -> Proposal:
        raise KeyboardInterrupt

    model = Scripted([("", "prose")])
    wish = Wish("2026-07-28")
    means = Means(model, Budget(3, 10_000), HashedWords(), phases=(Phase("one", ask), Phase("two", breaking)))
    with pytest.raises(KeyboardInterrupt):
        run(store.repository, store.index, wish, means)
    means = Means(model, Budget(3, 10_000), HashedWords(), phases=(Phase("one", ask), Phase("two", ask)))
    outcome = resume(store.repository, store.index, "2026-07-28", means)
    assert len(model.asked) == 3
    assert outcome.results[0].told.calls == 1
    assert any("budget" in sentence for sentence in outcome.results[0].refused)


def test_a_rehearsal_makes_no_branch(store: Scratch) -> None:
    """It says what each phase would do, and a failing one is told as such."""

    def fail(_corpus: Corpus, _mind: Mind | None) -> Proposal:
        raise ZeroDivisionError

    before = everything(store.repository.root)
    phases = (Phase("one", always(tagged(APPLES, "fruit"))), Phase("two", fail))
    outcome = rehearse(store.repository, store.index, Wish("2026-07-28"), Means(phases=phases))
    assert [(result.told.phase, result.told.state, len(result.changes)) for result in outcome.results] == [
        ("preflight", State.DONE, 0), ("one", State.DONE, 1), ("two", State.FAILED, 0),
    ]  # fmt: skip
    assert outcome.run is None
    assert Runs(store.repository).listed() == ()
    assert everything(store.repository.root) == before


def test_a_night_is_refused_where_it_could_not_see_everything(store: Scratch) -> None:
    """An uncommitted file, texts without vectors, no date; no branch is left."""
    means = Means(phases=())
    with pytest.raises(InvalidPathError, match="2026-02-30"):
        run(store.repository, store.index, Wish("2026-02-30"), means)
    (store.repository.root / APPLES).write_text("edited")
    with pytest.raises(DirtyTreeError, match="apples-are-red"):
        run(store.repository, store.index, Wish("2026-07-28"), means)
    store.repository.git.run("checkout", "--", APPLES)
    claims = (f"The bin {number} holds {number} screws." for number in range(5))
    store.write([(Draft(MemoryType.SEMANTIC, claim=claim), NOW) for claim in claims])
    with pytest.raises(IndexStaleError, match="44%"):
        run(store.repository, store.index, Wish("2026-07-28"), means)
    assert Runs(store.repository).listed() == ()


def test_what_main_holds_is_not_gone_on_with(store: Scratch) -> None:
    """It has landed."""
    from memhtml.store.landing import land

    night(store, Phase("one", always(tagged(APPLES, "fruit"))))
    with Runs(store.repository).resume("2026-07-28") as opened:
        land(opened, opened.run())
    with pytest.raises(WriteConflictError, match="main holds"):
        resume(store.repository, store.index, "2026-07-28", Means(phases=()))


def test_what_a_reviewer_took_out_is_not_proposed_again(store: Scratch) -> None:
    """By that phase, of that memory; also while the run is still open."""
    from memhtml.store.dropping import take_out

    phases = (Phase("one", always(tagged(APPLES, "fruit"), tagged(BANANAS, "fruit"))),)
    night(store, *phases)
    with Runs(store.repository).resume("2026-07-28") as opened:
        take_out(opened, why="apples are no fruit here", paths=[APPLES])
    outcome = night(store, *phases, Phase("two", always(tagged(APPLES, "other"))))
    assert outcome.run == "2026-07-28-2"
    assert [[doing.about for doing in result.changes] for result in outcome.results[1:3]] == [[BANANAS], [APPLES]]
    assert "reviewer" in outcome.results[1].refused[0]
