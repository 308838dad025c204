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
from memhtml.config.settings import Settings, load
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
    at = place(bind(operation, call.raw))
    settings = load(call.settings, variables, user_file(variables), folder)
    if find_spec("mcp") is None:
        raise PackageMissingError("the package mcp is not installed")
    try:
        return _over_pipes(settings, variables) if at is None else _over_http(at, settings, variables)
    except KeyboardInterrupt:  # as it should end; and its output is the protocol's, also for the last word
        return INTERRUPTED


def _over_pipes(settings: Settings, variables: Mapping[str, str]) -> int:
    from memhtml.mcp.wire import taken_over

    with taken_over() as wire, Workspace(settings, variables=variables) as workspace:
        from memhtml.mcp.server import serve as answer

        answer(workspace, wire)
    return 0


def _over_http(at: Place, settings: Settings, variables: Mapping[str, str]) -> int:
    from memhtml.mcp.bearer import bearer
    from memhtml.mcp.hosting import serve as answer

    known = bearer(variables, state_folder(variables))

    def announce(place: Place) -> None:
        standard().complain(f"memhtml: {settings.root} is served at {place.address}; its token is in {known.source}")

    with Workspace(settings, variables=variables) as workspace:
        ended_by = answer(workspace, at, known.token, announce)
    return INTERRUPTED if ended_by == signal.SIGINT else 0
