"""Rows of the table: questions for which there is no command, asked as a script."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter, Reads

SECONDS = 10
MEGABYTES = 256

EXEC: tuple[Operation, ...] = (
    Operation(
        name="exec",
        summary="Answer a question by a script that looks at all memories at once and can change nothing",
        parameters=(
            Parameter(
                "script",
                Kind.TEXT,
                "A file with Python, or - for standard input",
                positional=True,
                required=True,
                reads=Reads.FILE,
            ),
            Parameter("commit", Kind.TEXT, "Look at the store as it was then: an instant or a commit", shown="WHEN"),
            Parameter(
                "limit_seconds", Kind.NUMBER, "Seconds that it may take", default=SECONDS, low=0.1, high=300, shown="N"
            ),
            Parameter(
                "limit_memory_mb", Kind.INTEGER, "Megabytes that it may use", default=MEGABYTES, low=16, high=4096
            ),
        ),
        runs="execing:run",
        envelope="exec.report",
        examples=("memhtml exec orphans.py", "memhtml exec --limit-seconds 60 - < orphans.py"),
        notes=(
            "It needs: pip install 'memhtml[exec]'",
            "The script calls report(value) once, with texts, numbers, lists and dictionaries; that is the answer.",
            "corpus() gives the memories as dictionaries, newest first, each with its text and its links.",
            "It takes the scope of a search, and what of each is wanted: corpus(tag='deploys', only=['links']).",
            "backlinks(path) gives what links to a memory; with a rel, what does so in that way.",
            "chain(path) gives the line of corrections that a memory stands in, oldest first; with a rel, another.",
            "search(query, limit=10) finds as the command does.",
            "It is a subset of Python without files, network, environment, other modules, yield and inheritance.",
        ),
        piped="script",
    ),
)
