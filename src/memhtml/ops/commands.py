"""What can be called, by name: no more of the table of operations is read than one command needs."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.ops.operation import Kind, Operation, Parameter

GLOBALS: tuple[Parameter, ...] = (
    Parameter("root", Kind.PATH, "The store's folder (MEMHTML_ROOT)", shown="FOLDER"),
    Parameter("embed", Kind.TEXT, "Vectors: on, off, or the space of a model (MEMHTML_EMBED)", shown="on|off|SPACE"),
    Parameter("json", Kind.FLAG, "Answer with one JSON envelope, also at a terminal"),
    Parameter("dense", Kind.FLAG, "The same on one line, without nulls"),
)
"""What every command takes. Those that are no flags are settings."""

GROUPS: dict[str, str] = {
    "task": "Tasks, which are memories with a state",
    "index": "The index, which is made from the files and can be made again",
    "state": "What was opened and reinforced, which cannot",
    "trace": "Transcripts of agents, read where they are",
    "sleep": "Curation of the whole store, on a branch that you review",
    "eval": "How good the ranking is, measured",
    "serve": "Servers",
    "integrations": "Agents' hosts that memhtml is registered with",
    "config": "Settings",
}
"""First words of two-word commands."""


def operation(name: str) -> Operation | None:
    """The operation of that name, if there is one."""
    return next((row for rows in _ROWS for row in rows() if row.name == name), None)


def _writing() -> tuple[Operation, ...]:
    from memhtml.ops.rows_writing import WRITING

    return WRITING


def _finding() -> tuple[Operation, ...]:
    from memhtml.ops.rows_finding import FINDING

    return FINDING


def _others() -> tuple[Operation, ...]:
    from memhtml.ops.table import OPERATIONS

    return OPERATIONS


# Importing a row costs as much as a write does to hash a file, so the commands that are run by the thousand come first.
_ROWS: tuple[Callable[[], tuple[Operation, ...]], ...] = (_writing, _finding, _others)
