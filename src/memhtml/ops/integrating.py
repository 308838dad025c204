"""Operations `integrations`: make memhtml known to an agent's host, and take exactly that back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.config.environment import home, state_folder
from memhtml.domain.errors import (
    IntegrationRefusedError,
    InvalidFlagError,
    PackageMissingError,
    UnexpectedArgumentError,
)
from memhtml.domain.surrogates import has_surrogate
from memhtml.integrations import entries, files, hosts, installing
from memhtml.integrations import receipt as receipts
from memhtml.integrations.hosts import HostName, Places, Reach, Target
from memhtml.integrations.installing import Change
from memhtml.integrations.receipt import Receipt, Written
from memhtml.ops.arguments import shown
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

ELSEWHERE = "INTEGRATION_ELSEWHERE"
"""Code of the notice that a host has it in another scope or project."""

GONE = "INTEGRATION_GONE"
"""Code of the notice that nothing of it is in a file any more, which stays as it is."""

NO_STORE = "STORE_MISSING"
"""Code of the notice that a host is told a store that is not there yet."""


class FileChange(Struct, frozen=True):
    """What becomes of one file.

    Attributes:
        path: the file.
        action: ``create``, ``change`` or ``remove``.
        added: what is put in, as it is written; empty where something is taken out. What else the file holds is
            never repeated.
    """

    path: Path
    action: str
    added: str


class Integrated(Struct, frozen=True):
    """What was done to a host's files, or would be.

    Attributes:
        host: whose files.
        scope: for whom.
        project: the project's folder, in the scope of one.
        done: it was done; else this is what would be.
        files: those that change, in the order of writing; none where nothing is to be done.
        receipt: what says, as long as it is there, what was put where.
    """

    host: HostName
    scope: Reach
    project: Path | None
    done: bool
    files: tuple[FileChange, ...]
    receipt: Path
    warnings: tuple[Notice, ...] = ()

    @property
    def commit(self) -> None:
        """No commit: no memory is changed."""

    @property
    def changed(self) -> bool:
        """A file was changed."""
        return self.done and bool(self.files)


class Whose(Struct, frozen=True):
    """One host in one scope.

    Attributes:
        project: its folder, in the scope of one.
        receipt: the file of its receipt.
    """

    host: HostName
    scope: Reach
    project: Path | None
    receipt: Path


def run_install(workspace: Workspace, arguments: Arguments) -> Integrated:
    """The `integrations install` operation."""
    done, whose = _wanted(arguments), _whose(workspace, arguments)
    with _alone(workspace, done=done):
        return install(workspace, whose, done=done)


def run_uninstall(workspace: Workspace, arguments: Arguments) -> Integrated:
    """The `integrations uninstall` operation."""
    done, whose = _wanted(arguments), _whose(workspace, arguments)
    with _alone(workspace, done=done):
        return uninstall(workspace, whose, done=done)


def install(workspace: Workspace, whose: Whose, *, done: bool) -> Integrated:
    """Put into a host's files what makes memhtml known to it, or say what would be put there.

    What an earlier install put there is taken out first where it is another; where all is in place nothing changes.

    Raises:
        IntegrationRefusedError: a file cannot take it, or somebody changed what was put there; nothing is changed.
        PackageMissingError: the server that is to be started is not installed.
        StorageError: a file cannot be read or written.
    """
    if find_spec("mcp") is None:
        raise PackageMissingError("the package mcp is not installed, which the server needs")
    targets, note, warnings = _targets(workspace, whose), _note(whose), _without_store(workspace)
    earlier = receipts.load(whose.receipt)
    if earlier is not None and _stands(earlier, targets, note, whose.project):
        return _integrated(whose, (), done=done, warnings=warnings)
    back = installing.taking_out(earlier) if earlier is not None else ()
    changes = installing.putting_in(targets, note, installing.after(back), whose.project)
    if not files.writable(whose.receipt):
        raise IntegrationRefusedError(f"the receipt {whose.receipt} cannot be written")
    if done:
        if earlier is not None:
            installing.take_out(back, earlier, whose.receipt)
            changes = installing.putting_in(targets, note, within=whose.project)
        if changes:  # what stood there before is nobody's to take out
            installing.put_in(changes, _receipt(whose, note, changes), whose.receipt)
    return _integrated(whose, changes, done=done, warnings=warnings)


def uninstall(workspace: Workspace, whose: Whose, *, done: bool) -> Integrated:
    """Take out of a host's files exactly what was put there, or say what would be; nothing where nothing was.

    Raises:
        IntegrationRefusedError: somebody changed what was put there; nothing is taken out.
        StorageError: a file cannot be read or written.
    """
    kept = receipts.load(whose.receipt)
    if kept is None:
        others = [each for _, each in kept_receipts(workspace, whose.host.value)]
        return _integrated(whose, (), done=done, warnings=tuple(_elsewhere(each) for each in others))
    changes = installing.taking_out(kept)
    if done:
        installing.take_out(changes, kept, whose.receipt)
    changed = {str(change.path) for change in changes}
    gone = tuple(_gone(written) for written in kept.written if written.path not in changed)
    return _integrated(whose, changes, done=done, warnings=gone)


def launcher(executable: str) -> tuple[str, ...]:
    """The words that start this memhtml from anywhere, whatever the search path.

    The command that is installed beside Python; else Python itself, told not to take a module from the folder where
    it is started, which a project could have put there.
    """
    folder = Path(executable).absolute().parent
    for name in ("memhtml", "memhtml.exe"):
        if (command := folder / name).is_file() and os.access(command, os.X_OK):
            return (str(command),)
    return (str(Path(executable).absolute()), "-P", "-m", "memhtml")


def _alone(workspace: Workspace, *, done: bool) -> AbstractContextManager[None]:
    return files.alone(person_home(workspace)) if done else nullcontext()


def _wanted(arguments: Arguments) -> bool:
    if arguments.flag("yes") and arguments.flag("dry_run"):
        raise UnexpectedArgumentError("--yes and --dry-run exclude each other", suggestions=("give one of them",))
    return arguments.flag("yes")


def _whose(workspace: Workspace, arguments: Arguments) -> Whose:
    """Which host, for whom.

    Raises:
        InvalidFlagError: the host knows no such scope, or the project is no folder.
        UnexpectedArgumentError: a project, and the scope of a person.
    """
    host = HostName(arguments.needed("host"))
    known = hosts.scopes(host)
    scope = Reach(arguments.text("scope") or known[0])
    if scope not in known:
        raise InvalidFlagError(
            f"memhtml is made known to {host.value} for a {known[0].value} alone",
            suggestions=(f"memhtml integrations install {host.value} --scope {known[0].value}",),
        )
    named = arguments.text("project")
    if scope is Reach.USER and named is not None:
        raise UnexpectedArgumentError(
            "--project goes with the scope of a project",
            suggestions=(f"memhtml integrations install {host.value} --scope project --project FOLDER",)
            if Reach.PROJECT in known
            else (f"memhtml integrations install {host.value}",),
        )
    project = _folder("." if named is None else named) if scope is Reach.PROJECT else None
    return Whose(host, scope, project, receipts.place(_state(workspace), host, scope, project))


def _folder(named: str) -> Path:
    try:
        folder = Path(named).resolve()
        if named.strip() and folder.is_dir():
            return folder
    except (OSError, ValueError, RuntimeError):  # a name that is too long, or links in a circle
        pass
    raise InvalidFlagError(f"--project takes a folder, not {shown(named)}", suggestions=("name one that is there",))


def _targets(workspace: Workspace, whose: Whose) -> tuple[Target, ...]:
    places = Places(person_home(workspace), workspace.variables, whose.project or Path())
    root, command = workspace.settings.root.absolute(), launcher(sys.executable)
    found = hosts.targets(whose.host, whose.scope, places, command, root)
    if any(has_surrogate(str(name)) for name in (*command, root, *(target.path for target in found))):
        raise IntegrationRefusedError("a name on the way to the command, the store or the files is not UTF-8")
    return found


def person_home(workspace: Workspace) -> Path:
    """Whose files they are, whatever the working folder."""
    return home(workspace.variables).absolute()


def _state(workspace: Workspace) -> Path:
    return state_folder(workspace.variables).absolute()


def _note(whose: Whose) -> str:
    return f"written by memhtml; `memhtml integrations uninstall {whose.host.value}` takes it out"


def _stands(earlier: Receipt, targets: Iterable[Target], note: str, within: Path | None) -> bool:
    """Whether an earlier install put in just this, and it is all in place."""
    wanted = {str(target.path): target.parts for target in targets}
    if any(part not in wanted.get(each.path, ()) for each in earlier.written for part in each.parts):
        return False
    try:
        return not installing.putting_in(targets, note, within=within)
    except IntegrationRefusedError:
        return False


def _receipt(whose: Whose, note: str, changes: Iterable[Change]) -> Receipt:
    project = None if whose.project is None else str(whose.project)
    written = tuple(change.written for change in changes if change.written is not None)
    return Receipt(receipts.FORM, whose.host, whose.scope, project, note, written)


def _change(change: Change) -> FileChange:
    action = "create" if change.before is None else "remove" if change.after is None else "change"
    return FileChange(change.path, action, _added(change))


def _added(change: Change) -> str:
    if change.written is None or change.after is None:
        return ""
    if not change.before:
        return change.after.decode()
    texts = (splice.text for splice in change.written.splices if splice.text not in {",", entries.EMPTY})
    return "".join(texts).strip("\r\n")


def _integrated(
    whose: Whose, changes: tuple[Change, ...], *, done: bool, warnings: tuple[Notice, ...] = ()
) -> Integrated:
    shown_changes = tuple(_change(change) for change in changes)
    return Integrated(whose.host, whose.scope, whose.project, done, shown_changes, whose.receipt, warnings)


def _elsewhere(kept: Receipt) -> Notice:
    where = "" if kept.project is None else f" --project {kept.project}"
    return Notice(ELSEWHERE, f"it is there with --scope {kept.scope.value}{where}")


def _gone(written: Written) -> Notice:
    return Notice(GONE, f"nothing of it is in {written.path} any more")


def _without_store(workspace: Workspace) -> tuple[Notice, ...]:
    root = workspace.settings.root.absolute()
    return () if root.is_dir() else (Notice(NO_STORE, f"there is no store at {root} yet: memhtml init"),)


def kept_receipts(workspace: Workspace, named: str | None) -> Iterator[tuple[Path, Receipt]]:
    """Every receipt with its file, by host, scope and project; those of the host ``named`` alone.

    Raises:
        StorageError: one cannot be read.
    """
    for file, kept in receipts.all_of(_state(workspace)):
        if named is None or kept.host.value == named:
            yield file, kept


def project_of(kept: Receipt) -> Path | None:
    """The folder of the project that a receipt is about, if it is one."""
    return None if kept.project is None else Path(kept.project)
