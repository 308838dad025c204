"""Filling the gaps among the vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from memhtml.domain.errors import EmbedModelMismatchError
from memhtml.domain.scope import Scope
from memhtml.domain.terms import terms
from memhtml.index.embedding import FillReport, fill
from memhtml.index.index import Index
from memhtml.models.fakes import AlwaysFailing, HashedWords

Remember = Callable[..., str]


def test_a_portion_at_a_time_and_then_nothing(index: Index, remember: Remember) -> None:
    """Newest first, as many as asked for; what is filled is not asked for again."""
    for number in range(5):
        remember(f"areas/{number}.html", f"text {number}", updated=f"2026-01-0{number + 1}T00:00:00Z")
    embedder = HashedWords(dimension=16)
    assert fill(index, embedder, limit=2) == FillReport(2, 3)
    with index.reading() as view:
        assert set(view.vectors([f"areas/{number}.html" for number in range(5)])) == {"areas/3.html", "areas/4.html"}
    assert fill(index, embedder) == FillReport(3, 0)
    assert fill(index, embedder) == FillReport(0, 0)
    assert fill(index, embedder, limit=0) == FillReport(0, 0)


def test_what_is_filled_is_found(index: Index, remember: Remember) -> None:
    """The vector of a text is nearest to the text."""
    for number in range(5):
        remember(f"areas/{number}.html", f"quite another thing {number}", title="x")
    remember("areas/h.html", "the grey heron", title="the grey heron")
    embedder = HashedWords(dimension=64)
    fill(index, embedder)
    with index.reading() as view:
        hits = view.nearest(embedder.embed(["the grey heron"])[0], Scope(), 1)
    assert [(hit.path, hit.cosine) for hit in hits] == [("areas/h.html", 1.0)]


def test_a_failing_embedder_stops_nothing(index: Index, remember: Remember) -> None:
    """It is reported, the words are found as before, and nothing is recorded of its space."""
    remember("areas/a.html", "The queue.")
    report = fill(index, AlwaysFailing())
    assert (report.embedded, report.remaining) == (0, 1)
    assert report.failure
    with index.reading() as view:
        assert len(view.lexical(terms("queue"), Scope(), 10)) == 1
        assert view.space is None


def test_another_space_is_refused(index: Index, remember: Remember) -> None:
    """Before anything is embedded."""
    remember("areas/a.html", "The queue.")
    fill(index, HashedWords(dimension=16))
    with pytest.raises(EmbedModelMismatchError):
        fill(index, HashedWords(dimension=32))


class Odd(HashedWords):
    """An embedder that gives what its space does not promise."""

    def __init__(self, make: Callable[[int], np.ndarray]) -> None:
        super().__init__(dimension=16)
        self._make = make

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Something else."""
        return self._make(len(texts))


@pytest.mark.parametrize(
    "make",
    [
        lambda count: np.zeros((count, 8), dtype=np.float32),
        lambda count: np.zeros((count + 1, 16), dtype=np.float32),
        lambda count: np.full((count, 16), np.nan, dtype=np.float32),
    ],
)
def test_what_is_no_vector_is_not_stored(index: Index, remember: Remember, make: Callable[[int], np.ndarray]) -> None:
    """Another dimension, another count, no numbers: a failure of the embedder, said as one."""
    remember("areas/a.html", "The queue.")
    report = fill(index, Odd(make))
    assert report.failure is not None
    assert "vectors" in report.failure
    assert report.remaining == 1
