"""What memories are worth: the design's numbers on a small store, and the same for any order of it."""

from __future__ import annotations

import random

import pytest
from tests.sleep.corpora import corpus, memory, row, tie, used

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.retention import Band, Signals
from memhtml.domain.vocabulary import MemoryType
from memhtml.models.scripted import Scripted
from memhtml.sleep.changes import Generated
from memhtml.sleep.corpus import Night
from memhtml.sleep.mind import Budget, Mind
from memhtml.sleep.phases import edge_typing
from memhtml.sleep.worth import edges, valued
from memhtml.store.layout import PENDING

A, B, C, D = "areas/a.html", "areas/b.html", "areas/c.html", "areas/d.html"
TRIANGLE = (tie(A, "relates_to", B), tie(B, "relates_to", C), tie(C, "relates_to", A))


def test_a_worked_example_with_all_eight_signals() -> None:
    """An episodic memory of 10 days: 0.25·0.5 + 0.15·0.4 + 0.1·(0.6 + rank + 0.2 + 0.4 + 0.45 + 2/3)."""
    worth = valued(
        corpus(
            memory(
                A,
                body="nine words are what this very short note has",
                type=MemoryType.EPISODIC,
                updated="2026-07-18T00:00:00Z",
                confidence=0.6,
                access=used(A, opens=4),
            ),
            *(memory(path) for path in (B, C, D, "areas/e.html", "areas/f.html")),
            ties=[
                tie(B, "supports", A), tie(C, "supports", A), tie(C, "supports", A),
                tie(D, "relates_to", "areas/e.html"), tie("areas/e.html", "relates_to", "areas/f.html"),
                tie("areas/f.html", "relates_to", D), tie(A, "contradicts", D), tie(B, "relates_to", C),
            ],
        )
    )  # fmt: skip
    found = worth.signals[MemoryPath(A)]
    assert (found.recency, found.access, found.confidence, found.density) == (0.5, 0.4, 0.6, 0.45)
    assert (found.reinforcement, found.bridge) == (0.4, 0.2)
    assert found.uncontested == pytest.approx(2 / 3)
    expected = 0.25 * 0.5 + 0.15 * 0.4 + 0.1 * (0.6 + found.pagerank + 0.2 + 0.4 + 0.45 + 2 / 3)
    assert worth.scores[MemoryPath(A)] == pytest.approx(expected, abs=5e-5)


def test_a_memory_alone_has_the_highest_rank_and_no_community() -> None:
    """A semantic one of 27 days and three words: every number by hand."""
    worth = valued(corpus(memory(A)))
    (found,) = worth.signals.values()
    assert found == Signals(0.5 ** (27 / 90), 0.0, 1.0, 1.0, 0.0, 0.0, 0.15, 1.0)
    (score,) = worth.scores.values()
    assert score == 0.5056
    assert worth.band(next(iter(worth.scores))) is Band.COMPRESS
    assert (worth.communities, dict(worth.homes)) == ((), {})


def test_an_empty_store_is_worth_nothing() -> None:
    """And nothing fails."""
    worth = valued(corpus())
    assert (dict(worth.scores), worth.communities) == ({}, ())


def test_links_and_likeness_join_what_is_in_use() -> None:
    """Links once, alike ones in both directions; not what leads to a person, to nothing or to the archive."""
    near = [memory(D, vector=[1, 0.1]), memory("areas/e.html", vector=[1, 0])]
    links = [*TRIANGLE, tie(A, "about_person", D), tie(A, "relates_to", "areas/gone.html", None),
             tie(B, "relates_to", "archive/2026/areas/x.html")]  # fmt: skip
    where = corpus(memory(A), memory(B), memory(C), *near, ties=links)
    assert set(edges(where)) == {(A, B), (B, C), (C, A), (D, "areas/e.html"), ("areas/e.html", D)}
    worth = valued(where)
    assert worth.communities == ((A, B, C),)
    assert dict(worth.homes) == {A: A, B: A, C: A}


def test_a_contradiction_counts_for_both_and_once() -> None:
    """Whichever says so, and if both do."""
    one = valued(corpus(memory(A), memory(B), ties=[tie(A, "contradicts", B)]))
    both = valued(corpus(memory(A), memory(B), ties=[tie(A, "contradicts", B), tie(B, "contradicts", A)]))
    for worth in (one, both):
        assert [found.uncontested for found in worth.signals.values()] == [pytest.approx(2 / 3)] * 2


