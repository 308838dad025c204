"""What no phase and no model can do: every proposal goes through here before anything of it is made."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec.structs import replace

from memhtml.domain.errors import MemhtmlError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.domain.paths import is_generated
from memhtml.domain.placement import candidates
from memhtml.sleep.changes import Change, Created, Folded, Generated, Moved, Proposal, put_away, touched
from memhtml.sleep.corpus import Corpus, Remembered
from memhtml.sleep.coverage import uncovered, unfounded
from memhtml.sleep.veto import Words, apart, is_protected

_MADE = (".memhtml/state/", ".memhtml/sleep/")


def kept(corpus: Corpus, proposal: Proposal, unwanted: Collection[str] = ()) -> Proposal:
    """The proposal without what is not allowed, each with a sentence that says why.

    Changes are looked at in their order, so of two that need one memory in two roles the first is kept.

    Args:
        corpus: what the proposal was made from.
        proposal: of a phase.
        unwanted: paths whose changes by this phase a reviewer once took out.
    """
    changes: list[Change] = []
    refused = list(proposal.refused)
    roles = _Roles()
    for change in proposal.changes:
        why = next(_objections(corpus, change, unwanted), None) or roles.objection(change)
        if why is None:
            roles.take(change)
            changes.append(change)
        else:
            refused.append(why)
    return replace(proposal, changes=tuple(changes), refused=tuple(refused))


class _Roles:
    """Who keeps, who goes, who moves, in one batch."""

    def __init__(self) -> None:
        self._gone: set[MemoryPath] = set()
        self._kept: set[MemoryPath] = set()
        self._places: set[str] = set()

    def objection(self, change: Change) -> str | None:
        going = put_away(change)
        taken = [path for path in touched(change) if path in self._gone]
        if taken:
            return f"{taken[0]} is put away already, and cannot be changed after that"
        if len(set(going)) != len(going):
            return f"{going[0]} would be put away twice"
        needed = [path for path in going if path in self._kept]
        if needed:
            return f"{needed[0]} was kept for another memory's sake, so it is not put away"
        if isinstance(change, Moved) and change.to in self._places:
            return f"{change.to} is taken by another memory that moves"
        return None

    def take(self, change: Change) -> None:
        self._gone.update(put_away(change))
        if isinstance(change, Folded):
            self._kept.add(change.keep)
        if isinstance(change, Moved):
            # Where it was is nobody's any more: a second change of it would not find it.
            self._gone.add(change.path)
            self._places.add(change.to)


def _objections(corpus: Corpus, change: Change, unwanted: Collection[str]) -> Iterator[str]:
    for path in touched(change):
        memory = corpus.memories.get(path)
        if memory is None:
            yield f"{path} is no memory in use"
        elif is_protected(memory.row.importance, memory.row.author):
            yield f"{path} is a person's to change: it has the highest importance, or a person wrote it"
    yield from _unwanted(corpus, change, unwanted)
    if isinstance(change, Folded):
        yield from _veto(corpus, change)
    if isinstance(change, Created) and change.absorbs:
        yield from _losses(corpus, change)
    if isinstance(change, Generated) and not may_be_generated(change.path):
        yield f"{change.path} is no file that is made from others"


def may_be_generated(path: str) -> bool:
    """Whether a file of this path is one that is made from others, and no memory.

    >>> may_be_generated("areas/index.html"), may_be_generated(".memhtml/config.toml"), may_be_generated("areas/a.html")
    (True, False, False)
    """
    return path == "sitemap.xml" or is_generated(path) or path.startswith(_MADE)


def _unwanted(corpus: Corpus, change: Change, unwanted: Collection[str]) -> Iterator[str]:
    try:
        known_by = _known_by(change, corpus.night.now)
    except MemhtmlError as error:
        yield error.message
        return
    yield from (f"{path}: a reviewer once took this out" for path in known_by if path in unwanted)


def _known_by(change: Change, now: Instant) -> tuple[str, ...]:
    """The paths by which a change is known again: of the memories that it alters, or of what it makes.

    Raises:
        InvalidPathError: what it makes can have no path.
    """
    if isinstance(change, Generated):
        return (change.path,)
    if isinstance(change, Created):
        title = change.draft.title or change.draft.claim or change.draft.body or ""
        return (*change.absorbs, next(candidates(change.draft, title=title, day=now)))
    return touched(change)


def _veto(corpus: Corpus, change: Folded) -> Iterator[str]:
    keep, drop = corpus.memories.get(change.keep), corpus.memories.get(change.drop)
    if change.keep == change.drop:
        yield f"{change.keep} cannot be folded into itself"
    if keep is None or drop is None:
        return
    why = apart(_words(keep), _words(drop))
    if why is not None:
        yield f"{change.keep} and {change.drop} are not folded: {why}"


def _losses(corpus: Corpus, change: Created) -> Iterator[str]:
    """What gets lost of the memories whose place another takes, and what that makes up."""
    draft = change.draft
    made = Words(draft.title or "", draft.claim or "", f"{draft.claim or ''}\n\n{draft.body or ''}")
    absorbed = [_words(corpus.memories[path]) for path in change.absorbs if path in corpus.memories]
    for path, words in zip(change.absorbs, absorbed, strict=False):
        lost = uncovered(words, made)
        if lost is not None:
            yield f"{path} would not live on in what takes its place: {lost}"
    new = unfounded(made, absorbed)
    if new is not None:
        yield f"what takes the place of {change.absorbs[0]} makes something up: {new}"


def _words(memory: Remembered) -> Words:
    return Words(memory.row.title, memory.row.gist, memory.body)
