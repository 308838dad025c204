"""Operation `agents-doc`: AGENTS.md, which tells an agent when and how to use memhtml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memhtml.ops.guide import Document, usage
from memhtml.ops.table import OPERATIONS

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


def run(workspace: Workspace, arguments: Arguments) -> Document:
    """The `agents-doc` operation."""
    del workspace, arguments
    return agents_doc()


def agents_doc() -> Document:
    """The page, made from the table."""
    lines = ["# Memory", ""]
    lines += [f"- `{usage(row)}`: {row.summary[0].lower()}{row.summary[1:]}." for row in OPERATIONS]
    return Document("\n".join(lines))
