"""A run as a person reviews it, from its branch alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.sleep.hand import CLAIMS, DAY, Night, begun, filled

from memhtml.domain.memory import MemoryPath
from memhtml.sleep.changes import Evidence
from memhtml.sleep.review.review import (
    Review,
    ReviewedCommit,
    ReviewedPhase,
    RunState,
    Side,
    Withdrawn,
    reviewed,
    summary,
    withdrawn,
)
from memhtml.sleep.trailers import Told
from memhtml.store.branches import Runs
from memhtml.store.dropping import take_out
from memhtml.store.founding import init
from memhtml.store.landing import land
from memhtml.store.repository import Repository


@pytest.fixture
def store(root: Path, environment: dict[str, str]) -> Repository:
    """A store without memories."""
    init(root, environment=environment)
    return Repository.open(root, environment=environment, lock_wait=5.0)


@pytest.fixture
def paths(store: Repository) -> tuple[MemoryPath, ...]:
    """Three memories."""
    return filled(store, *CLAIMS)


def whole(night: Night, paths: tuple[MemoryPath, ...]) -> None:
    """A night with something of everything."""
    night.phase(Told("preflight", counts={"memories": 3}, deep=True, model="scripted"))
    night.folded(paths[0], paths[1])
    night.learned("Delta waits for all.", Evidence("s-1", "we waited"), Evidence("s-2", "and waited"))
    night.phase(Told("trace-consolidation", counts={"learned": 1}, calls=2, tokens=900))
    night.eroded(paths[2])
    night.failed("compress")
    night.reported()


def by_phase(review: Review) -> dict[str, list[ReviewedCommit]]:
    """The commits."""
    return {phase.phase: [each for each in review.commits if each.phase == phase.phase] for phase in review.phases}


def test_each_change_has_its_class_its_reason_and_both_sides(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Worked: an archived one, a kept one, a new one."""
    with begun(store) as night:
        whole(night, paths)
    review = reviewed(store.git, Runs(store).find(DAY))
    (fold,) = by_phase(review)["dedup-merge"]
    archived, kept = fold.files
    assert (archived.kind, archived.path, archived.previous) == ("archived", f"archive/2026/{paths[1]}", paths[1])
    assert archived.why == kept.why == "They say the same."
    assert (archived.evidence, kept.evidence) == ((Evidence(paths[0], "cosine 0.95"),), ())
    assert archived.before == archived.after == Side(CLAIMS[1], CLAIMS[1])
    assert '+<meta name="memhtml-status" content="archived">' in archived.diff.split("\n")
    assert (kept.kind, kept.previous, kept.before) == ("meta-only", None, Side(CLAIMS[0], CLAIMS[0]))
    assert kept.diff.count("\n+") == 1
    assert fold.refused == ("x and y differ by numeric",)
    assert dict(fold.trailers)["Memhtml-Counts"] == '{"merged":1}'
    part, last = by_phase(review)["trace-consolidation"]
    (lesson,) = part.files
    assert (part.part, last.part, last.files) == (1, None, ())
    assert (lesson.kind, lesson.before) == ("created", None)
    assert lesson.after == Side("Delta waits for all.", "Delta waits for all.")
    assert [one.said for one in lesson.evidence] == ["we waited", "and waited"]


