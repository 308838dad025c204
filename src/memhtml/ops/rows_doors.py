"""Rows of the table: how agents and their hosts come in."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter, Reads

EVENTS = ("session-start", "user-prompt-submit", "pre-compact", "session-end")
HOSTS = ("claude-code", "codex", "cursor", "gemini-cli", "vscode")

DOORS: tuple[Operation, ...] = (
    Operation(
        name="hook",
        summary="Tell an agent what is known when its host says that something happened",
        parameters=(
            Parameter("event", Kind.CHOICE, "What happened", positional=True, required=True, choices=EVENTS),
            Parameter("host", Kind.CHOICE, "Whose protocol is spoken", choices=HOSTS, default=HOSTS[0]),
            Parameter("payload", Kind.TEXT, "What the host says of it, as JSON", reads=Reads.STDIN, shown="JSON|-"),
        ),
        runs="hooking:run",
        envelope="hook.text",
        examples=("memhtml hook session-start --host codex --payload '{}'",),
        notes=(
            "Whatever goes wrong, nothing is printed and the exit status is 0: an agent's turn is never held up.",
            "With --json, for whoever looks for the fault, it answers and fails as every other command.",
            "A session's start gets a pack about its project, which is named after the root of its git repository.",
            "A prompt gets what clears the bar, by words and by the built-in model; by words alone with --embed off, at a"
            " third of the cost. No prompt is sent to a server. The other two index the session's transcript.",
        ),
        mutates=True,
        piped="payload",
        document=True,
    ),
    Operation(
        name="serve mcp",
        summary="Serve this store to an agent over standard input and output, or over HTTP",
        parameters=(
            Parameter("http", Kind.FLAG, "Serve over HTTP, to this machine alone"),
            Parameter("host", Kind.TEXT, "Address to listen at: 127.0.0.1, ::1 or another of this machine's loopback"),
            Parameter("port", Kind.INTEGER, "Port to listen at; 0 is any that is free", low=0, high=65_535),
        ),
        runs="serving:run",
        envelope="server.served",
        examples=("memhtml serve mcp --json",),
        notes=(
            "It speaks the Model Context Protocol, and ends when its input does. It needs: pip install 'memhtml[mcp]'",
            "Over HTTP it listens at http://127.0.0.1:8725/mcp unless told otherwise, until it is interrupted.",
            "Who asks there must send a token: that in MEMHTML_TOKEN, or one that is made and kept in a file of yours.",
            "Standard error names the file. Requests that a web page could have had a browser send are refused.",
            "With --json it serves nothing, and answers with what it would serve.",
        ),
        mutates=True,
        needs_store=False,
    ),
)
