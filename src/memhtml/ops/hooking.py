"""Operation `hook`: what an agent's host is given at a session's start and with a prompt, in the host's own form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.salience import salience
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import DEFAULT_IMPORTANCE, MemoryType
from memhtml.models.factory import OFF
from memhtml.ops.guide import Document
from memhtml.store.plain import require_plain

if TYPE_CHECKING:
    from memhtml.index.memories import MemoryRow
    from memhtml.index.state import Access
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder
    from memhtml.ops.arguments import Arguments
    from memhtml.retrieve.pack import Source
    from memhtml.workspace.workspace import Workspace

START_BUDGET = 4_000
"""Characters of the pack at a session's start."""
PROMPT_BUDGET = 2_400
"""Characters of the pack that goes with a prompt."""
MOST = 40
"""Memories that the pack at a session's start is made from."""
ANSWERS = 5
"""Memories that go with a prompt at most."""
WAITING = ".memhtml/traces.waiting"
"""There from the end of a session until its transcript is indexed."""
LONGEST_PROMPT = 1_200
"""Characters of a prompt that are asked with: more than a person types, and what a model reads in 0.1 CPU s."""
FEWEST_WORDS, FEWEST_BYTES = 3, 15
"""A prompt with fewer of both is no question."""

_NAME = re.compile(r"[A-Za-z]{1,40}")


class Host(StrEnum):
    """Whose protocol is spoken."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI_CLI = "gemini-cli"
    VSCODE = "vscode"


class Event(StrEnum):
    """What has happened there."""

    SESSION_START = "session-start"
    USER_PROMPT_SUBMIT = "user-prompt-submit"
    PRE_COMPACT = "pre-compact"
    SESSION_END = "session-end"


class Notified(Struct, frozen=True):
    """What a host says on standard input, as far as it is needed; whatever is odd counts as not said.

    Attributes:
        name: of the event, as the host calls it; a word, for it is said again.
        prompt: what the person asked.
        folder: where the agent works; ``None`` when that is not said.
    """

    name: str
    prompt: str
    folder: Path | None


# What each host calls the events after which it takes a text, unless it says so itself.
_NAMES = {
    Host.GEMINI_CLI: {Event.SESSION_START: "SessionStart", Event.USER_PROMPT_SUBMIT: "BeforeAgent"},
}
_USUAL_NAMES = {Event.SESSION_START: "SessionStart", Event.USER_PROMPT_SUBMIT: "UserPromptSubmit"}


def run(workspace: Workspace, arguments: Arguments) -> Document:
    """The `hook` operation."""
    event, host = Event(arguments.needed("event")), Host(arguments.text("host") or Host.CLAUDE_CODE)
    return Document(hook(workspace, event, host, arguments.text("payload") or ""))


def hook(workspace: Workspace, event: Event, host: Host, payload: str) -> str:
    """What is to be printed for the host: "" for nothing.

    Args:
        workspace: the store.
        event: what has happened.
        host: whose protocol is spoken.
        payload: what the host says of it, a JSON object; nothing is said to what is anything else.

    Raises:
        MemhtmlError: the store cannot be asked.
    """
    said = notified(payload)
    return "" if said is None else _DOING[event](workspace, host, said)


def notified(payload: str) -> Notified | None:
    """What a host says; ``None`` where it is no JSON object, unless it is nothing at all.

    >>> notified('{"hook_event_name": "SessionStart", "cwd": "/work/shop"}').folder.as_posix()
    '/work/shop'
    >>> notified("no JSON"), notified('["a"]'), notified("").prompt
    (None, None, '')
    """
    try:
        found: Any = json.loads(payload) if payload.strip() else {}
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    facts = cast("dict[str, Any]", found)
    name = _text(facts.get("hook_event_name"))
    folder = facts.get("cwd") or _first(facts.get("workspace_roots"))
    return Notified(
        name=name if _NAME.fullmatch(name) else "",
        prompt=_text(facts.get("prompt")),
        folder=Path(folder) if isinstance(folder, str) and folder.strip() else None,
    )


def _first(value: object) -> object:
    values = cast("list[object]", value) if isinstance(value, list) else []
    return values[0] if values else None


def project(folder: Path | None) -> str | None:
    """The name of the project that ``folder`` is in: of the root of its git repository, whichever work tree it is.

    ``None`` where there is no repository, or its folder cannot be looked at.
    """
    if folder is None:
        return None
    for place in (folder, *folder.parents):
        mark = place / ".git"
        try:
            if mark.is_dir():
                return place.name or None
            if mark.is_file():
                return _main_root(mark, place).name or None
        except (OSError, ValueError):
            return None
    return None


def _main_root(mark: Path, place: Path) -> Path:
    """Where the repository's own work tree is, for another one of it, which ``mark`` says; a submodule is its own."""
    words = mark.read_text(encoding="utf-8", errors="replace").strip()
    parts = Path(words.removeprefix("gitdir:").strip()).parts
    if "worktrees" in parts and ".git" in parts:
        return (place / Path(*parts[: parts.index(".git")])).resolve()
    return place


def _at_start(workspace: Workspace, host: Host, said: Notified) -> str:
    from memhtml.retrieve.pack import lay_out

    workspace.catch_up()
    name = project(said.folder)
    with workspace.index.reading() as view:
        about, sources = _worth_knowing(view, name)
    arcs = [source for source in sources if source.type is MemoryType.ARC]
    others = [source for source in sources if source.type is not MemoryType.ARC]
    text = lay_out(about, arcs, others, budget=START_BUDGET).text
    return spoken(host, Event.SESSION_START, said.name, text)


