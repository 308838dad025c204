"""Start of the server for agents, from a command line."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from memhtml.cli.parser import Call
from memhtml.config.environment import user_file
from memhtml.config.settings import load
from memhtml.domain.errors import PackageMissingError
from memhtml.ops.arguments import bind
from memhtml.ops.operation import Operation
from memhtml.workspace.workspace import Workspace


def serve(operation: Operation, call: Call, folder: Path, variables: Mapping[str, str]) -> int:
    """Serve until the input ends, and return the exit status.

    Raises:
        MemhtmlError: the call or a setting is wrong; nothing is served then.
        PackageMissingError: the protocol's package is not installed.
    """
    bind(operation, call.raw)
    settings = load(call.settings, variables, user_file(variables), folder)
    if find_spec("mcp") is None:
        raise PackageMissingError("the package mcp is not installed")
    from memhtml.mcp.wire import taken_over

    with taken_over() as wire, Workspace(settings, variables=variables) as workspace:
        from memhtml.mcp.server import serve as answer

        answer(workspace, wire)
    return 0
