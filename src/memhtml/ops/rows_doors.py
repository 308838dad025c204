"""Rows of the table: how agents and their hosts come in."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter, Reads

EVENTS = ("session-start", "user-prompt-submit", "pre-compact", "session-end")
HOSTS = ("claude-code", "codex", "cursor", "gemini-cli", "vscode")

_HOST = Parameter(
    "host", Kind.CHOICE, "The program that the agent works in", positional=True, required=True, choices=HOSTS
)
_SOME_HOST = Parameter("host", Kind.CHOICE, "One of them alone", positional=True, choices=HOSTS)
_REACH = (
    Parameter("scope", Kind.CHOICE, "For you, or for one project", choices=("user", "project")),
    Parameter("project", Kind.PATH, "The project, if it is not the working folder", shown="FOLDER"),
    Parameter("dry_run", Kind.FLAG, "Show what would be done, as is done without --yes"),
    Parameter("yes", Kind.FLAG, "Do it"),
)

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
            "A prompt gets what clears the bar, by words and by the built-in model; no prompt is sent to a server.",
            "By words alone (--embed off) it costs a third. The other two events index the session's transcript.",
        ),
        mutates=True,
        piped="payload",
        document=True,
    ),
    Operation(
        name="serve mcp",
        summary="Serve this store to an agent over standard input and output, or over HTTP",
        parameters=(
            Parameter("exec", Kind.FLAG, "Let the agent ask by scripts too, as the command exec does"),
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
    Operation(
        name="integrations install",
        summary="Make memhtml known to an agent's host: server, hooks, instructions",
        parameters=(_HOST, *_REACH),
        runs="integrating:run_install",
        envelope="integration.installed",
        examples=(
            "memhtml integrations install claude-code",
            "memhtml integrations install cursor --scope project --dry-run",
        ),
        notes=(
            "Without --yes it shows what it would put into which file, and changes nothing.",
            "What a file holds stays as it is, byte for byte. A file that is a link, or cannot be read, is refused.",
            "A receipt is kept among your own files, so that uninstall takes out exactly what was put in.",
            "The host is told this store by its path. Give --root to name another.",
        ),
        mutates=True,
        destructive=True,
        needs_store=False,
    ),
    Operation(
        name="integrations uninstall",
        summary="Take out of a host's files exactly what install has put there",
        parameters=(_HOST, *_REACH),
        runs="integrating:run_uninstall",
        envelope="integration.uninstalled",
        examples=("memhtml integrations uninstall claude-code",),
        notes=(
            "Without --yes it shows what it would do, and changes nothing.",
            "Files that nobody has touched since become what they were, byte for byte; others lose the parts alone.",
            "Where somebody has changed such a part itself, nothing at all is taken out, and the part is named.",
        ),
        mutates=True,
        destructive=True,
        needs_store=False,
    ),
    Operation(
        name="integrations list",
        summary="Show which hosts memhtml was made known to, and whether all is in place",
        parameters=(_SOME_HOST,),
        runs="registered:run_list",
        envelope="integration.list",
        examples=("memhtml integrations list",),
        needs_store=False,
    ),
    Operation(
        name="integrations doctor",
        summary="Start each registered server as its host would, and see that it answers",
        parameters=(_SOME_HOST,),
        runs="registered:run_doctor",
        envelope="integration.doctor",
        examples=("memhtml integrations doctor",),
        notes=("Exit status 1 when something is wrong. A server gets 20 seconds.",),
        needs_store=False,
    ),
)
