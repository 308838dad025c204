"""Init, from wherever it starts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memhtml.domain.errors import DirtyTreeError, GitError, NotAStoreError, StorageError, UnsafeFileError
from memhtml.store import transaction
from memhtml.store.founding import init
from memhtml.store.repository import Repository

from .conftest import Person

Setup = Callable[[Path, dict[str, str]], object]


def run(place: Path, environment: dict[str, str], *words: str) -> str:
    """Git as a person uses it."""
    words = ("git", "-c", "user.name=Ada", "-c", "user.email=a@b.c", *words)
    return subprocess.run(words, cwd=place, env=environment, check=True, capture_output=True, encoding="utf-8").stdout


def test_a_new_store_is_complete(root: Path, environment: dict[str, str]) -> None:
    """Branch main, the files of the house committed, the settings of the clone set, nothing dirty."""
    report = init(root / "deep", environment=environment)
    person = Person(root / "deep", environment)
    assert report.created
    assert report.changed == (".gitattributes", ".gitignore", "README.html") == tuple(person.files())
    assert report.settings == ("feature.manyFiles", "merge.ours.driver", "merge.ours.name")
    assert report.commit == person.git("rev-parse", "refs/heads/main").strip()
    assert person.status() == ""
    assert person.git("check-attr", "merge", "text", "--", "areas/index.html").splitlines() == [
        "areas/index.html: merge: ours",
        "areas/index.html: text: unset",
    ]
    ignored = person.git("check-ignore", ".memhtml/index.db", ".memhtml/state.db", "areas/.memhtml-0.tmp").split()
    assert len(ignored) == 3
    for kept in (".memhtml/state/access.jsonl", ".memhtml/sleep/x.html", ".memhtml/config.toml"):
        person.write(kept, "x")
    assert len(person.status().splitlines()) == 3


def test_running_it_again_changes_nothing(store: Repository, environment: dict[str, str]) -> None:
    """Not the branch, and not a byte of the configuration."""
    config = (store.layout.common / "config").read_bytes()
    report = init(store.root, environment=environment)
    assert (report.created, report.changed, report.settings, report.commit) == (False, (), (), store.head())
    assert (store.layout.common / "config").read_bytes() == config


def empty_folder(place: Path, _: dict[str, str]) -> None:
    """A folder."""
    place.mkdir()


def git_init_alone(place: Path, environment: dict[str, str]) -> None:
    """Somebody's git init, on a branch of another name."""
    place.mkdir()
    run(place, environment, "init", "--quiet", "--initial-branch=trunk")


def half_a_git_folder(place: Path, environment: dict[str, str]) -> None:
    """A git init that was killed before it wrote HEAD."""
    git_init_alone(place, environment)
    (place / ".git/HEAD").unlink()
    (place / ".git/config.lock").write_text("")


def files_without_a_commit(place: Path, environment: dict[str, str]) -> None:
    """An init that was killed before its commit."""
    git_init_alone(place, environment)
    (place / ".gitignore").write_text("mine\n/.memhtml/*\n")
    (place / ".memhtml").mkdir()


def by_hand(place: Path, _: dict[str, str]) -> None:
    """Memories laid out by hand, without git."""
    (place / "areas").mkdir(parents=True)
    (place / "areas/a.html").write_text("mine")


@pytest.mark.parametrize("there", [empty_folder, git_init_alone, half_a_git_folder, files_without_a_commit, by_hand])
def test_it_converges_from_what_is_there(root: Path, environment: dict[str, str], there: Setup) -> None:
    """The end is the same as from nothing; a person's files stay, and are not committed."""
    there(root, environment)
    init(root, environment=environment)
    person = Person(root, environment)
    assert person.files() == [".gitattributes", ".gitignore", "README.html"]
    assert person.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert person.status() == ("?? areas/a.html\n" if there is by_hand else "")
    lines = person.shown(".gitignore").splitlines()
    assert lines.count("/.memhtml/*") == 1
    assert ("mine" in lines) == (there is files_without_a_commit)
    with Repository.open(root, environment=environment).transaction() as tx:
        tx.put("areas/b.html", b"b")
        tx.commit("memory(write): b")
    assert init(root, environment=environment).changed == ()


def test_two_inits_at_once_make_one_store(root: Path, environment: dict[str, str]) -> None:
    """They queue: one makes it, the other finds it made."""
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda _: init(root, environment=environment), range(2)))
    assert sorted(report.created for report in reports) == [False, True]
    assert len({report.commit for report in reports}) == 1


