"""A whole home, before and after: only what is documented changes, and nothing at all stays."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from memhtml.config.settings import load
from memhtml.domain.errors import (
    IntegrationRefusedError,
    InvalidFlagError,
    LockedError,
    MemhtmlError,
    PackageMissingError,
    UnexpectedArgumentError,
)
from memhtml.integrations.hosts import HostName, Reach, scopes
from memhtml.integrations.installing import State
from memhtml.ops import integrating
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.integrating import Integrated, launcher
from memhtml.ops.registered import IntegrationHealth, Integrations
from memhtml.ops.running import exit_status
from memhtml.ops.running import load as load_operation
from memhtml.workspace.workspace import Workspace

EVERY = pytest.mark.parametrize(
    ("host", "scope"), [(host.value, scope.value) for host in HostName for scope in scopes(host)]
)

# A person's files: commented, laid out by hand, with line ends and last lines of every kind.
HOME = {
    ".claude.json": b'{"numStartups":42,"mcpServers":{"files":{"command":"files","args":[]}},"oauth":"hunter2"}',
    ".claude/settings.json": b"\xef\xbb\xbf{\r\n"
    b'\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"SessionStart": [ ],\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n',
    ".claude/CLAUDE.md": b"# How I work\r\n\r\nTests first.",
    ".claude/skills/mine/SKILL.md": b"---\nname: mine\n---\n",
    ".codex/config.toml": b'# mine\nmodel = "gpt"   # the good one\n\n'
    b'[mcp_servers.files]\ncommand = "files"\n\n\n[[x]]\na=[\n1,\n]',
    ".codex/AGENTS.md": b"",
    ".cursor/mcp.json": b'{\n  // mine\n  "mcpServers": {\n'
    b'    "web": { "url": "http://127.0.0.1/" }, // local\n  },\n}\n\n',
    ".gemini/settings.json": b'{\r  "theme": "dark"\r}',
    ".bashrc": b"export A=1\n",
    "shop/.mcp.json": b"{}",
    "shop/.vscode/mcp.json": b'{\n    "inputs": [],\n    "servers": {\n        /* none yet */\n    }\n}\n',
    "shop/.cursor/rules/style.mdc": b"---\n---\n",
    "shop/CLAUDE.md": b"\n\n# Shop\n\n\n",
    "shop/.gemini/settings.json": b" \n",
    "shop/main.c": b"int main;",
}


class Person:
    """Somebody with a home, who types commands."""

    def __init__(self, home: Path, variables: dict[str, str]) -> None:
        self.home = home
        self.variables = {**variables, "HOME": str(home), "USERPROFILE": str(home)}

    def call(self, command: str, **given: object) -> object:
        """What a command answers, with the project that is named by its scope."""
        row = operation(f"integrations {command}")
        assert row is not None
        if given.get("scope") == "project":
            given.setdefault("project", str(self.home / "shop"))
        settings = load({}, self.variables, self.home / "none.toml", self.home)
        with Workspace(settings, variables=self.variables) as workspace:
            return load_operation(row)(workspace, bind(row, given))

    def integrate(self, command: str, **given: object) -> Integrated:
        """The answer of an install or an uninstall."""
        found = self.call(command, **given)
        assert isinstance(found, Integrated)
        return found

    def listed(self) -> Integrations:
        """The answer of a list."""
        found = self.call("list")
        assert isinstance(found, Integrations)
        return found

    def doctor(self) -> IntegrationHealth:
        """The answer of a doctor."""
        found = self.call("doctor")
        assert isinstance(found, IntegrationHealth)
        return found

    def snapshot(self) -> dict[str, tuple[int, bytes | None]]:
        """Everything in the home, with modes; a folder has no bytes."""
        return {
            path.relative_to(self.home).as_posix(): (
                path.lstat().st_mode,
                path.read_bytes() if path.is_file() and not path.is_symlink() else None,
            )
            for path in self.home.rglob("*")
        }


@pytest.fixture
def person(tmp_path: Path, environment: dict[str, str]) -> Person:
    """Somebody whose files are their own."""
    for name, data in HOME.items():
        path = tmp_path / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o640)
    return Person(tmp_path / "home", environment)


@pytest.fixture
def nobody(tmp_path: Path, environment: dict[str, str]) -> Person:
    """Somebody with an empty home and an empty project."""
    (tmp_path / "home" / "shop").mkdir(parents=True)
    return Person(tmp_path / "home", environment)


@EVERY
@pytest.mark.parametrize("whose", ["person", "nobody"])
def test_a_home_is_byte_for_byte_what_it_was(request: pytest.FixtureRequest, whose: str, host: str, scope: str) -> None:
    """After install and uninstall; between them only the named files, their folders and the receipt are new."""
    person: Person = request.getfixturevalue(whose)
    before = person.snapshot()
    shown = person.integrate("install", host=host, scope=scope)
    assert person.snapshot() == before
    assert shown.done is False
    done = person.integrate("install", host=host, scope=scope, yes=True)
    assert done.files == shown.files
    after = person.snapshot()
    named = {change.path.relative_to(person.home) for change in done.files} | {done.receipt.relative_to(person.home)}
    changed = {Path(name) for name, seen in after.items() if before.get(name) != seen and seen[1] is not None}
    assert changed == named
    assert before.keys() <= after.keys()
    folders = {parent for path in named for parent in path.parents}
    assert {Path(name) for name in after.keys() - before.keys()} <= named | folders
    assert all(after[name][0] == before[name][0] for name in before)
    assert person.integrate("install", host=host, scope=scope, yes=True).files == ()
    assert person.snapshot() == after
    assert [(each.host, each.scope) for each in person.listed().integrations] == [(host, scope)]
    person.integrate("uninstall", host=host, scope=scope)
    assert person.snapshot() == after
    gone = person.integrate("uninstall", host=host, scope=scope, yes=True)
    assert [change.path for change in gone.files] == [change.path for change in done.files]
    assert person.snapshot() == before
    assert person.integrate("uninstall", host=host, scope=scope, yes=True).files == ()


@EVERY
def test_what_is_put_in_is_understood_by_the_hosts_own_readers(nobody: Person, host: str, scope: str) -> None:
    """A file that is made is strict JSON, or TOML."""
    for change in nobody.integrate("install", host=host, scope=scope, yes=True).files:
        text = change.path.read_text(encoding="utf-8")
        assert change.action == "create"
        assert change.added == text
        if change.path.suffix == ".json":
            assert json.loads(text)
        if change.path.suffix == ".toml":
            assert tomllib.loads(text)


def test_all_hosts_at_once_come_and_go_in_any_order(person: Person) -> None:
    """Each has a receipt of its own; only folders that two receipts shared stay, empty of files."""
    before = person.snapshot()
    every = [(host.value, scope.value) for host in HostName for scope in scopes(host)]
    for host, scope in every:
        person.integrate("install", host=host, scope=scope, yes=True)
    assert len(person.listed().integrations) == len(every)
    for host, scope in every[3:] + every[:3]:
        person.integrate("uninstall", host=host, scope=scope, yes=True)
    after = person.snapshot()
    assert {name: seen for name, seen in after.items() if not name.startswith(".local")} == before
    assert [name for name, (_, data) in after.items() if name.startswith(".local") and data is not None] == []


def test_what_a_file_says_is_not_repeated(person: Person) -> None:
    """A preview ends in logs and in agents' contexts; only what is put in is shown."""
    shown = person.integrate("install", host="claude-code")
    told = repr(shown)
    assert "hunter2" not in told
    assert "Tests first" not in told
    assert [change.action for change in shown.files] == ["change", "change", "change", "create"]
    assert '"memhtml": {' in shown.files[0].added
    assert shown.files[1].added.count(" hook ") == 4


