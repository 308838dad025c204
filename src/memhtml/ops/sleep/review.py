"""Operation `sleep review`: every change of a run, with its reason, what was and what would be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict, replace

from memhtml.domain.errors import InvalidFlagError, WriteConflictError
from memhtml.ops.arguments import shown
from memhtml.ops.sleep.runs import open_run
from memhtml.sleep.review.report import GENERATOR, whole_page
from memhtml.sleep.review.review import Review, reviewed
from memhtml.store.branches import Runs

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

_HEAD = 4096
"""Bytes at the beginning of a file in which a page says that it is one."""


class SleepReview(Review, frozen=True, kw_only=True):
    """A run, and where a page about it was written; ``None`` when none was asked for."""

    page: Path | None


class _Page(Struct, frozen=True):
    """Where a page is to go."""

    place: Path
    text: str


def run(workspace: Workspace, arguments: Arguments) -> SleepReview:
    """The `sleep review` operation."""
    html = arguments.text("html")
    return review_run(
        workspace,
        arguments.text("run"),
        phases=arguments.texts("phase"),
        html=None if html is None else Path(html),
    )


def review_run(
    workspace: Workspace, name: str | None = None, *, phases: Sequence[str] = (), html: Path | None = None
) -> SleepReview:
    """The run as its branch has it, before it has landed and after.

    Args:
        workspace: the store.
        name: of the run; ``None``: the only one that is open.
        phases: only the commits of these; all are counted.
        html: a file that is made, with a page that a browser shows and that needs nothing else.

    Raises:
        PathNotFoundError: there is no such run, or none is open.
        MissingArgumentError: several runs are open, and none is named.
        InvalidFlagError: the run has no such phase, or no page can be at ``html``.
        WriteConflictError: something else than such a page is there.
        StorageError: it cannot be written.
        GitError: git refused.
    """
    runs = Runs(workspace.repository)
    found = _only(reviewed(workspace.repository.git, runs.find(open_run(runs, name))), phases)
    if html is not None:
        _write(_Page(html, whole_page(found)), workspace.repository.root)
    return SleepReview(**asdict(found), page=html)


def run_page(workspace: Workspace, name: str | None = None) -> str:
    """The page alone, as text.

    Raises:
        PathNotFoundError: there is no such run, or none is open.
        MissingArgumentError: several runs are open, and none is named.
        GitError: git refused.
    """
    runs = Runs(workspace.repository)
    return whole_page(reviewed(workspace.repository.git, runs.find(open_run(runs, name))))


def _only(review: Review, phases: Sequence[str]) -> Review:
    known = [phase.phase for phase in review.phases]
    strange = [name for name in phases if name not in known]
    if strange:
        raise InvalidFlagError(
            f"the run {review.run} has no phase {shown(strange[0])}", suggestions=(f"it has {', '.join(known)}",)
        )
    if not phases:
        return review
    return replace(review, commits=tuple(commit for commit in review.commits if commit.phase in phases))


def _write(page: _Page, root: Path) -> None:
    """Put the page where it is wanted, whole or not at all."""
    import os
    import tempfile

    place = page.place.expanduser().resolve()
    if place.is_relative_to(root.resolve()):
        raise InvalidFlagError(
            "--html takes a file outside of the store, where it would be taken for a memory",
            suggestions=("--html review.html, from another folder",),
        )
    if place.exists() and not _is_page(place):
        raise WriteConflictError(
            f"{page.place} is no page of memhtml sleep, so it is not written over",
            suggestions=("name another file, or take that one away",),
        )
    made, name = tempfile.mkstemp(dir=place.parent, prefix=".review-", suffix=".html")
    try:
        with os.fdopen(made, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(page.text)
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _is_page(place: Path) -> bool:
    if not place.is_file():
        return False
    with place.open("rb") as stream:
        return GENERATOR.encode() in stream.read(_HEAD)