def test_what_went_to_the_archive_contests_nothing() -> None:
    """Nor does what is nowhere, nor a memory itself."""
    gone = "archive/2026/areas/x.html"
    links = [tie(A, "contradicts", gone), tie(A, "contradicts", "areas/y.html", None), tie(A, "contradicts", A)]
    (found,) = valued(corpus(memory(A), archived=[row(gone)], ties=links)).signals.values()
    assert found.uncontested == 1


def test_a_contradiction_that_nights_found_contests_nothing() -> None:
    """Only that pair, however long ago it was found; what one waits for another night to agree on is in no file yet."""
    lines = (
        f'{{"kind":"mined","key":"{A} {B}","night":"2024-01-01","confidence":0.9}}\n'
        f'{{"kind":"contradicts","key":"{A} {C}","night":"2026-07-27","confidence":0.9}}\n'
    )
    found = valued(
        corpus(
            *(memory(path) for path in (A, B, C)),
            ties=[tie(A, "contradicts", B), tie(B, "contradicts", A), tie(A, "contradicts", C)],
            files={PENDING: lines.encode()},
        )
    )
    assert [signals.uncontested for signals in found.signals.values()] == [
        pytest.approx(2 / 3),
        1,
        pytest.approx(2 / 3),
    ]


def test_what_two_nights_agreed_on_is_known_as_theirs_for_good() -> None:
    """Edge typing waits, writes, and says so; a year later that stands, and ends with the links."""
    model = Scripted([("Typings", {"pairs": [{
        "subject": "m1", "object": "m2", "rel": "contradicts", "confidence": 0.9,
        "subject_quote": "The port is 80.", "object_quote": "The port is 81.",
    }]})])  # fmt: skip
    pair = (memory(A, "The port is 80.", vector=[1, 0]), memory(B, "The port is 81.", vector=[1, 0.1]))
    both = (tie(A, "contradicts", B), tie(B, "contradicts", A))
    files: dict[str, bytes] = {}
    kept: list[bytes | None] = []
    for date, ties in (("2026-07-28", ()), ("2026-07-29", ()), ("2027-07-29", both), ("2027-07-30", ())):
        night = Night(date, Instant(f"{date}T00:00:00Z"))
        store = corpus(*pair, night=night, files=files, ties=ties)
        contests = [signals.uncontested for signals in valued(store).signals.values()]
        assert contests == [1, 1]
        for change in edge_typing.PHASE.propose(store, Mind(model, Budget(9, 9999))).changes:
            if isinstance(change, Generated):
                files = {} if change.data is None else {PENDING: change.data}
        kept.append(files.get(PENDING))
    waiting, found, later, again = kept
    assert waiting is not None
    assert again is not None
    assert found == b'{"kind":"mined","key":"areas/a.html areas/b.html","night":"2026-07-29","confidence":0.9}\n'
    assert later == found
    assert again == waiting.replace(b"2026-07-28", b"2027-07-30")


def test_a_memory_does_not_support_itself() -> None:
    """And one that says it twice supports it once."""
    links = [tie(A, "supports", A), tie(B, "supports", A), tie(B, "supports", A)]
    worth = valued(corpus(memory(A), memory(B), ties=links))
    assert [found.reinforcement for found in worth.signals.values()] == [0.2, 0.0]


@pytest.mark.parametrize("seed", range(10))
def test_the_order_of_the_store_does_not_matter(seed: int) -> None:
    """The same scores, communities and homes, to the last bit."""
    shuffle = random.Random(seed)
    paths = [f"areas/m{number}.html" for number in range(12)]
    drawn = random.Random(1)
    links = [tie(drawn.choice(paths), "relates_to", drawn.choice(paths)) for _ in range(30)]
    memories = [memory(path, vector=[drawn.random() for _ in range(4)]) for path in paths]
    expected = valued(corpus(*memories, ties=links))
    found = valued(corpus(*shuffle.sample(memories, 12), ties=shuffle.sample(links, 30)))
    assert found == expected
    assert list(found.scores) == sorted(found.scores)
