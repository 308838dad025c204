"""The files of one commit, looked up by path."""

from __future__ import annotations

from collections.abc import Mapping

from memhtml.domain.errors import UnsafeFileError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.objects import Entry, Objects


class Snapshot:
    """The tree of ``commit``; ``None`` is the empty tree of a branch without commits. Folders are read once."""

    def __init__(self, objects: Objects, commit: CommitId | None) -> None:
        self.commit = commit
        self._objects = objects
        self._folders: dict[str, Mapping[str, Entry]] = {}

    def at(self, commit: CommitId) -> Snapshot:
        """Another commit's files, read through the same process."""
        return Snapshot(self._objects, commit)

    def entries(self, folder: str) -> Mapping[str, Entry]:
        """What ``folder`` holds, by name; empty when there is no such folder. ``""`` is the root."""
        known = self._folders.get(folder)
        if known is not None:
            return known
        place, found = "", self._root()
        for name in folder.split("/") if folder else ():
            entry = found.get(name)
            if entry is None or not entry.is_folder:
                # The way ends here, however long it is: folders below what is not there are not looked for.
                found = self._folders[folder] = {}
                return found
            place = f"{place}/{name}" if place else name
            found = self._read(place, entry.id)
        return found

    def entry(self, path: str) -> Entry | None:
        """What is at ``path``: a file, a folder, a link, or nothing."""
        folder, _, name = path.rpartition("/")
        return self.entries(folder).get(name)

    def exists(self, path: str) -> bool:
        """Whether a file, or a link, is at ``path``."""
        return self.blob(path) is not None

    def names(self, folder: str) -> tuple[str, ...]:
        """Names in ``folder``, sorted; empty when there is no such folder."""
        return tuple(sorted(self.entries(folder)))

    def blob(self, path: str) -> BlobId | None:
        """The id of the file, or link, at ``path``; ``None`` when none is."""
        entry = self.entry(path)
        return None if entry is None or entry.is_folder else BlobId(entry.id)

    def read(self, path: str) -> bytes | None:
        """The bytes of the file at ``path``, or ``None`` when nothing is there.

        Raises:
            UnsafeFileError: a symbolic link, or another repository, is there.
            GitError: an object is missing.
        """
        entry = self.entry(path)
        if entry is None or entry.is_folder:
            return None
        if not entry.is_file:
            raise UnsafeFileError(
                f"{path} is a symbolic link in the branch, and links are never followed",
                suggestions=("replace it by a plain file and commit that",),
            )
        return self._objects.read(entry.id, "blob")

    def _root(self) -> Mapping[str, Entry]:
        if "" not in self._folders:
            tree = None if self.commit is None else self._objects.root_of(self.commit)
            self._folders[""] = {} if tree is None else self._objects.entries(tree)
        return self._folders[""]

    def _read(self, folder: str, tree: str) -> Mapping[str, Entry]:
        if folder not in self._folders:
            self._folders[folder] = self._objects.entries(tree)
        return self._folders[folder]
