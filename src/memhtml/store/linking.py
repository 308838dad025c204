"""Typed edges between memories: one line in the head of the source."""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.errors import InvalidEdgeError, PathNotFoundError
from memhtml.domain.memory import Link, MemoryPath
from memhtml.domain.paths import memory_path
from memhtml.domain.vocabulary import Rel
from memhtml.store.resolving import resolve
from memhtml.store.targets import Target, target
from memhtml.store.transaction import Transaction
from memhtml.store.writing import checked_link


class Linked(Struct, frozen=True):
    """An edge.

    Attributes:
        target: the target as it stands in the source, or stood.
        changed: whether the source changes; an edge that is there already, or not there to take out, changes nothing.
        title: of the source.
    """

    source: MemoryPath
    rel: Rel
    target: MemoryPath
    changed: bool
    title: str


def stage_link(tx: Transaction, source: str, rel: Rel, to: str) -> Linked:
    """Add the edge to the head of ``source``. A target that has moved is linked where it lives now.

    Raises:
        InvalidPathError: one of the two is no path.
        PathNotFoundError: one of them is nowhere.
        InvalidEdgeError: a memory with itself, or a rel that the two ends do not allow.
        InvalidMemoryError: one of the files breaks the format.
    """
    found = target(tx, source)
    link = checked_link(tx, Link(rel, memory_path(to)), found.facts.head.type)
    if link.target == found.path:
        raise InvalidEdgeError(f"{found.path} cannot be linked to itself")
    return _edited(tx, found, link, add=True)


def stage_unlink(tx: Transaction, source: str, rel: Rel, to: str) -> Linked:
    """Take the edge out of the head of ``source``, however its target is spelled there: old path or new.

    Raises:
        InvalidPathError: one of the two is no path.
        PathNotFoundError: the source is nowhere.
        InvalidMemoryError: the source breaks the format.
    """
    found = target(tx, source)
    wanted = memory_path(to)
    spelled = [link for link in found.facts.links if link.rel is rel]
    chosen = next((link for link in spelled if link.target == wanted), None)
    if chosen is None:
        now = _now(tx, wanted)
        chosen = next((link for link in spelled if _now(tx, link.target) == now), Link(rel, wanted))
    return _edited(tx, found, chosen, add=False)


def _edited(tx: Transaction, found: Target, link: Link, *, add: bool) -> Linked:
    from memhtml.page.splice import add_link, drop_link

    data = add_link(found.data, link) if add else drop_link(found.data, link)
    changed = data != found.data
    if changed:
        tx.put(found.path, data)
    return Linked(found.path, link.rel, link.target, changed, found.facts.title)


def _now(tx: Transaction, path: MemoryPath) -> MemoryPath:
    try:
        return resolve(tx, path).path
    except PathNotFoundError:
        return path
