"""Commits as steps of whole files, and the same steps somewhere else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memhtml.domain.errors import GitError
from memhtml.domain.memory import CommitId
from memhtml.store.chain import Delta, differences, rebuilt, steps
from memhtml.store.founding import init
from memhtml.store.objects import blob_id
from memhtml.store.repository import Repository

from .conftest import Person


@pytest.fixture(params=["sha1", "sha256"])
def store(request: pytest.FixtureRequest, root: Path, environment: dict[str, str]) -> Repository:
    """A store whose repository names objects so."""
    words = ["git", "init", "--quiet", f"--object-format={request.param}", "--initial-branch=main", str(root)]
    subprocess.run(words, env=environment, check=True)
    init(root, environment=environment)
    return Repository.open(root, environment=environment)


def committed(store: Repository) -> CommitId:
    """Where the branch is, which has commits."""
    head = store.head()
    assert head is not None
    return head


def test_the_same_steps_from_the_same_commit_are_the_same_commits(store: Repository, person: Person) -> None:
    """Files of every kind, odd names, a folder in the place of a file, odd dates and authors, nothing at all."""
    base = committed(store)
    person.commit("areas/x", "a file")
    person.git("rm", "--quiet", "areas/x")
    person.write("areas/x/y", "below").chmod(0o755)
    person.write('areas/"quoted".html', "q")
    person.write("areas/two\nlines \\ and ä.html", "l")
    (store.root / "areas/link.html").symlink_to("nowhere")
    person.git("add", "--all")
    person.git(
        "-c",
        "user.name=Łukasz O'Neil",
        "commit",
        "--quiet",
        "--date=1700000000 +0530",
        "-m",
        "odd\n\nbody\n\n\nX: y",
    )
    person.git("commit", "--quiet", "--allow-empty", "-m", "nothing")
    tip = committed(store)
    chain = steps(store.git, base, tip)
    assert [step.subject for step in chain] == ["by hand: areas/x", "odd", "nothing"]
    assert [len(step.deltas) for step in chain] == [1, 5, 0]
    assert chain[1].trailers == (("X", "y"),)
    assert rebuilt(store.git, base, chain) == tip
    assert steps(store.git, tip, tip) == ()
    assert rebuilt(store.git, tip, ()) == tip
    assert rebuilt(store.git, base, chain[:1]) == chain[0].commit
    assert store.head() == tip, "no branch moves"
    assert "refs/memhtml" not in person.git("for-each-ref")
    assert person.git("fsck", "--strict", "--no-dangling") == ""


def test_steps_go_elsewhere_file_by_file(store: Repository, person: Person) -> None:
    """What the other place has, and they do not speak of, stays."""
    person.commit("areas/a.html", "a")
    base = committed(store)
    person.git("switch", "--quiet", "-c", "side")
    person.commit("areas/a.html", "a2")
    person.git("mv", "areas/a.html", "areas/b.html")
    person.git("commit", "--quiet", "-m", "move")
    side = committed(store)
    person.git("switch", "--quiet", "main")
    person.commit("areas/c.html", "c")
    main = committed(store)
    made = rebuilt(store.git, main, steps(store.git, base, side))
    assert person.git("ls-tree", "-r", "--name-only", made, "--", "areas").split() == ["areas/b.html", "areas/c.html"]
    assert person.git("show", f"{made}:areas/b.html") == "a2"
    assert person.git("rev-list", "--count", f"{main}..{made}").strip() == "2"


def test_differences_are_whole_files_in_path_order(store: Repository, person: Person) -> None:
    """A rename is two of them: nothing is guessed from likeness."""
    base = committed(store)
    person.commit("areas/a.html", "a")
    one = committed(store)
    person.git("mv", "areas/a.html", "areas/b.html")
    person.git("commit", "--quiet", "-m", "move")
    two = committed(store)
    blob = blob_id(b"a", one)
    assert differences(store.git, base, one) == (Delta("areas/a.html", None, blob, "000000", "100644"),)
    assert differences(store.git, one, two) == (
        Delta("areas/a.html", blob, None, "100644", "000000"),
        Delta("areas/b.html", None, blob, "000000", "100644"),
    )
    assert differences(store.git, base, base) == ()


def test_what_is_not_there_is_a_git_error(store: Repository, person: Person) -> None:
    """And leaves no report of git's."""
    base = committed(store)
    nowhere = CommitId("1" * len(base))
    for call in (lambda: steps(store.git, base, nowhere), lambda: differences(store.git, nowhere, base)):
        with pytest.raises(GitError):
            call()
    person.commit("areas/a.html", "a")
    with pytest.raises(GitError):
        rebuilt(store.git, nowhere, steps(store.git, base, committed(store)))
    assert list(store.layout.gitdir.glob("fast_import_crash_*")) == []
    person.git("switch", "--quiet", "--orphan", "stranger")
    person.commit("areas/x.html", "x")
    with pytest.raises(GitError, match="common beginning"):
        steps(store.git, base, committed(store))


def test_line_ends_of_the_user_do_not_come_in(store: Repository, person: Person) -> None:
    """Blobs are named, not read and written again."""
    base = committed(store)
    (store.root / "areas").mkdir()
    (store.root / "areas/a.html").write_bytes(b"one\r\ntwo\r\n")
    person.git("add", "--all")
    person.git("commit", "--quiet", "-m", "crlf")
    tip = committed(store)
    person.git("config", "core.autocrlf", "input")
    assert rebuilt(store.git, base, steps(store.git, base, tip)) == tip
