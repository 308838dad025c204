"""A scope as SQL: conditions over a row ``f`` of ``files``, put together from fixed texts, the values as parameters."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType

_NO_TASKS = "f.type <> 'task'"
_TYPES = "f.type IN (SELECT value FROM json_each(:scope_types))"
_WORKSPACE = "f.workspace = :scope_workspace"
_TAGS = """EXISTS (
  SELECT 1 FROM tags WHERE tags.file = f.id AND tags.tag IN (SELECT value FROM json_each(:scope_tags))
)"""
_ENTITY = """EXISTS (
  SELECT 1 FROM entities
  WHERE entities.file = f.id AND entities.type = :scope_entity_type AND entities.name = :scope_entity_name
)"""
_FACET = """EXISTS (
  SELECT 1 FROM facets
  WHERE facets.file = f.id AND facets.name = :scope_facet_name AND facets.value = :scope_facet_value
)"""
_LIVE = "f.archived = 0"
# What a correction archived held until it was superseded, so a question about the past sees it.
_LIVE_OR_SUPERSEDED = "(f.archived = 0 OR f.superseded_by IS NOT NULL)"
_HELD = """coalesce(f.valid_from, f.event_at, f.created) <= :scope_as_of
  AND (f.valid_until IS NULL OR f.valid_until > :scope_as_of)"""


@dataclass(frozen=True, slots=True)
class Condition:
    """Text for a WHERE clause over ``files AS f``, and its parameters; names begin with ``scope_``."""

    text: str
    parameters: dict[str, str]


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
        parameters["scope_workspace"] = _sound(scope.workspace)
    if scope.tags:
        parts.append(_TAGS)
        parameters["scope_tags"] = json.dumps([_sound(tag) for tag in scope.tags])
    if scope.entity is not None:
        parts.append(_ENTITY)
        parameters["scope_entity_type"] = _sound(scope.entity.type)
        parameters["scope_entity_name"] = _sound(scope.entity.name)
    if scope.facet is not None:
        parts.append(_FACET)
        parameters["scope_facet_name"] = _sound(scope.facet[0])
        parameters["scope_facet_value"] = _sound(scope.facet[1])
    if not scope.archived:
        parts.append(_LIVE if scope.as_of is None else _LIVE_OR_SUPERSEDED)
    if scope.as_of is not None:
        parts.append(_HELD)
        parameters["scope_as_of"] = _sound(scope.as_of)
    return Condition(" AND ".join(parts) or "TRUE", parameters)


def _sound(text: str) -> str:
    """``text`` as SQLite takes it: a lone surrogate, which a shell can pass, equals nothing that is stored."""
    return text.encode("utf-8", "replace").decode("utf-8")
