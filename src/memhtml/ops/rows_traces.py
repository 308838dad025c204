"""Rows of the table: agents' transcripts, read where they are."""

from __future__ import annotations

from memhtml.domain.vocabulary import SessionRel
from memhtml.ops.operation import Kind, Operation, Parameter, Reads
from memhtml.ops.rows_writing import INSTANT_HELP

HITS = 10
LINKS = 200
MOST = 1000

TRACES: tuple[Operation, ...] = (
    Operation(
        name="trace index",
        summary="Read what is new in the transcripts of agents: where a session is, and the heads of its prompts",
        parameters=(Parameter("rebuild", Kind.FLAG, "Forget everything first, and read all of it again"),),
        runs="traces.index:run",
        envelope="trace.indexed",
        examples=("memhtml trace index",),
        notes=(
            "Transcripts are never changed and never copied. Those that look as they did are not opened.",
            "Each line is counted once. Read are user assistant system attachment agent-name ai-title and pr-link.",
            "All others are skipped, unknown, unkeyed (no session), shapeless, broken (no JSON), overlong or blank.",
        ),
        mutates=True,
    ),
    Operation(
        name="trace search",
        summary="Find sessions of agents by the words of their prompts and titles",
        parameters=(
            Parameter(
                "query",
                Kind.TEXT,
                "Words of a prompt or a title",
                positional=True,
                required=True,
                joined=True,
                reads=Reads.STDIN,
            ),
            Parameter("project", Kind.TEXT, "Only this folder, of the transcripts or of the work", shown="NAME"),
            Parameter("since", Kind.INSTANT, f"Asked then or later, {INSTANT_HELP}", shown="WHEN"),
            Parameter("until", Kind.INSTANT, "Asked before then", shown="WHEN"),
            Parameter("limit", Kind.INTEGER, "How many sessions at most", default=HITS, low=1, high=MOST),
        ),
        runs="traces.search:run",
        envelope="trace.hits",
        examples=('memhtml trace search "the slow build"',),
        notes=(
            "Only what trace index has read is found. A hit names the file, and the byte at which the line begins.",
            "What memories say is found by search, which never looks here.",
        ),
    ),
    Operation(
        name="trace links",
        summary="Show which sessions wrote, read, corrected and reinforced a memory, or what one session did",
        parameters=(
            Parameter("path", Kind.PATH, "A memory, by its path", positional=True),
            Parameter("session", Kind.TEXT, "A session, by its id, in place of a memory", shown="ID"),
            Parameter(
                "rel",
                Kind.CHOICE,
                "Only these",
                choices=tuple(rel.value for rel in SessionRel),
                repeatable=True,
            ),
            Parameter("limit", Kind.INTEGER, "How many links at most", default=LINKS, low=1, high=MOST),
        ),
        runs="traces.links:run",
        envelope="trace.links",
        examples=(
            "memhtml trace links resources/deploys/drain-before-every-deploy.html",
            "memhtml trace links --session 0b9f41d2",
        ),
        notes=("They come from the transcripts, and from the sessions that memories themselves name.",),
    ),
)