def _with_prompt(workspace: Workspace, host: Host, said: Notified) -> str:
    from memhtml.retrieve.recall import RecallRequest, recall

    if not asks(said.prompt):
        return ""
    workspace.catch_up()
    request = RecallRequest(query=ends(said.prompt), budget=PROMPT_BUDGET, most=ANSWERS)
    text = recall(workspace.index, _embedder(workspace), request, workspace.clock.now()).pack.text
    return spoken(host, Event.USER_PROMPT_SUBMIT, said.name, text)


def asks(prompt: str) -> bool:
    """Whether there is enough of ``prompt`` to ask with: "ok" and "go on" are near to whatever is short.

    Counted in bytes, since what has no spaces between its words says more with a character.

    >>> asks("yes please"), asks("when may we ship?"), asks("\u90e8\u7f72\u4f55\u65f6\u51bb\u7ed3")
    (False, True, True)
    """
    return len(prompt.split()) >= FEWEST_WORDS or len(prompt.strip().encode(errors="replace")) >= FEWEST_BYTES


def ends(prompt: str) -> str:
    """``prompt``, or the beginning and the end of a longer one: what is pasted in between is no question.

    >>> len(ends("a" * 1_200)), ends("a" * 9_000) == "a" * 600 + " " + "a" * 600
    (1200, True)
    """
    if len(prompt) <= LONGEST_PROMPT:
        return prompt
    half = LONGEST_PROMPT // 2
    return f"{prompt[:half]} {prompt[-half:]}"


def _embedder(workspace: Workspace) -> Embedder | None:
    """The built-in model where vectors are on, to be used once; no other: a prompt is sent to no server unasked."""
    if workspace.settings.embed == OFF:
        return None
    from memhtml.models.minilm import MiniLM

    with suppress(MemhtmlError):  # what is wrong with the settings, other commands say
        embedder = workspace.embedder
        return embedder.for_one_question() if isinstance(embedder, MiniLM) else None
    return None


def _index(workspace: Workspace, host: Host, said: Notified) -> str:
    del host, said
    _index_all(workspace)
    return ""


def _queue(workspace: Workspace, host: Host, said: Notified) -> str:
    """Leave a mark and no more: the host may be gone in a second."""
    del host, said
    mark = workspace.repository.root / WAITING
    require_plain(mark)
    mark.touch()
    return ""


def afterwards(workspace: Workspace, arguments: Arguments) -> None:
    """Do what can be done after an answer was given: at a session's start, read what ended sessions have left.

    It may be cut off at any instant. What is read is read, and the mark stays until all is.

    Raises:
        MemhtmlError: what is known of transcripts cannot be written.
    """
    if Event(arguments.needed("event")) is Event.SESSION_START and _made(workspace.repository.root / WAITING):
        _index_all(workspace)


def _index_all(workspace: Workspace) -> None:
    from memhtml.ops.traces.index import index_traces

    mark = workspace.repository.root / WAITING
    before = _made(mark)
    index_traces(workspace)
    if _made(mark) == before:  # no session has ended meanwhile
        mark.unlink(missing_ok=True)


def _made(mark: Path) -> int | None:
    try:
        return mark.lstat().st_mtime_ns
    except OSError:
        return None


_DOING: dict[Event, Callable[[Workspace, Host, Notified], str]] = {
    Event.SESSION_START: _at_start,
    Event.USER_PROMPT_SUBMIT: _with_prompt,
    Event.PRE_COMPACT: _index,
    Event.SESSION_END: _queue,
}


def spoken(host: Host, event: Event, name: str, text: str) -> str:
    """``text`` as the host takes it; "" for no text, or where the host takes none.

    >>> spoken(Host.CLAUDE_CODE, Event.SESSION_START, "SessionStart", "a pack")
    'a pack'
    >>> spoken(Host.CODEX, Event.SESSION_START, "", "a pack")
    '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a pack"}}'
    """
    usual = _NAMES.get(host, _USUAL_NAMES).get(event)
    if not text or usual is None:
        return ""
    if host is Host.CLAUDE_CODE:
        return text
    if host is Host.CURSOR:
        # Cursor takes a text at a session's start alone.
        return _json({"additional_context": text}) if event is Event.SESSION_START else ""
    return _json({"hookSpecificOutput": {"hookEventName": name or usual, "additionalContext": text}})


def _worth_knowing(view: View, name: str | None) -> tuple[str, list[Source]]:
    """The memories of the project, or of the whole store where it has none, and what the person prefers, best first.

    And before them what they are about.
    """
    from memhtml.retrieve.recall import sources_of

    paths = () if name is None else view.listed(Scope(workspace=name), MOST)
    about = f"what is known of {name}"
    if not paths:
        paths = view.listed(Scope(), MOST)
        about = "what is known in general" + ("" if name is None else f"; of {name} there is nothing yet")
    preferred = view.listed(Scope(types=frozenset({MemoryType.USER_PREFERENCE})), MOST)
    rows = view.rows(tuple(dict.fromkeys((*paths, *preferred))))
    return about, sources_of(view, _best_first(rows.values(), view.state(tuple(rows))))


def _best_first(rows: Iterable[MemoryRow], used: dict[MemoryPath, Access]) -> list[MemoryRow]:
    """By importance, then by use, then the newest, then by path."""

    def worth(row: MemoryRow) -> tuple[int, float]:
        access = used.get(row.path)
        importance = DEFAULT_IMPORTANCE if row.importance is None else row.importance
        return importance, 0.0 if access is None else salience(None, access.opens, access.outcome)

    newest = sorted(sorted(rows, key=lambda row: row.path), key=lambda row: row.moment, reverse=True)
    return sorted(newest, key=worth, reverse=True)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
