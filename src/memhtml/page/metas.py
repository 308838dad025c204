"""The metas of a head: one table of names, in the order in which they are written, with how each is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from memhtml.domain.edges import href, href_target
from memhtml.domain.entities import parse_entity
from memhtml.domain.instants import normalised
from memhtml.domain.memory import Entity, Head, MemoryPath
from memhtml.domain.vocabulary import HIGHEST_IMPORTANCE, LOWEST_IMPORTANCE, MemoryType, Status, TaskStatus

PREFIX = "memhtml-"

_DECIMAL = r"[0-9]{1,9}(?:\.[0-9]{1,30})?"
_INTEGER = r"[0-9]{1,9}"
_HASH = r"sha256:[0-9a-f]{64}"


class MetaRule(Struct, frozen=True):
    """How one meta is spelled and read.

    Attributes:
        name: as it stands in the file.
        field: of `Head`.
        read: the value of a content, or ``None`` when it is outside the rule.
        wanted: what to write, for messages.
        required: without it the file is no memory, and a value outside the rule is a violation.
        repeatable: one value an element, any number of elements.
    """

    name: str
    field: str
    read: Callable[[str], object | None]
    wanted: str
    required: bool = False
    repeatable: bool = False


def _one_line(content: str) -> str | None:
    return " ".join(content.split()) or None


def _confidence(content: str) -> float | None:
    value = float(content) if re.fullmatch(_DECIMAL, content) else None
    return value if value is not None and value <= 1 else None


def _importance(content: str) -> int | None:
    value = _integer(content)
    return value if value is not None and LOWEST_IMPORTANCE <= value <= HIGHEST_IMPORTANCE else None


def _integer(content: str) -> int | None:
    return int(content) if re.fullmatch(_INTEGER, content) else None


def _hash(content: str) -> str | None:
    return content if re.fullmatch(_HASH, content) else None


def _type(content: str) -> MemoryType | None:
    return MemoryType(content) if content in set(MemoryType) else None


def _status(content: str) -> Status | None:
    return Status(content) if content in set(Status) else None


def _task_status(content: str) -> TaskStatus | None:
    return TaskStatus(content) if content in set(TaskStatus) else None


_WHEN = "YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ"
_WORDS = "a text that is not blank"

METAS: tuple[MetaRule, ...] = (
    MetaRule("memhtml-type", "type", _type, "one of " + " ".join(MemoryType), required=True),
    MetaRule("memhtml-status", "status", _status, "one of " + " ".join(Status), required=True),
    MetaRule("memhtml-created", "created", normalised, _WHEN, required=True),
    MetaRule("memhtml-updated", "updated", normalised, _WHEN, required=True),
    MetaRule("memhtml-confidence", "confidence", _confidence, "a number from 0 to 1, like 0.80"),
    MetaRule("memhtml-importance", "importance", _importance, "an integer from 1 to 10"),
    MetaRule("memhtml-content-hash", "content_hash", _hash, "sha256: and 64 hex digits"),
    MetaRule("memhtml-author", "author", _one_line, _WORDS),
    MetaRule("memhtml-session", "session", _one_line, _WORDS),
    MetaRule("memhtml-prompt", "prompt", _one_line, _WORDS),
    MetaRule("memhtml-turn", "turn", _one_line, _WORDS),
    MetaRule("memhtml-valid-from", "valid_from", normalised, _WHEN),
    MetaRule("memhtml-valid-until", "valid_until", normalised, _WHEN),
    MetaRule("memhtml-reprieves", "reprieves", _integer, "an integer from 0 up"),
    MetaRule("memhtml-archived", "archived", normalised, _WHEN),
    MetaRule("memhtml-superseded-by", "superseded_by", href_target, "a path from the root, like /areas/inbox/a.html"),
    MetaRule("memhtml-needs-revision", "needs_revision", {"true": True, "false": False}.get, "true or false"),
    MetaRule("memhtml-task-status", "task_status", _task_status, "one of " + " ".join(TaskStatus)),
    MetaRule("memhtml-due", "due", normalised, _WHEN),
    MetaRule("memhtml-entity", "entities", parse_entity, "type:name", repeatable=True),
    MetaRule("memhtml-tag", "tags", _one_line, _WORDS, repeatable=True),
    MetaRule("memhtml-alias", "aliases", _one_line, _WORDS, repeatable=True),
)
BY_NAME = {rule.name: rule for rule in METAS}
TASK_STATUS = BY_NAME["memhtml-task-status"]
CONTENT_HASH = BY_NAME["memhtml-content-hash"]


def contents(head: Head) -> Iterator[tuple[str, str]]:
    """Names and contents of the metas that ``head`` is written as, in order; repeatables one value at a time."""
    values = {name: getattr(head, name) for name in head.__struct_fields__}
    for rule in METAS:
        value = values[rule.field]
        if rule.repeatable:
            yield from ((rule.name, written(rule, one)) for one in value)
        elif value is not None:
            yield rule.name, written(rule, value)


def written(rule: MetaRule, value: object) -> str:
    """The content that says ``value``.

    >>> written(BY_NAME["memhtml-confidence"], 0.5), written(BY_NAME["memhtml-needs-revision"], True)
    ('0.50', 'true')
    """
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.2f}"
        case str() if rule.read is href_target:
            return href(MemoryPath(value))
        case Entity() | int() | str():
            return str(value)
        case _:
            raise TypeError(f"{rule.name} takes no {type(value).__name__}")
