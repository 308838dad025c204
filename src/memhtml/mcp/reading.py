"""What clients send as arguments, as an operation takes it: they are not all as strict as the schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from memhtml.domain.errors import UnexpectedArgumentError
from memhtml.mcp.tools import Tool
from memhtml.ops.arguments import Arguments, bind, closest, shown
from memhtml.ops.lines import by_name


def read(tool: Tool, arguments: Mapping[str, object]) -> Arguments:
    """The checked arguments of a call.

    "" and null stand for what is absent; a list may come as JSON text; a single value may stand for a list of one;
    names may be plural or in camelCase.

    Raises:
        UsageError: by its class: what cannot be read so.
    """
    present = {name: value for name, value in arguments.items() if not _absent(value)}
    if tool.objects:
        present = {_lines_name(tool, name): value for name, value in present.items()}
        if tool.objects in present:
            present[tool.objects] = _lines(present[tool.objects])
    named = by_name({name: _listed(tool, value) for name, value in present.items()})
    for name in named:
        if name not in tool.takes:
            raise UnexpectedArgumentError(
                f"{tool.name} takes no {shown(name)}",
                suggestions=tuple(f"did you mean {each}?" for each in closest(name, tool.takes)),
            )
    return bind(tool.row, named, spelling=lambda parameter: parameter.name)


def _absent(value: object) -> bool:
    return value is None or value in ("", [])


def _lines_name(tool: Tool, name: str) -> str:
    return tool.objects if name in {"items", "operations", "memories"} else name


def _listed(tool: Tool, value: object) -> object:
    """A list without what is absent in it, also where it comes as text."""
    if not tool.objects and isinstance(value, str) and value.lstrip().startswith("["):
        value = _json(value, value)
    if isinstance(value, list):
        return [each for each in cast("list[object]", value) if not _absent(each)]
    return value


def _lines(value: object) -> str:
    """Objects, or JSON text of them, as one object a line."""
    if isinstance(value, str):
        found = _json(value, None)
        if found is None:
            return value  # lines already, or nothing that could be read: the operation says what is wrong
        value = found
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return "\n".join(" ".join(each.splitlines()) if isinstance(each, str) else json.dumps(each) for each in items)


def _json(text: str, otherwise: object) -> Any:  # noqa: ANN401 - JSON of whatever shape
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return otherwise
