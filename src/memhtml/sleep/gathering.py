"""From an index and the files of a commit to what a phase looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memhtml.domain.memory import Facts, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.state import Access
from memhtml.sleep.corpus import Corpus, Files, Night, Remembered, Talks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.index.index import Index
    from memhtml.index.memories import MemoryRow

_ALL = Scope(types=frozenset(MemoryType), archived=True)


def gather(index: Index, files: Files, night: Night, talks: Talks) -> Corpus:
    """The corpus of the store that ``index`` holds, which must be at the commit of ``files``.

    Raises:
        StorageError: the index cannot be read.
    """
    with index.reading() as view:
        rows = view.rows(sorted(view.listed(_ALL)))
        live = [path for path, row in rows.items() if not row.archived and row.type is not MemoryType.TASK]
        texts, used, vectors, links = view.texts(live), view.state(live), view.vectors(live), view.links()
    return Corpus(
        night=night,
        memories={
            path: Remembered(rows[path], texts[path].body, used.get(path, Access(path)), _one(vectors, path))
            for path in live
        },
        tasks=_tasks(rows),
        archived={path: row for path, row in rows.items() if row.archived},
        ties=links,
        files=files,
        facts=facts_of(files),
        usage=index.state.export,
        talks=talks,
    )


def facts_of(files: Files) -> Callable[[MemoryPath], Facts | None]:
    """What says what the file at a path says; ``None`` where no file is, or one that breaks the format."""
    from memhtml.page.read import read

    def facts(path: MemoryPath) -> Facts | None:
        data = files.read(path)
        return None if data is None else read(data).facts

    return facts


def _tasks(rows: Mapping[MemoryPath, MemoryRow]) -> dict[MemoryPath, MemoryRow]:
    return {path: row for path, row in rows.items() if not row.archived and row.type is MemoryType.TASK}


def _one(vectors: Mapping[MemoryPath, NDArray[np.float32]], path: MemoryPath) -> NDArray[np.float32] | None:
    """One unit vector for all chunks of a memory: their mean. A text of one chunk has that chunk's."""
    import numpy as np

    chunks = vectors.get(path)
    if chunks is None or not len(chunks):
        return None
    mean = chunks.mean(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length else None
