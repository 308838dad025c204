"""Start of the server for agents, from a command line."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from memhtml.cli.interruption import INTERRUPTED
from memhtml.cli.parser import Call
from memhtml.cli.streams import standard
from memhtml.config.environment import state_folder, user_file
from memhtml.config.settings import load
from memhtml.domain.errors import PackageMissingError
from memhtml.ops.arguments import bind
from memhtml.ops.operation import Operation
from memhtml.ops.serving import Place, place
from memhtml.workspace.workspace import Workspace


def serve(operation: Operation, call: Call, folder: Path, variables: Mapping[str, str]) -> int:
    """Serve until the input ends, or a signal comes, and return the exit status.

    Raises:
        MemhtmlError: the call or a setting is wrong; nothing is served then.
        PackageMissingError: the protocol's package is not installed.
    """
    arguments = bind(operation, call.raw)
    at, scripts = place(arguments), arguments.flag("exec")
    settings = load(call.settings, variables, user_file(variables), folder)
    if find_spec("mcp") is None:
        raise PackageMissingError("the package mcp is not installed")
    if scripts and find_spec("pydantic_monty") is None:
        raise PackageMissingError(
            "the package pydantic-monty is not installed", suggestions=("pip install 'memhtml[exec]'",)
        )
    try:
        with Workspace(settings, variables=variables) as workspace:
            return _over_pipes(workspace, scripts=scripts) if at is None else _over_http(workspace, at, scripts=scripts)
    except KeyboardInterrupt:  # as it should end; and its output is the protocol's, also for the last word
        return INTERRUPTED


def _over_pipes(workspace: Workspace, *, scripts: bool) -> int:
    from memhtml.mcp.wire import taken_over

    with taken_over() as wire:
        from memhtml.mcp.server import serve as answer

        answer(workspace, wire, scripts=scripts)
    return 0


def _over_http(workspace: Workspace, at: Place, *, scripts: bool) -> int:
    from memhtml.mcp.bearer import bearer
    from memhtml.mcp.hosting import serve as answer

    known = bearer(workspace.variables, state_folder(workspace.variables))

    def announce(place: Place) -> None:
        where = f"{workspace.settings.root} is served at {place.address}"
        standard().complain(f"memhtml: {where}; its token is in {known.source}")

    ended_by = answer(workspace, at, known.token, announce, scripts=scripts)
    return INTERRUPTED if ended_by == signal.SIGINT else 0
