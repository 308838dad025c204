"""A night, told at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

from memhtml.cli.nights import planned, slept
from memhtml.cli.screen import Screen
from memhtml.domain.memory import CommitId
from memhtml.ops.sleep.run import PhaseResult, SleepPlan, Slept
from memhtml.sleep.outcome import Doing
from memhtml.sleep.trailers import State


def told(draw: Callable[[Screen, object], None], result: object) -> str:
    """The screen."""
    stream = StringIO()
    draw(Screen(stream), result)
    return stream.getvalue()


def phase(name: str, *, changed: int = 0, refused: int = 0, state: State = State.DONE, note: str = "") -> PhaseResult:
    """A phase that made so many changes and was refused so many."""
    return PhaseResult(
        phase=name,
        state=state,
        counts={"merged": changed, "apart": 0},
        changed=changed,
        changes=tuple(Doing("folded", f"areas/{number}.html", "they say the same") for number in range(changed)),
        refused=refused,
        refusals=tuple(f"sentence {number}" for number in range(refused)),
        note=note,
        calls=0,
        tokens=0,
    )


def test_a_night_is_told_phase_by_phase_with_what_to_do_next() -> None:
    """The first few changes and refusals, how many more, failures and notes; then the branch and two commands."""
    night = Slept(
        run="2026-07-28",
        branch="sleep/2026-07-28",
        tip=CommitId("0" * 40),
        phases=(
            phase("dedup-merge", changed=7, refused=6),
            phase("compress", note="no model"),
            phase("integrity", state=State.FAILED, note="an internal error: KeyError"),
        ),
        earlier=("preflight",),
        changed=7,
        model=None,
        warnings=(),
    )
    text = told(slept, night)
    assert "dedup-merge: 7 merged\n" in text
    assert "  folded areas/4.html (they say the same)\n  and 2 more\n" in text
    assert "areas/5.html" not in text
    assert "  kept out: sentence 4\n  and 1 more kept out\n" in text
    assert "compress (no model)\n" in text
    assert "integrity failed (an internal error: KeyError)\n" in text
    assert "done before: preflight\n" in text
    assert "7 changes are proposed on sleep/2026-07-28; main is as it was\n" in text
    assert text.endswith("Next: memhtml sleep review 2026-07-28, then memhtml sleep merge 2026-07-28\n")


def test_a_rehearsal_says_that_there_is_no_branch() -> None:
    """And gives no next command."""
    night = Slept(run=None, branch=None, tip=None, phases=(), earlier=(), changed=1, model=None, warnings=())
    assert told(slept, night) == "1 changes would be proposed; no branch was made\n"


def test_a_plan_says_whether_a_night_is_worth_it() -> None:
    """Either way."""
    idle = SleepPlan(would_change=False, changed=0, phases=(phase("reprieve"),), warnings=())
    busy = SleepPlan(would_change=True, changed=2, phases=(phase("reprieve", changed=2),), warnings=())
    assert told(planned, idle).endswith("A night would change nothing\n")
    assert "A night would make 2 changes\n" in told(planned, busy)
