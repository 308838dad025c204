"""Resources: what a host may put into a conversation by its address. All of it is fenced text."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from memhtml.domain.errors import PathNotFoundError
from memhtml.mcp.telling import fenced, quoted, told
from memhtml.mcp.tools import TOOLS
from memhtml.ops.arguments import bind, shown
from memhtml.ops.encoding import encode
from memhtml.ops.running import load
from memhtml.retrieve.pack import one_line

if TYPE_CHECKING:
    from memhtml.workspace.workspace import Workspace

TEMPLATES = {
    "memhtml://file/{+path}": ("memory", "One memory, by its path"),
    "memhtml://sleep/{run}": ("sleep-run", "What a night of curation would change, and why"),
    "memhtml://recall/{query}": ("recall", "A pack of quotations that answer a question"),
}
"""Templates of addresses, each with a name and what it gives."""

_LONGEST_LINE = 200


def resource(workspace: Workspace, uri: str) -> str:
    """The text at ``uri``.

    Raises:
        PathNotFoundError: it is no address of ours, or nothing is there.
        MemhtmlError: the operation behind it refuses.
    """
    house, _, rest = uri.removeprefix("memhtml://").partition("/")
    name = unquote(rest)
    if uri.startswith("memhtml://") and name:
        match house:
            case "file":
                return _asked(workspace, "memory_read", {"path": [name], "no_count": True})
            case "recall":
                return _asked(workspace, "memory_recall", {"query": name})
            case "sleep":
                return _night(workspace, name)
            case _:
                pass
    raise PathNotFoundError(f"nothing is at {shown(uri)}", suggestions=tuple(TEMPLATES))


def nights(workspace: Workspace) -> tuple[str, ...]:
    """Addresses of the runs that there are."""
    from memhtml.store.branches import Runs

    return tuple(f"memhtml://sleep/{run.name}" for run in Runs(workspace.repository).listed())


def _asked(workspace: Workspace, tool: str, arguments: dict[str, object]) -> str:
    row = TOOLS[tool].row
    data = encode(load(row)(workspace, bind(row, arguments)))
    return told(row.envelope, data if isinstance(data, dict) else {})


def _night(workspace: Workspace, name: str) -> str:
    from memhtml.ops.sleep.review import review_run

    found = review_run(workspace, name)
    blocks: list[str] = []
    for commit in found.commits:
        blocks.append(f"[{commit.phase}] {one_line(commit.subject, _LONGEST_LINE)}\n")
        for file in commit.files:
            why = f": {one_line(file.why, _LONGEST_LINE)}" if file.why else ""
            blocks.append(f"- {file.kind} {one_line(file.path, _LONGEST_LINE)}{why}\n")
            blocks += [quoted(f"{side.title}: {side.claim}") for side in (file.before, file.after) if side is not None]
    return fenced(f"Run {found.run} is {found.state.value}; it changes {found.changed} files.", blocks)
