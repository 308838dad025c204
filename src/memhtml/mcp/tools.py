"""The tools: which operation each one is, and which of its parameters an agent gets."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.vocabulary import Rel
from memhtml.ops.commands import operation
from memhtml.ops.encoding import Json
from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.ops.schema import answer_type, schema

_NEW = ("claim", "body", "workspace", "tag", "entity", "link", "cite")
_SCOPE = ("type", "workspace", "tag", "entity", "archived", "as_of")
_TYPES = {
    Kind.TEXT: "string",
    Kind.PATH: "string",
    Kind.INSTANT: "string",
    Kind.CHOICE: "string",
    Kind.INTEGER: "integer",
    Kind.NUMBER: "number",
    Kind.FLAG: "boolean",
}
_WHEN = "YYYY-MM-DD or YYYY-MM-DDThh:mmZ"
_SAID = {
    "script": "Its text",
    "commit": "The store as it was then: an instant or a commit",
    "html": "With the file itself",
    "outcome": "Misled or helped",
    "limit": "At most so many",
    "project": "Only this folder",
    "valid_until": "Until when it holds",
    "since": f"Asked then or later, as {_WHEN}",
    "as_of": f"What held then, as {_WHEN}",
    "event_at": f"When it happened, as {_WHEN}",
    "due": f"When it is due, as {_WHEN}",
    "body": "More: paragraphs parted by blank lines, code in ``` fences",
}
"""What is said to an agent in fewer words, or since it gives something else than a command line does."""


class Tool(Struct, frozen=True):
    """One tool.

    Attributes:
        name: as an agent calls it.
        runs: the name of the operation.
        takes: the parameters that an agent gets, by the operation's names; the rest keep their defaults.
        more: a sentence for the agent beyond the operation's summary.
        replaces: it takes something out of use.
        repeatable: the same call again changes nothing.
        objects: the parameter that takes a list of objects, which are the operation's lines.
        briefly: a function below ``memhtml.ops`` that runs it in the operation's place, for a conversation's room.
    """

    name: str
    runs: str
    takes: tuple[str, ...]
    more: str = ""
    replaces: bool = False
    repeatable: bool = False
    objects: str = ""
    briefly: str = ""

    @property
    def row(self) -> Operation:
        """The operation."""
        found = operation(self.runs)
        if found is None:
            raise LookupError(self.runs)
        return replace(found, runs=self.briefly) if self.briefly else found

    def parameters(self) -> tuple[Parameter, ...]:
        """What an agent may give, in the operation's order."""
        return tuple(parameter for parameter in self.row.parameters if parameter.name in self.takes)


_RELS = f"{Rel.SUPPORTS}, {Rel.CONTRADICTS}, {Rel.RELATES_TO}, {Rel.CAUSED_BY}, {Rel.PART_OF}, {Rel.EXAMPLE_OF}"

TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("memory_search", "search", ("query", *_SCOPE, "limit")),
        Tool("memory_recall", "recall", ("query", "workspace", "budget")),
        Tool("memory_read", "read", ("path", "html"), "Old paths work."),
        Tool(
            "memory_write",
            "write",
            (*_NEW, "type", "event_at", "valid_until", "importance", "confidence"),
            "The same content again changes nothing. Never write secrets.",
            repeatable=True,
        ),
        Tool(
            "memory_write_batch",
            "apply",
            ("lines", "best_effort", "dry_run"),
            "op is write, correct (target), link (source, rel, target) or archive (path);"
            " other fields as in those tools.",
            replaces=True,
            objects="lines",
        ),
        Tool(
            "memory_correct",
            "correct",
            ("target", "claim", "body", "tag", "entity"),
            replaces=True,
        ),
        Tool(
            "memory_link",
            "link",
            ("source", "rel", "target"),
            f"rel: {_RELS} and others.",
            repeatable=True,
        ),
        Tool("memory_archive", "archive", ("path",), replaces=True),
        Tool("memory_list", "list", ("type", "workspace", "tag", "entity", "limit", "offset")),
        Tool("memory_neighbors", "neighbors", ("path", "rel")),
        Tool("memory_reinforce", "reinforce", ("path", "outcome")),
        Tool(
            "task_add",
            "task add",
            ("claim", "body", "workspace", "tag", "entity", "due"),
            repeatable=True,
        ),
        Tool(
            "task_status",
            "task status",
            ("path", "status"),
            repeatable=True,
        ),
        Tool("task_list", "task list", ("status", "workspace", "limit")),
        Tool("trace_search", "trace search", ("query", "project", "since", "limit")),
    )
}
"""All tools that every server has, in the order in which they are listed."""

EXEC = Tool(
    "memory_exec",
    "exec",
    ("script", "commit"),
    "A subset of Python: corpus() gives dictionaries, with backlinks(path), chain(path) and search(query); call"
    " report(value) once.",
    briefly="execing:run_briefly",
)
"""The one that a server has on request, after all others."""


def offered(*, scripts: bool) -> Mapping[str, Tool]:
    """What a server has, by name."""
    return {**TOOLS, EXEC.name: EXEC} if scripts else TOOLS


def described(tool: Tool) -> str:
    """What an agent is told of it."""
    return f"{tool.row.summary}. {tool.more}".strip()


def taken(tool: Tool) -> dict[str, Json]:
    """JSON Schema of the arguments."""
    properties: dict[str, Json] = {each.name: _property(tool, each) for each in tool.parameters()}
    required: list[Json] = [each.name for each in tool.parameters() if each.required]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def given(tool: Tool) -> dict[str, Json]:
    """JSON Schema of the answer, as much as is worth its place in every conversation: its keys."""
    return {"type": "object", "required": schema(answer_type(tool.row))["required"]}


def _property(tool: Tool, parameter: Parameter) -> Json:
    if parameter.name == tool.objects:
        return {"type": "array", "items": {"type": "object"}, "description": "The operations, in order"}
    one: dict[str, Json] = {"type": _TYPES[parameter.kind]}
    if parameter.choices:
        one["enum"] = list(parameter.choices)
    found: dict[str, Json] = {"type": "array", "items": one} if parameter.repeatable else one
    # What stands for the value says something only where it is more than a word.
    form = "" if parameter.shown.isalpha() else parameter.shown
    if parameter.low is not None and parameter.high is not None:
        form = f"{parameter.low:.0f} to {parameter.high:.0f}"
    found["description"] = _SAID.get(parameter.name, parameter.help) + (f" ({form})" if form else "")
    return found
