"""Git's objects, read for one transaction: loose ones here, all others through one ``cat-file`` process."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from msgspec import Struct

from memhtml.domain.digests import sha1, sha256
from memhtml.domain.errors import GitError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.git import Call, Git
from memhtml.store.layout import Layout

FOLDER_MODE = "40000"
FILE_MODES = frozenset({"100644", "100755"})
_SHA1_DIGITS, _SHA256_DIGITS = 40, 64


class Entry(Struct, frozen=True):
    """What a tree holds under one name."""

    mode: str
    id: str

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.mode == FOLDER_MODE

    @property
    def is_file(self) -> bool:
        """Whether it is a plain file: no symbolic link, no other repository."""
        return self.mode in FILE_MODES


def blob_id(data: bytes, like: str | None) -> BlobId:
    """The id that git gives to ``data``, in the repository of which ``like`` is an object's id (none: SHA-1).

    >>> blob_id(b"", None)
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    digest = sha256 if like is not None and len(like) > _SHA1_DIGITS else sha1
    return BlobId(digest(b"blob %d\0%b" % (len(data), data)))


def any_id(git: Git, commit: CommitId | None) -> CommitId:
    """``commit``, or where there is none yet, an id that names nothing and is as long as those of the repository.

    Raises:
        GitError: git refused.
    """
    if commit is not None:
        return commit
    sha256 = git.run("rev-parse", "--show-object-format").strip() == b"sha256"
    return CommitId("0" * (_SHA256_DIGITS if sha256 else _SHA1_DIGITS))


class Objects:
    """Objects by id. A context manager: the process that it may have started ends with it."""

    def __init__(self, layout: Layout, git: Git) -> None:
        self._folder = layout.common / "objects"
        self._git = git
        self._call: Call | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if one was needed."""
        if self._call is not None:
            self._call.abandon()
            self._call = None

    def root_of(self, commit: CommitId) -> str:
        """The id of the tree of ``commit``.

        Raises:
            GitError: there is no such commit.
        """
        word, _, tree = self.read(commit, "commit").partition(b"\n")[0].partition(b" ")
        if word != b"tree":
            raise GitError(f"commit {commit[:12]} cannot be read", suggestions=("git fsck says what is broken",))
        return tree.decode(errors="replace")

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """What the folder holds, by name.

        Raises:
            GitError: there is no such tree.
        """
        data = self.read(tree, "tree")
        width = len(tree) // 2
        found: dict[str, Entry] = {}
        position = 0
        while position < len(data):
            space = data.index(b" ", position)
            end = data.index(b"\0", space)
            name = data[space + 1 : end].decode(errors="surrogateescape")
            found[name] = Entry(data[position:space].decode(), data[end + 1 : end + 1 + width].hex())
            position = end + 1 + width
        return found

    def read(self, name: str, kind: str) -> bytes:
        """The content of an object.

        Raises:
            GitError: there is no such object, or it is of another kind.
        """
        found = self._loose(name) or self._asked(name)
        if found is None or found[0] != kind:
            raise GitError(f"the {kind} {name[:12]} is missing", suggestions=("git fsck says what is broken",))
        return found[1]

    def _loose(self, name: str) -> tuple[str, bytes] | None:
        try:
            packed = (self._folder / name[:2] / name[2:]).read_bytes()
            header, _, data = zlib.decompress(packed).partition(b"\0")
        except (OSError, zlib.error):
            return None
        return header.partition(b" ")[0].decode(errors="replace"), data

    def _asked(self, name: str) -> tuple[str, bytes] | None:
        if self._call is None:
            self._call = self._git.start("cat-file", "--batch")
        given, printed = self._call.process.stdin, self._call.process.stdout
        if given is None or printed is None:
            raise GitError("git cat-file has no pipes")
        try:
            given.write(f"{name}\n".encode())
            given.flush()
            header = printed.readline().split()
            if len(header) != 3:  # noqa: PLR2004 - id, kind, size; "missing" is two words
                return None
            data = printed.read(int(header[2]))
            printed.read(1)
        except OSError as error:
            raise GitError(f"git cat-file ended early: {error.strerror}") from error
        return header[1].decode(), data
