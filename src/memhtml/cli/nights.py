"""What nights did, or would do, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.ops.sleep.run import PhaseResult, SleepPlan, Slept

SHOWN = 5
"""Changes and refusals of a phase that a screen names."""


def slept(screen: Screen, result: object) -> None:
    """Each phase with what it did, and what to do next."""
    night = cast("Slept", result)
    for phase in night.phases:
        _phase(screen, phase)
    if night.earlier:
        screen.say((f"done before: {', '.join(night.earlier)}", "dim"))
    if night.run is None:
        screen.say(f"{night.changed:,} changes would be proposed; no branch was made")
        return
    screen.say(f"{night.changed:,} changes are proposed on ", (night.branch or "", "bold"), "; main is as it was")
    screen.say(f"Next: memhtml sleep review {night.run}, then memhtml sleep merge {night.run}")


def planned(screen: Screen, result: object) -> None:
    """What each phase would do, and whether that is anything."""
    plan = cast("SleepPlan", result)
    for phase in plan.phases:
        _phase(screen, phase)
    screen.say(f"A night would make {plan.changed:,} changes" if plan.would_change else "A night would change nothing")


def _phase(screen: Screen, phase: PhaseResult) -> None:
    figures = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in phase.counts.items() if count)
    state = "" if phase.state.value == "done" else f" {phase.state.value}"
    screen.say((phase.phase, "bold"), (state, "red"), f": {figures}" if figures else "", _note(phase.note))
    for change in phase.changes[:SHOWN]:
        screen.say(f"  {change.kind} ", (change.about, "cyan"), (f" ({change.why})", "dim"))
    if phase.changed > SHOWN:
        screen.say((f"  and {phase.changed - SHOWN:,} more", "dim"))
    for sentence in phase.refusals[:SHOWN]:
        screen.say(("  kept out: ", "yellow"), sentence)
    if phase.refused > SHOWN:
        screen.say((f"  and {phase.refused - SHOWN:,} more kept out", "dim"))


def _note(note: str) -> tuple[str, str]:
    return (f" ({note})" if note else "", "dim")
