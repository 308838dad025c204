"""Operations `integrations`: make memhtml known to an agent's host, and take exactly that back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from memhtml.config.environment import home, state_folder
from memhtml.domain.errors import (
    IntegrationRefusedError,
    InvalidFlagError,
    PackageMissingError,
    UnexpectedArgumentError,
)
from memhtml.integrations import documents, entries, files, hosts, installing
from memhtml.integrations import receipt as receipts
from memhtml.integrations.hosts import HostName, Places, Reach, Target
from memhtml.integrations.installing import Change, State
from memhtml.integrations.parts import Unreadable
from memhtml.integrations.receipt import Receipt, Written
from memhtml.ops.arguments import shown
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

ELSEWHERE = "INTEGRATION_ELSEWHERE"
"""Code of the notice that a host has it in another scope or project."""


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


class FileState(Struct, frozen=True):
    """A file into which something was put, and how that stands now."""

    path: Path
    state: State


class Integration(Struct, frozen=True):
    """A host that memhtml was made known to."""

    host: HostName
    scope: Reach
    project: Path | None
    files: tuple[FileState, ...]
    receipt: Path


class Integrations(Struct, frozen=True):
    """All of them, by host, scope and project; and what each host can be told, with the usual scope first."""

    integrations: tuple[Integration, ...]
    hosts: Mapping[str, tuple[Reach, ...]]


class Checked(Struct, frozen=True):
    """A host, looked at as the host itself would.

    Attributes:
        healthy: everything is in place, and the server answers.
        files: as in a list.
        command: what the host starts, as its file says it now; empty when it says nothing.
        server: what that calls itself; empty when it did not answer.
        tools: how many it offers.
        seconds: until it had said so.
        fault: what is wrong; ``None`` when nothing is.
        fix: what to do about it.
    """

    host: HostName
    scope: Reach
    project: Path | None
    healthy: bool
    files: tuple[FileState, ...]
    command: tuple[str, ...]
    server: str
    tools: int
    seconds: float
    fault: str | None
    fix: str | None


class IntegrationHealth(Struct, frozen=True):
    """How all of them are; healthy where there is none."""

    healthy: bool
    integrations: tuple[Checked, ...]

    @property
    def exit_status(self) -> int:
        """1 when something is wrong."""
        return int(not self.healthy)


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
    return install(workspace, _whose(workspace, arguments), done=_wanted(arguments))


def run_uninstall(workspace: Workspace, arguments: Arguments) -> Integrated:
    """The `integrations uninstall` operation."""
    return uninstall(workspace, _whose(workspace, arguments), done=_wanted(arguments))


def run_list(workspace: Workspace, arguments: Arguments) -> Integrations:
    """The `integrations list` operation."""
    named = arguments.text("host")
    found = tuple(
        Integration(kept.host, kept.scope, _project(kept), _states(kept), file)
        for file, kept in _kept(workspace, named)
    )
    return Integrations(found, {host.value: hosts.scopes(host) for host in HostName})


def run_doctor(workspace: Workspace, arguments: Arguments) -> IntegrationHealth:
    """The `integrations doctor` operation."""
    checked = tuple(_checked(workspace, kept) for _, kept in _kept(workspace, arguments.text("host")))
    return IntegrationHealth(all(each.healthy for each in checked), checked)


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
    targets, note = _targets(workspace, whose), _note(whose)
    earlier = receipts.load(whose.receipt)
    if earlier is not None and _stands(earlier, targets, note, whose.project):
        return _integrated(whose, (), done=done)
    back = installing.taking_out(earlier) if earlier is not None else ()
    changes = installing.putting_in(targets, note, installing.after(back), whose.project)
    if done:
        if earlier is not None:
            installing.take_out(back, earlier, whose.receipt)
            changes = installing.putting_in(targets, note, within=whose.project)
        installing.put_in(changes, _receipt(whose, note, changes), whose.receipt)
    return _integrated(whose, changes, done=done)


def uninstall(workspace: Workspace, whose: Whose, *, done: bool) -> Integrated:
    """Take out of a host's files exactly what was put there, or say what would be; nothing where nothing was.

    Raises:
        IntegrationRefusedError: somebody changed what was put there; nothing is taken out.
        StorageError: a file cannot be read or written.
    """
    kept = receipts.load(whose.receipt)
    if kept is None:
        others = [each for _, each in _kept(workspace, whose.host.value)]
        return _integrated(whose, (), done=done, warnings=tuple(_elsewhere(each) for each in others))
    changes = installing.taking_out(kept)
    if done:
        installing.take_out(changes, kept, whose.receipt)
    return _integrated(whose, changes, done=done)


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
    project = _folder(named or ".") if scope is Reach.PROJECT else None
    return Whose(host, scope, project, receipts.place(state_folder(workspace.variables), host, scope, project))


def _folder(named: str) -> Path:
    try:
        folder = Path(named).resolve()
        if folder.is_dir():
            return folder
    except (OSError, ValueError, RuntimeError):  # a name that is too long, or links in a circle
        pass
    raise InvalidFlagError(f"--project takes a folder, not {shown(named)}", suggestions=("name one that is there",))


def _targets(workspace: Workspace, whose: Whose) -> tuple[Target, ...]:
    places = Places(home(workspace.variables), workspace.variables, whose.project or Path())
    root = workspace.settings.root.absolute()
    return hosts.targets(whose.host, whose.scope, places, launcher(sys.executable), root)


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


def _kept(workspace: Workspace, named: str | None) -> Iterator[tuple[Path, Receipt]]:
    for file, kept in receipts.all_of(state_folder(workspace.variables)):
        if named is None or kept.host.value == named:
            yield file, kept


def _project(kept: Receipt) -> Path | None:
    return None if kept.project is None else Path(kept.project)


def _states(kept: Receipt) -> tuple[FileState, ...]:
    return tuple(FileState(Path(each.path), installing.state(each, kept.note)) for each in kept.written)


def _checked(workspace: Workspace, kept: Receipt) -> Checked:
    from memhtml.integrations.handshake import Greeted, greet  # it starts processes

    states = _states(kept)
    again = f"memhtml integrations install {kept.host.value} --scope {kept.scope.value} --yes"
    command, variables = _registered(kept)
    wrong = [f"{each.path} is {each.state.value}" for each in states if each.state is not State.IN_PLACE]
    greeted = Greeted("is not registered")
    if command:
        folder = _project(kept) or home(workspace.variables)
        greeted = greet(command, {**workspace.variables, **variables}, folder)
    if greeted.fault is not None:
        wrong.append(f"the server {greeted.fault}")
    return Checked(
        host=kept.host,
        scope=kept.scope,
        project=_project(kept),
        healthy=not wrong,
        files=states,
        command=command,
        server=greeted.server,
        tools=greeted.tools,
        seconds=greeted.seconds,
        fault="; ".join(wrong) or None,
        fix=again if wrong else None,
    )


def _registered(kept: Receipt) -> tuple[tuple[str, ...], dict[str, str]]:
    """What the host starts, and the variables that it adds, as its file says it now."""
    for written in kept.written:
        server = _server(written)
        if server is not None:
            words = [server.get("command"), *cast("list[object]", server.get("args") or [])]
            variables = cast("dict[str, object]", server.get("env") or {})
            return tuple(str(word) for word in words if word), {key: str(value) for key, value in variables.items()}
    return (), {}


def _server(written: Written) -> dict[str, object] | None:
    try:
        text = documents.text_of(files.read(Path(written.path)) or b"")
        found = next((value for part in written.parts if (value := documents.standing(text, part))), None)
    except (Unreadable, IntegrationRefusedError):
        return None
    return cast("dict[str, object]", found) if isinstance(found, dict) else None
