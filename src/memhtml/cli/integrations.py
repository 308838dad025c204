"""Answers about agents' hosts, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.ops.integrating import Integrated
    from memhtml.ops.registered import FileState, IntegrationHealth, Integrations

_WOULD = {"create": "would be made: ", "change": "would change: ", "remove": "would be removed: "}
_DONE = {"create": "made: ", "change": "changed: ", "remove": "removed: "}


def installed(screen: Screen, result: object) -> None:
    """What was put into which file, or would be."""
    _integrated(screen, cast("Integrated", result), "Nothing to do: all is in place", "put in")
    if cast("Integrated", result).done and cast("Integrated", result).files:
        screen.say("Start the host anew. See that it works: memhtml integrations doctor")


def uninstalled(screen: Screen, result: object) -> None:
    """From which file what was taken out, or would be."""
    _integrated(screen, cast("Integrated", result), "Nothing to do: nothing is there", "taken out")


def _integrated(screen: Screen, result: Integrated, nothing: str, what: str) -> None:
    if not result.files:
        screen.say(nothing)
        return
    for change in result.files:
        screen.say(((_DONE if result.done else _WOULD)[change.action], "green"), (str(change.path), "bold"))
        if not result.done and change.added:
            screen.say(change.added.rstrip("\n"))
            screen.gap()
    if not result.done:
        screen.say((f"Nothing is {what} yet: repeat with --yes", "yellow"))


def listed(screen: Screen, result: object) -> None:
    """Which hosts, and every file of each."""
    found = cast("Integrations", result)
    for each in found.integrations:
        _host(screen, each.host, each.project, each.files)
    if not found.integrations:
        screen.say("memhtml was made known to no host")
    screen.say((f"There are: {', '.join(found.hosts)}", "dim"))


def checked(screen: Screen, result: object) -> None:
    """How each host's server answered."""
    found = cast("IntegrationHealth", result)
    for each in found.integrations:
        _host(screen, each.host, each.project, each.files)
        if each.server:
            screen.say(f"  {each.server} answers with {each.tools} tools in {each.seconds:.1f} s")
        if each.fault is not None:
            screen.say(("  wrong: ", "red"), each.fault)
            screen.say(f"  {each.fix}")
    if not found.integrations:
        screen.say("memhtml was made known to no host")


def _host(screen: Screen, host: str, project: Path | None, files: Sequence[FileState]) -> None:
    screen.say((host, "bold"), f" in {project}" if project else "")
    for file in files:
        screen.say(f"  {file.state.value:<10} ", (str(file.path), "cyan"))
