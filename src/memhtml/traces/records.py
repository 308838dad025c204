"""One line of a transcript: what kind of line it is, and the little that is kept of it. Pure, and it never raises.

The type of a record is decided before any other field is looked at, and every field is taken for what it is, not for
what it should be: a transcript is data from another program, of any version, possibly cut or mangled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import cast

from msgspec import Struct

from memhtml.domain.instants import normalised
from memhtml.domain.memory import Instant
from memhtml.traces.calls import Answer, Call, answers, calls, identifier
from memhtml.traces.prompts import content, head, prompt

LONGEST_NOTE = 200
LONGEST_FOLDER = 500
MOST_PARTS = 500_000
"""Commas and brackets of a line that is looked into: a part takes many times the memory of the bytes it stands in."""

_LONGEST_INSTANT = 40
_SHORT = 100_000  # bytes of a line that cannot have too many parts to matter
_ABSENT: Mapping[str, object] = {}


class Fate(StrEnum):
    """What became of a line: each line has exactly one. The first seven are types that are read."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    ATTACHMENT = "attachment"
    AGENT_NAME = "agent-name"
    AI_TITLE = "ai-title"
    PR_LINK = "pr-link"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"
    UNKEYED = "unkeyed"
    SHAPELESS = "shapeless"
    BROKEN = "broken"
    OVERLONG = "overlong"
    BLANK = "blank"


READ = frozenset(
    {Fate.USER, Fate.ASSISTANT, Fate.SYSTEM, Fate.ATTACHMENT, Fate.AGENT_NAME, Fate.AI_TITLE, Fate.PR_LINK}
)
SKIPPED = frozenset(
    {
        "last-prompt",
        "mode",
        "permission-mode",
        "queue-operation",
        "file-history-snapshot",
        "file-history-delta",
        "summary",
    }
)
_TYPES = {fate.value: fate for fate in READ}


class Record(Struct, frozen=True):
    """What is kept of a line that was read.

    Attributes:
        session: which conversation it belongs to.
        at: when; ``None`` where the record does not say, or says no time.
        subagent: an agent's own side of a conversation, not the person's.
        prompt: head of what was asked, at most 500 characters.
        prompt_id: groups the records that answer one prompt.
        title: of the conversation, as its program words it.
        agent: the agent's name.
        pull_request: address of what came of it.
        folder: where the agent worked.
        calls: what it began to do with memories.
        answers: what came of calls.
    """

    session: str
    at: Instant | None = None
    subagent: bool = False
    prompt: str | None = None
    prompt_id: str | None = None
    title: str | None = None
    agent: str | None = None
    pull_request: str | None = None
    folder: str | None = None
    branch: str | None = None
    calls: tuple[Call, ...] = ()
    answers: tuple[Answer, ...] = ()


def classify(line: bytes, store: str) -> tuple[Fate, Record | None]:
    r"""What kind of line this is, and what is kept of it: a record exactly if the line's type is one that is read.

    ``store`` is where the memories lie, with slashes.

    >>> classify(b'{"type":"mode","mode":"plan"}\n', "/m")
    (<Fate.SKIPPED: 'skipped'>, None)
    >>> fate, record = classify(b'{"type":"ai-title","aiTitle":"A slow build","sessionId":"s1"}\n', "/m")
    >>> fate, record.title
    (<Fate.AI_TITLE: 'ai-title'>, 'A slow build')
    """
    fate, fields = opened(line)
    return fate, None if fate not in READ else _record(fate, fields, store)


def opened(line: bytes) -> tuple[Fate, Mapping[str, object]]:
    r"""What kind of line this is, and, if it is one that is read, its fields; none of any other.

    >>> opened(b'{"type":"summary","sessionId":"s1"}\n')
    (<Fate.SKIPPED: 'skipped'>, {})
    """
    fields = _object(line)
    if isinstance(fields, Fate):
        return fields, _ABSENT
    fate = _type(fields)
    if fate not in READ:
        return fate, _ABSENT
    return (fate, fields) if identifier(fields.get("sessionId")) else (Fate.UNKEYED, _ABSENT)


def _object(line: bytes) -> Mapping[str, object] | Fate:
    """The fields of a line that holds a JSON object, else what became of it."""
    if not line.strip():
        return Fate.BLANK
    if len(line) > _SHORT and sum(map(line.count, (b",", b"[", b"{"))) > MOST_PARTS:
        return Fate.OVERLONG
    try:
        value: object = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        # No UTF-8, no JSON, nested too deep, a number of too many digits.
        return Fate.BROKEN
    return cast("dict[str, object]", value) if isinstance(value, dict) else Fate.SHAPELESS


def _type(fields: Mapping[str, object]) -> Fate:
    kind = fields.get("type")
    if not isinstance(kind, str):
        return Fate.UNKNOWN
    return Fate.SKIPPED if kind in SKIPPED else _TYPES.get(kind, Fate.UNKNOWN)


def _record(fate: Fate, fields: Mapping[str, object], store: str) -> Record:
    asked = fields if fate is Fate.USER else _ABSENT
    held = content(fields)
    return Record(
        session=str(fields["sessionId"]),
        at=instant(fields.get("timestamp")),
        subagent=fields.get("isSidechain") is True,
        prompt=prompt(asked),
        prompt_id=identifier(asked.get("promptId")),
        title=_note(fields.get("aiTitle")) if fate is Fate.AI_TITLE else None,
        agent=_note(fields.get("agentName")) if fate is Fate.AGENT_NAME else None,
        pull_request=_note(fields.get("prUrl")) if fate is Fate.PR_LINK else None,
        folder=_note(fields.get("cwd"), LONGEST_FOLDER),
        branch=_note(fields.get("gitBranch")),
        calls=tuple(calls(held, store)) if fate is Fate.ASSISTANT else (),
        answers=tuple(answers(held)) if fate is Fate.USER else (),
    )


def instant(value: object) -> Instant | None:
    """The time that a record names, if it is one."""
    return normalised(value) if isinstance(value, str) and len(value) <= _LONGEST_INSTANT else None


def _note(value: object, longest: int = LONGEST_NOTE) -> str | None:
    if not isinstance(value, str):
        return None
    # One folder and one branch stand in every record of a session.
    return (_known_head(value, longest) if len(value) <= longest else head(value, longest)) or None


_known_head = lru_cache(maxsize=256)(head)
