"""Operation `serve mcp`: what is served, and from where. The door starts the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Served(Struct, frozen=True):
    """What a server would answer from.

    Attributes:
        root: the store's folder.
        ready: a store is there; without one every call is refused until there is.
        transport: how it is spoken to.
    """

    root: Path
    ready: bool
    transport: str


def run(workspace: Workspace, arguments: Arguments) -> Served:
    """The `serve mcp` operation."""
    del arguments
    return served(workspace)


def served(workspace: Workspace) -> Served:
    """What a server on this workspace would answer from; a store that is missing, or is none, is no error."""
    try:
        ready = workspace.repository.root.is_dir()
    except MemhtmlError:
        ready = False
    return Served(workspace.settings.root, ready, "stdio")
