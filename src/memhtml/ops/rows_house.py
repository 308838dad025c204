"""Rows of the table: settings, and what memhtml says of itself."""

from __future__ import annotations

from memhtml.ops.operation import Kind, Operation, Parameter, Reads

_USER = Parameter("user", Kind.FLAG, "In your own file, for every store")
_NAME = Parameter("name", Kind.TEXT, "Which setting", positional=True, required=True)

START: tuple[Operation, ...] = (
    Operation(
        name="init",
        summary="Make a folder a memory store, or put right what is missing in one",
        parameters=(Parameter("folder", Kind.PATH, "The folder, instead of the configured root", positional=True),),
        runs="init:run",
        envelope="store.initialized",
        examples=("memhtml init",),
        notes=("It can be repeated at any time: what is there stays.",),
        mutates=True,
        needs_store=False,
    ),
)

CARE: tuple[Operation, ...] = (
    Operation(
        name="index rebuild",
        summary="Make the index anew from the files; vectors of unchanged texts are kept",
        parameters=(),
        runs="index:run_rebuild",
        envelope="index.updated",
        examples=("memhtml index rebuild",),
        mutates=True,
    ),
    Operation(
        name="index update",
        summary="Let the index follow the branch and the files as they are now, committed or not",
        parameters=(),
        runs="index:run_update",
        envelope="index.updated",
        examples=("memhtml index update",),
        mutates=True,
    ),
    Operation(
        name="index embed",
        summary="Make the vectors that are missing",
        parameters=(
            Parameter("limit", Kind.INTEGER, "How many texts at most; absent means all", low=1),
            Parameter("replace", Kind.FLAG, "Drop the vectors of another model first"),
        ),
        runs="index:run_embed",
        envelope="index.embedded",
        examples=("memhtml index embed",),
        notes=("A write never waits for the model; searches make a few of the missing vectors each.",),
        mutates=True,
    ),
    Operation(
        name="index status",
        summary="Show how the index stands to the files",
        parameters=(),
        runs="index:run_status",
        envelope="index.status",
        examples=("memhtml index status",),
    ),
    Operation(
        name="index verify",
        summary="Make a second index from nothing and compare the two row by row",
        parameters=(),
        runs="index:run_verify",
        envelope="index.verified",
        examples=("memhtml index verify",),
        notes=("The exit status is 1 when they differ.",),
    ),
    Operation(
        name="state export",
        summary="Commit what was opened and reinforced as JSON lines",
        parameters=(),
        runs="state:run_export",
        envelope="state.exported",
        examples=("memhtml state export",),
        mutates=True,
    ),
    Operation(
        name="state import",
        summary="Merge such lines, the committed ones or those of a file; counters by maximum",
        parameters=(
            Parameter("file", Kind.PATH, "A file, or - for standard input", positional=True, reads=Reads.FILE),
        ),
        runs="state:run_import",
        envelope="state.imported",
        examples=("memhtml state import",),
        mutates=True,
    ),
    Operation(
        name="status",
        summary="Show what is in the store, what the index holds of it, and what is not committed",
        parameters=(),
        runs="status:run",
        envelope="store.status",
        examples=("memhtml status",),
    ),
    Operation(
        name="doctor",
        summary="Look for what is wrong: with the repository, the files, the index",
        parameters=(Parameter("fix", Kind.FLAG, "Repair what has one right answer"),),
        runs="doctor:run",
        envelope="store.health",
        examples=("memhtml doctor", "memhtml doctor --fix"),
        notes=(
            "Each finding says what to do. Without --fix nothing is changed, and the exit status is 1 if there is one.",
        ),
        mutates=True,
    ),
    Operation(
        name="publish",
        summary="Write an index.html into every folder and a sitemap.xml, as one commit",
        parameters=(Parameter("base_url", Kind.TEXT, "Where the store is served, for the site map", shown="URL"),),
        runs="publish:run",
        envelope="store.published",
        examples=("memhtml publish",),
        mutates=True,
    ),
)

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
        name="config set",
        summary="Write one setting, into the store's own file or into yours",
        parameters=(_NAME, Parameter("value", Kind.TEXT, "Its value", positional=True, required=True), _USER),
        runs="config:run_set",
        envelope="config.changed",
        examples=("memhtml config set lock_wait 60",),
        notes=("The store's file is committed: it takes no secret, and nothing that could send a memory elsewhere.",),
        mutates=True,
        needs_store=False,
    ),
    Operation(
        name="config unset",
        summary="Take one setting out of the store's own file, or out of yours",
        parameters=(_NAME, _USER),
        runs="config:run_unset",
        envelope="config.changed",
        examples=("memhtml config unset lock_wait",),
        mutates=True,
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
