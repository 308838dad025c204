"""Whether a night may begin, and what it finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.domain.errors import DirtyTreeError, IndexStaleError
from memhtml.sleep.corpus import Corpus

if TYPE_CHECKING:
    from memhtml.domain.memory import MemoryPath
    from memhtml.index.index import Index
    from memhtml.store.repository import Repository

PREFLIGHT = "preflight"
LEAST_COVERAGE = 0.5
"""Share of the texts that must have a vector: with fewer, memories that say the same are not seen."""

_SHOWN = 5


def refuse_unready(live: Repository, index: Index) -> None:
    """See that main holds everything, and that most of it can be compared; the index is brought up to date first.

    Another writer has its files in the work tree for a moment before its commit. So what looks uncommitted is looked at
    again when no writer is at work; who finds nothing waits for nobody.

    Raises:
        DirtyTreeError: something in the work tree is not committed: it would be left out.
        LockedError: another writer held the store for longer than the wait.
        IndexStaleError: less than half of the texts have vectors, or another process is writing the index.
        StorageError: the index cannot be read or written.
        GitError: git refused.
    """
    paths = _uncommitted(live)
    if paths:
        with live.locked():
            paths = _uncommitted(live)
    if paths:
        more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
        raise DirtyTreeError(
            f"a night begins from what is committed, and this is not: {', '.join(paths[:_SHOWN])}{more}",
            paths=paths,
            suggestions=("commit them (git add and git commit in the store), or put them away, then try again",),
        )
    index.catch_up(live)
    with index.reading() as view:
        coverage = view.coverage()
    if coverage < LEAST_COVERAGE:
        raise IndexStaleError(
            f"only {coverage:.0%} of the store's texts have vectors, and a night compares memories by them",
            suggestions=("memhtml index embed", "memhtml config, if vectors are off"),
        )


def _uncommitted(live: Repository) -> tuple[MemoryPath, ...]:
    found = live.uncommitted()
    return tuple(sorted({*found.present, *found.deleted, *found.unsafe}))


def counted(corpus: Corpus) -> dict[str, int]:
    """What the store holds."""
    return {
        "archived": len(corpus.archived),
        "links": len(corpus.ties),
        "memories": len(corpus.memories),
        "tasks": len(corpus.tasks),
        "vectors": sum(memory.vector is not None for memory in corpus.memories.values()),
    }
