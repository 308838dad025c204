"""Memories of the inbox whose place has become clear are moved there, and the links to them follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import Link, MemoryPath
from memhtml.domain.paths import PROJECTS, original_path
from memhtml.domain.placement import ARCS, INBOX, PEOPLE
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.memories import MemoryRow
from memhtml.page.splice import AddLink, DropLink, Edit
from memhtml.sleep.changes import Change, Edited, Evidence, Moved, Proposal, Reason
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.mind import Mind
from memhtml.sleep.neighborhood import Clear, Neighborhood
from memhtml.sleep.people import names_of, whose
from memhtml.sleep.phase import Phase
from memhtml.sleep.vacancies import Vacancies
from memhtml.sleep.veto import is_protected

TASKS: Final = "tasks"
"""The folder of a project that is for tasks alone."""


class _Move(Struct, frozen=True):
    """A memory that goes from the inbox to its place."""

    memory: Remembered
    to: MemoryPath
    clear: Clear


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """Move what lies directly in the inbox and has its place elsewhere.

    What is filed tonight makes clear where others belong, and they go tonight too, so that nothing is left for another
    night. What a person alone may change, or what a link leads to that may not be edited, stays and is counted.
    """
    del mind
    moves, left = _moves(corpus)
    followed = list(_followed(corpus, {path: move.to for path, move in moves.items()}))
    changes: list[Change] = [*followed, *(_moved(moves[path]) for path in sorted(moves))]
    counts = {"held": left["held"], "links": sum(len(each.edits) // 2 for each in followed)}
    return Proposal(tuple(changes), {**counts, "moved": len(moves), "protected": left["protected"]})


PHASE = Phase("placement-triage", propose)


def _moves(corpus: Corpus) -> tuple[dict[MemoryPath, _Move], Counter[str]]:
    """What goes where; and how many stay although their place is clear, by why."""
    waiting: dict[MemoryPath, Remembered] = {
        path: one for path, one in corpus.memories.items() if path.rpartition("/")[0] == INBOX
    }
    filed = {path: one for path, one in corpus.memories.items() if not path.startswith(f"{INBOX}/")}
    around = Neighborhood(waiting.values())
    vacancies = Vacancies(corpus)
    held: frozenset[MemoryPath] | None = None
    moves: dict[MemoryPath, _Move] = {}
    left: Counter[str] = Counter()
    while filed and waiting:
        around.file(filed)
        filed.clear()
        left.clear()
        for path, memory in waiting.items():
            clear = around.clear(path)
            if clear is None or not _fits(memory.row, clear.folder):
                continue
            held = _held(corpus) if held is None else held
            why = _stays(memory, held)
            to = None if why else vacancies.take(clear.folder, path)
            if to is None:
                left[why or "held"] += 1
            else:
                moves[path] = _Move(memory, to, clear)
                filed[to] = memory
        waiting = {path: one for path, one in waiting.items() if path not in moves}
    return moves, left


def _stays(memory: Remembered, held: frozenset[MemoryPath]) -> str | None:
    if is_protected(memory.row.importance, memory.row.author):
        return "protected"
    return "held" if memory.path in held else None


def _fits(row: MemoryRow, folder: str) -> bool:
    """Whether a folder is for memories of this kind, as far as there are folders for a kind alone."""
    segments = folder.split("/")
    if segments[0] == PROJECTS and segments[-1] == TASKS:
        return False
    if _within(folder, ARCS) or row.type is MemoryType.ARC:
        return _within(folder, ARCS) and row.type is MemoryType.ARC
    if _within(folder, PEOPLE):
        # What would be taken for a person's own file changes whom others are about; only a writer decides that.
        named = row.type is MemoryType.SEMANTIC and bool(names_of(row))
        return named and whose(MemoryPath(f"{folder}/{row.path.rpartition('/')[2]}"), row) is None
    return True


def _within(folder: str, other: str) -> bool:
    return folder == other or folder.startswith(f"{other}/")


def _held(corpus: Corpus) -> frozenset[MemoryPath]:
    """What links lead to that may not follow: from tasks, the archive, and what is a person's; and what once was left.

    A reviewer who takes a move out, or the edit of a link that follows one, takes out both.
    """
    fixed = {
        path
        for path, memory in corpus.memories.items()
        if path in corpus.refused or is_protected(memory.row.importance, memory.row.author)
    }
    found = {tie.resolved for tie in corpus.ties if tie.source in fixed or tie.source in corpus.tasks}
    found |= {_led_to(corpus, target) for target in _unfollowed(corpus)}
    return frozenset(path for path in corpus.memories if path in found or path in corpus.refused)


def _unfollowed(corpus: Corpus) -> Iterator[MemoryPath]:
    """Where links lead that are no ties: those of the archive, and the stamps that say what took a memory's place."""
    in_use = [(path, one.row) for path, one in corpus.memories.items()]
    for path, row in (*in_use, *corpus.tasks.items()):
        yield from _stamp(corpus, path, row)
    for path, row in corpus.archived.items():
        yield from _stamp(corpus, path, row)
        data = corpus.files.read(path)
        facts = corpus.facts(path) if data is not None and b"<link" in data.lower() else None
        yield from (link.target for link in (facts.links if facts else ()))


def _stamp(corpus: Corpus, path: MemoryPath, row: MemoryRow) -> Iterator[MemoryPath]:
    """What the stamp says, not what a link of the other one says: that one goes along."""
    facts = None if row.superseded_by is None else corpus.facts(path)
    said = row.superseded_by if facts is None else facts.head.superseded_by
    if said is not None:
        yield said


def _led_to(corpus: Corpus, target: MemoryPath) -> MemoryPath:
    """The place that a link leads to: an archived memory that was restored is where it was archived from."""
    return target if target in corpus.archived else original_path(target)


def _followed(corpus: Corpus, places: Mapping[MemoryPath, MemoryPath]) -> Iterator[Edited]:
    """The edits of all links that lead to what moves, by the path of the file."""
    edits: dict[MemoryPath, list[Edit]] = {}
    moved: dict[MemoryPath, set[MemoryPath]] = {}
    for tie in corpus.ties:
        if tie.resolved is not None and tie.resolved in places:
            to = places[tie.resolved]
            edits.setdefault(tie.source, []).extend((DropLink(Link(tie.rel, tie.target)), AddLink(Link(tie.rel, to))))
            moved.setdefault(tie.source, set()).add(tie.resolved)
    for source in sorted(edits):
        evidence = tuple(Evidence(path, f"filed at {places[path]}") for path in sorted(moved[source]))
        yield Edited(source, tuple(edits[source]), Reason("what it links to is filed elsewhere", evidence))


def _moved(move: _Move) -> Moved:
    clear = move.clear
    why = f"{clear.sure} of its {clear.asked} nearest filed neighbours are in {clear.folder}"
    return Moved(move.memory.path, move.to, Reason(why, tuple(Evidence(one.path, one.said) for one in clear.neighbors)))
