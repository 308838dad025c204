"""A scope as SQL: conditions over a row ``f`` of ``files``, put together from fixed texts, the values as parameters."""

from __future__ import annotations

import json
import unicodedata

from msgspec import Struct

from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType

_NO_TASKS = "f.type <> 'task'"
_TYPES = "f.type IN (SELECT value FROM json_each(:scope_types))"
_WORKSPACE = "f.workspace = :scope_workspace"
# As lists of rows rather than as a question to each row, so that a narrow scope can be walked by its index.
_TAGS = "f.id IN (SELECT file FROM tags WHERE tag IN (SELECT value FROM json_each(:scope_tags)))"
_ENTITY = "f.id IN (SELECT file FROM entities WHERE type = :scope_entity_type AND name = :scope_entity_name)"
_FACET = "f.id IN (SELECT file FROM facets WHERE name = :scope_facet_name AND value = :scope_facet_value)"
_LIVE = "f.archived = 0"
# What a correction archived held until it was superseded, so a question about the past sees it.
_LIVE_OR_SUPERSEDED = "(f.archived = 0 OR f.superseded_by IS NOT NULL)"
_HELD = """coalesce(f.valid_from, f.event_at, f.created) <= :scope_as_of
  AND (f.valid_until IS NULL OR f.valid_until > :scope_as_of)"""


class Condition(Struct, frozen=True):
    """Text for a WHERE clause over ``files AS f``, and its parameters; names begin with ``scope_``.

    Attributes:
        text: where the scope is what a query begins with, so that a narrow one is walked by its index.
        filter: where files are found in another way first. SQLite would otherwise go through the whole list of a
            narrow scope for each of them; the ``+`` keeps it from that.
        narrow: it names a workspace, a tag, an entity or a facet, so most memories are likely to be outside.
    """

    text: str
    filter: str
    parameters: dict[str, str]
    narrow: bool


def condition(scope: Scope) -> Condition:
    """The condition that a memory in ``scope`` meets.

    >>> condition(Scope()).text
    "f.type <> 'task' AND f.archived = 0"
    """
    parts: list[str] = []
    parameters: dict[str, str] = {}
    if not scope.types:
        parts.append(_NO_TASKS)
    elif scope.types != frozenset(MemoryType):
        parts.append(_TYPES)
        parameters["scope_types"] = json.dumps(sorted(scope.types))
    if scope.workspace is not None:
        parts.append(_WORKSPACE)
        parameters["scope_workspace"] = _sound(unicodedata.normalize("NFC", scope.workspace))
    if scope.tags:
        parts.append(_TAGS)
        parameters["scope_tags"] = json.dumps([_line(tag) for tag in scope.tags])
    if scope.entity is not None:
        parts.append(_ENTITY)
        parameters["scope_entity_type"] = _line(scope.entity.type)
        parameters["scope_entity_name"] = _line(scope.entity.name)
    if scope.facet is not None:
        parts.append(_FACET)
        parameters["scope_facet_name"] = _line(scope.facet[0])
        parameters["scope_facet_value"] = _line(scope.facet[1])
    if not scope.archived:
        parts.append(_LIVE if scope.as_of is None else _LIVE_OR_SUPERSEDED)
    if scope.as_of is not None:
        parts.append(_HELD)
        parameters["scope_as_of"] = _sound(scope.as_of)
    text = " AND ".join(parts) or "TRUE"
    return Condition(text, text.replace("f.id IN", "+f.id IN"), parameters, _is_narrow(scope))


def _is_narrow(scope: Scope) -> bool:
    return bool(scope.workspace is not None or scope.tags or scope.entity or scope.facet)


def _line(text: str) -> str:
    """``text`` as a file holds it: a tag, an entity or a facet is one line there, its runs of white space one space."""
    return _sound(" ".join(text.split()))


def _sound(text: str) -> str:
    """``text`` as SQLite takes it: a lone surrogate, which a shell can pass, equals nothing that is stored."""
    return text.encode("utf-8", "replace").decode("utf-8")
