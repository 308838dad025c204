"""A scratch store: a real git repository with the real index, in a folder that is gone afterwards."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.progress import Progress, silent
from memhtml.index.index import Index
from memhtml.store.repository import Repository

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder

BATCH = 2000
"""Memories of one commit."""

PORTION = 64
"""Texts that are embedded between two looks at the progress."""


class Scratch(Struct, frozen=True):
    """A store that nobody owns. Files, commits, index and vectors are made as for any other."""

    repository: Repository
    index: Index

    def write(self, memories: Sequence[tuple[Draft, Instant]], progress: Progress = silent) -> tuple[MemoryPath, ...]:
        """Write drafts, each as of its instant, and let the index follow; their paths, in order.

        A draft with the content of an earlier one gets the path of that one, as a write does.

        Raises:
            MemhtmlError: as `memhtml.store.writing.stage_write` says of the first draft that is refused.
        """
        from memhtml.store.writing import stage_write

        paths: list[MemoryPath] = []
        for start in range(0, len(memories), BATCH):
            with self.repository.transaction() as transaction:
                for draft, now in memories[start : start + BATCH]:
                    if not len(paths) % PORTION:
                        progress("writing", len(paths), len(memories))
                    duplicates = self.index.duplicates
                    paths.append(stage_write(transaction, draft, now=now, duplicates=duplicates).path)
                transaction.commit(f"memory(apply): {len(paths) - start} changes", when=memories[start][1])
            self.index.catch_up(self.repository)
        return tuple(paths)

    def embed(self, embedder: Embedder, progress: Progress = silent) -> None:
        """Make every vector.

        Raises:
            ModelUnavailableError: the embedder cannot work.
        """
        embed_all(self.index, embedder, progress)


def embed_all(index: Index, embedder: Embedder, progress: Progress = silent) -> None:
    """Make every vector that ``index`` lacks.

    Raises:
        ModelUnavailableError: the embedder cannot work.
        EmbedModelMismatchError: the index holds vectors of another space.
    """
    from memhtml.index.embedding import fill

    missing = index.missing_vectors()
    progress("embedding", 0, missing)
    while (report := fill(index, embedder, PORTION)).embedded:
        progress("embedding", missing - report.remaining, missing)
    if report.failure is not None:
        raise ModelUnavailableError(report.failure)


@contextmanager
def scratch(environment: Mapping[str, str]) -> Generator[Scratch]:
    """An empty store, for as long as the context lasts.

    Args:
        environment: what git is run with.

    Raises:
        StorageError: the temporary folder cannot be written.
        GitError: git is missing, too old, or refused.
    """
    from memhtml.store.founding import init

    with TemporaryDirectory(prefix="memhtml-", ignore_cleanup_errors=True) as folder:
        root = init(Path(folder) / "store", environment=environment).root
        with Index.open(root) as index:
            yield Scratch(Repository.open(root, environment=environment), index)
