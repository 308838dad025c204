"""Answers as text: short, and whatever comes from a memory or a transcript is fenced as data, with its source."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from memhtml.ops.encoding import Json
from memhtml.retrieve.pack import FENCE, NOTE, one_line, visible

_LONGEST_SNIPPET = 400
_LONGEST_TEXT = 20_000
_LONGEST_LINE = 200

Data = dict[str, Json]


def told(envelope: str, data: Data) -> str:
    """The text of an answer, and what it warns of."""
    say = _SAID.get(envelope)
    text = _changed(data) if say is None else say(data)
    notes = [f"Note: {one_line(_text(each, 'message'), _LONGEST_LINE)}" for each in _rows(data, "warnings")]
    notes += [f"Note: {_text(each, 'arm')}: {one_line(_text(each, 'why'), 200)}" for each in _rows(data, "degraded")]
    return "\n".join([text.rstrip("\n"), *notes])


def fenced(head: str, blocks: Iterable[str]) -> str:
    """``blocks``, each with our marks before all of its lines, between fences; the head alone when there is none."""
    body = "".join(blocks)
    return f"{head}\n{NOTE}\n{FENCE}memhtml\n{body}{FENCE}" if body else head


def quoted(text: str) -> str:
    r"""Every line of ``text`` with the mark of a quotation before it.

    >>> quoted("a\n```")
    '> a\n> ```\n'
    """
    return "".join(f"> {visible(line)}\n" for line in text.splitlines() or [""])


def _hits(data: Data) -> str:
    hits = _rows(data, "hits")
    if not hits:
        return f"Nothing found: {_text(data, 'reason')}."
    blocks = [
        f"[{number}] {_label(hit, 'trust')}\n{quoted(_cut(_text(hit, 'snippet'), _LONGEST_SNIPPET))}"
        for number, hit in enumerate(hits, 1)
    ]
    return fenced(f"{len(hits)} found, best first.", blocks)


def _pack(data: Data) -> str:
    return _text(data, "pack") or f"Nothing found: {_text(data, 'reason')}."


def _opened(data: Data) -> str:
    blocks: list[str] = []
    for number, each in enumerate(_rows(data, "memories"), 1):
        memory = each.get("memory")
        content = memory if isinstance(memory, dict) else {}
        moved = f", moved from {_plain(each, 'requested')}" if each.get("moved") else ""
        label = _label({**content, "path": each.get("path")}, "status")
        text = _text(each, "html") or _text(content, "text")
        blocks.append(f"[{number}] {label}{moved}\n{quoted(_cut(text, _LONGEST_TEXT))}")
    return fenced("Opened.", blocks)


def _listing(data: Data) -> str:
    rows = _rows(data, "memories") or _rows(data, "tasks")
    head = f"{len(rows)} of {data.get('total')}."
    return fenced(head, (f"- {_label(each, 'taskStatus')}: {_plain(each, 'gist')}\n" for each in rows))


def _neighbors(data: Data) -> str:
    rows = _rows(data, "neighbors")
    lines = (
        f"- {'to' if each.get('outgoing') else 'from'} {_text(each, 'rel')} {_plain(each, 'path')}:"
        f" {_plain(each, 'gist')}\n"
        for each in rows
    )
    return fenced(f"{len(rows)} links.", lines)


def _sessions(data: Data) -> str:
    blocks: list[str] = []
    for number, hit in enumerate(_rows(data, "hits"), 1):
        session = hit.get("session")
        facts = session if isinstance(session, dict) else {}
        where = f"{_plain(facts, 'session')} ({_plain(facts, 'project')}, {_plain(facts, 'started')})"
        heads = "".join(quoted(_cut(_text(each, "text"), _LONGEST_LINE)) for each in _rows(hit, "matches"))
        blocks.append(f"[{number}] {where}\n{heads}")
    return fenced(f"{len(blocks)} sessions, best first, of {data.get('transcripts')} transcripts.", blocks)


def _reinforced(data: Data) -> str:
    rows = _rows(data, "memories")
    return "\n".join(f"{_plain(each, 'path')}: {'counted' if each.get('counted') else 'not again'}" for each in rows)


def _moved(data: Data) -> str:
    rows = _rows(data, "memories")
    return "\n".join(f"{_plain(each, 'previous')} is now {_plain(each, 'path')}" for each in rows)


def _batch(data: Data) -> str:
    lines = [
        f"{each.get('line')}: {_text(each, 'outcome')} {_plain(each, 'path')} {_plain(each, 'error')}".rstrip()
        for each in _rows(data, "results")
    ]
    lines += [f"{len(_rows(data, 'conflicts'))} conflicts"] if data.get("conflicts") else []
    return "\n".join((["Nothing is written: a dry run."] if data.get("dryRun") else []) + lines)


def _reported(data: Data) -> str:
    head = f"Reported, over {data.get('memories')} memories."
    printed = _text(data, "printed")
    blocks = [quoted(json.dumps(data.get("value"), ensure_ascii=False, indent=1))]
    return fenced(head, [*blocks, *([f"- printed:\n{quoted(printed)}"] if printed else [])])


def _changed(data: Data) -> str:
    """One change: where it is, and what became of what was there."""
    if "rel" in data:
        verb = "Linked" if data.get("changed") else "Linked already"
        return f"{verb}: {_plain(data, 'source')} {_text(data, 'rel')} {_plain(data, 'target')}"
    if data.get("deduped"):
        return f"There already: {_plain(data, 'path')}"
    what = f"{_text(data, 'status').capitalize() or 'Written'}: {_plain(data, 'path')}"
    return f"{what}; the old one is now {_plain(data, 'superseded')}" if data.get("superseded") else what


_SAID: dict[str, Callable[[Data], str]] = {
    "memory.hits": _hits,
    "memory.recall": _pack,
    "memory.read": _opened,
    "memory.list": _listing,
    "task.list": _listing,
    "memory.neighbors": _neighbors,
    "trace.hits": _sessions,
    "memory.reinforced": _reinforced,
    "memory.moved": _moved,
    "batch.applied": _batch,
    "exec.report": _reported,
}
"""How answers are said; those of a single change are said alike."""


def _label(row: Data, said: str) -> str:
    marks = [_plain(row, name) for name in ("type", said, "eventAt", "due") if row.get(name)]
    if row.get("supersededBy"):
        marks.append(f"superseded by {_plain(row, 'supersededBy')}")
    return f"{_plain(row, 'path')} ({', '.join(marks)})"


def _rows(data: Data, name: str) -> list[Data]:
    value = data.get(name)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    return "" if value is None else str(value)


def _plain(data: Data, name: str) -> str:
    return one_line(_text(data, name), _LONGEST_LINE)


def _cut(text: str, longest: int) -> str:
    text = text.strip()
    return text if len(text) <= longest else text[: longest - 1] + "…"
