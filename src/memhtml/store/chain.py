"""The commits of a branch since it left another, as steps of whole files, and the same steps somewhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from memhtml.domain.errors import GitError
from memhtml.domain.memory import BlobId, CommitId
from memhtml.store.commits import NOWHERE, Importing
from memhtml.store.git import Git
from memhtml.store.message import trailers_of
from memhtml.store.reading import blobs

# Headers of a commit that a copy of it keeps; others (a signature, say) hold for the very commit alone.
_KEPT = (b"author ", b"committer ")


class Delta(Struct, frozen=True):
    """What one path was, and what it becomes; ``None`` is nothing.

    Attributes:
        old_mode: of ``old``, as git writes it; ``000000`` when there is nothing.
        mode: of ``new``.
    """

    path: str
    old: BlobId | None
    new: BlobId | None
    old_mode: str
    mode: str


class Step(Struct, frozen=True):
    """One commit of a chain.

    Attributes:
        signatures: its lines of author and committer, as in the commit.
        message: as in the commit.
        deltas: against the step before, in path order, each path once: a rename is two of them.
    """

    commit: CommitId
    signatures: bytes
    message: bytes
    deltas: tuple[Delta, ...]

    @property
    def text(self) -> str:
        """The message; bytes that are no UTF-8 are shown as such."""
        return self.message.decode(errors="replace")

    @property
    def subject(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0]

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each trailer, in order."""
        return trailers_of(self.text)

    @property
    def paths(self) -> frozenset[str]:
        """Those that it changes."""
        return frozenset(delta.path for delta in self.deltas)


def steps(git: Git, base: CommitId, tip: CommitId) -> tuple[Step, ...]:
    """The commits from ``base`` to ``tip``, oldest first, along the first parents; none when ``tip`` holds no more.

    Raises:
        GitError: one of them is not in the repository.
    """
    printed = git.run("rev-list", "--first-parent", "--reverse", "--parents", tip, f"^{base}").decode()
    lines = [line.split() for line in printed.splitlines()]
    if any(len(line) == 1 for line in lines):
        raise GitError("a branch without a common beginning cannot be taken apart", suggestions=("git log --graph",))
    ids = [line[0] for line in lines]
    texts = dict(blobs(git, [BlobId(one) for one in ids]))
    deltas = _deltas_of(git, [(line[0], line[1]) for line in lines])
    return tuple(_step(CommitId(one), texts[BlobId(one)], deltas[one]) for one in ids)


def differences(git: Git, old: CommitId, new: CommitId) -> tuple[Delta, ...]:
    """Every path that is not the same in both commits, in path order.

    Raises:
        GitError: one of them is not in the repository.
    """
    printed = git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", old, new)
    fields = iter(printed.decode(errors="surrogateescape").split("\0")[:-1])
    return tuple(sorted((_delta(facts, next(fields)) for facts in fields), key=lambda delta: delta.path))


def rebuilt(git: Git, onto: CommitId, chain: Sequence[Step]) -> CommitId:
    """The chain's last step, when all of them are made again, one on the other, from ``onto``; ``onto`` for none.

    Authors, dates and messages stay, so the same chain gives the same commits. A step that changes nothing stays too:
    its message may be what counts. The commits are durable; no branch moves.

    Raises:
        GitError: git refused.
        StorageError: disk full or read-only.
    """
    if not chain:
        return onto
    with Importing(git, "raw-permissive") as importing:
        importing.feed(b"".join(_stream(onto, chain)))
        made = importing.commits()
    if len(made) != 1:
        raise GitError("git made no commit and did not say why")
    return made[0]


def _step(commit: CommitId, data: bytes, deltas: tuple[Delta, ...]) -> Step:
    head, _, text = data.partition(b"\n\n")
    signatures = b"".join(line + b"\n" for line in head.split(b"\n") if line.startswith(_KEPT))
    return Step(commit, signatures, text, deltas)


def _deltas_of(git: Git, pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[Delta, ...]]:
    """The differences of each commit to its parent, by commit; one process for all."""
    words = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--full-index")
    printed = git.run(*words, given="".join(f"{commit} {parent}\n" for commit, parent in pairs).encode())
    found: dict[str, list[Delta]] = {commit: [] for commit, _ in pairs}
    current: list[Delta] = []
    fields = iter(printed.decode(errors="surrogateescape").split("\0")[:-1])
    for field in fields:
        if field.startswith(":"):
            current.append(_delta(field, next(fields)))
        else:
            current = found[field]
    return {commit: tuple(sorted(deltas, key=lambda delta: delta.path)) for commit, deltas in found.items()}


def _delta(facts: str, path: str) -> Delta:
    old_mode, mode, old, new, _ = facts.removeprefix(":").split(" ")
    return Delta(path, _there(old), _there(new), old_mode, mode)


def _there(blob: str) -> BlobId | None:
    return BlobId(blob) if blob.strip("0") else None


def _stream(onto: CommitId, chain: Sequence[Step]) -> Iterator[bytes]:
    yield b"feature done\n"
    for number, step in enumerate(chain, start=1):
        yield f"commit {NOWHERE}\nmark :{number}\n".encode() + step.signatures
        yield b"data %d\n%s\n" % (len(step.message), step.message)
        yield f"from {onto if number == 1 else f':{number - 1}'}\n".encode()
        # What goes makes room first: a folder may take the place of a file.
        for delta in sorted(step.deltas, key=lambda delta: delta.new is not None):
            path = _quoted(delta.path)
            yield b"D %s\n" % path if delta.new is None else f"M {delta.mode} {delta.new} ".encode() + path + b"\n"
    yield f"get-mark :{len(chain)}\nreset {NOWHERE}\n\ndone\n".encode()


def _quoted(path: str) -> bytes:
    r"""The path as fast-import reads it.

    >>> _quoted("areas/a b.html"), _quoted("two\nlines")
    (b'areas/a b.html', b'"two\\nlines"')
    """
    data = path.encode(errors="surrogateescape")
    if not data.startswith(b'"') and b"\n" not in data:
        return data
    return b'"' + data.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
