"""Errors as an agent reads them: the code first, then what is wrong, then the call that goes on from there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import cast

from memhtml.domain import errors
from memhtml.domain.errors import MemhtmlError
from memhtml.mcp.tools import EXEC, Tool
from memhtml.ops.encoding import Json
from memhtml.retrieve.pack import visible

_LONGEST = 2_000
_FLAG = re.compile(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)(?![a-z-])")

_SAID = ("query", "claim", "title", "body")
_PLACES = ("path", "paths", "target", "source", "uri")
_WORDS = 100
"""Characters of the words that a failed call gives to the next one."""

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


def refusal(error: MemhtmlError, tool: Tool | None, arguments: Mapping[str, object]) -> str:
    """What an agent is told of ``error``: one line, and a line for each suggestion; the last one is a call.

    That call is right as it stands and changes nothing, since an agent may send it word for word.
    """
    lines = [f"{error.code}: {_line(error.message)}"]
    lines += [f"- {_line(said)}" for said in error.suggestions if _helps(said, tool)]
    lines += [f"- {words}" for kind, words in _IN_A_SHELL.items() if isinstance(error, kind)]
    lines.append(f"Try {_onward('' if tool is None else tool.name, arguments)}")
    return "\n".join(lines)


def _onward(name: str, arguments: Mapping[str, object]) -> str:
    """A call that looks for what the failed one was about, in its own words; where it has none, a list."""
    if name == EXEC.name:
        return call(name, {"script": "report(len(corpus()))"})
    said = (_first(arguments.get(each)) for each in _SAID)
    places = (_of_path(_first(arguments.get(each))) for each in _PLACES)
    words = next((found for found in (*said, *places) if found), "")
    if not words:
        return call("task_list" if name.startswith("task_") else "memory_list", {})
    return call(name if name in {"memory_recall", "trace_search"} else "memory_search", {"query": words})


def _first(value: object) -> str:
    """The words of a text, or of the first of a list; nothing of anything else."""
    if isinstance(value, list):
        value = next(iter(cast("list[object]", value)), "")
    return visible(" ".join(value.split()))[:_WORDS].strip() if isinstance(value, str) else ""


def _of_path(path: str) -> str:
    return " ".join(re.findall(r"\w+", path.rpartition("/")[2].removesuffix(".html")))


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