def test_edits_beside_it_stay(person: Person) -> None:
    """Exactly the parts are taken out of files that were changed since, by a person or by the host itself."""
    before = person.snapshot()
    person.integrate("install", host="claude-code", yes=True)
    claude = person.home / ".claude.json"
    told = json.loads(claude.read_bytes())
    claude.write_text(json.dumps({**told, "numStartups": 43}, indent=2))  # as the host writes it anew
    settings = person.home / ".claude" / "settings.json"
    settings.write_bytes(settings.read_bytes().replace(b'"opus"', b'"sonnet"'))
    page = person.home / ".claude" / "CLAUDE.md"
    page.write_bytes(page.read_bytes() + b"\r\nMore.\r\n")
    assert all(file.state is State.IN_PLACE for each in person.listed().integrations for file in each.files)
    person.integrate("uninstall", host="claude-code", yes=True)
    assert json.loads(claude.read_bytes()) == {**json.loads(HOME[".claude.json"]), "numStartups": 43}
    assert settings.read_bytes() == HOME[".claude/settings.json"].replace(b'"opus"', b'"sonnet"').replace(b"[ ]", b"[]")
    assert page.read_bytes() == HOME[".claude/CLAUDE.md"] + b"\r\n\r\nMore.\r\n"
    assert person.snapshot().keys() == before.keys()


