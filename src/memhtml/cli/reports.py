"""What a script reported, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen
from memhtml.ops.encoding import Json, dumps

if TYPE_CHECKING:
    from memhtml.ops.execing import Reported

SHORT_COMMIT = 10


def reported(screen: Screen, result: object) -> None:
    """What it printed, then the report as JSON, then what it looked at."""
    done = cast("Reported", result)
    if done.printed:
        screen.say((done.printed.removesuffix("\n"), "dim"))
    screen.say(dumps(cast("Json", done.value), dense=False))
    screen.say((f"of {done.memories:,} memories in use, as of {done.commit[:SHORT_COMMIT]}", "dim"))
    for arm in done.degraded:
        screen.say((f"without {arm.arm.value}: ", "yellow"), arm.why)
