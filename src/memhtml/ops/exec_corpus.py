"""A store held still, as what a script may call: plain values come out, and nothing goes in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import replace

from memhtml.domain.errors import InvalidFlagError, PathNotFoundError
from memhtml.domain.memory import Entity, Instant, MemoryPath
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.index.memories import MemoryRow
from memhtml.ops.arguments import bind, shown
from memhtml.ops.drafts import rel as rel_of
from memhtml.ops.rows_finding import FINDING, SCOPE
from memhtml.ops.scopes import scope, scope_of
from memhtml.retrieve.answer import Degraded, Request
from memhtml.retrieve.search import search

if TYPE_CHECKING:
    from memhtml.index.index import Index
    from memhtml.index.listing import Tied
    from memhtml.index.memories import Texts
    from memhtml.models.embedder import Embedder

LONGEST_TEXT = 4_000
"""Characters of a query, a path, a tag: what a call does is not broken off, so it is kept short."""
MOST_VALUES = 100
"""Tags, or types, of one call."""

_KNOWN = (*MemoryRow.__struct_fields__, "text", "links")
_ALL = Scope(types=frozenset(MemoryType), archived=True)
_WANTED = {"query", "limit", "no_bar", *(parameter.name for parameter in SCOPE)}
_FOUND = next(row for row in FINDING if row.name == "search")
_SEARCH = replace(_FOUND, parameters=tuple(one for one in _FOUND.parameters if one.name in _WANTED))

Value = object
Told = dict[str, Value]
Edges = Mapping[MemoryPath, Sequence[MemoryPath]]


class Corpus:
    """The memories of one commit, for a script.

    Attributes:
        memories: how many are in use, without tasks.
        degraded: arms that could not take part in a search.
    """

    def __init__(self, index: Index, embedder: Embedder | None, now: Instant) -> None:
        self._index = index
        self._embedder = embedder
        self._now = now
        with index.reading() as view:
            self.memories = view.count(Scope())
            self._rows = view.rows(sorted(view.listed(_ALL)))
            self._ties = view.links(archived=True)
            stamps = {row.superseded_by for row in self._rows.values() if row.superseded_by is not None}
            self._places = view.located(sorted(stamps))
        self._links: dict[MemoryPath, list[Tied]] = defaultdict(list)
        self._backlinks: dict[MemoryPath, list[Tied]] = defaultdict(list)
        for tie in self._ties:
            self._links[tie.source].append(tie)
            if tie.resolved is not None:
                self._backlinks[tie.resolved].append(tie)
        self._edges: dict[Rel, tuple[Edges, Edges]] = {}
        self.degraded: tuple[Degraded, ...] = ()

    def given(self) -> dict[str, Callable[..., object]]:
        """What a script may call, by name."""
        return {each.__name__: each for each in (self.corpus, self.backlinks, self.chain, self.search)}

    def corpus(self, only: object = None, **wanted: object) -> list[Told]:
        """The memories in a scope, which is that of a search, newest first, then by path.

        Each is what a listing knows of it, its whole ``text``, and its ``links``: ``rel``, the ``path`` where the other
        end is now, and whether it was ``found``; where it was not, the path as the link names it. With ``only`` it is
        no more than these, which takes less time and memory of a large store.

        Raises:
            UsageError: the scope is none, or a memory has nothing of that name.
        """
        chosen, names = scope_of(_checked(wanted)), _names(only)
        with self._index.reading() as view:
            paths = view.listed(chosen)
            texts = view.texts(paths) if "text" in names else {}
        return [self._told(self._rows[path], texts.get(path), names) for path in paths]

    def backlinks(self, path: object, rel: object = None) -> list[Told]:
        """What links to the memory at ``path``, archived ones too: ``rel`` and ``path``, by path, in document order.

        Raises:
            PathNotFoundError: there is no such memory.
            InvalidFlagError: there is no such rel.
        """
        place, wanted = self._place(path), None if rel is None else rel_of(_text("rel", rel))
        return [
            {"rel": tie.rel.value, "path": tie.source}
            for tie in self._backlinks.get(place, ())
            if wanted in {None, tie.rel}
        ]

    def chain(self, path: object, rel: object = Rel.SUPERSEDES.value) -> list[str]:
        """The line of memories that the one at ``path`` stands in, each joined to the one before it by ``rel``.

        The oldest comes first: what was superseded, what something was caused by. Where the line forks, it goes on
        with the newest, of equals with the last by path; where it comes back to itself, it ends.

        Raises:
            PathNotFoundError: there is no such memory.
            InvalidFlagError: there is no such rel.
        """
        place, kind = self._place(path), rel_of(_text("rel", rel))
        if kind not in self._edges:
            self._edges[kind] = self._joined(kind)
        earlier, later = self._edges[kind]
        line = [place]
        self._follow(line, earlier)
        line.reverse()
        self._follow(line, later)
        return [str(each) for each in line]

    def search(self, query: object, limit: object = 10, **wanted: object) -> list[Told]:
        """The memories that answer ``query``, best first; none when nothing is relevant.

        Raises:
            UsageError: the scope or the limit is none.
        """
        fields = _checked({"query": query, "limit": limit, **wanted})
        arguments = bind(_SEARCH, fields, spelling=lambda parameter: parameter.name)
        request = Request(
            query=arguments.needed("query"),
            scope=scope(arguments),
            limit=arguments.count("limit"),
            bar=not arguments.flag("no_bar"),
        )
        answer = search(self._index, self._embedder, request, self._now)
        self.degraded = answer.degraded or self.degraded
        return [_fields(hit) for hit in answer.hits]

    def _told(self, row: MemoryRow, texts: Texts | None, names: Sequence[str]) -> Told:
        told: Told = {}
        for name in names:
            if name == "links":
                told[name] = [
                    {"rel": tie.rel.value, "path": tie.resolved or tie.target, "found": tie.resolved is not None}
                    for tie in self._links.get(row.path, ())
                ]
            elif name == "text":
                told[name] = "" if texts is None else texts.body
            else:
                told[name] = _plain(getattr(row, name))
        return told

    def _place(self, path: object) -> MemoryPath:
        """Where the memory at ``path`` is, in the archive or not."""
        asked = MemoryPath(_text("path", path))
        if asked in self._rows:
            return asked
        with self._index.reading() as view:
            place = view.located([asked]).get(asked)
        if place is None:
            raise PathNotFoundError(f"there is no memory at {shown(asked)} in this commit")
        return place

    def _joined(self, kind: Rel) -> tuple[Edges, Edges]:
        """What comes right before each memory, and what right after it."""
        pairs = {(tie.source, tie.resolved) for tie in self._ties if tie.rel is kind and tie.resolved is not None}
        if kind is Rel.SUPERSEDES:
            for row in self._rows.values():
                # The stamp of what was superseded says it too, also where the other was written by hand.
                successor = None if row.superseded_by is None else self._places.get(row.superseded_by)
                if successor is not None:
                    pairs.add((successor, row.path))
        earlier: dict[MemoryPath, list[MemoryPath]] = defaultdict(list)
        later: dict[MemoryPath, list[MemoryPath]] = defaultdict(list)
        for source, target in pairs:
            earlier[source].append(target)
            later[target].append(source)
        return earlier, later

    def _follow(self, line: list[MemoryPath], edges: Edges) -> None:
        """Lengthen ``line`` at its end."""
        seen = set(line)
        while True:
            ahead = [path for path in edges.get(line[-1], ()) if path not in seen]
            if not ahead:
                return
            line.append(max(ahead, key=lambda path: (self._rows[path].moment, path)))
            seen.add(line[-1])


def _fields(value: Struct) -> Told:
    """A struct's fields, by their names in Python."""
    return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}


