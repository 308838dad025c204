"""Only copies make way: a wrong twin is no copy, however near."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import MemoryPath
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.fakes import HashedWords
from memhtml.retrieve.variety import varied

Write = Callable[..., MemoryPath]


def kept(store: Index, ranking: list[MemoryPath], limit: int) -> tuple[MemoryPath, ...]:
    """What is left of ``ranking``."""
    with store.reading() as view:
        return varied(view, ranking, limit)


def test_a_copy_makes_way_for_what_adds_something(store: Index, write: Write) -> None:
    """The same words in the same order, whatever their case and marks; what is kept stays in order."""
    first = write("a", "Deploys are frozen on Fridays.")
    copy = write("b", "Deploys are frozen on Fridays!")
    other = write("c", "The rota changes on Mondays.")
    fill(store, HashedWords())
    assert kept(store, [first, copy, other], 2) == (first, other)
    assert kept(store, [other, copy, first], 2) == (other, copy)


def test_a_twin_is_no_copy(store: Index, write: Write) -> None:
    """Its vector is nearly the same, or is the same for other words in other places; it stays."""
    right = write("a", "Ada reviews Grace and Linus.")
    wrong = write("b", "Grace reviews Ada and Linus.")
    other = write("c", "The rota changes on Mondays.")
    fill(store, HashedWords())
    with store.reading() as view:
        vectors = view.vectors([right, wrong])
    assert float(vectors[right][0] @ vectors[wrong][0]) > 0.97
    assert kept(store, [right, wrong, other], 2) == (right, wrong)


def test_where_all_fit_nothing_is_looked_at(store: Index, write: Write) -> None:
    """Copies as well."""
    first = write("a", "Deploys are frozen on Fridays.")
    copy = write("b", "Deploys are frozen on Fridays!")
    fill(store, HashedWords())
    assert kept(store, [first, copy], 2) == (first, copy)
    assert kept(store, [], 2) == ()


def test_without_vectors_nothing_is_like_another(store: Index, write: Write) -> None:
    """The first ones are kept; one that has no vector yet beside others that have is too."""
    first = write("a", "Deploys are frozen on Fridays.")
    copy = write("b", "Deploys are frozen on Fridays!")
    other = write("c", "The rota changes on Mondays.")
    assert kept(store, [first, copy, other], 2) == (first, copy)
    fill(store, HashedWords())
    late = write("d", "Deploys are frozen: on Fridays.")
    assert kept(store, [first, late, other], 2) == (first, late)