def test_a_part_that_somebody_changed_is_refused_and_nothing_is_taken_out(person: Person) -> None:
    """All such files are named at once; when the part is gone by hand the rest goes."""
    person.integrate("install", host="claude-code", yes=True)
    claude, skill = person.home / ".claude.json", person.home / ".claude" / "skills" / "memhtml" / "SKILL.md"
    whole = claude.read_bytes()
    claude.write_bytes(whole.replace(b'"stdio"', b'"http"'))
    skill.write_text("mine now")
    before = person.snapshot()
    for command in ("uninstall", "install"):
        with pytest.raises(IntegrationRefusedError) as caught:
            person.integrate(command, host="claude-code", yes=True)
        assert str(claude) in caught.value.message
        assert str(skill) in caught.value.message
    assert person.snapshot() == before
    assert {file.state for file in person.listed().integrations[0].files} == {State.IN_PLACE, State.CHANGED}
    claude.write_bytes(HOME[".claude.json"])
    skill.unlink()
    person.integrate("uninstall", host="claude-code", yes=True)
    assert {name: data for name, (_, data) in person.snapshot().items() if data is not None} == HOME


def test_files_that_are_gone_are_no_hindrance(person: Person) -> None:
    """They are not made anew, and a file that somebody made in their place stays."""
    person.integrate("install", host="cursor", scope="project", yes=True)
    (person.home / "shop/.cursor/rules/memhtml.mdc").unlink()
    (person.home / "shop/.cursor/mcp.json").write_bytes(b"{}")
    assert {file.state for file in person.listed().integrations[0].files} == {State.MISSING}
    found = person.integrate("uninstall", host="cursor", scope="project", yes=True)
    assert found.files == ()
    assert len([notice for notice in found.warnings if "nothing of it is in" in notice.message]) == 2
    assert (person.home / "shop/.cursor/mcp.json").read_bytes() == b"{}"
    assert {name: data for name, (_, data) in person.snapshot().items() if data is not None} == {
        **HOME,
        "shop/.cursor/mcp.json": b"{}",
    }


def test_an_entry_of_that_name_is_not_written_over(person: Person) -> None:
    """It is somebody's; the same entry is left where it is, and stays at uninstall."""
    mine = b'{"mcpServers": {"memhtml": {"command": "mine"}}}'
    (person.home / ".cursor" / "mcp.json").write_bytes(mine)
    before = person.snapshot()
    with pytest.raises(IntegrationRefusedError, match="says something else"):
        person.integrate("install", host="cursor", scope="user", yes=True)
    assert person.snapshot() == before
    (person.home / ".cursor" / "mcp.json").unlink()
    person.integrate("install", host="cursor", scope="user", yes=True)
    same = (person.home / ".cursor" / "mcp.json").read_bytes()
    person.integrate("uninstall", host="cursor", scope="user", yes=True)
    (person.home / ".cursor").mkdir(exist_ok=True)
    (person.home / ".cursor" / "mcp.json").write_bytes(same)
    assert person.integrate("install", host="cursor", scope="user", yes=True).files == ()
    assert person.listed().integrations == ()
    person.integrate("uninstall", host="cursor", scope="user", yes=True)
    assert (person.home / ".cursor" / "mcp.json").read_bytes() == same


