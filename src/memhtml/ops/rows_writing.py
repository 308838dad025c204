"""Rows of the table: what writes, corrects, moves and joins memories."""

from __future__ import annotations

from msgspec.structs import replace

from memhtml.domain.vocabulary import (
    DEFAULT_CONFIDENCE,
    DEFAULT_IMPORTANCE,
    HIGHEST_IMPORTANCE,
    LOWEST_IMPORTANCE,
    MemoryType,
    Rel,
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

CORRECTION = (
    Parameter("target", Kind.PATH, "The memory that is corrected", positional=True, required=True, shown="PATH"),
    *_CONTENT,
    replace(_TYPE, default=None, help="What kind of memory it is; absent means as before"),
    *_PLACE,
    *_NAMES,
    *_FACTS,
    *_ORIGIN,
)
"""What makes a memory that takes another's place."""

MANY_PATHS = Parameter("path", Kind.PATH, "Memories, by their paths", positional=True, required=True, repeatable=True)
_EDGE = (
    Parameter("source", Kind.PATH, "The memory that the link is in", positional=True, required=True),
    Parameter("rel", Kind.TEXT, "What the source is to the target", positional=True, required=True),
    Parameter("target", Kind.PATH, "The memory that the link leads to", positional=True, required=True),
)
_RELS = f"Rels: {', '.join(rel.value for rel in Rel)}."

_EXAMPLE = "resources/deploys/drain-before-every-deploy.html"
_OTHER = "areas/inbox/nodes-reboot-on-sundays.html"

WRITING: tuple[Operation, ...] = (
    Operation(
        name="write",
        summary="Remember one fact, as one file and one commit",
        parameters=DRAFT,
        runs="write:run",
        envelope="memory.written",
        examples=(
            'memhtml write "Drain before every deploy." --tag deploys --entity service:checkout',
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
    Operation(
        name="apply",
        summary="Do many operations as one commit, from JSON lines",
        parameters=(
            Parameter(
                "lines", Kind.TEXT, "A file, or - for standard input", positional=True, required=True, reads=Reads.FILE
            ),
            Parameter("best_effort", Kind.FLAG, "Do the lines that can be done; else one refusal stops them all"),
            Parameter("dry_run", Kind.FLAG, "Check and report, and write nothing"),
            Parameter("detect_conflicts", Kind.FLAG, "Report claims that say otherwise of the same thing"),
            Parameter("detect_near_duplicates", Kind.FLAG, "Report memories that say nearly the same, by vector"),
            Parameter(
                "consolidate",
                Kind.CHOICE,
                "Archive, of claims that say otherwise of the same thing, all but the later",
                choices=("last-wins",),
            ),
        ),
        runs="apply:run",
        envelope="batch.applied",
        examples=("memhtml apply batch.jsonl", "memhtml apply --dry-run - < batch.jsonl"),
        notes=(
            'A line is {"op":"write","claim":…}; the other fields are the flags of write, with underscores.',
            'The other verbs: {"op":"correct","target":…,"claim":…}, {"op":"archive","path":…} and',
            '{"op":"link","source":…,"rel":…,"target":…}. A line without "op" writes.',
            "Every line is checked before anything is written. One commit, one instant, results in the lines' order.",
            "With --best-effort the exit status is 1 when a line was refused.",
            "Claims are of one thing when they agree, in three words or more, up to the last of, is, in, to, by, as.",
        ),
        mutates=True,
        piped="lines",
    ),
    Operation(
        name="correct",
        summary="Put a new memory in the place of one that is wrong or out of date; that one goes to the archive",
        parameters=CORRECTION,
        runs="correct:run",
        envelope="memory.corrected",
        examples=(f'memhtml correct {_EXAMPLE} "Drain before every deploy, and wait for 30 seconds."',),
        notes=("Tags, entities, aliases, importance and type that you do not give are those of the corrected one.",),
        mutates=True,
        piped="body",
    ),
    Operation(
        name="link",
        summary="Say what one memory is to another",
        parameters=_EDGE,
        runs="link:run_link",
        envelope="memory.linked",
        examples=(f"memhtml link {_EXAMPLE} relates_to {_OTHER}",),
        notes=(_RELS,),
        mutates=True,
    ),
    Operation(
        name="unlink",
        summary="Take a link back",
        parameters=_EDGE,
        runs="link:run_unlink",
        envelope="memory.linked",
        examples=(f"memhtml unlink {_EXAMPLE} relates_to {_OTHER}",),
        mutates=True,
    ),
    Operation(
        name="archive",
        summary="Take memories out of use; nothing is deleted",
        parameters=(MANY_PATHS,),
        runs="archive:run_archive",
        envelope="memory.moved",
        examples=(f"memhtml archive {_OTHER}",),
        mutates=True,
    ),
    Operation(
        name="restore",
        summary="Bring archived memories back to where they were",
        parameters=(MANY_PATHS,),
        runs="archive:run_restore",
        envelope="memory.moved",
        examples=("memhtml restore areas/inbox/builds-take-ten-minutes.html",),
        notes=("Name the place in the archive, or the original place.",),
        mutates=True,
    ),
    Operation(
        name="task add",
        summary="Add a task",
        parameters=tuple(parameter for parameter in DRAFT if parameter.name != "type"),
        runs="tasks:run_add",
        envelope="memory.written",
        examples=('memhtml task add "Write the runbook for key rotation" --workspace checkout --due 2026-08-01',),
        mutates=True,
        piped="body",
    ),
    Operation(
        name="task status",
        summary="Set how far a task is; one that is done goes to the archive",
        parameters=(
            Parameter("path", Kind.PATH, "A task, by its path", positional=True, required=True),
            Parameter("status", Kind.CHOICE, "Its state", positional=True, required=True, choices=TASK_STATUSES),
        ),
        runs="tasks:run_status",
        envelope="task.changed",
        examples=("memhtml task status areas/inbox/tasks/order-the-badges.html doing",),
        mutates=True,
    ),
    Operation(
        name="task list",
        summary="List tasks in the order in which they want attention",
        parameters=(
            Parameter(
                "status",
                Kind.CHOICE,
                "Only in this state; absent means all but done",
                choices=TASK_STATUSES,
                repeatable=True,
            ),
            Parameter("workspace", Kind.TEXT, "Only of this project", shown="NAME"),
            Parameter("due", Kind.INSTANT, f"Only what is due by then, {INSTANT_HELP}", shown="WHEN"),
            Parameter("limit", Kind.INTEGER, "How many tasks at most", default=50, low=1, high=1000),
        ),
        runs="tasks:run_list",
        envelope="task.list",
        examples=("memhtml task list",),
    ),
)
