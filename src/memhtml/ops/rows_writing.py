"""Rows of the table: what writes, corrects, moves and joins memories."""

from __future__ import annotations

from memhtml.domain.vocabulary import (
    DEFAULT_CONFIDENCE,
    DEFAULT_IMPORTANCE,
    HIGHEST_IMPORTANCE,
    LOWEST_IMPORTANCE,
    MemoryType,
    TaskStatus,
)
from memhtml.ops.operation import Kind, Operation, Parameter, Reads

TYPES = tuple(kind.value for kind in MemoryType)
TASK_STATUSES = tuple(status.value for status in TaskStatus)
INSTANT_HELP = "as YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"

_CONTENT = (
    Parameter(
        "claim",
        Kind.TEXT,
        "The fact in one sentence",
        positional=True,
        joined=True,
        reads=Reads.STDIN,
    ),
    Parameter(
        "body", Kind.TEXT, "Prose after it: paragraphs parted by blank lines, code in ``` fences", reads=Reads.STDIN
    ),
    Parameter("article_html", Kind.TEXT, "The whole article as markup, instead of prose", reads=Reads.STDIN),
    Parameter("title", Kind.TEXT, "Title; made from the claim when absent"),
)

_NAMES = (
    Parameter("tag", Kind.TEXT, "A tag", repeatable=True),
    Parameter("entity", Kind.TEXT, "A thing that it is about", repeatable=True, shown="TYPE:NAME"),
    Parameter("alias", Kind.TEXT, "Another name under which it is looked for", repeatable=True),
    Parameter("facet", Kind.TEXT, "A named value", repeatable=True, shown="NAME=VALUE"),
    Parameter("cite", Kind.TEXT, "A source: text, an address, or TEXT <ADDRESS>", repeatable=True, shown="SOURCE"),
    Parameter("link", Kind.TEXT, "A typed link to another memory", repeatable=True, shown="REL:PATH"),
)

_FACTS = (
    Parameter("event_at", Kind.INSTANT, f"When it happened, {INSTANT_HELP}", shown="WHEN"),
    Parameter("valid_from", Kind.INSTANT, "Since when the fact holds", shown="WHEN"),
    Parameter("valid_until", Kind.INSTANT, "Until when the fact holds, that moment excluded", shown="WHEN"),
    Parameter(
        "importance",
        Kind.INTEGER,
        f"How much it matters; absent means {DEFAULT_IMPORTANCE}",
        low=LOWEST_IMPORTANCE,
        high=HIGHEST_IMPORTANCE,
    ),
    Parameter(
        "confidence", Kind.NUMBER, f"How sure it is; absent means {DEFAULT_CONFIDENCE}", low=0, high=1, shown="0..1"
    ),
)

_ORIGIN = (
    Parameter("author", Kind.TEXT, "Who says so, e.g. agent or human:ada"),
    Parameter("session_id", Kind.TEXT, "The conversation that it comes from", shown="ID"),
    Parameter("prompt_id", Kind.TEXT, "The prompt that it comes from", shown="ID"),
    Parameter("turn_id", Kind.TEXT, "The turn that it comes from", shown="ID"),
)

_TASK = (
    Parameter("status", Kind.CHOICE, "State of a task; absent means todo", choices=TASK_STATUSES),
    Parameter("due", Kind.INSTANT, f"When a task is due, {INSTANT_HELP}", shown="WHEN"),
)

_PLACE = (
    Parameter("workspace", Kind.TEXT, "The project that it belongs to: a folder under projects/", shown="NAME"),
    Parameter("path", Kind.PATH, "Where it goes, instead of the usual place"),
)

_TYPE = Parameter("type", Kind.CHOICE, "What kind of memory it is", choices=TYPES, default=MemoryType.SEMANTIC.value)

DRAFT = (*_CONTENT, _TYPE, *_PLACE, *_NAMES, *_FACTS, *_TASK, *_ORIGIN)
"""What makes a new memory, for `write` and for the lines of `apply`."""

WRITING: tuple[Operation, ...] = (
    Operation(
        name="write",
        summary="Remember one fact, as one file and one commit",
        parameters=DRAFT,
        runs="write:run",
        envelope="memory.written",
        examples=(
            'memhtml write "Checkout drains its queue before every deploy." --tag deploys --entity service:checkout',
            "memhtml write --type procedural --title 'Rotate the signing key' --body - < steps.txt",
        ),
        notes=(
            "Give a claim, a body, or both: prose, in which nothing is read as markup. Or give --article-html, alone.",
            "Without a claim, the first sentence of the body is it.",
            "Text on standard input is the body when no content is given.",
            "The same content again changes nothing and answers with the existing path and deduped: true.",
        ),
        mutates=True,
        piped="body",
    ),
)
