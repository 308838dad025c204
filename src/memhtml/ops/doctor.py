"""Operation `doctor`: what is wrong with a store, and the repair of what has one right answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import GitError, IndexTooNewError, MemhtmlError, StorageError, UnsafeFileError
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.domain.paths import is_archived
from memhtml.domain.vocabulary import Status
from memhtml.ops.advice import suggestions
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.index.inspection import Problem
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

STALE_HASH = "stale-hash"
STATUS_AND_PLACE = "status-and-place"
CLONE_SETTINGS = "clone-settings"
INDEX_DIFFERS = "index-differs"
INDEX_CLOSED = "index-closed"
INDEX_DAMAGED = "index-damaged"
SET_ASIDE = "set-aside"

_INDEX_FILE = "index.db"
_ASIDE = re.compile(r"((?:index|state|traces)\.db)\.corrupt-[0-9]+")

_ADVICE = {
    "unreadable-file": "edit the file until this is gone; memhtml read PATH shows it",
    "duplicate-content": "memhtml archive the one that is not wanted",
    STATUS_AND_PLACE: "memhtml archive it, or set its memhtml-status to active",
    "dangling-link": "memhtml unlink it, or restore what it led to",
}


class Finding(Struct, frozen=True):
    """One thing that is wrong.

    Attributes:
        code: stable name of the kind.
        path: the file, if it is one.
        message: a sentence.
        fix: what to do.
        repairable: `doctor --fix` does it.
    """

    code: str
    path: str | None
    message: str
    fix: str | None
    repairable: bool


class Health(Struct, frozen=True):
    """The state of a store.

    Attributes:
        healthy: nothing is wrong (any more).
        findings: what is: repository first, then files, then the index.
        repaired: what was wrong and was put right.
        memories: how many are indexed; 0 when the index cannot be opened.
        commit: the commit of the repair, if files were changed.
    """

    healthy: bool
    findings: tuple[Finding, ...]
    repaired: tuple[Finding, ...]
    memories: int
    commit: CommitId | None
    warnings: tuple[Notice, ...]

    @property
    def exit_status(self) -> int:
        """1 while something is wrong."""
        return 0 if self.healthy else 1


def run(workspace: Workspace, arguments: Arguments) -> Health:
    """The `doctor` operation."""
    return doctor(workspace, fix=arguments.flag("fix"))


def doctor(workspace: Workspace, *, fix: bool = False) -> Health:
    """Check the repository, every file and the index; with ``fix``, repair what has one right answer and look again.

    The path decides what is archived, and the article what its hash is: so files in the archive get their stamp, and
    stale hashes are stamped anew, as one commit. Nothing else in a file is changed. A damaged index is made anew by its
    being opened, with or without ``fix``: it counts as repaired.
    """
    house = _linked_house(workspace)
    if house is not None:
        return Health(False, (house, *_settings(workspace)), (), 0, None, ())  # noqa: FBT003 - the first field
    before = tuple(_examined(workspace))
    commit = None
    after = before
    if fix and any(finding.repairable for finding in before):
        commit = _repaired(workspace, before)
        after = tuple(_examined(workspace))
    memories, incidents = _indexed(workspace)
    return Health(
        healthy=not after,
        findings=after,
        repaired=(*_renewed(incidents), *(finding for finding in before if finding not in after)),
        memories=memories,
        commit=commit,
        warnings=tuple(Notice("INDEX_DAMAGED", one) for one in incidents if not one.startswith(_INDEX_FILE)),
    )


def _renewed(incidents: Sequence[str]) -> Iterator[Finding]:
    """The damage of the index, which is right again; that of the state is a warning, for not all of it comes back."""
    for incident in incidents:
        if incident.startswith(_INDEX_FILE):
            advice = "nothing: it was made anew from the files"
            yield Finding(INDEX_DAMAGED, f"{_house()}/{_INDEX_FILE}", incident, advice, repairable=True)


def _house() -> str:
    from memhtml.store.layout import HOUSE

    return HOUSE


def _linked_house(workspace: Workspace) -> Finding | None:
    """A link in the place of the folder that holds index, state and settings: through it nothing is opened."""
    try:
        _ = workspace.repository
    except UnsafeFileError as error:
        message = f"nothing else was looked at: {error.message}"
        return Finding("unsafe-file", _house(), message, "; ".join(suggestions(error)), repairable=False)
    return None


def _indexed(workspace: Workspace) -> tuple[int, tuple[str, ...]]:
    """How many memories are indexed, and what was damaged; nothing of either when the index cannot be opened."""
    if _closed_index(workspace) is not None:
        return 0, ()
    with workspace.index.reading() as view:
        return view.total, workspace.index.incidents


def _closed_index(workspace: Workspace) -> Finding | None:
    """What keeps the index from being opened: something else in its place, or a later memhtml that made it."""
    try:
        _ = workspace.index
    except (UnsafeFileError, IndexTooNewError, StorageError) as error:
        message = f"the index was not looked at: {error.message}"
        return Finding(INDEX_CLOSED, None, message, "; ".join(suggestions(error)), repairable=False)
    return None


def _examined(workspace: Workspace) -> Iterator[Finding]:
    repository = workspace.repository
    for seen in repository.check():
        yield Finding(seen.code, seen.path, seen.message, seen.fix, seen.repairable)
    closed = _closed_index(workspace)
    if closed is None:
        yield from _compared(workspace)
    else:
        yield closed
    yield from _set_aside(workspace)
    yield from _settings(workspace)


def _set_aside(workspace: Workspace) -> Iterator[Finding]:
    """Damaged databases that were moved out of the way, by name. Only the index can be made again without its own."""
    for name, kind in _aside(workspace).items():
        again = kind == _INDEX_FILE
        message = f"{name} is a damaged {kind} that was moved aside" + (
            "; the index needs nothing of it" if again else ""
        )
        keep = "keep it elsewhere, or remove it: it may hold what cannot be made again, so memhtml does not"
        yield Finding(
            SET_ASIDE, f"{_house()}/{name}", message, "memhtml doctor --fix removes it" if again else keep, again
        )


def _aside(workspace: Workspace) -> dict[str, str]:
    """The plain files that were set aside, and of which database each is."""
    house = workspace.repository.root / _house()
    if not house.is_dir():
        return {}
    found = {path.name: _ASIDE.fullmatch(path.name) for path in sorted(house.iterdir()) if _is_plain(path)}
    return {name: match[1] for name, match in found.items() if match}


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _remove_aside(workspace: Workspace) -> None:
    """Take away the damaged indexes, with their journals; one that somebody holds open stays a finding."""
    house = workspace.repository.root / _house()
    for name in (name for name, kind in _aside(workspace).items() if kind == _INDEX_FILE):
        for ending in ("-wal", "-shm", "-journal", ""):
            with suppress(OSError):
                (house / f"{name}{ending}").unlink(missing_ok=True)


def _settings(workspace: Workspace) -> Iterator[Finding]:
    for fault in workspace.settings.faults:
        yield Finding("bad-setting", fault.file, fault.message, fault.fix, repairable=False)
    for file, name in workspace.settings.ignored:
        yield Finding("unknown-setting", file, f"{file} sets {name}, which is not heard there", "take it out", False)  # noqa: FBT003 - the last field


def _compared(workspace: Workspace) -> Iterator[Finding]:
    """The index beside the files; where git cannot give the files, that is told already, and they are not compared."""
    try:
        yield from _index(workspace)
    except GitError as error:
        message = f"the index was not compared with the files: {error.message}"
        yield Finding(INDEX_CLOSED, None, message, "mend the repository first", repairable=False)


def _index(workspace: Workspace) -> Iterator[Finding]:
    repository, index = workspace.repository, workspace.index
    report = index.verify(repository)
    edited = repository.uncommitted().present
    for problem in index.problems():
        yield _advised(problem, edited)
    if not report.sound:
        message = f"the index differs from the files in {report.differences} of {report.rows} rows"
        yield Finding(INDEX_DIFFERS, None, message, "memhtml index rebuild", repairable=True)
    yield from _vectors(workspace)


def _advised(problem: Problem, edited: Collection[MemoryPath]) -> Finding:
    """What to do about a file. A stamp goes into no edit that its author has not committed."""
    stamped = problem.code == STALE_HASH or (problem.code == STATUS_AND_PLACE and is_archived(problem.path))
    repairable = stamped and problem.path not in edited
    advice = _ADVICE.get(problem.code)
    if stamped:
        stamps = "memhtml doctor --fix stamps it"
        advice = stamps if repairable else f"commit your edit first (git add, git commit), then {stamps}"
    return Finding(problem.code, problem.path, f"{problem.path} {problem.message}", advice, repairable)


def _vectors(workspace: Workspace) -> Iterator[Finding]:
    """An embedder that cannot be made, or vectors of another space than the configured one."""
    try:
        embedder = workspace.embedder
        if embedder is not None:
            with workspace.index.reading() as view:
                view.require_space(embedder.space)
    except MemhtmlError as error:
        fix = error.suggestions[0] if error.suggestions else None
        yield Finding("vectors", None, error.message, fix, False)  # noqa: FBT003 - the last field


def _repaired(workspace: Workspace, findings: Sequence[Finding]) -> CommitId | None:
    repository = workspace.repository
    codes = {finding.code for finding in findings if finding.repairable}
    repository.recover_if_needed()
    repository.repair()
    if CLONE_SETTINGS in codes:
        from memhtml.store.founding import init

        init(repository.root, environment=workspace.variables, lock_wait=workspace.settings.lock_wait)
    commit = None
    stamps = [
        MemoryPath(f.path) for f in findings if f.repairable and f.path and f.code in {STALE_HASH, STATUS_AND_PLACE}
    ]
    if stamps:
        commit = _stamped(workspace, list(dict.fromkeys(stamps)))
    if INDEX_DIFFERS in codes:
        workspace.index.rebuild(repository)
    if SET_ASIDE in codes:
        _remove_aside(workspace)
    repository.maintain()
    return commit


def _stamped(workspace: Workspace, paths: Sequence[MemoryPath]) -> CommitId | None:
    def stage(desk: Desk) -> Staged[int]:
        transaction = desk.transaction
        stamped = 0
        for path in paths:
            data = transaction.read(path)
            if data is not None:
                transaction.put(path, _restamped(data, path, desk))
                stamped += 1
        return Staged(stamped, Told(f"memory(doctor): stamps of {stamped} files"))

    return change(workspace, stage).commit


def _restamped(data: bytes, path: MemoryPath, desk: Desk) -> bytes:
    from memhtml.page.read import read
    from memhtml.page.splice import SetMeta, apply
    from memhtml.store.archiving import stamp

    facts = read(data).facts
    if facts is None:
        return data
    edits: list[SetMeta] = []
    if facts.head.content_hash is not None and facts.head.content_hash != facts.content_hash:
        edits.append(SetMeta("memhtml-content-hash", facts.content_hash))
    if is_archived(path) and facts.head.status is Status.ACTIVE:
        edits.append(SetMeta("memhtml-status", Status.ARCHIVED.value))
        edits.append(SetMeta("memhtml-archived", facts.head.archived or stamp(facts.head, desk.now)))
    return apply(data, edits) if edits else data
