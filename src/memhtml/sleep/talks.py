"""The sessions of agents, from the index of their transcripts and the transcripts themselves. Only read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memhtml.sleep.corpus import Talk
from memhtml.traces.talk import said

if TYPE_CHECKING:
    from memhtml.index.traces.transcripts import Transcripts

MOST_SAID: Final = 400_000
"""Characters of one session that are read, from its beginning."""


class Transcribed:
    """The sessions that an index of transcripts knows."""

    def __init__(self, transcripts: Transcripts) -> None:
        self._transcripts = transcripts

    def recent(self, limit: int) -> Sequence[Talk]:
        """The sessions in which a person asked something, newest first, then by id.

        Raises:
            StorageError: the index of transcripts cannot be read.
        """
        with self._transcripts.reading() as reader:
            found = reader.recent(limit)
        return [Talk(session.session, session.ended or "", str(session.file)) for session in found]

    def said(self, talk: Talk) -> str:
        """Who said what, a paragraph a message; "" when the transcript cannot be read. Other sessions in it are not."""
        parts: list[str] = []
        size = 0
        try:
            for message in said(Path(talk.path)):
                if message.session == talk.session:
                    parts.append(f"{message.by}: {message.text}")
                    size += len(parts[-1])
                if size >= MOST_SAID:
                    break
        except (OSError, ValueError):  # gone, a folder, a link, or a name that no file can have
            return ""
        return "\n\n".join(parts)[:MOST_SAID]
