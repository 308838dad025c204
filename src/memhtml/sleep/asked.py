"""What a model was asked about lately: it is not asked the same again, and so others get their turn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from memhtml.sleep import pending
from memhtml.sleep.changes import Generated, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.pending import Finding

_REASON: Final = Reason("what a model was asked about, so that it is not asked the same again for 30 days")
_LENGTH: Final = 24


class Asked:
    """The questions of a phase, of this night and of those in the 30 days before it.

    Attributes:
        tonight: how many keys this date's nights have noted, this one's included.
    """

    def __init__(self, corpus: Corpus, kind: str) -> None:
        self._kind = kind
        self._night = corpus.night.date
        self._findings = pending.read(corpus.files)
        mine = [one for one in self._findings.findings if one.kind == kind]
        self._known = {one.key for one in mine}
        self.tonight = sum(one.night == self._night for one in mine)
        self._is_new = False

    def __contains__(self, key: str) -> bool:
        """Whether a night asked about this."""
        return key in self._known

    def note(self, key: str) -> None:
        """Remember that this was asked about, and that something usable came back."""
        if key not in self._known:
            self._known.add(key)
            self.tonight += 1
            self._is_new = True
            self._findings = self._findings.with_(Finding(self._kind, key, self._night, 1.0))

    def change(self) -> Generated | None:
        """The change that keeps what was noted; ``None`` when nothing was."""
        return self._findings.written(self._night, _REASON) if self._is_new else None


def key_of(memories: Iterable[Remembered], model: str) -> str:
    """The key of a question to ``model`` about memories: another one as soon as one of them says something else."""
    parts = sorted(f"{one.path} {one.row.content_hash}" for one in memories)
    return hashlib.sha256("\n".join((model, *parts)).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
