"""Operation `eval retrieval`: how well search does on a question set, by words, by vectors, and by all arms."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import (
    InvalidInputError,
    MemhtmlError,
    MissingArgumentError,
    UnexpectedArgumentError,
)
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import memory_path
from memhtml.evals.quality import Asking, LeftOut, Score, Scores, score_documents, score_store
from memhtml.evals.questions import Question, documents, questions, refuse, require_documents
from memhtml.ops.arguments import bounded, shown
from memhtml.ops.rows_evals import LEAST_HITS
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder
    from memhtml.ops.arguments import Arguments
    from memhtml.store.snapshot import Snapshot
    from memhtml.workspace.workspace import Workspace

VECTORS_OFF = "vectors are off; `--embed on` asks with them"

_GZIP = b"\x1f\x8b"


class RetrievalScores(Struct, frozen=True):
    """How well each way to search answers.

    Attributes:
        questions: how many were asked.
        stores: how many stores they were asked of.
        memories: how many documents, or memories of the user's store, could be found.
        limit: hits that each search was asked for.
        space: of the vectors; ``None`` where none took part.
        scores: by words alone, by vectors alone, by all arms; those that could be measured.
        left_out: those that could not.
    """

    questions: int
    stores: int
    memories: int
    limit: int
    space: str | None
    scores: tuple[Score, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> RetrievalScores:
    """The `eval retrieval` operation."""
    asked, texts, own = arguments.needed("questions"), arguments.text("documents"), arguments.flag("store")
    if own and texts is not None:
        raise UnexpectedArgumentError("--store asks your own store, and takes no --documents")
    if own:
        return score_own(workspace, Path(asked), limit=arguments.count("limit"))
    if texts is None:
        raise MissingArgumentError(
            "eval retrieval needs --documents, or --store",
            suggestions=("--documents FILE asks what is in a file", "--store asks your own store"),
        )
    return score_files(workspace, Path(asked), Path(texts), limit=arguments.count("limit"))


def score_files(workspace: Workspace, asked: Path, texts: Path, *, limit: int) -> RetrievalScores:
    """Put the documents of a file into scratch stores, and ask them the questions of another. No store is needed.

    Raises:
        InvalidInputError: a file cannot be read, or holds something else; by line.
        InvalidFlagError: the limit is too small for the figures.
    """
    bounded("limit", limit, LEAST_HITS)
    found, known = questions(contents(asked), asked.name), documents(contents(texts), texts.name)
    require_documents(found, asked.name, known)
    embedder, why, warnings = _embedder(workspace)
    asking = Asking(embedder, why, limit, workspace.clock.now(), workspace.progress)
    scores = score_documents(known, found, asking, workspace.variables)
    stores = {question.store for question in found}
    memories = sum(document.store in stores for document in known)
    return _answer(scores, asking, (len(found), len(stores), memories), warnings)


def score_own(workspace: Workspace, asked: Path, *, limit: int) -> RetrievalScores:
    """Ask the user's own store the questions of a file. The paths in it lead to where the memories live now.

    Raises:
        InvalidInputError: the file cannot be read, or holds something else, or names what no search can find; by line.
        InvalidFlagError: the limit is too small for the figures.
    """
    bounded("limit", limit, LEAST_HITS)
    found = questions(contents(asked), asked.name)
    warnings = workspace.catch_up()
    embedder, more = workspace.searching_embedder()
    why = more[0].message if more else VECTORS_OFF
    asking = Asking(embedder, why, limit, workspace.clock.now(), workspace.progress)
    with workspace.index.reading() as view:
        from memhtml.domain.scope import Scope

        known = frozenset(view.listed(Scope()))
    with workspace.repository.snapshot() as snapshot:
        found = _located(found, asked.name, snapshot, known)
    scores = score_store(workspace.index, found, asking)
    return _answer(scores, asking, (len(found), 1, len(known)), (*warnings, *more))


def contents(file: Path) -> str:
    """The text of a file, unpacked where it is gzip.

    Raises:
        InvalidInputError: it cannot be read, or is no text.
    """
    try:
        data = file.read_bytes()
        data = gzip.decompress(data) if data.startswith(_GZIP) else data
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged, or no such name is possible"
        raise InvalidInputError(
            f"{shown(file.name)} cannot be read: {reason}", suggestions=("name a file of JSON lines, plain or gzip",)
        ) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInputError(f"{file.name}, line {line}: no UTF-8", suggestions=("save it as UTF-8",)) from error


def _embedder(workspace: Workspace) -> tuple[Embedder | None, str, tuple[Notice, ...]]:
    """What makes vectors; without one, why there is none."""
    try:
        embedder = workspace.embedder
    except MemhtmlError as error:
        return None, error.message, (Notice(error.code, f"words only, without vectors: {error.message}"),)
    return embedder, VECTORS_OFF, ()


def _located(
    asked: Sequence[Question], name: str, snapshot: Snapshot, known: frozenset[MemoryPath]
) -> tuple[Question, ...]:
    """The questions with their paths led to where the memories live now.

    What answers is followed to what took its place; what only seems to stays what it was, in the archive if there.

    Raises:
        InvalidInputError: a path is none, or leads to nothing, or what answers is not among what a search looks at.
    """
    from memhtml.store.resolving import located, resolve

    found: list[Question] = []
    faults: list[tuple[int, str]] = []
    for question in asked:
        try:
            gold = tuple(path if path in known else resolve(snapshot, path).path for path in _paths(question.gold))
            controls = tuple(path if path in known else located(snapshot, path) for path in _paths(question.controls))
        except MemhtmlError as error:
            faults.append((question.line, error.message))
            continue
        hidden = next((path for path in gold if path not in known), None)
        if hidden is not None:
            faults.append((question.line, f"no search finds {hidden}: it is archived, a task, or no memory"))
        lost = next((text for text, path in zip(question.controls, controls, strict=True) if path is None), None)
        if lost is not None:
            faults.append((question.line, f"there is no memory at {shown(lost)}"))
        found.append(replace(question, gold=gold, controls=tuple(path for path in controls if path is not None)))
    refuse(name, faults, "name memories by their paths, as `memhtml list` shows them")
    return tuple(found)


def _paths(texts: Sequence[str]) -> list[MemoryPath]:
    return [memory_path(text) for text in texts]


def _answer(
    scores: Scores, asking: Asking, counts: tuple[int, int, int], warnings: tuple[Notice, ...]
) -> RetrievalScores:
    asked, stores, memories = counts
    space = None if scores.left_out or asking.embedder is None else asking.embedder.space
    return RetrievalScores(asked, stores, memories, asking.limit, space, scores.scores, scores.left_out, warnings)
