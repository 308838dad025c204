"""The user's git setup never breaks a write, nor sees one where it does not belong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.domain.errors import GitError, LockedError, StorageError
from memhtml.store.founding import init
from memhtml.store.git import Git, refusal, sheltered
from memhtml.store.repository import Repository

from .conftest import Person

FAILING_HOOK = "#!/bin/sh\necho no >&2\nexit 1\n"


def configure(environment: dict[str, str], text: str) -> None:
    """Make ``text`` the user's configuration."""
    Path(environment["HOME"], ".gitconfig").write_text(text, encoding="utf-8")


def no_name(environment: dict[str, str], _: Path) -> None:
    """Nobody is configured, and git may not guess."""
    configure(environment, "[user]\n\tuseConfigOnly = true\n")


def signing(environment: dict[str, str], _: Path) -> None:
    """Every commit must be signed by a program that is not there."""
    configure(environment, "[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /nowhere/gpg\n[user]\n\tsigningkey = X\n")


def hooks(environment: dict[str, str], tmp_path: Path) -> None:
    """Hooks for everything, all of which refuse."""
    folder = tmp_path / "hooks"
    folder.mkdir()
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "post-checkout",
    ):
        (folder / name).write_text(FAILING_HOOK)
        (folder / name).chmod(0o755)
    configure(environment, f"[core]\n\thooksPath = {folder}\n")


def line_ends(environment: dict[str, str], _: Path) -> None:
    """Line ends are converted, and mixed ones refused."""
    configure(environment, "[core]\n\tautocrlf = true\n\tsafecrlf = true\n\teol = crlf\n")


def other_branch(environment: dict[str, str], _: Path) -> None:
    """New repositories begin on a branch of another name."""
    configure(environment, "[init]\n\tdefaultBranch = trunk\n")


def template(environment: dict[str, str], tmp_path: Path) -> None:
    """New repositories get hooks and settings, and commits a message, from files of the user."""
    folder = tmp_path / "template"
    (folder / "hooks").mkdir(parents=True)
    (folder / "hooks/reference-transaction").write_text(FAILING_HOOK)
    (folder / "hooks/reference-transaction").chmod(0o755)
    (folder / "message").write_text("fill this in\n")
    configure(environment, f"[init]\n\ttemplateDir = {folder}\n[commit]\n\ttemplate = {folder}/message\n")


