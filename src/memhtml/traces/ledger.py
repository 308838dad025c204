"""From classified lines to rows: what one transcript adds, in the order of its lines."""

from __future__ import annotations

from collections import Counter

from memhtml.index.traces.writer import Head, Part, TraceWriter
from memhtml.traces.prompts import head
from memhtml.traces.records import Fate, Record

FLUSH = 500
"""Rows that are kept back, to be written together."""


class Ledger:
    """Takes the lines of one transcript, within one transaction; `close` writes what is still kept back."""

    def __init__(self, writer: TraceWriter, transcript: int, *, subagent: bool) -> None:
        self._writer = writer
        self._transcript = transcript
        self._subagent = subagent
        self._parts: list[Part] = []
        self._asked: set[str] = set()
        self.fates: Counter[Fate] = Counter()

    def take(self, position: int, fate: Fate, record: Record | None) -> None:
        """Count a line, and write down what is kept of it."""
        self.fates[fate] += 1
        if record is None:
            return
        subagent = self._subagent or record.subagent
        asked = record.prompt is not None and not subagent
        self._parts.append(
            Part(
                session=record.session,
                records=1,
                prompts=int(asked),
                started=record.at,
                ended=record.at,
                folder=record.folder,
                branch=record.branch,
                pull_request=record.pull_request,
            )
        )
        self._heads(position, record, subagent=subagent)
        self._calls(record)
        if len(self._parts) >= FLUSH:
            self._flush()

    def close(self) -> None:
        """Write what is kept back."""
        self._flush()
        self._writer.count(self._transcript, {fate.value: lines for fate, lines in self.fates.items()})

    def _flush(self) -> None:
        self._writer.add(self._transcript, self._parts)
        self._parts.clear()
        self._asked.clear()

    def _heads(self, position: int, record: Record, *, subagent: bool) -> None:
        session, at = record.session, record.at
        if record.prompt is not None:
            text = record.prompt if not subagent and self._first(session) else head(record.prompt)
            self._writer.prompt(self._transcript, Head(session, position, subagent, at, text, record.prompt_id))
        for kind, name in (("title", record.title), ("agent", record.agent)):
            if name is not None:
                self._writer.name(self._transcript, kind, Head(session, position, subagent, at, name))

    def _first(self, session: str) -> bool:
        """Whether no prompt of the session was seen before; it is from now on."""
        if session in self._asked:
            return False
        self._asked.add(session)
        return not self._writer.asked(self._transcript, session)

    def _calls(self, record: Record) -> None:
        for call in record.calls:
            self._writer.call(self._transcript, call.id, call.links, tells=call.tells)
        for answer in record.answers:
            known = self._writer.answered(self._transcript, answer.id)
            if known is not None and not answer.failed:
                links, tells = known
                told = answer.links if tells else ()
                self._writer.link(self._transcript, record.session, (*links, *told), record.at)
