"""memhtml as a retrieval system, for a question-set scorer that hands in documents and asks for ids.

    python score.py --impl bench/retrieval.py:fused      # the arms as shipped
    python score.py --impl bench/retrieval.py:lexical    # words alone
    python score.py --impl bench/retrieval.py:vector     # vectors alone

`build(documents)` writes each document into a fresh store as a memory, embeds what is to be embedded, and gives
`search(query, k, now)`: by the same code as `memhtml eval retrieval`, whose figures are those of the scorer.
MEMHTML_BENCH_CACHE names a folder in which vectors are kept between runs, by model and hash of the text.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from memhtml.domain.instants import normalised
from memhtml.domain.memory import MemoryPath
from memhtml.domain.progress import silent
from memhtml.evals.quality import Sought, Way, ask, named, put
from memhtml.evals.questions import Document as Text
from memhtml.evals.scratch import Scratch, scratch
from memhtml.models.embedder import Embedder, Identity, Space
from memhtml.models.minilm import MiniLM
from memhtml.workspace.clock import SystemClock

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Document = dict[str, Any]
Search = Callable[..., list[str]]


class Stored(NamedTuple):
    """A store of documents: which of them each memory is, and what makes vectors for questions."""

    scratch: Scratch
    names: Mapping[MemoryPath, Sequence[str]]
    embedder: Embedder | None
    close: Callable[[], None]


class Kept:
    """An embedder whose vectors are kept in a file, so that a second run costs seconds."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(folder / "vectors.db", check_same_thread=False, timeout=60)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("CREATE TABLE IF NOT EXISTS kept (name BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        self._file.commit()

    @property
    def space(self) -> Space:
        """That of the embedder."""
        return self._embedder.space

    def describe(self) -> Identity:
        """As the embedder does."""
        return self._embedder.describe()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows for ``texts``; those that were made before come from the file."""
        import numpy as np

        names = [hashlib.sha256(f"{self.space}\n{text}".encode()).digest() for text in texts]
        found: dict[bytes, bytes] = {}
        for name in dict.fromkeys(names):
            row = self._file.execute("SELECT vector FROM kept WHERE name = ?", (name,)).fetchone()
            if row is not None:
                found[name] = row[0]
        missing = {name: text for name, text in zip(names, texts, strict=True) if name not in found}
        for start in range(0, len(missing), 256):
            part = list(missing.items())[start : start + 256]
            rows = self._embedder.embed([text for _, text in part])
            made = [(name, row.astype("<f4").tobytes()) for (name, _), row in zip(part, rows, strict=True)]
            found.update(made)
            self._file.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", made)
            self._file.commit()
        return np.stack([np.frombuffer(found[name], dtype="<f4") for name in names])


def stored(documents: Sequence[Document], *, embed: bool) -> Stored:
    """A new store of ``documents``, which of them each path is, and the embedder, when ``embed`` is wanted."""
    open_ = ExitStack()
    folder = open_.enter_context(TemporaryDirectory(prefix="memhtml-bench-", ignore_cleanup_errors=True))
    made = open_.enter_context(scratch({"PATH": os.environ["PATH"], "HOME": folder}))
    now = SystemClock().now()
    texts = [Text(0, "", each["id"], each["text"], normalised(each.get("ts") or "")) for each in documents]
    names = put(made, texts, now, silent)
    maker = _embedder() if embed else None
    if maker is not None:
        made.embed(maker)
    atexit.register(open_.close)
    return Stored(made, names, maker, open_.close)


@cache
def _embedder() -> Embedder:
    folder = os.environ.get("MEMHTML_BENCH_CACHE")
    return Kept(MiniLM(), Path(folder)) if folder else MiniLM()


def _builder(way: Way) -> Callable[[Sequence[Document]], Search]:
    def build(documents: Sequence[Document]) -> Search:
        store = stored(documents, embed=way is not Way.LEXICAL)

        def search(query: str, k: int, now: str | None = None) -> list[str]:
            moment = normalised(now or "") or SystemClock().now()
            answer = ask(store.scratch.index, store.embedder, query, Sought(way, k, moment))
            return named(answer, store.names)[:k]

        search.close = store.close  # type: ignore[attr-defined]
        return search

    return build


fused = _builder(Way.FUSED)
lexical = _builder(Way.LEXICAL)
vector = _builder(Way.VECTOR)


def _prepare(files: Sequence[str]) -> None:
    """Fill the cache with the vectors of question sets: their documents and their queries."""
    import gzip
    import time

    for file in files:
        documents: dict[str, list[Document]] = {}
        with gzip.open(f"{file}.docs.jsonl.gz", "rt", encoding="utf-8") as lines:
            for text in lines:
                document = json.loads(text)
                documents.setdefault(document["store"], []).append(document)
        began = time.process_time()
        for part in documents.values():
            stored(part, embed=True).close()
        with gzip.open(f"{file}.questions.jsonl.gz", "rt", encoding="utf-8") as lines:
            queries = [json.loads(text)["query"] for text in lines]
        _embedder().embed(queries)
        print(f"{file}: {time.process_time() - began:.0f} CPU s", flush=True)


if __name__ == "__main__":
    import sys

    _prepare(sys.argv[1:])