def _plain(value: object) -> Value:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Entity):
        return str(value)
    if isinstance(value, Struct):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return value


def _names(only: object) -> tuple[str, ...]:
    """What of a memory is wanted, each once, in the order of a listing."""
    if only is None:
        return _KNOWN
    wanted = set(_texts("only", cast("Iterable[object]", only) if isinstance(only, list | tuple | set) else [only]))
    for name in sorted(wanted.difference(_KNOWN)):
        raise InvalidFlagError(f"a memory has no {shown(name)}; it has {', '.join(_KNOWN)}")
    return tuple(name for name in _KNOWN if name in wanted)


def _checked(fields: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a call, of which none can be long: a script may hand over anything."""
    return {name: _argument(name, value) for name, value in fields.items()}


def _argument(name: str, value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return _texts(name, cast("Iterable[object]", value))
    return _text(name, value)


def _texts(name: str, values: Iterable[object]) -> list[str]:
    texts = list(values)
    if len(texts) > MOST_VALUES:
        raise InvalidFlagError(f"{name[:40]} takes at most {MOST_VALUES} values, not {len(texts)}")
    return sorted(_text(name, each) for each in texts)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidFlagError(f"{name[:40]} takes text, not a value of the kind {type(value).__name__}")
    if len(value) > LONGEST_TEXT:
        raise InvalidFlagError(f"{name[:40]} takes at most {LONGEST_TEXT} characters, not {len(value)}")
    return value
