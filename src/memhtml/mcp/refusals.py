"""Errors as an agent reads them: the code first, then what is wrong, then the call that goes on from there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from memhtml.domain import errors
from memhtml.domain.errors import MemhtmlError
from memhtml.mcp.tools import TOOLS, Tool
from memhtml.ops.encoding import Json
from memhtml.retrieve.pack import visible

_LONGEST = 2_000
_FLAG = re.compile(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)(?![a-z-])")

_ONWARD: dict[type[MemhtmlError], str] = {
    errors.InvalidPathError: "memory_list",
    errors.PathNotFoundError: "memory_search",
    errors.DuplicateContentError: "memory_search",
    errors.WriteConflictError: "memory_read",
    errors.InvalidEdgeError: "memory_read",
}
"""The tool that helps with an error; with any other, the same tool called rightly."""

_IN_A_SHELL: dict[type[MemhtmlError], str] = {
    errors.StoreMissingError: "first, in a shell: memhtml init",
    errors.NotAStoreError: "first, in a shell: memhtml init, or name the store with MEMHTML_ROOT",
}


def call(name: str, arguments: Mapping[str, Json]) -> str:
    """A call as text.

    >>> call("memory_list", {"limit": 20})
    'memory_list({"limit": 20})'
    """
    return f"{name}({json.dumps(arguments, ensure_ascii=False)})"


def refusal(error: MemhtmlError, tool: Tool | None) -> str:
    """What an agent is told of ``error``: one line, and a line for each suggestion; the last one is a call."""
    lines = [f"{error.code}: {_line(error.message)}"]
    lines += [f"- {_line(said)}" for said in error.suggestions if _helps(said, tool)]
    lines += [f"- {words}" for kind, words in _IN_A_SHELL.items() if isinstance(error, kind)]
    names = (name for kind, name in _ONWARD.items() if isinstance(error, kind))
    onward = TOOLS.get(next(names, ""), tool or TOOLS["memory_search"])
    lines.append(f"Try {call(onward.name, onward.example)}")
    return "\n".join(lines)


def _helps(said: str, tool: Tool | None) -> bool:
    """Whether it is advice for an agent: no command line, and of no argument that the tool does not take."""
    if "memhtml" in said or said.startswith("{"):
        return False
    named = {name.replace("-", "_") for name in _FLAG.findall(said)}
    return tool is None or named <= set(tool.takes)


def _line(text: str) -> str:
    """On one line, with names as a tool has them where the command line's are said."""
    named = _FLAG.sub(lambda found: found[1].replace("-", "_"), " ".join(text.split()))
    return visible(named)[:_LONGEST]
