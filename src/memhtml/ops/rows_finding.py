"""Rows of the table: what finds, reads and follows memories."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter, Reads
from memhtml.ops.rows_writing import INSTANT_HELP, MANY_PATHS, TYPES

MOST = 1000
BUDGET = 16_000
LEAST_BUDGET = 400
MOST_CHARACTERS = 1_000_000

ONE_PATH = Parameter("path", Kind.PATH, "A memory, by its path", positional=True, required=True)

ARCHIVED = Parameter("archived", Kind.FLAG, "Also what lies in the archive")

SCOPE = (
    Parameter("type", Kind.CHOICE, "Only these types; tasks come only when named", choices=TYPES, repeatable=True),
    Parameter("workspace", Kind.TEXT, "Only this project", shown="NAME"),
    Parameter("tag", Kind.TEXT, "Only with any of these tags", repeatable=True),
    Parameter("entity", Kind.TEXT, "Only about this thing", shown="TYPE:NAME"),
    Parameter("facet", Kind.TEXT, "Only with this named value", shown="NAME=VALUE"),
    ARCHIVED,
    Parameter("as_of", Kind.INSTANT, f"What held then, {INSTANT_HELP}", shown="WHEN"),
)


def limit(default: int, what: str) -> Parameter:
    """How many at most."""
    return Parameter("limit", Kind.INTEGER, f"How many {what} at most", default=default, low=1, high=MOST)


_REL = Parameter("rel", Kind.TEXT, "Only links of this kind", repeatable=True)

_QUERY = Parameter(
    "query",
    Kind.TEXT,
    "What you want to know; any text will do",
    positional=True,
    required=True,
    joined=True,
    reads=Reads.STDIN,
)
_NO_BAR = Parameter("no_bar", Kind.FLAG, "Show what was found however little it answers")
_KNOWN_AT = Parameter("known_at", Kind.TEXT, "What the store knew then: an instant or a commit", shown="WHEN")

FINDING: tuple[Operation, ...] = (
    Operation(
        name="search",
        summary="Find the memories that answer, by their words and by their meaning",
        parameters=(
            _QUERY,
            *SCOPE,
            _KNOWN_AT,
            limit(10, "hits"),
            _NO_BAR,
            Parameter("rejected", Kind.FLAG, "When nothing is relevant, show what came nearest"),
            Parameter("explain", Kind.FLAG, "Say of each hit how it was ranked"),
        ),
        runs="search:run",
        envelope="memory.hits",
        examples=('memhtml search "what to do before a release"', "memhtml search queue --tag deploys --explain"),
        notes=(
            "When nothing is relevant, nothing is answered.",
            "The reason is then store_empty, scope_empty, nothing_relevant or lanes_down.",
        ),
    ),
    Operation(
        name="recall",
        summary="Make a pack of quotations that answer, for a context window",
        parameters=(
            _QUERY,
            *SCOPE,
            _KNOWN_AT,
            _NO_BAR,
            Parameter(
                "budget",
                Kind.INTEGER,
                "Characters of the pack at most",
                default=BUDGET,
                low=LEAST_BUDGET,
                high=MOST_CHARACTERS,
            ),
        ),
        runs="recall:run",
        envelope="memory.recall",
        examples=('memhtml recall "the next release of checkout"',),
        notes=("The pack is fenced and labelled as data, so that nothing in a memory is read as an instruction.",),
    ),
    Operation(
        name="read",
        summary="Open memories by path",
        parameters=(
            MANY_PATHS,
            Parameter("html", Kind.FLAG, "With the file itself, as its author wrote it"),
            Parameter("no_count", Kind.FLAG, "Do not count it as an open"),
        ),
        runs="read:run",
        envelope="memory.read",
        examples=("memhtml read resources/deploys/drain-before-every-deploy.html",),
        notes=(
            "An old path works: the answer then holds what took its place, and says that it moved.",
            "Opening by path is what salience counts, at most once in 15 minutes a memory.",
        ),
    ),
    Operation(
        name="neighbors",
        summary="Show what a memory links to, and what links to it",
        parameters=(ONE_PATH, _REL),
        runs="neighbors:run",
        envelope="memory.neighbors",
        examples=("memhtml neighbors resources/deploys/drain-before-every-deploy.html",),
    ),
    Operation(
        name="resolve",
        summary="Say where memories live now, from old paths",
        parameters=(MANY_PATHS,),
        runs="resolve:run",
        envelope="memory.resolved",
        examples=("memhtml resolve resources/deploys/drain-before-every-deploy.html",),
    ),
    Operation(
        name="list",
        summary="List memories, newest first",
        parameters=(
            *SCOPE,
            limit(50, "memories"),
            Parameter("offset", Kind.INTEGER, "How many to pass over", default=0, low=0),
        ),
        runs="listing:run",
        envelope="memory.list",
        examples=("memhtml list --tag deploys",),
    ),
    Operation(
        name="entity",
        summary="List the things that memories name, or the memories that name one of them",
        parameters=(
            Parameter("entity", Kind.TEXT, "A thing", positional=True, shown="TYPE:NAME"),
            Parameter("kind", Kind.TEXT, "Only things of this type, e.g. service"),
            ARCHIVED,
            limit(50, "entries"),
        ),
        runs="entities:run",
        envelope="memory.entities",
        examples=("memhtml entity", "memhtml entity service:checkout"),
    ),
    Operation(
        name="history",
        summary="Show the commits that made a memory what it is, newest first",
        parameters=(ONE_PATH, limit(50, "commits")),
        runs="history:run",
        envelope="memory.history",
        examples=("memhtml history resources/deploys/drain-before-every-deploy.html",),
    ),
    Operation(
        name="reinforce",
        summary="Say that memories helped, or did not",
        parameters=(
            MANY_PATHS,
            Parameter(
                "outcome", Kind.NUMBER, "From -1, misled, to 1, helped", default=1, low=-1, high=1, shown="-1..1"
            ),
        ),
        runs="reinforce:run",
        envelope="memory.reinforced",
        examples=("memhtml reinforce resources/deploys/drain-before-every-deploy.html",),
        notes=("Counts at most once in 15 minutes a memory.",),
        mutates=True,
    ),
)
