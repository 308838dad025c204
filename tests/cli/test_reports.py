"""What a person reads of a script's report."""

from __future__ import annotations

import io

from msgspec.structs import replace

from memhtml.cli.reports import reported
from memhtml.cli.screen import Screen
from memhtml.domain.memory import CommitId
from memhtml.ops.execing import Reported
from memhtml.retrieve.answer import Arm, Degraded

DONE = Reported(
    commit=CommitId("c" * 40),
    memories=3000,
    value={"alone": ["areas/a.html"], "count": 1},
    printed="looking\n",
    degraded=(Degraded(Arm.VECTOR, "vectors are off"),),
    warnings=(),
)


def drawn(done: Reported) -> str:
    """The screen."""
    stream = io.StringIO()
    reported(Screen(stream, 80), done)
    return stream.getvalue()


def test_worked_example() -> None:
    """What was printed, the report, what was looked at, and what was missing."""
    assert drawn(DONE).splitlines() == [
        "looking",
        "{",
        '  "alone": [',
        '    "areas/a.html"',
        "  ],",
        '  "count": 1',
        "}",
        "of 3,000 memories in use, as of cccccccccc",
        "without vector: vectors are off",
    ]


def test_a_script_that_printed_nothing_shows_its_report_alone() -> None:
    """A report of nothing is a report."""
    silent = replace(DONE, printed="", value=None, degraded=())
    assert drawn(silent).splitlines() == ["null", "of 3,000 memories in use, as of cccccccccc"]


def test_what_a_memory_says_moves_no_terminal() -> None:
    """Neither in the report nor in what was printed."""
    shown = drawn(replace(DONE, value="\x1b]0;owned\x07 \u202eabc", printed="\x1b[2J"))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
