"""What a person at a terminal is shown of agents' hosts."""

from __future__ import annotations

import io
from pathlib import Path

from memhtml.cli.human import render
from memhtml.cli.screen import Screen
from memhtml.integrations.hosts import HostName, Reach
from memhtml.integrations.installing import State
from memhtml.ops.integrating import FileChange, Integrated
from memhtml.ops.registered import Checked, FileState, Integration, IntegrationHealth, Integrations

FILES = (FileState(Path("/h/config.toml"), State.IN_PLACE), FileState(Path("/h/AGENTS.md"), State.CHANGED))


def drawn(envelope: str, result: object) -> str:
    """The lines of an answer."""
    stream = io.StringIO()
    render(envelope, result, Screen(stream, width=100))
    return stream.getvalue()


def integrated(*changes: FileChange, done: bool) -> Integrated:
    """An answer about Codex."""
    return Integrated(HostName.CODEX, Reach.USER, None, done, changes, Path("/s/r.json"))


def test_a_preview_shows_what_would_be_put_in_and_how_to_do_it() -> None:
    """Nothing in it moves the terminal."""
    change = FileChange(Path("/h/config.toml"), "change", "[mcp_servers.memhtml]\n\x1b[2J")
    text = drawn("integration.installed", integrated(change, done=False))
    assert text.startswith("would change: /h/config.toml\n[mcp_servers.memhtml]\n")
    assert "\x1b" not in text
    assert text.endswith("Nothing is put in yet: repeat with --yes\n")


def test_what_is_done_is_told_file_by_file() -> None:
    """And what to do next; where nothing was to be done that is said."""
    change = FileChange(Path("/h/AGENTS.md"), "create", "text")
    text = drawn("integration.installed", integrated(change, done=True))
    assert text.splitlines()[0] == "made: /h/AGENTS.md"
    assert "memhtml integrations doctor" in text
    assert "text\n" not in text
    gone = FileChange(Path("/h/AGENTS.md"), "remove", "")
    assert drawn("integration.uninstalled", integrated(gone, done=True)) == "removed: /h/AGENTS.md\n"
    assert drawn("integration.uninstalled", integrated(done=True)) == "Nothing to do: nothing is there\n"
    assert drawn("integration.installed", integrated(done=True)) == "Nothing to do: all is in place\n"


def test_a_list_shows_every_file_and_how_it_stands() -> None:
    """And which hosts there are."""
    hosts = {"codex": (Reach.USER,), "vscode": (Reach.PROJECT,)}
    found = Integration(HostName.CODEX, Reach.USER, None, FILES, Path("/s/r.json"))
    assert drawn("integration.list", Integrations((found,), hosts)) == (
        "codex\n  in-place   /h/config.toml\n  changed    /h/AGENTS.md\nThere are: codex, vscode\n"
    )
    assert drawn("integration.list", Integrations((), hosts)).startswith("memhtml was made known to no host\n")


def test_a_doctor_says_who_answers_and_what_is_wrong() -> None:
    """With what to do about it."""
    checked = Checked(
        host=HostName.CURSOR,
        scope=Reach.PROJECT,
        project=Path("/work/shop"),
        healthy=False,
        files=FILES,
        command=("/opt/memhtml",),
        server="memhtml 0.1.0",
        tools=15,
        seconds=1.25,
        fault="/h/AGENTS.md is changed",
        fix="memhtml integrations install cursor",
    )
    text = drawn("integration.doctor", IntegrationHealth(healthy=False, integrations=(checked,)))
    assert text.startswith("cursor in /work/shop\n")
    assert "  memhtml 0.1.0 answers with 15 tools in 1.2 s\n" in text
    assert text.endswith("  wrong: /h/AGENTS.md is changed\n  memhtml integrations install cursor\n")
    nobody = drawn("integration.doctor", IntegrationHealth(healthy=True, integrations=()))
    assert nobody == "memhtml was made known to no host\n"
