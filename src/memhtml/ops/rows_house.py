"""Rows of the table: settings, and what memhtml says of itself."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter

_NAME = Parameter("name", Kind.TEXT, "Which setting", positional=True, required=True)

HOUSE: tuple[Operation, ...] = (
    Operation(
        name="config list",
        summary="Show each setting and where its value came from",
        parameters=(),
        runs="config:run_list",
        envelope="config.list",
        examples=("memhtml config list",),
        needs_store=False,
    ),
    Operation(
        name="config get",
        summary="Show one setting",
        parameters=(_NAME,),
        runs="config:run_get",
        envelope="config.value",
        examples=("memhtml config get root",),
        needs_store=False,
    ),
    Operation(
        name="manifest",
        summary="Print the whole contract as JSON: commands, flags, answers, errors, settings",
        parameters=(),
        runs="manifest:run",
        envelope="manifest",
        examples=("memhtml manifest",),
        needs_store=False,
    ),
    Operation(
        name="agents-doc",
        summary="Print AGENTS.md, which tells an agent how to use memhtml",
        parameters=(),
        runs="agents_doc:run",
        envelope="document",
        examples=("memhtml agents-doc",),
        needs_store=False,
        document=True,
    ),
    Operation(
        name="help",
        summary="Show what memhtml can do, or how one command is used",
        parameters=(Parameter("command", Kind.TEXT, "A command", positional=True, joined=True),),
        runs="guide:run",
        envelope="document",
        examples=("memhtml help", "memhtml help task add"),
        needs_store=False,
        document=True,
    ),
)
