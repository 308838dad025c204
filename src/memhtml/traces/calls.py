"""What an agent did with memories, by its calls of tools and their answers. Pure.

A call says which memories it reads, corrects or reinforces; which ones it wrote, only its answer says. Nothing counts
before the answer is there, and nothing of a call that failed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from msgspec import Struct

from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import is_memory_path
from memhtml.domain.vocabulary import SessionRel
from memhtml.traces.prompts import blocks, texts

MOST_LINKS = 500
"""Memories of one call or answer that are kept."""

LONGEST_ID = 200
LONGEST_COMMAND = 20_000
LONGEST_ANSWER = 1_000_000
MOST_TRIES = 50
"""Places of a text at which an answer is looked for."""

_TOOL = re.compile(r"(?:.*__)?memory_(read|write|write_batch|correct|reinforce)")
_FILE_TOOLS = {
    "Read": SessionRel.READ,
    "Write": SessionRel.WROTE,
    "Edit": SessionRel.WROTE,
    "MultiEdit": SessionRel.WROTE,
}
_SHELLS = frozenset({"Bash", "PowerShell"})
_PROGRAM = re.compile(r"(?<![\w.-])memhtml(?:\.exe)?[\"']?[ \t]+([^;&|\n]*)")
_SAID = {
    "read": SessionRel.READ,
    "correct": SessionRel.CORRECTED,
    "reinforce": SessionRel.REINFORCED,
}
_TELLING = frozenset({"write", "write_batch", "correct", "apply"})
_QUOTES = "\"'`"
_DECODER = json.JSONDecoder()
_MARKS = ('"deduped"', '"superseded"', '"results"')

SessionLink = tuple[SessionRel, MemoryPath]


class Call(Struct, frozen=True):
    """A call that has to do with memories.

    Attributes:
        id: by which its answer is found.
        links: what it does, if it succeeds.
        tells: its answer names memories that it wrote.
    """

    id: str
    links: tuple[SessionLink, ...]
    tells: bool


class Answer(Struct, frozen=True):
    """The result of any call.

    Attributes:
        id: of the call.
        links: what it says was written and corrected; to be believed only of a call that `tells`.
    """

    id: str
    failed: bool
    links: tuple[SessionLink, ...]


def calls(content: object, store: str) -> Iterator[Call]:
    """The calls in an assistant's message that have to do with memories, in order.

    ``store`` is where the memories lie, with slashes, for tools that are given the path of a file.
    """
    for block in blocks(content):
        if block.get("type") != "tool_use":
            continue
        name, call = identifier(block.get("name")), identifier(block.get("id"))
        given = block.get("input")
        if name and call and isinstance(given, dict):
            links, tells = _meant(name, cast("dict[str, object]", given), store)
            if links or tells:
                yield Call(call, tuple(dict.fromkeys(links))[:MOST_LINKS], tells)


def answers(content: object) -> Iterator[Answer]:
    """The results in a user record, in order."""
    for block in blocks(content):
        call = identifier(block.get("tool_use_id"))
        if block.get("type") == "tool_result" and call:
            failed = block.get("is_error") is True
            told = () if failed else _told(block.get("content"))
            yield Answer(call, failed, tuple(dict.fromkeys(told))[:MOST_LINKS])


def identifier(value: object) -> str | None:
    """``value`` if it can be an id or a name: short text, printable."""
    return value if isinstance(value, str) and 0 < len(value) <= LONGEST_ID and value.isprintable() else None


def within(file: str, store: str) -> MemoryPath | None:
    r"""The memory that is meant by the path of a file, when it lies in the store.

    >>> within("C:\\Users\\ada\\memhtml\\areas\\a.html", "c:/Users/ada/memhtml")
    'areas/a.html'
    >>> within("/home/ada/other/areas/a.html", "/home/ada/memhtml") is None
    True
    """
    path, top = file.replace("\\", "/"), store.rstrip("/") + "/"
    same = path.startswith(top) or (path[1:2] == ":" and path.casefold().startswith(top.casefold()))
    return _memory(path[len(top) :]) if same else None


def _meant(name: str, given: Mapping[str, object], store: str) -> tuple[list[SessionLink], bool]:
    tool = _TOOL.fullmatch(name)
    if tool is not None:
        return _linked(_SAID.get(tool[1]), _given_paths(given)), tool[1] in _TELLING
    if name in _FILE_TOOLS:
        file = given.get("file_path")
        memory = within(file, store) if isinstance(file, str) else None
        return _linked(_FILE_TOOLS[name], [memory]), False
    command = given.get("command")
    if name in _SHELLS and isinstance(command, str):
        return _commanded(command[:LONGEST_COMMAND])
    return [], False


def _given_paths(given: Mapping[str, object]) -> Iterator[MemoryPath | None]:
    for key in ("path", "paths", "target"):
        value = given.get(key)
        for item in cast("list[object]", value) if isinstance(value, list) else [value]:
            yield _memory(item)


def _commanded(command: str) -> tuple[list[SessionLink], bool]:
    links: list[SessionLink] = []
    tells = False
    for found in _PROGRAM.finditer(command):
        words = [word.strip(_QUOTES) for word in found[1].split()]
        verb = next((word for word in words if word in _SAID or word in _TELLING), None)
        if verb is None or "--help" in words:
            continue
        tells = tells or verb in _TELLING
        links += _linked(_SAID.get(verb), [_memory(word) for word in words])
    return links, tells


def _linked(rel: SessionRel | None, memories: Iterable[MemoryPath | None]) -> list[SessionLink]:
    return [] if rel is None else [(rel, memory) for memory in memories if memory is not None]


def _memory(value: object) -> MemoryPath | None:
    if not isinstance(value, str) or not value.endswith(".html"):
        return None
    path = value.removeprefix("/")
    return MemoryPath(path) if is_memory_path(path) else None


def _told(content: object) -> Iterator[SessionLink]:
    for text in texts(content):
        if len(text) <= LONGEST_ANSWER and any(mark in text for mark in _MARKS):
            for value in _objects(text):
                data = value.get("data", value)
                if isinstance(data, dict):
                    yield from _results(cast("dict[str, object]", data))


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The JSON objects in a text that a tool printed, whatever stands around them."""
    start = 0
    for _ in range(MOST_TRIES):
        start = text.find("{", start)
        if start < 0:
            return
        try:
            value, start = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            start += 1
            continue
        if isinstance(value, dict):
            yield cast("dict[str, object]", value)


def _results(data: Mapping[str, object]) -> Iterator[SessionLink]:
    results = data.get("results")
    if not isinstance(results, list):
        yield from _result(data)
        return
    for result in cast("list[object]", results) if data.get("dryRun") is not True else []:
        if isinstance(result, dict):
            yield from _result(cast("dict[str, object]", result))


def _result(data: Mapping[str, object]) -> Iterator[SessionLink]:
    """What one answer of a write or a correction says, alone or as a line of a batch."""
    path, previous = _memory(data.get("path")), _memory(data.get("previous"))
    if path is None:
        return
    if isinstance(data.get("superseded"), str) and previous is not None:
        yield SessionRel.WROTE, path
        yield SessionRel.CORRECTED, previous
    elif data.get("deduped") is False or data.get("outcome") == "written":
        yield SessionRel.WROTE, path
