"""Operation `exec`: a question that no command asks, as a script over the memories of one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError, PathNotFoundError
from memhtml.domain.memory import CommitId
from memhtml.ops.exec_corpus import Corpus
from memhtml.retrieve.answer import Degraded
from memhtml.sandbox.limits import MEGABYTE, Limits
from memhtml.sandbox.script import run as run_script
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


MOST_IN_A_CONVERSATION = 20_000
"""Characters that a script prints for an agent, and as many that it reports."""


class Reported(Struct, frozen=True):
    """What a script reported.

    Attributes:
        commit: whose memories it looked at.
        memories: how many are in use there, without tasks.
        value: the report.
        printed: what it printed on the way.
        degraded: arms of its searches that could not take part.
    """

    commit: CommitId
    memories: int
    value: object
    printed: str
    degraded: tuple[Degraded, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Reported:
    """The `exec` operation."""
    seconds = arguments.number("limit_seconds")
    limits = Limits(seconds=seconds or Limits().seconds, memory=arguments.count("limit_memory_mb") * MEGABYTE)
    return execute(workspace, arguments.needed("script"), limits, commit=arguments.text("commit"))


def run_briefly(workspace: Workspace, arguments: Arguments) -> Reported:
    """As `run`, with a report that a conversation has room for."""
    limits = Limits(output=MOST_IN_A_CONVERSATION)
    return execute(workspace, arguments.needed("script"), limits, commit=arguments.text("commit"))


def execute(workspace: Workspace, script: str, limits: Limits | None = None, *, commit: str | None = None) -> Reported:
    """Run ``script`` over the memories of a commit.

    Neither the store nor its index is changed, whatever the script does; what is not committed is not seen.

    Args:
        workspace: the store.
        script: a subset of Python that calls ``report(value)`` once.
        limits: what it may use.
        commit: an instant or a commit's id; by default the last commit.

    Raises:
        PathNotFoundError: the store has no such commit.
        InvalidInputError: the script is empty, or too long.
        PackageMissingError: the interpreter is not installed.
        ExecFailedError: the script failed.
        ExecLimitError: it used more than it may.
    """
    warnings = workspace.catch_up()
    chosen = workspace.repository.head() if commit is None else workspace.repository.commit_at(commit)
    if chosen is None:
        raise PathNotFoundError("the store has no commit yet")
    embedder, more = _embedder(workspace)
    with workspace.index.at_commit(workspace.repository, chosen) as index:
        corpus = Corpus(index, embedder, workspace.clock.now())
        outcome = run_script(script, corpus.given(), limits or Limits(), workspace.clock.now())
    return Reported(
        commit=chosen,
        memories=corpus.memories,
        value=outcome.value,
        printed=outcome.printed,
        degraded=corpus.degraded,
        warnings=(*warnings, *more),
    )


def _embedder(workspace: Workspace) -> tuple[Embedder | None, tuple[Notice, ...]]:
    """What makes vectors of questions; texts without a vector stay without, since nothing is to be changed."""
    try:
        return workspace.embedder, ()
    except MemhtmlError as error:
        return None, (Notice(error.code, f"words only, without vectors: {error.message}"),)
