"""A disk that is full, or may not be written: a clear error, and the store as it was."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memhtml.store.founding import init
from memhtml.store.repository import Repository

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and permissions are POSIX")

WRITER = """
import importlib, os, pkgutil, resource, signal, subprocess, sys
from pathlib import Path
import memhtml.store
from memhtml.domain.errors import MemhtmlError
from memhtml.store.repository import Repository
for module in pkgutil.iter_modules(memhtml.store.__path__):  # what is nobody's cannot be imported later
    importlib.import_module("memhtml.store." + module.name)
store = Repository.open(Path(sys.argv[1]), environment=os.environ, lock_wait=0.2)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if int(sys.argv[2]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
if len(sys.argv) > 3:
    os.setgroups([]); os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[3]))
try:
    with store.transaction() as tx:
        tx.put("areas/a.html", b"changed " * 400)
        tx.put("areas/b.html", os.urandom(3000))
        tx.put("areas/new/c.html", os.urandom(3000))
        tx.commit("memory(apply): three")
except MemhtmlError as error:
    print(error.code, error.message, error.suggestions, sep="\\n")
else:
    print("done")
"""


class Place:
    """A store with two memories, and what it looked like."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        init(root, environment=environment)
        self.root, self.environment = root, environment
        self.store = Repository.open(root, environment=environment)
        with self.store.transaction() as tx:
            tx.put("areas/a.html", b"a")
            tx.put("areas/b.html", b"b")
            tx.commit("memory(apply): two")
        self.before = self.seen()

    def git(self, *words: str) -> str:
        """Git as a person uses it."""
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self.environment, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def seen(self) -> tuple[object, ...]:
        """Branch, status and files."""
        files = {str(path): path.read_bytes() for path in (self.root / "areas").rglob("*") if path.is_file()}
        return self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), files

    def write(self, *words: str) -> list[str]:
        """Try to change both and add a third, with the limits given; what was said."""
        done = subprocess.run(
            [sys.executable, "-c", WRITER, str(self.root), *words],
            env=self.environment,
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return done.stdout.splitlines()


@pytest.mark.parametrize("limit", [16, 200, 1000, 2500, 3100, 5000])
def test_a_full_disk_changes_nothing(root: Path, environment: dict[str, str], limit: int) -> None:
    """Wherever the space ends: in the lock, the journal, a file, git's pack or its objects."""
    place = Place(root, environment)
    said = place.write(str(limit))
    if said[0] == "done":
        # The branch got it, and what followed did not fit: the next command brings it along.
        place.store.recover_if_needed()
        assert place.git("status", "--porcelain") == ""
        assert len(list(place.store.tree())) == 3
        return
    assert said[0] == "ERR_STORAGE"
    assert place.seen() == place.before
    assert list((root / ".git").glob("fast_import_crash_*")) == []
    assert place.write("0") == ["done"]
    assert place.git("status", "--porcelain") == ""
    assert place.git("fsck", "--strict", "--no-dangling") == ""


def test_enough_space_is_enough(root: Path, environment: dict[str, str]) -> None:
    """The limit of the test above is what refuses there."""
    assert Place(root, environment).write("10000000") == ["done"]


@pytest.fixture
def open_to_all(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody can reach too: what pytest makes is closed to others."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("folder", [".git", ".git/memhtml", "areas", ".git/objects", ".git/refs/heads", "."])
def test_a_folder_that_may_not_be_written_changes_nothing(
    open_to_all: Path, environment: dict[str, str], folder: str
) -> None:
    """Somebody else's folder, or a read-only one; as root the writer first becomes nobody."""
    root = open_to_all / "store"
    place = Place(root, environment)
    nobody = ["65534"] if os.geteuid() == 0 else []
    if nobody:
        for path in (root, *root.rglob("*")):
            os.chown(path, 65534, 65534)
    target = root / folder
    target.chmod(0o500)
    try:
        said = place.write("0", *nobody)
    finally:
        target.chmod(0o755)
    place.git("config", "--global", "safe.directory", "*")
    if folder in {".", ".git/objects"}:
        assert said == ["done"], "only folders in them are written: those of memories, and that of packs"
        assert place.git("status", "--porcelain") == ""
        return
    assert said[0] == "ERR_STORAGE", said
    assert "permissions" in said[2]
    assert place.seen() == place.before