BROKEN = {
    "no json": b'{"mcpServers": {',
    "no object": b"[]",
    "no utf-8": b"\xff\xfe{}",
    "twice": b'{"mcpServers": {}, "mcpServers": {}}',
    "nested": b'{"mcpServers": []}',
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_take_it_is_refused_and_no_other_is_changed(person: Person, data: bytes) -> None:
    """With the file, and what is wrong with it."""
    (person.home / ".claude.json").write_bytes(data)
    before = person.snapshot()
    with pytest.raises(IntegrationRefusedError) as caught:
        person.integrate("install", host="claude-code", yes=True)
    assert str(person.home / ".claude.json") in caught.value.message
    assert person.snapshot() == before


@pytest.mark.skipif(os.name != "posix", reason="links and modes are those of POSIX")
def test_links_and_what_is_marked_as_not_to_be_written_are_refused(person: Person) -> None:
    """In a project also a folder that leads out of it."""
    real = person.home / "dotfiles.json"
    real.write_bytes(b"{}")
    (person.home / ".cursor" / "mcp.json").unlink()
    (person.home / ".cursor" / "mcp.json").symlink_to(real)
    (person.home / ".gemini" / "settings.json").chmod(0o440)
    shutil.rmtree(person.home / "shop" / ".vscode")
    (person.home / "elsewhere").mkdir()
    (person.home / "shop" / ".vscode").symlink_to(person.home / "elsewhere")
    shutil.rmtree(person.home / ".codex")
    (person.home / ".codex").write_text("a file")
    before = person.snapshot()
    for host, scope, word in (
        ("codex", "user", "not to be written"),
        ("cursor", "user", "symbolic link"),
        ("gemini-cli", "user", "not to be written"),
        ("vscode", "project", "outside the project"),
    ):
        for sure in (False, True):
            with pytest.raises(IntegrationRefusedError, match=word):
                person.integrate("install", host=host, scope=scope, yes=sure)
    assert person.snapshot() == before
    (person.home / ".local").write_text("a file")
    with pytest.raises(IntegrationRefusedError, match="receipt"):
        person.integrate("install", host="cursor", scope="project")


def test_another_store_takes_the_place_of_the_first(person: Person) -> None:
    """An install with other parts takes out what the earlier one put in; uninstall then leaves nothing."""
    before = person.snapshot()
    person.integrate("install", host="codex", yes=True)
    person.variables["MEMHTML_ROOT"] = str(person.home / "other")
    assert person.integrate("install", host="codex").files
    person.integrate("install", host="codex", yes=True)
    told = tomllib.loads((person.home / ".codex" / "config.toml").read_text())
    assert told["mcp_servers"]["memhtml"]["args"][-1] == str(person.home / "other")
    person.integrate("uninstall", host="codex", yes=True)
    assert person.snapshot() == before


def test_doctor_starts_what_is_registered(nobody: Person) -> None:
    """With an empty search path, as a host may; and it says what is wrong, and what to do."""
    assert nobody.doctor() == IntegrationHealth(healthy=True, integrations=())
    told = nobody.integrate("install", host="codex", yes=True)
    store = nobody.home / "memhtml"
    assert [notice.message for notice in told.warnings] == [f"there is no store at {store} yet: memhtml init"]
    (found,) = nobody.doctor().integrations
    assert (found.fault, found.fix) == (f"there is no store at {store}", f"memhtml init --root {store}")
    store.mkdir()
    assert nobody.integrate("install", host="codex", yes=True).warnings == ()
    nobody.variables["PATH"] = ""
    before = nobody.snapshot()
    health = nobody.doctor()
    (found,) = health.integrations
    assert (health.healthy, found.fault, found.server) == (True, None, "memhtml 0.1.0")
    assert found.tools == 15
    assert exit_status(health) == 0
    assert nobody.snapshot() == before


def test_doctor_starts_nothing_but_what_install_has_registered(nobody: Person) -> None:
    """A project's files come from others too: an entry that was changed is named, and not run."""
    (nobody.home / "memhtml").mkdir()
    nobody.integrate("install", host="cursor", scope="project", yes=True)
    config = nobody.home / "shop" / ".cursor" / "mcp.json"
    whole = config.read_text()
    trap = nobody.home / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {nobody.home}/trapped\n")
    trap.chmod(0o755)
    told = json.loads(whole)
    told["mcpServers"]["memhtml"]["command"] = str(trap)
    for text, word in ((json.dumps(told), "changed"), ("{", "unreadable"), ("{}", "missing")):
        config.write_text(text)
        health = nobody.doctor()
        (found,) = health.integrations
        assert found.fault == f"{config} is {word}; the server is not registered"
        assert found.fix == (
            f"memhtml integrations install cursor --scope project --project {nobody.home / 'shop'} --yes"
        )
        assert found.command == ()
        assert exit_status(health) == 1
    assert not (nobody.home / "trapped").exists()


def test_doctor_says_when_the_command_is_gone(nobody: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a temporary environment."""
    command = nobody.home / "bin" / "memhtml"
    command.parent.mkdir()
    command.touch(mode=0o755)
    monkeypatch.setattr(sys, "executable", str(command.with_name("python")))
    nobody.integrate("install", host="codex", yes=True)
    command.unlink()
    (found,) = nobody.doctor().integrations
    assert (found.command[0], found.files[0].state) == (str(command), State.IN_PLACE)
    assert "the server cannot be started" in str(found.fault)


def test_an_entry_that_stood_there_before_is_no_fault(nobody: Person) -> None:
    """It is in no receipt, and so it is not started either."""
    (nobody.home / "memhtml").mkdir()
    nobody.integrate("install", host="cursor", scope="project", yes=True)
    config = nobody.home / "shop" / ".cursor" / "mcp.json"
    whole = config.read_bytes()
    nobody.integrate("uninstall", host="cursor", scope="project", yes=True)
    config.parent.mkdir()
    config.write_bytes(whole)
    nobody.integrate("install", host="cursor", scope="project", yes=True)
    (found,) = nobody.doctor().integrations
    assert (found.fault, found.command, len(found.files)) == (None, (), 1)


@pytest.mark.skipif(os.name != "posix", reason="folders have locks there")
def test_what_changes_files_waits_for_who_does(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """A preview does not."""
    from memhtml.integrations import files

    alone = files.alone
    monkeypatch.setattr(files, "alone", lambda home: alone(home, 0.0))
    with alone(person.home):
        person.integrate("install", host="codex")
        person.integrate("uninstall", host="codex")
        for command in ("install", "uninstall"):
            with pytest.raises(LockedError):
                person.integrate(command, host="codex", yes=True)
    assert person.integrate("install", host="codex", yes=True).changed


@pytest.mark.skipif(os.name != "posix", reason="names are bytes there")
def test_a_name_that_no_file_could_hold_is_refused(person: Person) -> None:
    """Before anything is changed."""
    person.variables["MEMHTML_ROOT"] = str(person.home / "a\udcff")
    before = person.snapshot()
    with pytest.raises(IntegrationRefusedError, match="UTF-8"):
        person.integrate("install", host="codex", yes=True)
    assert person.snapshot() == before


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"host": "codex", "scope": "project"}, InvalidFlagError),
        ({"host": "vscode", "scope": "user"}, InvalidFlagError),
        ({"host": "codex", "project": "."}, UnexpectedArgumentError),
        ({"host": "cursor", "scope": "user", "project": "."}, UnexpectedArgumentError),
        ({"host": "vscode", "project": "/nowhere/at/all"}, InvalidFlagError),
        ({"host": "vscode", "project": "a" * 5000}, InvalidFlagError),
        ({"host": "vscode", "project": ""}, InvalidFlagError),
        ({"host": "cursor", "yes": True, "dry_run": True}, UnexpectedArgumentError),
        ({"host": "emacs"}, InvalidFlagError),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(person: Person, given: dict[str, object], error: type) -> None:
    """With what to do, and nothing changed."""
    before = person.snapshot()
    for command in ("install", "uninstall"):
        with pytest.raises(error) as caught:
            person.call(command, **given)
        assert isinstance(caught.value, MemhtmlError)
        assert caught.value.suggestions or given["host"] == "emacs"
    assert person.snapshot() == before


def test_an_uninstall_says_where_else_it_is(person: Person) -> None:
    """Nothing is taken out of another scope."""
    person.integrate("install", host="cursor", scope="project", yes=True)
    before = person.snapshot()
    found = person.integrate("uninstall", host="cursor", scope="user", yes=True)
    assert found.files == ()
    assert [notice.message for notice in found.warnings] == [
        f"it is there with --scope project --project {person.home / 'shop'}"
    ]
    assert person.snapshot() == before


def test_nothing_is_registered_that_could_not_be_started(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The protocol's package comes with an extra."""
    monkeypatch.setattr(integrating, "find_spec", lambda _: None)
    before = person.snapshot()
    with pytest.raises(PackageMissingError):
        person.integrate("install", host="codex", yes=True)
    assert person.snapshot() == before


def test_the_command_is_found_without_a_search_path(tmp_path: Path) -> None:
    """The one beside Python; else Python, which then takes no module from the folder where it is started."""
    python = tmp_path / "python"
    assert launcher(str(python)) == (str(python), "-P", "-m", "memhtml")
    command = tmp_path / "memhtml"
    command.touch()
    command.chmod(0o755)
    assert launcher(str(python)) == (str(command),)
    assert Path(launcher(sys.executable)[0]).is_absolute()


def test_an_answer_says_whether_a_file_was_changed(person: Person) -> None:
    """For whoever must say what is done when the answer cannot be written."""
    assert not person.integrate("install", host="codex").changed
    assert person.integrate("install", host="codex", yes=True).changed
    assert not person.integrate("install", host="codex", yes=True).changed
    assert person.integrate("uninstall", host="codex", yes=True).changed
    assert person.integrate("uninstall", host="codex", yes=True).commit is None
    assert Reach.USER in person.listed().hosts["codex"]
