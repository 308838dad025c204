"""The proof that a run takes nothing away: every memory of main is in the result, and says what it said.

Pure, but for `read_sides`. It knows nothing of phases and models, and believes no commit message: it compares files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from memhtml.domain.memory import BlobId, CommitId, ContentHash, MemoryPath
from memhtml.domain.paths import is_archived, original_path
from memhtml.domain.vocabulary import Rel
from memhtml.sleep.coverage import uncovered
from memhtml.sleep.veto import Words, apart, is_protected

if TYPE_CHECKING:
    from memhtml.domain.memory import Facts
    from memhtml.store.git import Git


class Entry(Struct, frozen=True):
    """A memory on one side. What is not read keeps its default; two entries with one blob are the same file.

    Attributes:
        content: of its article; ``None`` where the file was not read, or breaks the format.
        words: all that it says; ``None`` where ``content`` is.
        superseded_by: as its stamp says.
        supersedes: as its links say.
        protected: only a person may change it: see `memhtml.sleep.veto`.
        standing: what else decides whether it is found: its type, its status, and how long it holds.
    """

    path: MemoryPath
    blob: BlobId
    content: ContentHash | None = None
    words: Words | None = None
    superseded_by: MemoryPath | None = None
    supersedes: tuple[MemoryPath, ...] = ()
    protected: bool = False
    standing: tuple[str, ...] = ()

    def says_what(self, other: Entry) -> bool:
        """Whether both have one text: the same file, or the same article."""
        return self.blob == other.blob or (self.content is not None and self.content == other.content)


Side = Mapping[MemoryPath, Entry]


class Fault(StrEnum):
    """What a run may not do.

    Attributes:
        VANISHED: a memory is nowhere.
        OVERWRITTEN: its article says something else.
        TOUCHED: it was only for a person to change.
        DIVERGED: it gave way to one that says otherwise.
        DANGLING: what it supersedes, or what took its place, is not there.
        CIRCULAR: what took its place is, in the end, itself.
    """

    VANISHED = "vanished"
    OVERWRITTEN = "overwritten"
    TOUCHED = "touched"
    DIVERGED = "diverged"
    DANGLING = "dangling"
    CIRCULAR = "circular"


class Finding(Struct, frozen=True):
    """Something that does not add up.

    Attributes:
        path: of the memory: on main, or in the result if main does not have it.
        remedy: the path whose change, taken out of the run, sets it right.
        said: one sentence, without a final stop.
    """

    fault: Fault
    path: MemoryPath
    remedy: MemoryPath
    said: str


def audit(before: Side, after: Side) -> tuple[Finding, ...]:
    """What the result does to the memories of main that nothing may do to them, by fault, then by path.

    A memory is accounted for by one file of its own: where it was, in the archive, back at the place from which it was
    archived, or elsewhere, with the article that it had. A name in what took its place does not stand for it: nothing
    is deleted. Links that lead nowhere on main already are no news.

    >>> a = Entry(MemoryPath("areas/a.html"), BlobId("1"), ContentHash("x"))
    >>> audit({a.path: a}, {})[0].said
    'areas/a.html is nowhere in the result'
    >>> put_away = Entry(MemoryPath("archive/2026/areas/a.html"), BlobId("2"), ContentHash("x"))
    >>> audit({a.path: a}, {put_away.path: put_away}), audit({}, {a.path: a})
    ((), ())
    """
    books = _books(before, after)
    found = [one for look in (_lost, _taken, _touched, _diverged, _dangling, _circular) for one in look(books)]
    order = list(Fault)
    return tuple(sorted(found, key=lambda finding: (order.index(finding.fault), finding.path, finding.said)))


def given_way(before: Side, after: Side) -> frozenset[MemoryPath]:
    """The memories that main has in use, and that something takes the place of which did not before."""
    return frozenset(path for path, _ in _books(before, after).given_way())


def whereabouts(before: Side, after: Side) -> dict[MemoryPath, MemoryPath]:
    """Where each memory of ``before`` is in ``after``; those that are not there, with what they said, are left out.

    No file stands for two memories. Own places come first, then those of the archive, then any other, in path order.
    """
    found = {path: path for path, entry in before.items() if path in after and entry.says_what(after[path])}
    taken = set(found.values())
    archived = _by_original(after)
    texts: dict[str, list[MemoryPath]] = {}
    for path in sorted(after.keys() - taken):
        texts.setdefault(after[path].blob, []).append(path)
        texts.setdefault(after[path].content or "", []).append(path)

    def near(entry: Entry) -> Iterable[MemoryPath]:
        return (*reversed(archived.get(entry.path, [])), original_path(entry.path))

    def anywhere(entry: Entry) -> Iterable[MemoryPath]:
        return (*texts.get(entry.blob, ()), *texts.get(entry.content or "", ()))

    for places in (near, anywhere):
        for path in sorted(before.keys() - found.keys()):
            fitting = (
                place for place in places(before[path]) if place in after and before[path].says_what(after[place])
            )
            place = next((place for place in fitting if place not in taken), None)
            if place is not None:
                found[path] = place
                taken.add(place)
    return found


class _Shelf(Struct, frozen=True):
    """One side, and where in the archive what was archived from a path lies, the latest year last."""

    entries: Side
    archived: Mapping[MemoryPath, Sequence[MemoryPath]]

    @classmethod
    def of(cls, entries: Side) -> Self:
        return cls(entries, _by_original(entries))

    def found(self, path: MemoryPath) -> MemoryPath | None:
        """The file that ``path`` leads to: there, or in the archive, the latest year.

        A place in the archive does not lead back to where that was archived from: who names it says that it was.
        """
        return path if path in self.entries else next(reversed(self.archived.get(path, ())), None)

    def loose_ends(self) -> Iterator[tuple[MemoryPath, MemoryPath, str]]:
        """Links of supersession that lead nowhere: source, target, and what the link says."""
        for path in sorted(self.entries):
            entry = self.entries[path]
            yield from ((path, target, "supersedes") for target in entry.supersedes if self.found(target) is None)
            if entry.superseded_by is not None and self.found(entry.superseded_by) is None:
                yield path, entry.superseded_by, "is superseded by"

    def successions(self) -> Iterator[tuple[MemoryPath, MemoryPath]]:
        """Each memory with what took its place, whichever of the two says so."""
        for path in sorted(self.entries):
            entry = self.entries[path]
            keeper = None if entry.superseded_by is None else self.found(entry.superseded_by)
            if keeper is not None:
                yield path, keeper
            yield from ((place, path) for place in map(self.found, entry.supersedes) if place is not None)

    def circling(self) -> Iterator[MemoryPath]:
        """Memories whose place was, in the end, taken by themselves, in path order."""
        for start in sorted(self.entries):
            place = self._successor(start)
            seen = {start}
            while place is not None and place not in seen:
                seen.add(place)
                place = self._successor(place)
            if place == start:
                yield start

    def _successor(self, path: MemoryPath) -> MemoryPath | None:
        successor = self.entries[path].superseded_by
        return None if successor is None else self.found(successor)


class _Books(Struct, frozen=True):
    """Both sides, where each memory went, and where each one was."""

    before: _Shelf
    after: _Shelf
    where: Mapping[MemoryPath, MemoryPath]
    whence: Mapping[MemoryPath, MemoryPath]

    def given_way(self) -> Iterator[tuple[MemoryPath, MemoryPath]]:
        """Memories that main has in use, each with what takes its place in the result and did not before."""
        known = {(self.where.get(path), self.where.get(keeper)) for path, keeper in self.before.successions()}
        for place, keeper in dict.fromkeys(self.after.successions()):
            path = self.whence.get(place)
            if path is not None and not is_archived(path) and (place, keeper) not in known:
                yield path, keeper

    def has_changed(self, path: MemoryPath) -> bool:
        old, new = self.before.entries.get(path), self.after.entries.get(path)
        return old is None or new is None or old.blob != new.blob


def _books(before: Side, after: Side) -> _Books:
    where = whereabouts(before, after)
    return _Books(_Shelf.of(before), _Shelf.of(after), where, {place: path for path, place in where.items()})


def _lost(books: _Books) -> Iterator[Finding]:
    new, old = books.after.entries, books.before.entries
    named = {target: path for path in sorted(new, reverse=True) for target in new[path].supersedes}
    for path in sorted(old.keys() - books.where.keys()):
        place = next(
            (one for one in (path, *books.after.archived.get(path, ())) if one in new and one not in old), path
        )
        if place in new:
            there = "" if place == path else f" in {place}"
            said = f"the article of {path} says something else{there} than on main"
            yield Finding(Fault.OVERWRITTEN, path, path, said)
            continue
        keeper = next((named[one] for one in named if path in {one, original_path(one)}), None)
        more = "" if keeper is None else f", but for its name in {keeper}"
        yield Finding(Fault.VANISHED, path, path, f"{path} is nowhere in the result{more}")


def _taken(books: _Books) -> Iterator[Finding]:
    """A path is an id: what has it now is found by whoever looks for the memory that had it."""
    for path, place in books.where.items():
        if place != path and path in books.after.entries:
            said = f"{path} went to {place}, and something else is at its path"
            yield Finding(Fault.OVERWRITTEN, path, path, said)


def _touched(books: _Books) -> Iterator[Finding]:
    for path, entry in books.before.entries.items():
        if entry.protected and path in books.where and books.has_changed(path):
            what = "is edited" if books.where[path] == path else f"goes to {books.where[path]}"
            said = f"{path} is for a person alone to change, and {what}"
            yield Finding(Fault.TOUCHED, path, path, said)


def _diverged(books: _Books) -> Iterator[Finding]:
    """Memories that give way, put away or not: none to its opposite, or to less than it said."""
    for path, keeper in books.given_way():
        gone, kept = books.before.entries[path].words, books.after.entries[keeper].words
        objection = None if gone is None or kept is None else _objection(gone, kept, made=keeper not in books.whence)
        if objection is not None:
            remedy = path if books.has_changed(path) else keeper
            yield Finding(Fault.DIVERGED, path, remedy, f"{path} gives way to {keeper}, which {objection}")


def _objection(gone: Words, kept: Words, *, made: bool) -> str | None:
    """Why one memory cannot stand for another, as the end of a sentence; ``made`` by the run, it stands for several."""
    if made:
        lost = uncovered(gone, kept)
        return None if lost is None else f"does not say all of it: {lost}"
    why = apart(gone, kept)
    return None if why is None else f"says otherwise: {why}"


def _dangling(books: _Books) -> Iterator[Finding]:
    known = set(books.before.loose_ends())
    for source, target, said in books.after.loose_ends():
        path = books.whence.get(source, source)
        if (path, target, said) not in known:
            remedy = source if books.has_changed(source) else target
            yield Finding(Fault.DANGLING, path, remedy, f"{source} {said} {target}, and that is not there")


def _circular(books: _Books) -> Iterator[Finding]:
    known = set(books.before.circling())
    for place in books.after.circling():
        path = books.whence.get(place, place)
        if path not in known:
            said = f"what took the place of {path} is, in the end, itself"
            yield Finding(Fault.CIRCULAR, path, path, said)


def _by_original(side: Iterable[MemoryPath]) -> dict[MemoryPath, list[MemoryPath]]:
    found: dict[MemoryPath, list[MemoryPath]] = {}
    for path in sorted(side):
        if is_archived(path) and original_path(path) != path:
            found.setdefault(original_path(path), []).append(path)
    return found


def read_sides(git: Git, main: CommitId, result: CommitId) -> tuple[Side, Side]:
    """The memories of two commits. Files that both have and that say nothing of supersession are not read in full.

    Raises:
        GitError: one of the commits, or a file of one, is not in the repository.
    """
    from memhtml.store.reading import tree

    sides = [{entry.path: Entry(entry.path, entry.blob) for entry in tree(git, commit)} for commit in (main, result)]
    same = {path for path, entry in sides[0].items() if sides[1].get(path) == entry}
    changed = {entry.blob for side in sides for path, entry in side.items() if path not in same}
    unchanged = {sides[0][path].blob for path in same} - changed
    known = _read(git, changed) | _read(git, unchanged, holding=b"supersede")
    # What gives way, or something gives way to, may be a file that did not change, and what it says matters.
    others = {path for facts in known.values() if facts is not None for path in _successions(facts)}
    known |= _read(git, {sides[1][path].blob for path in others & same} - known.keys())
    before, after = ({path: _entry(entry, known.get(entry.blob)) for path, entry in side.items()} for side in sides)
    return before, after


def _read(git: Git, wanted: Collection[BlobId], holding: bytes = b"") -> dict[BlobId, Facts | None]:
    """What files say, those that hold some bytes, in whatever case; ``None`` for one that breaks the format."""
    from memhtml.page.read import read
    from memhtml.store.reading import blobs

    return {blob: read(data).facts for blob, data in blobs(git, sorted(wanted)) if holding in data.lower()}


def _successions(facts: Facts) -> tuple[MemoryPath, ...]:
    stamp = facts.head.superseded_by
    return (*_supersedes(facts), *(() if stamp is None else (stamp,)))


def _supersedes(facts: Facts) -> tuple[MemoryPath, ...]:
    return tuple(link.target for link in facts.links if link.rel is Rel.SUPERSEDES)


def _entry(entry: Entry, facts: Facts | None) -> Entry:
    if facts is None:
        return entry
    return Entry(
        path=entry.path,
        blob=entry.blob,
        content=facts.content_hash,
        words=Words(facts.title, facts.gist, facts.body),
        superseded_by=facts.head.superseded_by,
        supersedes=_supersedes(facts),
        protected=is_protected(facts.head.importance, facts.head.author),
        standing=(facts.head.type, facts.head.status, facts.head.valid_from or "", facts.head.valid_until or ""),
    )
