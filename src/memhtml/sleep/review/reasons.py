"""Why a commit of a run changes what it changes: lines of JSON in its message, for people and for programs.

A line with a path is about that file, as it was called before the commit. A line without one is about every file that
has no line of its own. A line with ``refused`` says what was kept out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from memhtml.sleep.changes import Evidence, Reason

LONGEST_WHY = 600
LONGEST_SAID = 1200
LONGEST_SOURCE = 1000
MOST_EVIDENCE = 20
MOST_REFUSED = 200
_LONGEST_LINE = 200_000
"""Bytes; the longest that is written here is shorter by far."""


class Reasons(Struct, frozen=True):
    """What a commit says of its files.

    Attributes:
        by_path: of files that have a line of their own.
        common: of all others; "" when it says nothing of them.
        refused: what was kept out, a sentence each.
    """

    by_path: Mapping[str, Reason] = {}
    common: str = ""
    refused: tuple[str, ...] = ()

    def of(self, paths: Iterable[str]) -> Reason:
        """Why a file is changed that has these paths; the first that has a line of its own decides."""
        own = next((self.by_path[path] for path in paths if path in self.by_path), None)
        return Reason(self.common) if own is None else own


class _Line(Struct):
    path: str | None = None
    why: str | None = None
    evidence: list[tuple[str, str]] = []
    refused: str | None = None


def paragraph(by_path: Mapping[str, Reason], refused: Sequence[str] = ()) -> str:
    r"""The lines of a commit's message; "" when there is nothing to say.

    The most common reason that rests on nothing else is written once when several files have it; of two that are as
    common, the one that sorts first. Files follow in path order, then what was refused, at most 200 lines of it.
    Longer texts are cut.

    >>> print(paragraph({"areas/a.html": Reason("Unused."), "areas/b.html": Reason("Unused.")}, ["a twin"]))
    {"why":"Unused."}
    {"refused":"a twin"}
    """
    return "\n".join(_lines(by_path, refused))


def read(message: str) -> Reasons:
    r"""What a message says, as far as it can be understood: somebody may have written it by hand.

    Of two lines about one path the later one counts.

    >>> read('sleep: x\n\n{"why":"Unused."}\n{"refused":"a twin"}\n{"why"\n').refused
    ('a twin',)
    """
    by_path: dict[str, Reason] = {}
    common = ""
    refused: list[str] = []
    for line in _found(message):
        if line.refused is not None:
            refused.append(line.refused)
        elif line.why is not None and line.path is not None:
            by_path[line.path] = Reason(line.why, tuple(Evidence(*pair) for pair in line.evidence))
        elif line.why is not None:
            common = line.why
    return Reasons(by_path, common, tuple(refused))


def _lines(by_path: Mapping[str, Reason], refused: Sequence[str]) -> Iterator[str]:
    bare = Counter(reason.why for reason in by_path.values() if not reason.evidence)
    common = min(bare, key=lambda why: (-bare[why], why), default=None)
    if common is not None and bare[common] > 1:
        yield _json({"why": _cut(common, LONGEST_WHY)})
    else:
        common = None
    for path, reason in sorted(by_path.items()):
        if reason.evidence:
            said = [[_cut(one.source, LONGEST_SOURCE), _cut(one.said, LONGEST_SAID)] for one in reason.evidence]
            yield _json({"path": path, "why": _cut(reason.why, LONGEST_WHY), "evidence": said[:MOST_EVIDENCE]})
        elif reason.why != common:
            yield _json({"path": path, "why": _cut(reason.why, LONGEST_WHY)})
    shown = refused if len(refused) <= MOST_REFUSED else refused[: MOST_REFUSED - 1]
    for sentence in shown:
        yield _json({"refused": _cut(sentence, LONGEST_WHY)})
    if len(shown) < len(refused):
        yield _json({"refused": f"and {len(refused) - len(shown):,} more"})


def _found(message: str) -> Iterator[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    for text in message.split("\n")[1:]:
        data = text.encode(errors="replace")
        if not data.startswith(b"{") or len(data) > _LONGEST_LINE:
            continue
        try:
            yield decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError):
            continue


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cut(text: str, longest: int) -> str:
    clean = text.encode(errors="replace").decode()
    return clean if len(clean) <= longest else f"{clean[: longest - 1].rstrip()}…"
