"""A night with a model that answers well: what it makes, with what evidence, and that it is made once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from memhtml import Store
from memhtml.domain.memory import CommitId, Instant
from memhtml.evals.scratch import embed_all
from memhtml.index.index import Index
from memhtml.models.fakes import HashedWords
from memhtml.models.language import Question
from memhtml.models.scripted import Scripted
from memhtml.sleep.corpus import Talk
from memhtml.sleep.means import Means, Wish
from memhtml.sleep.merge.judging import Judges
from memhtml.sleep.merge.merging import merge
from memhtml.sleep.outcome import Outcome
from memhtml.sleep.pipeline import run
from memhtml.sleep.review.reasons import read
from memhtml.sleep.trailers import State
from memhtml.store.chain import Step, steps
from memhtml.store.founding import init
from memhtml.store.repository import Repository
from memhtml.workspace.clock import FixedClock

EMBEDDER = HashedWords()
WRITTEN = Instant("2026-06-01T10:00:00Z")
SMALL = ("Orchids need rain water.", "Ferns like the shade of the wall.", "Cacti are watered once a month in winter.")
OUTAGES = (
    "The Monday deploy failed because the cache was cold, and the on-call engineer of checkout restarted four nodes.",
    "The search outage of April began with a cold cache right after the deploy, which nobody had announced to support.",
    "After the rollback in May the cache was cold again, so that checkout answered slowly until the end of the hour.",
)
OPEN = "Ada will replace the spare pump of the greenhouse."
TALK = "user: The pump leaks again.\n\nassistant: Tighten the valve first, and only then refill the tank."
QUOTES = ("The pump leaks again.", "Tighten the valve first, and only then")


class Spoken:
    """One session."""

    def recent(self, limit: int) -> Sequence[Talk]:
        """It."""
        return [Talk("s-1", "2026-07-27T10:00:00Z", "s-1.jsonl")][:limit]

    def said(self, talk: Talk) -> str:
        """What was said in it."""
        assert talk.session == "s-1"
        return TALK


def answer(question: Question) -> object:
    """What an honest model says to each of the four, and nothing to the others."""
    keys = {text: passage.key for passage in question.passages for text in passage.text.split("\n")}
    match question.answer.__name__:
        case "FoldAnswer" if set(SMALL) <= set(keys):
            return {"title": "Orchids, ferns and cacti", "claim": "Orchids, ferns and cacti.", "body": " ".join(SMALL)}
        case "ArcAnswer" if set(OUTAGES) <= set(keys):
            members = [{"key": keys[text], "quote": text[:60]} for text in OUTAGES]
            claim = "Again and again the cache is cold after a deploy."
            return {"arcs": [{"title": "Cold cache", "claim": claim, "confidence": 0.9, "members": members}]}
        case "ArcAnswer":
            return {"arcs": []}
        case "TraceAnswer":
            quotes = [{"key": "m1", "quote": quote} for quote in QUOTES]
            claim = "When the pump leaks, tighten the valve first."
            lesson = {"type": "procedural", "title": "Leaks", "claim": claim, "confidence": 0.9, "quotes": quotes}
            return {"lessons": [lesson]}
        case "TaskAnswer":
            found = {"quote": OPEN, "title": "Replace the spare pump", "confidence": 0.9}
            return {"tasks": [{"key": keys[OPEN], **found}] if OPEN in keys else []}
        case _:
            return {"groups": [], "clusters": [], "pairs": []}


class Bed:
    """A store with an index."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        init(root, environment=environment)
        with Store.open(root, embed="off", variables=environment, clock=FixedClock(WRITTEN)) as store:
            for group in (SMALL, OUTAGES):
                paths = [store.write(type="semantic", claim=text, confidence=0.6).path for text in group]
                for one in paths:
                    for other in paths:
                        if one != other:
                            store.link(one, "relates_to", other)
            store.write(type="semantic", claim=OPEN)
            on = store.write(type="semantic", claim="Retries of checkout are on.").path
            store.link(store.write(type="semantic", claim="Retries of checkout are off.").path, "contradicts", on)
        self.store = Repository.open(root, environment=environment, lock_wait=20.0)
        self.index = Index.open(root)
        self.index.catch_up(self.store)
        embed_all(self.index, EMBEDDER)

    def night(self, date: str = "2026-07-28") -> Outcome:
        """A run."""
        return run(self.store, self.index, Wish(date), Means(model=Scripted(answer), embedder=EMBEDDER, talks=Spoken()))

    def parts(self, phase: str) -> list[Step]:
        """The commits of a phase that make one memory each."""
        chain = steps(self.store.git, CommitId("main"), CommitId("sleep/2026-07-28"))
        named = [(step, dict(step.trailers)) for step in chain]
        parts = [step for step, said in named if said["Memhtml-Phase"] == phase and "Memhtml-Part" in said]
        return [step for step in parts if any(path.endswith(".html") for path in step.paths)]

    def page(self, step: Step) -> str:
        """The memory that a commit makes: the only file of it that is new and not in the archive."""
        (delta,) = [one for one in step.deltas if one.old is None and not one.path.startswith("archive/")]
        assert delta.new is not None
        return self.store.git.run("cat-file", "blob", delta.new).decode()


