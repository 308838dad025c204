"""From a file to its rows: the one place that decides what the index holds of a memory. Pure."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.chunks import chunks, embedded_text
from memhtml.domain.digests import sha256
from memhtml.domain.memory import BlobId, Facts, MemoryPath
from memhtml.domain.paths import is_archived, original_path, workspace_of
from memhtml.domain.terms import search_text
from memhtml.domain.vocabulary import MemoryType
from memhtml.domain.wordings import digests


class Document(Struct, frozen=True):
    """The tokens of a memory, a column each, as the lexical index takes them."""

    title: str
    claim: str
    body: str
    tags: str
    entities: str


class ChunkRow(Struct, frozen=True):
    """A piece of the body, and the hash of what the embedder is given for it."""

    start: int
    stop: int
    text_hash: str


class Projected(Struct, frozen=True):
    """All rows of one memory.

    Attributes:
        archived: by the path, whatever the file's own status says.
        original: the path with one archive prefix taken off.
        live: whether its content counts for deduplication: not archived, no task.
        wordings: digests of the texts by which it is known.
    """

    path: MemoryPath
    blob: BlobId
    facts: Facts
    archived: bool
    original: MemoryPath
    workspace: str | None
    document: Document
    chunks: tuple[ChunkRow, ...]
    wordings: tuple[int, ...]

    @property
    def live(self) -> bool:
        """Whether its content counts for deduplication: not archived, no task."""
        return not self.archived and self.facts.head.type is not MemoryType.TASK


class Unreadable(Struct, frozen=True):
    """A file that breaks the format: it is counted and named, and has no other rows."""

    path: MemoryPath
    blob: BlobId
    reason: str


def project(data: bytes, path: MemoryPath, blob: BlobId) -> Projected | Unreadable:
    """The rows of the file ``data`` at ``path``, whose git blob is ``blob``. Never raises, whatever the bytes are."""
    # Markup is only parsed when something changed: a search of an index that is up to date imports no parser.
    from memhtml.page.read import read

    reading = read(data)
    if reading.facts is None:
        return Unreadable(path, blob, "; ".join(violation.message for violation in reading.violations))
    return rows_of(reading.facts, path, blob)


def rows_of(facts: Facts, path: MemoryPath, blob: BlobId) -> Projected:
    """The rows of a memory whose facts are known."""
    return Projected(
        path=path,
        blob=blob,
        facts=facts,
        archived=is_archived(path),
        original=original_path(path),
        workspace=workspace_of(path),
        document=Document(
            title=search_text(facts.title),
            claim=search_text(facts.gist),
            body=search_text(facts.body),
            tags=search_text(" ".join((*facts.head.tags, *facts.head.aliases))),
            entities=search_text(" ".join(entity.name for entity in facts.entities)),
        ),
        chunks=tuple(
            ChunkRow(chunk.start, chunk.stop, text_hash(embedded_text(facts.title, facts.body, chunk)))
            for chunk in chunks(facts.title, facts.body)
        ),
        wordings=digests(facts.title, facts.gist, facts.body),
    )


def text_hash(text: str) -> str:
    """The name of a text among vectors: sha256 of its UTF-8, in hex."""
    return sha256(text.encode())
