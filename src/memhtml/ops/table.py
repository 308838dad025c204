"""The table of operations: the command line, the manifest, AGENTS.md and the reference pages are made from it."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.ops.rows_finding import FINDING
from memhtml.ops.rows_house import CARE, HOUSE, START
from memhtml.ops.rows_writing import WRITING

GLOBALS: tuple[Parameter, ...] = (
    Parameter("root", Kind.PATH, "The store's folder (MEMHTML_ROOT)", shown="FOLDER"),
    Parameter("embed", Kind.TEXT, "Vectors: on, off, or the space of a model (MEMHTML_EMBED)", shown="on|off|SPACE"),
    Parameter("json", Kind.FLAG, "Answer with one JSON envelope, also at a terminal"),
    Parameter("dense", Kind.FLAG, "The same on one line, without nulls"),
)
"""What every command takes. Those that are no flags are settings."""

OPERATIONS: tuple[Operation, ...] = (*START, *WRITING, *FINDING, *CARE, *HOUSE)
"""All operations, in the order that help shows."""

GROUPS: dict[str, str] = {
    "task": "Tasks, which are memories with a state",
    "index": "The index, which is made from the files and can be made again",
    "state": "What was opened and reinforced, which cannot",
    "config": "Settings",
}
"""First words of two-word commands."""

_BY_NAME = {row.name: row for row in OPERATIONS}


def operation(name: str) -> Operation | None:
    """The operation of that name, if there is one."""
    return _BY_NAME.get(name)