def elsewhere(environment: dict[str, str], tmp_path: Path) -> None:
    """The environment points git at other places, as inside a hook."""
    environment |= {
        "GIT_DIR": str(tmp_path / "other/.git"),
        "GIT_WORK_TREE": str(tmp_path / "other"),
        "GIT_INDEX_FILE": str(tmp_path / "other-index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "other-objects"),
        "GIT_COMMON_DIR": str(tmp_path / "other"),
        "GIT_NAMESPACE": "other",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_LITERAL_PATHSPECS": "0",
        "GIT_AUTHOR_DATE": "nonsense",
        "GIT_COMMITTER_DATE": "nonsense",
        "GIT_TRACE": "1",
    }


def locale(environment: dict[str, str], _: Path) -> None:
    """Git speaks another language, and another alphabet."""
    environment |= {"LANG": "de_DE.UTF-8", "LC_ALL": "ja_JP.eucJP", "LC_MESSAGES": "de_DE", "LANGUAGE": "de:fr"}


ODD = {
    "core": "quotePath = true, fsmonitor = true, excludesFile = ~/ignored, abbrev = 4, splitIndex = true",
    "color": "ui = always",
    "status": "showUntrackedFiles = no, short = true, branch = true, relativePaths = true",
    "log": "showSignature = true, decorate = full, date = relative, follow = true",
    "diff": "noprefix = true, renames = false, external = /nowhere/diff",
    "gc": "auto = 1",
    "transfer": "unpackLimit = 1",
    "index": "version = 4",
    "i18n": "logOutputEncoding = latin1, commitEncoding = latin1",
}


def odd_defaults(environment: dict[str, str], _: Path) -> None:
    """Settings that change what git prints, watches, ignores and repacks."""
    configure(environment, "".join(f"[{name}]\n\t" + lines.replace(", ", "\n\t") + "\n" for name, lines in ODD.items()))
    Path(environment["HOME"], "ignored").write_text("*.html\n*.tmp\n")


@pytest.mark.parametrize(
    "setup",
    [no_name, signing, hooks, line_ends, other_branch, template, elsewhere, locale, odd_defaults],
)
def test_the_users_git_setup_never_breaks_a_write(
    root: Path, environment: dict[str, str], tmp_path: Path, setup: Callable[[dict[str, str], Path], None]
) -> None:
    """Init, writes and readings work, bytes are as given, on branch main, and git is content afterwards."""
    plain = dict(environment)
    setup(environment, tmp_path)
    init(root, environment=environment)
    store = Repository.open(root, environment=environment)
    data = "one\r\ntwo\nä 日本\n".encode()
    with store.transaction() as tx:
        tx.put("areas/ä b.html", data)
        old = tx.commit("memory(write): ä")
        tx.move("areas/ä b.html", "archive/2026/areas/ä b.html", data + b"more\n")
        new = tx.commit("memory(archive): ä", [("Memhtml-Session", "ä")])
    assert [entry.path for entry in store.tree()] == ["archive/2026/areas/ä b.html"]
    assert dict(store.blobs([entry.blob for entry in store.tree()])).popitem()[1] == data + b"more\n"
    assert [change.previous for change in store.changes(old, new)] == [None, "areas/ä b.html"]
    assert [(one.kind, one.session) for one in store.history(next(store.tree()).path)] == [
        ("moved", "ä"),
        ("added", None),
    ]
    (root / "areas").mkdir(exist_ok=True)
    (root / "areas/untracked.html").write_bytes(b"mine")
    assert store.uncommitted().paths == ("areas/untracked.html",)
    (root / "areas/untracked.html").unlink()
    person = Person(root, plain | {"HOME": str(tmp_path)})
    assert person.git("symbolic-ref", "HEAD") == "refs/heads/main\n"
    assert person.status() == ""
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    assert (root / "archive/2026/areas/ä b.html").read_bytes() == data + b"more\n"
    assert list((tmp_path).glob("other*")) == []
    assert not (root / ".git/hooks").exists(), "a template of the user is not for this repository"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a store away")
def test_a_store_of_another_owner_is_written(store: Repository, environment: dict[str, str]) -> None:
    """Git's question about ownership (safe.directory) does not come up: the root was named, not found."""
    for path in (store.root, *store.root.rglob("*")):
        os.chown(path, 12345, 12345)
    asked = subprocess.run(["git", "status"], cwd=store.root, env=environment, capture_output=True, check=False)
    assert b"dubious ownership" in asked.stderr
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a")
    assert [entry.path for entry in store.tree()] == ["areas/a.html"]
    assert store.uncommitted().paths == ()


def test_the_configured_identity_signs_and_memhtml_else(root: Path, environment: dict[str, str]) -> None:
    """User's configuration, or this store's, or the environment, or memhtml itself."""
    init(root, environment=environment)
    store, person = Repository.open(root, environment=environment), Person(root, environment)
    signed = person.git("log", "-1", "--format=%an <%ae> %cn <%ce>").strip()
    assert signed == "memhtml <memhtml@localhost> memhtml <memhtml@localhost>"
    configure(environment, "[user]\n\tname = Ada <b>\n\temail = ada@example.org\n")
    with store.transaction() as tx:
        tx.put("areas/a.html", b"a")
        tx.commit("memory(write): a")
        subprocess.run(["git", "config", "user.name", "Local"], cwd=root, env=environment, check=True)
        tx.put("areas/a.html", b"b")
        tx.commit("memory(write): b")
    environment["GIT_AUTHOR_NAME"] = "Env"
    with Repository.open(root, environment=environment).transaction() as tx:
        tx.put("areas/a.html", b"c")
        tx.commit("memory(write): c")
    assert person.git("log", "-3", "--format=%an <%ae>").splitlines() == [
        "Env <ada@example.org>",
        "Local <ada@example.org>",
        "Ada b <ada@example.org>",
    ]


def test_git_that_is_not_there_is_one_clear_error(
    store: Repository, environment: dict[str, str], tmp_path: Path
) -> None:
    """The message says what to install; nothing changes."""
    head = store.head()
    blind = Repository.open(store.root, environment=environment | {"PATH": str(tmp_path)})
    assert blind.head() == head
    with blind.transaction() as tx:
        tx.put("areas/a.html", b"a")
        with pytest.raises(GitError, match="git was not found") as refused:
            tx.commit("memory(write): a")
    assert "install git" in refused.value.suggestions[0]
    with pytest.raises(GitError, match="git was not found"):
        init(tmp_path / "new", environment=environment | {"PATH": str(tmp_path)})
    assert store.head() == head


@pytest.mark.skipif(os.name != "posix", reason="a search path is that of POSIX")
@pytest.mark.parametrize("path", ["", ":", ".", "bin", None])
def test_git_is_found_without_a_search_path_and_never_in_the_store(
    store: Repository, environment: dict[str, str], path: str | None
) -> None:
    """A host may start a server with an empty path; a file of the store that is called git is not run."""
    trap = store.root / "git"
    trap.write_text("#!/bin/sh\ntouch trapped\nexit 1\n")
    trap.chmod(0o755)
    variables = {name: value for name, value in environment.items() if name != "PATH"}
    git = Git(store.root, store.root / ".git", variables | ({} if path is None else {"PATH": path}))
    assert git.run("--version").startswith(b"git version")
    assert not (store.root / "trapped").exists()
    kept = sheltered(Git(store.root, None, {"PATH": "/usr/bin:x::/bin"}))
    assert kept["PATH"] == "/usr/bin:/bin"


def test_nothing_of_git_in_the_environment_reaches_it(tmp_path: Path) -> None:
    """Only where configuration lies is kept; the locale is plain."""
    environment = {"GIT_DIR": "x", "GIT_CONFIG_GLOBAL": "/etc/other", "HOME": "/h", "LC_ALL": "de_DE"}
    child = sheltered(Git(tmp_path, tmp_path / ".git", environment))
    assert (child["GIT_CONFIG_GLOBAL"], child["HOME"], child["LC_ALL"]) == ("/etc/other", "/h", "C")
    assert (child["GIT_DIR"], child["GIT_WORK_TREE"]) == (str(tmp_path / ".git"), str(tmp_path))
    assert "GIT_DIR" not in sheltered(Git(tmp_path, None, environment))


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("fatal: write error: No space left on device\n", StorageError),
        ("fatal: Unable to create '/s/.git/index.lock': File exists.\n\nAnother git process", LockedError),
        ("error: unable to create file: Permission denied\n", StorageError),
        ("fatal: Unable to create '/s/.git/index.lock': Permission denied\n", StorageError),
        ("warning: x\nfatal: bad object HEAD\n", GitError),
        ("", GitError),
    ],
)  # fmt: skip
def test_a_complaint_becomes_an_error_of_the_tree(complaint: str, kind: type[Exception]) -> None:
    """By what git said, which is English because the locale is plain."""
    error = refusal("update-ref", complaint)
    assert type(error) is kind
    assert "warning" not in error.message
    assert "fatal:" not in error.message


@pytest.mark.skipif(os.name != "posix", reason="Windows hands on text")
def test_what_git_is_told_is_utf8_in_any_locale(tmp_path: Path, environment: dict[str, str]) -> None:
    """Also where Python itself would make ASCII of it, as in a program that uses memhtml there."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\nfrom pathlib import Path\nfrom memhtml.store.git import Git\n"
        "assert sys.getfilesystemencoding() != 'utf-8'\n"
        "git = Git(Path(sys.argv[1]), None, dict(os.environ))\n"
        "sys.stdout.buffer.write(git.run('check-ref-format', '--branch', 'gr\\xf6\\xdfe-\\u65e5'))\n"
    )
    locale = {**environment, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([sys.executable, script, tmp_path], env=locale, capture_output=True, check=True)
    assert done.stdout.decode() == "größe-日\n"
