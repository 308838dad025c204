"""Question sets as JSON lines: documents by store, and questions with what answers them and what only seems to.

    documents  {"store": …, "id": …, "text": …, "ts": …}
    questions  {"store": …, "id": …, "query": …, "gold": [ids], "group": …, "controls": {family: [ids]}, "now": …}

Other fields are passed over. Everything that is wrong with a file is said at once, by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

import msgspec
from msgspec import Struct

from memhtml.domain.errors import InvalidInputError
from memhtml.domain.instants import GRAMMAR_HELP, normalised
from memhtml.domain.memory import Instant

FAULTS = 5
"""Faults that an error tells; it counts the rest."""

SURE = 0.8
"""How alike a field's name must be to one that it lacks, of 1, to be taken for a slip of the pen."""

DOCUMENT = '{"store": "s", "id": "d1", "text": "Checkout drains its queue before every deploy.", "ts": null}'
QUESTION = '{"store": "s", "id": "q1", "query": "when is the queue drained?", "gold": ["d1"], "group": "how"}'


class Document(Struct, frozen=True):
    """A text that is found or not.

    Attributes:
        line: where it stands in its file, from 1.
        store: where it is looked for; texts of different stores never meet.
        id: its name in the store.
        when: when it was said or happened.
    """

    line: int
    store: str
    id: str
    text: str
    when: Instant | None = None


class Question(Struct, frozen=True):
    """A question.

    Attributes:
        line: where it stands in its file, from 1.
        store: where it is asked.
        id: its name, for the reader of a report.
        gold: what answers it, by id, at least one.
        controls: what seems to and does not, by id.
        group: questions of one group are reported together.
        now: when it is asked.
    """

    line: int
    store: str
    id: str
    query: str
    gold: tuple[str, ...]
    controls: tuple[str, ...] = ()
    group: str = ""
    now: Instant | None = None


class _DocumentLine(Struct):
    id: str
    text: str
    store: str | None = None
    ts: str | None = None


class _QuestionLine(Struct):
    query: str
    gold: list[str]
    store: str | None = None
    id: str | int | None = None
    group: str | None = None
    controls: dict[str, list[str]] | None = None
    now: str | None = None


_Line = TypeVar("_Line", _DocumentLine, _QuestionLine)
_Value = TypeVar("_Value", Document, Question)


class Fault(Exception):  # noqa: N818 - not an error that leaves this module
    """What is wrong with one line."""


def documents(text: str, name: str) -> tuple[Document, ...]:
    """The documents of a file, in its order; blank lines are counted and passed over.

    Raises:
        InvalidInputError: the file ``name`` holds none, or a line is none, or an id is there twice in one store.
    """
    taken: dict[tuple[str, str], int] = {}

    def document(number: int, line: str) -> Document:
        given = _decoded(line, _DocumentLine)
        if not given.text.strip():
            raise Fault("text is blank; write what the document says")
        found = Document(number, given.store or "", given.id, given.text, _instant("ts", given.ts))
        first = taken.setdefault((found.store, found.id), number)
        if first != number:
            raise Fault(f"the id {found.id[:60]!r} is that of line {first}; give each document its own")
        return found

    return _read(text, name, document, DOCUMENT)


def questions(text: str, name: str) -> tuple[Question, ...]:
    """The questions of a file, in its order; blank lines are counted and passed over.

    Raises:
        InvalidInputError: the file ``name`` holds none, or a line is none.
    """
    return _read(text, name, _question, QUESTION)


def require_documents(asked: Iterable[Question], name: str, known: Iterable[Document]) -> None:
    """Make sure that every id in the questions of file ``name`` is one of the documents of its store.

    Raises:
        InvalidInputError: one is not; every such line is named, up to `FAULTS`.
    """
    ids: dict[str, set[str]] = {}
    for document in known:
        ids.setdefault(document.store, set()).add(document.id)
    faults: list[tuple[int, str]] = []
    for question in asked:
        there = ids.get(question.store, set())
        missing = [one for one in (*question.gold, *question.controls) if one not in there]
        if missing:
            where = f" of store {question.store[:60]!r}" if question.store else ""
            faults.append((question.line, f"{missing[0][:60]!r} is no document{where}"))
    refuse(name, faults, "correct the id, or add the document")


def refuse(name: str, faults: Sequence[tuple[int, str]], advice: str) -> None:
    """Nothing, when there are no ``faults``, which are pairs of a line and what is wrong with it.

    Raises:
        InvalidInputError: there are; the first `FAULTS` are told, the others counted.
    """
    if not faults:
        return
    told = [f"line {number}: {what}" for number, what in faults[:FAULTS]]
    if len(faults) > FAULTS:
        told.append(f"and {len(faults) - FAULTS} more")
    raise InvalidInputError(f"{name}, {'; '.join(told)}", suggestions=(advice,))


def by_store(asked: Iterable[Question]) -> Mapping[str, tuple[Question, ...]]:
    """The questions of each store, the stores and their questions in the order of the file."""
    found: dict[str, list[Question]] = {}
    for question in asked:
        found.setdefault(question.store, []).append(question)
    return {store: tuple(its) for store, its in found.items()}


def _read(text: str, name: str, read: Callable[[int, str], _Value], example: str) -> tuple[_Value, ...]:
    found: list[_Value] = []
    faults: list[tuple[int, str]] = []
    for number, line in _lines(text):
        try:
            found.append(read(number, line))
        except Fault as fault:
            faults.append((number, str(fault)))
    refuse(name, faults, f"write lines such as {example}")
    if not found:
        raise InvalidInputError(f"{name} is empty", suggestions=(f"write lines such as {example}",))
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank, numbered as an editor does."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _question(number: int, line: str) -> Question:
    given = _decoded(line, _QuestionLine)
    if not given.query.strip():
        raise Fault("query is blank; write a question")
    if not given.gold:
        raise Fault("gold is empty; name at least one document that answers")
    return Question(
        line=number,
        store=given.store or "",
        id=str(number if given.id is None else given.id),
        query=given.query,
        gold=tuple(dict.fromkeys(given.gold)),
        controls=tuple(dict.fromkeys(one for family in (given.controls or {}).values() for one in family)),
        group=given.group or "",
        now=_instant("now", given.now),
    )


def _decoded(line: str, kind: type[_Line]) -> _Line:
    try:
        found = msgspec.json.decode(line, type=kind)
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise Fault(str(error)) from None  # which repeats nothing of the line
    known = kind.__struct_fields__
    for name in fields:
        meant = get_close_matches(name, [one for one in known if one not in fields], n=1, cutoff=SURE)
        if name not in known and meant:
            raise Fault(f"the field {name!r} is unknown; did you mean {meant[0]}?")
    return found


def _instant(field: str, text: str | None) -> Instant | None:
    """The instant of a field; none where it is absent, or blank as some sets have it."""
    if text is None or not text.strip():
        return None
    found = normalised(text.strip())
    if found is None:
        raise Fault(f"{field} is no date; {GRAMMAR_HELP}")
    return found
