"""Pages and site map of a store that has them, made again from the memories that it has by now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memhtml.domain.errors import UnsafeFileError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.paths import ROOTS
from memhtml.domain.sealed import is_sealed
from memhtml.page.listing import PAGE, SITE_MAP, Shown, base_of, pages, site_map
from memhtml.sleep.changes import Generated, Reason
from memhtml.sleep.corpus import Corpus, Files
from memhtml.store.names import twin_key

_REMADE: Final = Reason("what it lists has changed")
_EMPTY: Final = Reason("no memory is left in its folder")


def remade(corpus: Corpus) -> Iterator[Generated]:
    """What is not as it would be published now: pages in path order of their folders, stale ones, then the site map.

    Nothing where nothing is published. A file that was not published, or was edited since, is somebody's and stays.
    The site map keeps the base that it was made with; one that lists nothing does not tell it, and stays as it is.
    """
    rows = {path: memory.row for path, memory in corpus.memories.items()} | {**corpus.tasks, **corpus.archived}
    shown = [Shown(path, rows[path].title, rows[path].gist, rows[path].updated) for path in sorted(rows)]
    there = {path: data for path in _pages(corpus) if (data := _sealed(corpus.files, path)) is not None}
    if there:
        made = {path: text.encode() for path, text in pages(shown)}
        for path, data in made.items():
            if there.get(path, None if _is_free(corpus.files, path) else data) != data:
                yield Generated(path, data, _REMADE)
        yield from (Generated(path, None, _EMPTY) for path in sorted(there.keys() - made.keys()))
    before = _sealed(corpus.files, SITE_MAP)
    base = None if before is None else base_of(before.decode(), rows)
    if base is not None and (after := site_map(shown, base).encode()) != before:
        yield Generated(SITE_MAP, after, _REMADE)


def _pages(corpus: Corpus) -> Iterator[str]:
    """Every page that is there, whoever made it."""
    if PAGE in corpus.files.names(""):
        yield PAGE
    ahead: list[str] = list(ROOTS)
    while ahead:
        folder = ahead.pop()
        for name in corpus.files.names(folder):
            path = f"{folder}/{name}"
            if name == PAGE:
                yield path
            elif not _is_memory(corpus, MemoryPath(path)):
                ahead.append(path)


def _is_memory(corpus: Corpus, path: MemoryPath) -> bool:
    return path in corpus.memories or path in corpus.archived or path in corpus.tasks


def _sealed(files: Files, path: str) -> bytes | None:
    """The file at ``path`` if it is, to the byte, what was published there."""
    try:
        data = files.read(path)
    except UnsafeFileError:
        return None
    return data if data is not None and is_sealed(data) else None


def _is_free(files: Files, path: str) -> bool:
    """Whether nothing is at ``path``, not even under a name that another system takes for the same."""
    folder, _, name = path.rpartition("/")
    return all(twin_key(name) != twin_key(each) for each in files.names(folder))
