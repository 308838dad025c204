"""What a phase may propose. Each change says what it is about, why, and what speaks for it; nothing here does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from memhtml.domain.memory import Draft, MemoryPath
from memhtml.page.splice import Edit

AUTHOR: Final = "agent:sleep"
"""Who a memory is from that a night made."""


class Evidence(Struct, frozen=True):
    """What speaks for a change.

    Attributes:
        source: where it is: the path of a memory, or a session; or the name of a figure (``cosine``).
        said: a quote from there, or a figure with its name.
    """

    source: str
    said: str


class Reason(Struct, frozen=True):
    """Why a change is proposed: one sentence, and what it rests on."""

    why: str
    evidence: tuple[Evidence, ...] = ()


class Edited(Struct, frozen=True):
    """A memory's head is edited; its article, and when it was last updated, stay."""

    path: MemoryPath
    edits: tuple[Edit, ...]
    reason: Reason


class Archived(Struct, frozen=True):
    """A memory goes to the archive, because nobody needs it or something has taken its place."""

    path: MemoryPath
    reason: Reason
    superseded_by: MemoryPath | None = None


class Folded(Struct, frozen=True):
    """A memory that says the same as another goes to the archive, and the other says that it supersedes it.

    Attributes:
        keep: the one that stays.
        drop: the one that goes.
        edits: of the head of the one that stays.
    """

    keep: MemoryPath
    drop: MemoryPath
    reason: Reason
    edits: tuple[Edit, ...] = ()


class Created(Struct, frozen=True):
    """A new memory, or task.

    Attributes:
        absorbs: memories that it takes the place of: it supersedes them, and they go to the archive.
    """

    draft: Draft
    reason: Reason
    absorbs: tuple[MemoryPath, ...] = ()


class Moved(Struct, frozen=True):
    """A memory is filed elsewhere, unchanged. Links that lead to it are edits of their own."""

    path: MemoryPath
    to: MemoryPath
    reason: Reason


class Generated(Struct, frozen=True):
    """A file that is made from others, and is no memory; ``data`` of ``None`` takes it away."""

    path: str
    data: bytes | None
    reason: Reason


Change: TypeAlias = Edited | Archived | Folded | Created | Moved | Generated


class Proposal(Struct, frozen=True):
    """What a phase would do.

    Attributes:
        changes: in the order in which they are to be made; what one needs of another comes after it.
        counts: figures of the phase, by name, for the commit and the report.
        refused: what a guard kept out, or a model got wrong: one sentence each.
        apart: whether each change is a commit of its own.
        note: why there is nothing to do, where that is no matter of course (``no model``).
    """

    changes: tuple[Change, ...] = ()
    counts: Mapping[str, int] = {}
    refused: tuple[str, ...] = ()
    apart: bool = False
    note: str = ""


def touched(change: Change) -> tuple[MemoryPath, ...]:
    """The memories, as they are called before the change, whose files it alters; none for what is only made.

    >>> a, b = MemoryPath("areas/a.html"), MemoryPath("areas/b.html")
    >>> touched(Folded(a, b, Reason("they say the same"))), touched(Generated("sitemap.xml", b"", Reason("new pages")))
    (('areas/a.html', 'areas/b.html'), ())
    """
    match change:
        case Edited() | Archived() | Moved():
            return (change.path,)
        case Folded():
            return (change.keep, change.drop)
        case Created():
            return change.absorbs
        case Generated():
            return ()
        case _:
            assert_never(change)


def put_away(change: Change) -> tuple[MemoryPath, ...]:
    """The memories that the change sends to the archive.

    >>> put_away(Folded(MemoryPath("areas/a.html"), MemoryPath("areas/b.html"), Reason("they say the same")))
    ('areas/b.html',)
    """
    match change:
        case Archived():
            return (change.path,)
        case Folded():
            return (change.drop,)
        case Created():
            return change.absorbs
        case Edited() | Moved() | Generated():
            return ()
        case _:
            assert_never(change)


def kind(change: Change) -> str:
    """What sort of change it is, in a word that stays.

    >>> kind(Generated("sitemap.xml", None, Reason("nobody is left")))
    'generated'
    """
    return type(change).__name__.lower()


def known_as(change: Change) -> str:
    """What the change is about, in a few words: the path of a file that it alters, or the title of one that it makes.

    >>> known_as(Folded(MemoryPath("areas/a.html"), MemoryPath("areas/b.html"), Reason("they say the same")))
    'areas/b.html into areas/a.html'
    """
    match change:
        case Edited() | Archived() | Generated():
            return change.path
        case Moved():
            return f"{change.path} to {change.to}"
        case Folded():
            return f"{change.drop} into {change.keep}"
        case Created():
            return change.draft.title or change.draft.claim or change.draft.body or ""
        case _:
            assert_never(change)
