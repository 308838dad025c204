"""Where a new memory goes: the first rule that applies gives the folder, the title gives the name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.instants import compact_day
from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.paths import SUFFIX, is_memory_path, memory_path, segment_refusal
from memhtml.domain.slugs import numbered, slug
from memhtml.domain.vocabulary import MemoryType

INBOX = "areas/inbox"
ARCS = "areas/arcs"
PEOPLE = "resources/people"

_TOPICAL = frozenset({MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.PRECEDENT})


def candidates(draft: Draft, *, title: str, day: Instant) -> Iterator[MemoryPath]:
    """The paths that a new memory may take, best first: take the first that is free.

    An explicit path is the only candidate. Otherwise they never end: the name, then ``-2``, ``-3``, … Names that no
    system could hold (``con.html``) or that ``publish`` writes (``index.html``) are passed over.

    Args:
        draft: what the caller gave; its type, path, workspace, tags and entities are looked at.
        title: what the name is made of.
        day: the normalised event time if there is one, else the write time: in front of episodic names.

    Raises:
        InvalidPathError: the explicit path, or the workspace, can be no part of a path.
    """
    if draft.path is not None:
        return iter((memory_path(draft.path),))
    prefix = f"{compact_day(day)}-" if draft.type is MemoryType.EPISODIC else ""
    return _named(folder(draft), prefix, slug(title))


def folder(draft: Draft) -> str:
    """The folder of a new memory without an explicit path, without edge slashes.

    >>> folder(Draft(type=MemoryType.SEMANTIC, tags=("Load balancing", "aws")))
    'resources/load-balancing'
    >>> folder(Draft(type=MemoryType.TASK, workspace="checkout")), folder(Draft(type=MemoryType.TASK))
    ('projects/checkout/tasks', 'areas/inbox/tasks')

    Raises:
        InvalidPathError: the workspace can be no folder.
    """
    project = None if draft.workspace is None else f"projects/{workspace_segment(draft.workspace)}"
    if draft.type is MemoryType.ARC:
        return ARCS
    if draft.type is MemoryType.TASK:
        return f"{project or INBOX}/tasks"
    if draft.type is MemoryType.SEMANTIC and any(entity.type == "person" for entity in draft.entities):
        return PEOPLE
    if project is not None:
        return project
    if draft.type in _TOPICAL and draft.tags:
        return f"resources/{_topic(draft.tags[0])}"
    return INBOX


def workspace_segment(workspace: str) -> str:
    """``workspace`` as it stands in paths: the same text, since it is looked up by equality.

    >>> workspace_segment("checkout")
    'checkout'

    Raises:
        InvalidPathError: it can be no folder's name.
    """
    path = f"projects/{workspace}/a{SUFFIX}"
    refusal = "it has a slash; a workspace is one folder" if "/" in workspace else segment_refusal(workspace)
    if refusal is not None:
        raise InvalidPathError(
            f"{workspace[:120]!a} can be no workspace: {refusal}",
            suggestions=("write a folder's name, like checkout-api",),
        )
    return memory_path(path).split("/")[1]


def _named(place: str, prefix: str, name: str) -> Iterator[MemoryPath]:
    for ordinal in count(1):
        path = f"{place}/{prefix}{numbered(name, ordinal)}{SUFFIX}"
        if is_memory_path(path):
            yield MemoryPath(path)


def _topic(tag: str) -> str:
    name = slug(tag)
    # A topic called `con` is a device on Windows; its second name is none.
    return name if segment_refusal(name) is None else numbered(name, 2)