def test_a_run_says_what_became_of_each_phase(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Counts are checked against the commits, and the short form against the long one."""
    with begun(store) as night:
        whole(night, paths)
    run = Runs(store).find(DAY)
    review, short = reviewed(store.git, run), summary(store.git, run)
    assert [(phase.phase, phase.state, phase.changed) for phase in review.phases] == [
        ("preflight", "done", 0),
        ("dedup-merge", "done", 2),
        ("trace-consolidation", "done", 1),
        ("confidence-decay", "done", 1),
        ("compress", "failed", 0),
        ("report", "done", 1),
    ]
    assert review.phases[2] == ReviewedPhase("trace-consolidation", "done", {"learned": 1}, "", 2, 1, 0, 0, 2, 900)
    assert review.phases[4].note == "an internal error: ValueError"
    assert (review.deep, review.model, review.state) == (True, "scripted", RunState.OPEN)
    assert (review.run, review.branch, review.base, review.tip) == (DAY, f"sleep/{DAY}", run.base, run.tip)
    assert review.changed == sum(len(commit.files) for commit in review.commits) == 5
    assert (short.changed, short.commits, short.failed, short.complete) == (5, 7, ("compress",), True)
    assert (short.state, short.base, short.tip, short.dropped) == (RunState.OPEN, run.base, run.tip, 0)


def test_without_texts_nothing_is_known_of_files_but_why(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """The rest is the same."""
    with begun(store) as night:
        whole(night, paths)
    run = Runs(store).find(DAY)
    long, short = reviewed(store.git, run), reviewed(store.git, run, texts=False)
    assert short.phases == long.phases
    files = [file for commit in short.commits for file in commit.files]
    assert [(file.path, file.why, file.evidence) for file in files] == [
        (file.path, file.why, file.evidence) for commit in long.commits for file in commit.files
    ]
    assert {(file.before, file.after, file.diff, file.omitted) for file in files} == {(None, None, "", "not asked for")}


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_run_that_landed_is_shown_as_it_was(
    store: Repository, paths: tuple[MemoryPath, ...], *, by_hand: bool
) -> None:
    """Merged as we do it, or by somebody whose git only moved main forward."""
    with begun(store) as night:
        whole(night, paths)
        before = reviewed(store.git, night.opened.run())
        if by_hand:
            store.git.run("merge", "--quiet", "--ff-only", f"sleep/{DAY}")
        else:
            land(night.opened, night.opened.run())
    filled(store, "Epsilon came later.")
    run = Runs(store).find(DAY)
    after, short = reviewed(store.git, run), summary(store.git, run)
    assert (after.state, short.state, after.landed is None) == (RunState.LANDED, RunState.LANDED, by_hand)
    assert (after.commits, after.phases, after.base) == (before.commits, before.phases, before.base)
    assert (short.changed, short.commits) == (5, 7)


def test_what_a_reviewer_took_out_is_named_with_why(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """In the commit that had it, with what went along; its reason stays there, and a file at two places is one."""
    with begun(store) as night:
        whole(night, paths)
        take_out(night.opened, paths=[paths[1]], why="They are not the same.")
        take_out(night.opened, paths=[paths[2]], why="It is still true.")
    run = Runs(store).find(DAY)
    review = reviewed(store.git, run)
    ((fold,), (decay,)) = by_phase(review)["dedup-merge"], by_phase(review)["confidence-decay"]
    assert fold.files == decay.files == ()
    assert fold.dropped == (Withdrawn((f"archive/2026/{paths[1]}", paths[1]), "They are not the same.", (paths[0],)),)
    assert decay.dropped == (Withdrawn((paths[2],), "It is still true."),)
    assert review.phases[1].dropped == 2
    assert summary(store.git, run).dropped == 3
    assert review.changed == summary(store.git, run).changed == 2


def test_a_run_that_was_broken_off_says_so(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """A phase that has a commit, and none that closes it, has begun."""
    with begun(store) as night:
        night.phase(Told("preflight"))
        night.learned("Delta waits for all.")
    run = Runs(store).find(DAY)
    assert [(phase.phase, phase.state) for phase in reviewed(store.git, run).phases] == [
        ("preflight", "done"),
        ("trace-consolidation", "begun"),
    ]
    assert not summary(store.git, run).complete
    assert paths


def test_a_run_without_commits_is_empty(store: Repository, paths: tuple[MemoryPath, ...]) -> None:
    """Also where main's last commit is a merge of another run."""
    with begun(store, "2026-07-27") as night:
        night.eroded(paths[0])
        land(night.opened, night.opened.run())
    with begun(store):
        pass
    run = Runs(store).find(DAY)
    review, short = reviewed(store.git, run), summary(store.git, run)
    assert (review.state, review.commits, review.phases, review.changed) == (RunState.EMPTY, (), (), 0)
    assert (short.state, short.commits, short.changed, short.complete) == (RunState.EMPTY, 0, 0, False)


@pytest.mark.parametrize("part", ["\u0661", "9" * 5000])
def test_what_somebody_added_by_hand_is_shown_as_his(
    store: Repository, paths: tuple[MemoryPath, ...], part: str
) -> None:
    """Binary files, broken memories, messages of any kind: nothing raises, and nothing is taken for a phase."""
    with begun(store) as night:
        night.eroded(paths[0])
        own_tree = night.opened.repository
        (own_tree.root / "areas" / "broken.html").write_bytes(b"no memory")
        (own_tree.root / "notes.bin").write_bytes(b"\xff\x00")
        own_tree.git.run("add", "--all")
        said = f'by hand\n\n{{"why":["x"]}}\nMemhtml-Phase: one\n\nMemhtml-Part: {part}\n'
        own_tree.git.run("-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", said)
    review = reviewed(store.git, Runs(store).find(DAY))
    own = review.commits[-1]
    assert (own.phase, own.part) == ("", None)
    assert [phase.phase for phase in review.phases] == ["confidence-decay"]
    broken, binary = own.files
    assert (broken.after, broken.before, broken.why) == (Side("", ""), None, "")
    assert (binary.after, binary.diff, binary.omitted) == (None, "", "no text: 0 and 2 bytes")


def test_withdrawals_are_read_in_their_order() -> None:
    """Paths go with the reason that follows; a reason without paths is none of ours."""
    assert withdrawn([]) == withdrawn([("Memhtml-Dropped-Why", "x")]) == ()
    pairs = [("Memhtml-Dropped", "b"), ("Memhtml-Dropped", "a"), ("Memhtml-Dropped-Why", "x"), ("Other", "y")]
    assert withdrawn(pairs) == (Withdrawn(("a", "b"), "x"),)
    more = [("Memhtml-Dropped-Along", "d"), ("Memhtml-Dropped-Along", "c"), ("Memhtml-Dropped-Why", "z")]
    assert withdrawn([*pairs, *more]) == (Withdrawn(("a", "b"), "x"), Withdrawn((), "z", ("c", "d")))