def test_a_live_store_gets_what_it_lacks(store: Repository, person: Person, environment: dict[str, str]) -> None:
    """A line that is missing is added behind a person's own; nothing else of theirs is committed."""
    person.commit(".gitignore", "*.swp")
    person.git("config", "--unset", "merge.ours.driver")
    person.write("areas/mine.html", "x")
    report = init(store.root, environment=environment)
    assert report.changed == (".gitignore",)
    assert report.settings == ("merge.ours.driver",)
    assert person.shown(".gitignore").startswith("*.swp\n/.memhtml/*\n")
    assert person.status() == "?? areas/mine.html\n"


def test_uncommitted_edits_of_its_files_refuse(store: Repository, person: Person, environment: dict[str, str]) -> None:
    """What a person has begun in .gitignore is not completed under their hands."""
    person.commit(".gitignore", "*.swp\n")
    person.write(".gitignore", "*.swp\n*.bak\n")
    with pytest.raises(DirtyTreeError) as refused:
        init(store.root, environment=environment)
    assert refused.value.paths == (".gitignore",)
    assert (store.root / ".gitignore").read_text() == "*.swp\n*.bak\n"


def test_a_clone_gets_the_settings_that_git_does_not_carry(
    store: Repository, environment: dict[str, str], tmp_path: Path
) -> None:
    """Merge drivers live in each clone; init there commits nothing."""
    run(tmp_path, environment, "clone", "--quiet", str(store.root), "clone")
    report = init(tmp_path / "clone", environment=environment)
    assert (report.created, report.changed) == (False, ())
    assert "merge.ours.driver" in report.settings
    assert run(tmp_path / "clone", environment, "config", "merge.ours.driver") == "true\n"


def a_file(place: Path, _: dict[str, str]) -> None:
    """A plain file."""
    place.write_text("x")


def other_things(place: Path, _: dict[str, str]) -> None:
    """A folder in use."""
    place.mkdir()
    (place / "thesis.tex").write_text("x")


def a_program(place: Path, environment: dict[str, str]) -> None:
    """A repository of a program."""
    git_init_alone(place, environment)
    (place / "main.py").write_text("x")


def a_bare_repository(place: Path, environment: dict[str, str]) -> None:
    """A repository without files."""
    place.mkdir()
    run(place, environment, "init", "--quiet", "--bare")


@pytest.mark.parametrize("there", [a_file, other_things, a_program, a_bare_repository])
def test_other_things_are_not_made_a_store(root: Path, environment: dict[str, str], there: Setup) -> None:
    """Whoever mistypes a root loses nothing."""
    there(root, environment)
    before = sorted(root.rglob("*"))
    with pytest.raises(NotAStoreError) as refused:
        init(root, environment=environment)
    assert refused.value.suggestions
    assert sorted(root.rglob("*")) == before


def test_a_store_inside_another_repository_is_its_own(root: Path, environment: dict[str, str]) -> None:
    """The repository around it is neither asked nor changed."""
    git_init_alone(root, environment)
    (root / "main.py").write_text("x")
    init(root / "memories", environment=environment)
    store = Repository.open(root / "memories", environment=environment)
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a")
    assert (root / "memories/.git").is_dir()
    assert run(root, environment, "status", "--porcelain") == "?? main.py\n?? memories/\n"


def test_a_linked_file_of_the_house_is_refused(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """Completing .gitignore through a link would write outside."""
    root.mkdir()
    (tmp_path / "outside").write_text("theirs\n")
    (root / ".gitignore").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFileError):
        init(root, environment=environment)
    assert (tmp_path / "outside").read_text() == "theirs\n"


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path, environment: dict[str, str]) -> None:
    """The message names the place."""
    (tmp_path / "file").write_text("x")
    with pytest.raises((StorageError, NotAStoreError)) as refused:
        init(tmp_path / "file/store", environment=environment)
    assert "file/store" in refused.value.message


def test_a_failing_init_leaves_a_persons_files(
    root: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it would have completed is neither changed nor, on the way back, taken away."""

    def refused(*_: object) -> None:
        raise GitError("no")

    root.mkdir()
    (root / ".gitignore").write_text("mine\n")
    with monkeypatch.context() as patch:
        patch.setattr(transaction, "move_branch", refused)
        with pytest.raises(GitError):
            init(root, environment=environment)
    assert (root / ".gitignore").read_text() == "mine\n"
    assert not (root / "README.html").exists()
    init(root, environment=environment)
    assert (root / ".gitignore").read_text().startswith("mine\n/.memhtml/*\n")


def test_an_old_git_is_named(root: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """What it lacks would fail later and less clearly."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text("#!/bin/sh\necho git version 2.17.1\n")
    (tmp_path / "bin/git").chmod(0o755)
    with pytest.raises(GitError, match=r"git 2\.17 is too old") as refused:
        init(root, environment=environment | {"PATH": str(tmp_path / "bin")})
    assert "2.31" in refused.value.suggestions[0]
