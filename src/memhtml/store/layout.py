"""Where a store's parts lie on the disk, and whether what lies at a root is a store."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import NotAStoreError, StorageError, StoreMissingError
from memhtml.domain.paths import ROOTS
from memhtml.store.plain import require_plain

HOUSE = ".memhtml"
"""Databases, state and settings; git ignores it but for what init lists."""

SIDECAR = f"{HOUSE}/state/access.jsonl"
"""The durable copy of what was opened and reinforced."""

PENDING = f"{HOUSE}/sleep/pending.jsonl"
"""What nights found and may not do yet."""

SCAFFOLD = frozenset(
    {".git", ".gitignore", ".gitattributes", ".DS_Store", "README.html", "index.html", "sitemap.xml", HOUSE, *ROOTS},
)
"""What may lie at the root of a folder that is to become a store."""

_ADVICE = ("memhtml init makes a store; choose an empty folder for it",)


class Layout(Struct, frozen=True):
    """The folders of one store.

    Attributes:
        root: the work tree, without symbolic links in it.
        gitdir: HEAD and index of this work tree; below the repository's own when it is a linked work tree.
        common: objects and branches.
    """

    root: Path
    gitdir: Path
    common: Path

    @property
    def desk(self) -> Path:
        """Lock and journal. Beside the git index, where ``git clean`` does not come, one for each work tree."""
        return self.gitdir / "memhtml"


def locate(root: Path) -> Layout:
    """The store at ``root``. Only ``root`` itself is looked at, never a folder above it.

    Raises:
        StoreMissingError: nothing is there, or an empty folder.
        NotAStoreError: something else is there.
        StorageError: it may not be looked at.
    """
    try:
        resolved = root.resolve()
        return _locate(resolved)
    except OSError as error:
        raise StorageError(f"{root} cannot be read: {error.strerror}") from error


def _locate(root: Path) -> Layout:
    if not root.exists():
        raise StoreMissingError(f"there is no store at {root}", suggestions=(f"memhtml init --root {root}",))
    if not root.is_dir():
        raise NotAStoreError(f"{root} is a file, and a store is a folder", suggestions=_ADVICE)
    layout = repository(root)
    if layout is None:
        if is_bare(root):
            raise NotAStoreError(f"{root} is a bare git repository: it has no files to write", suggestions=_ADVICE)
        if not any(root.iterdir()):
            raise StoreMissingError(f"{root} is empty", suggestions=(f"memhtml init --root {root}",))
        if looks_like_store(root):
            raise NotAStoreError(
                f"{root} holds memories, but its git repository is gone",
                suggestions=("bring .git back from a clone or a backup", "or begin a new history: memhtml init"),
            )
        raise NotAStoreError(f"{root} has no git repository of its own", suggestions=_ADVICE)
    refuse_linked_house(root)
    if not looks_like_store(root):
        raise NotAStoreError(f"{root} is a git repository, and not of memories", suggestions=_ADVICE)
    return layout


def repository(root: Path) -> Layout | None:
    """The git repository whose work tree starts at ``root``, if there is one."""
    dot_git = root / ".git"
    if dot_git.is_dir():
        gitdir = dot_git
    elif dot_git.is_file():
        text = dot_git.read_text(encoding="utf-8", errors="surrogateescape")
        if not text.startswith("gitdir: "):
            return None
        gitdir = root / text.removeprefix("gitdir: ").rstrip("\n")
    else:
        return None
    if not (gitdir / "HEAD").is_file():
        return None
    common = gitdir
    pointer = gitdir / "commondir"
    if pointer.is_file():
        common = gitdir / pointer.read_text(encoding="utf-8", errors="surrogateescape").rstrip("\n")
    return Layout(root, gitdir.resolve(), common.resolve())


def is_bare(root: Path) -> bool:
    """Whether ``root`` is itself the inside of a repository."""
    return (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()


def refuse_linked_house(root: Path) -> None:
    """See that databases and state stay in the store.

    Raises:
        UnsafeFileError: their folder is a symbolic link.
    """
    require_plain(root / HOUSE, "put a real folder there")


def looks_like_store(root: Path) -> bool:
    """Whether anything at ``root`` says that memories live there: a root folder, the house, or init's own files."""
    if any((root / name).is_dir() for name in (HOUSE, *ROOTS)):
        return True
    ignored = root / ".gitignore"
    return (
        ignored.is_file()
        and not ignored.is_symlink()
        and HOUSE in ignored.read_text(encoding="utf-8", errors="replace")
    )
