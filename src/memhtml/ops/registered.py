"""Operations `integrations list` and `doctor`: where memhtml is registered, and whether that works."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from memhtml.integrations import hosts, installing
from memhtml.integrations.hosts import HostName, Reach
from memhtml.integrations.installing import State
from memhtml.integrations.parts import Entry, Table
from memhtml.integrations.receipt import Receipt
from memhtml.ops.integrating import kept_receipts, person_home, project_of

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


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
        command: what the host starts; empty where its file does not say so any more. Then nothing is started.
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


def run_list(workspace: Workspace, arguments: Arguments) -> Integrations:
    """The `integrations list` operation."""
    named = arguments.text("host")
    found = tuple(
        Integration(kept.host, kept.scope, project_of(kept), _states(kept), file)
        for file, kept in kept_receipts(workspace, named)
    )
    return Integrations(found, {host.value: hosts.scopes(host) for host in HostName})


def run_doctor(workspace: Workspace, arguments: Arguments) -> IntegrationHealth:
    """The `integrations doctor` operation."""
    checked = tuple(_checked(workspace, kept) for _, kept in kept_receipts(workspace, arguments.text("host")))
    return IntegrationHealth(all(each.healthy for each in checked), checked)


def _states(kept: Receipt) -> tuple[FileState, ...]:
    return tuple(FileState(Path(each.path), installing.state(each, kept.note)) for each in kept.written)


def _checked(workspace: Workspace, kept: Receipt) -> Checked:
    from memhtml.integrations.handshake import Greeted, greet  # it starts processes

    states = _states(kept)
    command = _registered(kept, states)
    fix = _again(kept)
    wrong = [f"{each.path} is {each.state.value}" for each in states if each.state is not State.IN_PLACE]
    greeted = Greeted("is not registered" if command is not None else None)
    if command:
        greeted = greet(command, workspace.variables, project_of(kept) or person_home(workspace))
    if greeted.fault is not None:
        wrong.append(f"the server {greeted.fault}")
    root = _named_store(command or ())
    if not wrong and root is not None and not root.is_dir():
        wrong, fix = [f"there is no store at {root}"], f"memhtml init --root {shlex.quote(str(root))}"
    return Checked(
        host=kept.host,
        scope=kept.scope,
        project=project_of(kept),
        healthy=not wrong,
        files=states,
        command=command or (),
        server=greeted.server,
        tools=greeted.tools,
        seconds=greeted.seconds,
        fault="; ".join(wrong) or None,
        fix=fix if wrong else None,
    )


def _again(kept: Receipt) -> str:
    """The command that puts everything in its place."""
    project = "" if kept.project is None else f" --project {shlex.quote(kept.project)}"
    return f"memhtml integrations install {kept.host.value} --scope {kept.scope.value}{project} --yes"


def _named_store(command: tuple[str, ...]) -> Path | None:
    """The store that a registered command names."""
    return Path(command[-1]) if command[-2:-1] == ("--root",) else None


def _registered(kept: Receipt, states: tuple[FileState, ...]) -> tuple[str, ...] | None:
    """What the host was told to start; no word of what is not in its place any more.

    What stands there instead is not read: a project's files come from others too, and a doctor is no reason to start
    what they name. ``None`` where it stood there before, and so is in no receipt.
    """
    for written, now in zip(kept.written, states, strict=True):
        for part in written.parts:
            if isinstance(part, Entry | Table):
                server = cast("dict[str, object]", part.value)
                words = [server["command"], *cast("list[object]", server["args"])]
                return tuple(map(str, words)) if now.state is State.IN_PLACE else ()
    return None
