"""memhtml as a retrieval system, for a question-set scorer that hands in documents and asks for ids.

    python score.py --impl bench/retrieval.py:fused      # the arms as shipped
    python score.py --impl bench/retrieval.py:lexical    # words alone
    python score.py --impl bench/retrieval.py:vector     # vectors alone

`build(documents)` writes each document into a fresh store as a memory (title: its first characters; claim: its first
sentence; body: the rest; when it happened: its date), embeds what is to be embedded, and gives `search(query, k, now)`.
MEMHTML_BENCH_CACHE names a folder in which vectors are kept between runs, by model and hash of the text.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memhtml import Store
from memhtml.retrieve.answer import Answer, Arm, Request
from memhtml.retrieve.search import search as one_search

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.models.embedder import Embedder

TITLE = 80
BATCH = 2000
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")

Document = dict[str, Any]
Search = Callable[..., list[str]]


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
    def space(self) -> str:
        """That of the embedder."""
        return self._embedder.space

    def describe(self) -> Any:  # noqa: ANN401 - whatever the embedder says
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


def line(document: Document) -> dict[str, Any]:
    """A document as a line of `apply`."""
    text = document["text"].strip()
    claim = _SENTENCE_END.split(text, maxsplit=1)[0].strip()
    rest = text[len(claim) :].strip()
    written: dict[str, Any] = {
        "op": "write",
        "type": "semantic",
        "title": " ".join(text[:TITLE].split()),
        "claim": claim,
    }
    if rest:
        written["body"] = rest
    if document.get("ts"):
        written["event_at"] = f"{document['ts'][:19]}Z"
    return written


def stored(documents: Sequence[Document], *, embed: bool) -> tuple[Store, dict[str, list[str]]]:
    """A new store of ``documents``, and which of them each path is; equal ones share a path."""
    folder = Path(tempfile.mkdtemp(prefix="memhtml-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "OMP_NUM_THREADS": "1"}
    store = Store.init(folder / "store", embed="on" if embed else "off", variables=environment)
    paths: dict[str, list[str]] = {}
    for start in range(0, len(documents), BATCH):
        part = documents[start : start + BATCH]
        done = store.apply([line(document) for document in part])
        for document, result in zip(part, done.results, strict=True):
            paths.setdefault(str(result.path), []).append(document["id"])
    if embed:
        cache = os.environ.get("MEMHTML_BENCH_CACHE")
        if cache:
            workspace = store._workspace  # noqa: SLF001 - a benchmark puts its cache between store and model
            workspace._embedder = Kept(workspace.embedder, Path(cache))  # noqa: SLF001 - the same
        store.embed()
    return store, paths


def _by(store: Store, request: Request) -> Answer:
    """A search by some arms only, which no user has a use for."""
    workspace = store._workspace  # noqa: SLF001 - a benchmark looks at one arm at a time
    embedder = workspace.embedder if request.arms and Arm.VECTOR in request.arms else None
    return one_search(workspace.index, embedder, request, workspace.clock.now())


def _builder(arms: Iterable[Arm] | None) -> Callable[[Sequence[Document]], Search]:
    wanted = None if arms is None else frozenset(arms)

    def build(documents: Sequence[Document]) -> Search:
        store, paths = stored(documents, embed=wanted is None or Arm.VECTOR in wanted)

        def search(query: str, k: int, now: str | None = None) -> list[str]:
            del now  # memories carry their own dates; nothing here depends on today
            if wanted is None:
                answer: Any = store.search(query, limit=k, bar=False)
            else:
                answer = _by(store, Request(query=query, limit=k, bar=False, arms=wanted))
            return [document for hit in answer.hits for document in paths[hit.path]][:k]

        search.close = store.close  # type: ignore[attr-defined]
        return search

    return build


fused = _builder(None)
lexical = _builder([Arm.LEXICAL])
vector = _builder([Arm.VECTOR])


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
        embedder: Any = None
        for part in documents.values():
            store, _ = stored(part, embed=True)
            embedder = store._workspace.embedder  # noqa: SLF001 - the cache that `stored` put there
            store.close()
        with gzip.open(f"{file}.questions.jsonl.gz", "rt", encoding="utf-8") as lines:
            queries = [json.loads(text)["query"] for text in lines]
        embedder.embed(queries)
        print(f"{file}: {time.process_time() - began:.0f} CPU s", flush=True)


if __name__ == "__main__":
    import sys

    _prepare(sys.argv[1:])
