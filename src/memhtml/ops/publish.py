"""Operation `publish`: pages to browse a store by, and a site map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import DirtyTreeError, InvalidFlagError, WriteConflictError
from memhtml.domain.memory import CommitId, MemoryPath
from memhtml.domain.paths import ROOTS
from memhtml.domain.scope import Scope
from memhtml.domain.sealed import is_sealed
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.arguments import shown
from memhtml.ops.changing import Desk, Staged, Told, change
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.store.snapshot import Snapshot
    from memhtml.store.transaction import Transaction
    from memhtml.workspace.workspace import Workspace

_SHOWN = 5
EVERYTHING = Scope(types=frozenset(MemoryType), archived=True)


class Published(Struct, frozen=True):
    """The pages are up to date.

    Attributes:
        pages: how many folders have one.
        memories: how many are listed on them.
        changed: files written or taken away; 0 when all were as they should be.
        commit: the commit; ``None`` when nothing had to change.
    """

    pages: int
    memories: int
    changed: int
    commit: CommitId | None
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Published:
    """The `publish` operation."""
    return publish(workspace, base_url=arguments.text("base_url"), replace=arguments.flag("replace"))


def publish(workspace: Workspace, *, base_url: str | None = None, replace: bool = False) -> Published:
    """Write an ``index.html`` into every folder and a ``sitemap.xml``, as one commit; stale pages are taken away.

    Only what was published, and not edited since, is replaced or taken away. A page that was deleted is made again.

    Args:
        workspace: the store.
        base_url: where the store is served, in front of the addresses in the site map; else they are relative.
        replace: also what others put where a page belongs; a page that is in nobody's way stays.

    Raises:
        InvalidFlagError: ``base_url`` is no web address.
        WriteConflictError: a file that was not published, or was edited since, is where a page belongs.
        DirtyTreeError: a page has uncommitted changes, whether or not it would be made anew.
        UnsafeFileError: a folder or a link is where a page belongs.
    """
    from memhtml.page.listing import SITE_MAP, Shown, pages, site_map

    base = _base(base_url)

    def stage(desk: Desk) -> Staged[tuple[int, int, int]]:
        with workspace.index.reading() as view:
            rows = view.rows(sorted(view.listed(EVERYTHING))).values()
        memories = [Shown(row.path, row.title, row.gist, row.updated) for row in rows]
        files = {**dict(pages(memories)), SITE_MAP: site_map(memories, base)}
        transaction = desk.transaction
        changed = [path for path, text in files.items() if transaction.read(path) != text.encode()]
        if not replace:
            _refuse_others(transaction, changed)
        with workspace.repository.snapshot(transaction.base) as snapshot:
            stale = [path for root in ROOTS for path in _pages_in(snapshot, root) if path not in files]
        stale = [path for path in stale if is_sealed(transaction.read(path) or b"")]
        restored = _brought_back(transaction, [*files, *stale])
        for path in changed:
            transaction.put(path, files[path].encode())
        for path in stale:
            transaction.remove(path)
        counts = (len(files) - 1, len(memories), len({*changed, *stale, *restored}))
        return Staged(counts, Told(f"memory(publish): {counts[0]} pages"))

    done = change(workspace, stage)
    return Published(*done.value, done.commit, done.warnings)


def _base(text: str | None) -> str:
    if text is None:
        return ""
    if not text.startswith(("http://", "https://")) or any(character.isspace() for character in text):
        raise InvalidFlagError(
            f"--base-url takes a web address, not {shown(text)}", suggestions=("--base-url https://example.org/memory",)
        )
    return text.rstrip("/") + "/"


def _refuse_others(transaction: Transaction, paths: Sequence[str]) -> None:
    """See that each of ``paths`` is free, or holds what was published there."""
    others = [path for path in paths if (data := transaction.read(path)) is not None and not is_sealed(data)]
    if others:
        raise WriteConflictError(
            f"publish did not make {_named(others)}, or somebody has edited it since, "
            "and it replaces only its own pages",
            suggestions=(
                "give what you want to keep another name and commit that: git mv, git commit",
                "memhtml publish --replace writes over it; git keeps what it was",
            ),
        )


def _brought_back(transaction: Transaction, paths: Sequence[str]) -> Sequence[str]:
    """Put the branch's pages back where somebody deleted them; the paths. First see that none of the others is edited.

    The commit itself would only look at the files that it changes.
    """
    from memhtml.store.gitindex import changed

    unlike: list[str] = []
    edited: set[str] = set()
    gone: set[str] = set()
    for path in paths:
        there, data = transaction.read(path), transaction.work(path)
        if there is None and data is not None:
            edited.add(path)
        elif there != data:
            unlike.append(path)
            gone |= {path} if data is None else set()
    if unlike:
        # Line ends that git converts, or a sparse checkout, may be all that differs.
        really = changed(transaction.git.with_own_line_ends(), unlike)
        edited |= really - gone
        gone &= really
    if edited:
        raise DirtyTreeError(
            f"somebody edited or replaced {_named(sorted(edited))}, and did not commit it",
            paths=tuple(sorted(edited)),
            suggestions=("commit it (git add, git commit), or delete it and memhtml publish makes the page again",),
        )
    if gone:
        names = "\0".join(sorted(gone)).encode()
        transaction.git.run("checkout", "HEAD", "--pathspec-from-file=-", "--pathspec-file-nul", given=names)
    return sorted(gone)


def _named(paths: Sequence[str]) -> str:
    return ", ".join(paths[:_SHOWN]) + (f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else "")


def _pages_in(snapshot: Snapshot, folder: str) -> Iterator[MemoryPath]:
    """The pages that are there now, below and in ``folder``."""
    from memhtml.page.listing import PAGE

    for name, entry in snapshot.entries(folder).items():
        if entry.is_folder:
            yield from _pages_in(snapshot, f"{folder}/{name}")
        elif name == PAGE:
            yield MemoryPath(f"{folder}/{name}")