@pytest.fixture
def bed(root: Path, environment: dict[str, str]) -> Iterator[Bed]:
    """A store of one's own."""
    made = Bed(root, environment)
    with made.index:
        yield made


def evidence(step: Step) -> set[str]:
    """The quotes in the message of a commit."""
    return {one.said for reason in read(step.text).by_path.values() for one in reason.evidence}


def test_each_of_the_four_makes_what_it_is_for(bed: Bed) -> None:
    """Each change is a commit of its own, by the night, with its evidence in the message."""
    outcome = bed.night()
    counts = {result.told.phase: result.told.counts for result in outcome.results}
    assert {result.told.state for result in outcome.results} == {State.DONE}
    assert counts["arc-synthesis"] == {"groups": 2, "arcs": 1, "refused": 0}
    assert counts["compress"] == {"batches": 2, "folded": 1, "absorbed": 3, "refused": 1}
    assert counts["trace-consolidation"] == {"sessions": 1, "memories": 1, "refused": 0}
    assert counts["task-detection"] == {
        "tasks": 2, "contradictions": 1, "revisions": 0, "commitments": 1, "refused": 0,
    }  # fmt: skip

    (arc,) = bed.parts("arc-synthesis")
    assert evidence(arc) == {text[:60].strip() for text in OUTAGES}
    assert bed.page(arc).count('rel="memhtml-relates-to"') == 3
    assert [delta.path for delta in arc.deltas] == ["areas/arcs/cold-cache.html"]

    (fold,) = bed.parts("compress")
    assert evidence(fold) == set(SMALL)
    assert all(text in bed.page(fold) for text in SMALL)
    assert bed.page(fold).count('rel="memhtml-supersedes"') == 3
    assert sum(delta.path.startswith("archive/2026/") for delta in fold.deltas) == 3

    (lesson,) = bed.parts("trace-consolidation")
    assert evidence(lesson) == set(QUOTES)
    assert '<meta name="memhtml-session" content="s-1">' in bed.page(lesson)
    assert not any(quote in bed.page(lesson) for quote in QUOTES)

    settle, replace = bed.parts("task-detection")
    assert evidence(settle) == {"Retries of checkout are on.", "Retries of checkout are off."}
    assert evidence(replace) == {OPEN}
    for step in (arc, fold, lesson, settle, replace):
        assert '<meta name="memhtml-author" content="agent:sleep">' in bed.page(step)


def test_once_it_is_merged_a_night_finds_nothing_more(bed: Bed) -> None:
    """Neither the same night again nor the next makes an arc, a fold, a lesson or a task of the same."""
    first = bed.night()
    assert first.run is not None
    merge(bed.store, bed.index, first.run, Judges(EMBEDDER, WRITTEN, probes=2), skip_gates=True)
    again = bed.night()
    assert [result.told.phase for result in again.results if result.changes] == []
    later = bed.night("2026-07-29")
    made = {result.told.phase for result in later.results for one in result.changes if one.kind == "created"}
    assert made == set()
