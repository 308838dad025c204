"""What one night found and may not do until another night finds it too: a file of the store, one finding a line."""

from __future__ import annotations

from datetime import date
from typing import Final

import msgspec
from msgspec import Struct

from memhtml.domain.instants import days_later
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.sleep.changes import Generated, Reason
from memhtml.sleep.corpus import Files
from memhtml.store.layout import PENDING

KEPT_DAYS: Final = 30
"""Days after which a finding that no other night shared is forgotten."""

MINED: Final = "mined"
"""Kind of the contradictions that nights found and wrote into files. These are no writer's word, which nobody could
tell from the files; so they wait for nothing, and are kept however old they are."""


def between(one: MemoryPath, other: MemoryPath) -> str:
    """The key of a finding about two memories, whichever comes first.

    >>> between(MemoryPath("areas/b.html"), MemoryPath("areas/a.html"))
    'areas/a.html areas/b.html'
    """
    return " ".join(sorted((one, other)))


class Finding(Struct, frozen=True, order=True):
    """Something a night found.

    Attributes:
        kind: of finding; no two phases use the same.
        key: what it is about; the same for the same finding.
        night: the date, ``YYYY-MM-DD``.
        confidence: from 0 to 1.
    """

    kind: str
    key: str
    night: str
    confidence: float


class Pending(Struct, frozen=True):
    """The findings of nights.

    Attributes:
        findings: sorted, one for each kind, key and night.
        data: the file as it was read; ``None`` when there was none.
    """

    findings: tuple[Finding, ...] = ()
    data: bytes | None = None

    def agreed(self, kind: str, key: str, night: str) -> bool:
        """Whether a night of an earlier date than ``night`` found the same, not more than 30 days ago."""
        return any(
            finding.kind == kind and finding.key == key and _days_ago(night) <= finding.night < night
            for finding in self.findings
        )

    def with_(self, finding: Finding) -> Pending:
        """These and one more; what the same night said of the same before is replaced."""
        others = [one for one in self.findings if _identity(one) != _identity(finding)]
        return Pending(tuple(sorted((*others, finding))), self.data)

    def without(self, kind: str, key: str) -> Pending:
        """These but for all of one kind and key: it is settled."""
        left = (one for one in self.findings if (one.kind, one.key) != (kind, key))
        return Pending(tuple(left), self.data)

    def of(self, kind: str) -> frozenset[str]:
        """The keys of all findings of one kind."""
        return frozenset(finding.key for finding in self.findings if finding.kind == kind)

    def written(self, night: str, reason: Reason) -> Generated | None:
        """The change that keeps them, without what has waited for more than 30 days; ``None`` when nothing is new.

        A file without findings is taken away.
        """
        oldest = _days_ago(night)
        lines = [msgspec.json.encode(one) for one in self.findings if one.kind == MINED or one.night >= oldest]
        data = b"".join(line + b"\n" for line in lines) or None
        return None if data == self.data else Generated(PENDING, data, reason)


def read(files: Files) -> Pending:
    """The findings that the store holds. A line that is none, however it came about, is passed over."""
    data = files.read(PENDING)
    if data is None:
        return Pending()
    found: dict[tuple[str, str, str], Finding] = {}
    for line in data.splitlines():
        finding = _finding(line)
        if finding is not None:
            found[_identity(finding)] = finding
    return Pending(tuple(sorted(found.values())), data)


def _finding(line: bytes) -> Finding | None:
    try:
        finding = msgspec.json.decode(line, type=Finding)
        date.fromisoformat(finding.night)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return None
    return finding if 0 <= finding.confidence <= 1 and len(finding.night) == len("2026-07-28") else None


def _identity(finding: Finding) -> tuple[str, str, str]:
    return finding.kind, finding.key, finding.night


def _days_ago(night: str) -> str:
    return days_later(Instant(night), -KEPT_DAYS)[: len(night)]
