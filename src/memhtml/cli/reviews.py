"""Runs, and what they propose, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.ops.sleep.drop import SleepDropped
    from memhtml.ops.sleep.review import SleepReview
    from memhtml.ops.sleep.status import SleepStatus
    from memhtml.sleep.review.review import ReviewedCommit, ReviewedFile, ReviewedPhase, Side, Summary

SHORT_COMMIT = 10
MOST_FILES = 50
"""Files of a phase that a screen shows."""
MOST_LINES = 24
"""Lines of a difference that a screen shows."""
MOST_SAID = 20
"""Sentences, paths and pieces of evidence."""

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def runs(screen: Screen, result: object) -> None:
    """A line for every run, and what to do next."""
    status = cast("SleepStatus", result)
    screen.table(("run", "state", "changes", "taken out", ""), [_row(run) for run in status.runs])
    if not status.total:
        screen.say("no runs: memhtml sleep run makes one")
    elif len(status.runs) < status.total:
        screen.say((f"{len(status.runs):,} of {status.total:,} runs", "dim"))


def reviewed(screen: Screen, result: object) -> None:
    """Phase by phase, each change with why, on what that rests, before and after."""
    review = cast("SleepReview", result)
    screen.say((f"Sleep {review.run}", "bold"), f": {_many(review.changed, 'change')}, {review.state.value}")
    model = f", model {review.model}" if review.model else ""
    screen.say((f"{review.branch} from {review.base[:SHORT_COMMIT]} to {review.tip[:SHORT_COMMIT]}{model}", "dim"))
    for phase in review.phases:
        _phase(screen, phase, [commit for commit in review.commits if commit.phase == phase.phase])
    by_hand = [commit for commit in review.commits if not commit.phase]
    if by_hand:
        screen.say(("by hand", "bold"))
        _files(screen, by_hand)
    if review.page is not None:
        screen.say("The page is ", (str(review.page), "bold"))
    if review.state.value == "open":
        screen.say(f'Next: memhtml sleep drop {review.run} --path PATH --why "…", or memhtml sleep merge {review.run}')


def dropped(screen: Screen, result: object) -> None:
    """What went, or what would go."""
    gone = cast("SleepDropped", result)
    if not gone.whole:
        screen.say((f"{_many(gone.changes, 'path')} taken out of {gone.run}:", "bold"))
        _said(screen, "  ", gone.paths)
        return
    held = "; main keeps what it has of it" if gone.state is not None and gone.state.value == "landed" else ""
    what = f"the run {gone.run}: {_many(gone.commits, 'commit')}, {_many(gone.changes, 'change')}{held}"
    screen.say(("Gone: " if gone.done else "Would go: "), what)
    if not gone.done:
        screen.say(f"Nothing was done. Next: memhtml sleep drop {gone.run} --yes")


def _row(run: Summary) -> tuple[str, ...]:
    notes = [*(["not finished: memhtml sleep resume"] if _is_unfinished(run) else [])]
    notes += [f"failed: {', '.join(run.failed)}"] if run.failed else []
    return (run.run, run.state.value, f"{run.changed:,}", f"{run.dropped:,}", "; ".join(notes))


def _is_unfinished(run: Summary) -> bool:
    return run.state.value == "open" and not run.complete


def _phase(screen: Screen, phase: ReviewedPhase, commits: Sequence[ReviewedCommit]) -> None:
    figures = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in phase.counts.items() if count)
    state = "" if phase.state == "done" else f" {phase.state}"
    note = f" ({phase.note})" if phase.note else ""
    screen.say((phase.phase, "bold"), (state, "red"), f": {figures}" if figures else "", (note, "dim"))
    _files(screen, commits)


def _files(screen: Screen, commits: Sequence[ReviewedCommit]) -> None:
    left = MOST_FILES
    for commit in commits:
        if commit.part is not None or commit.dropped:
            screen.say((f"  {commit.commit[:SHORT_COMMIT]} {commit.subject}", "dim"))
        for file in commit.files[:left]:
            _file(screen, file)
        left = max(0, left - len(commit.files))
        for out in commit.dropped:
            screen.say(("  taken out: ", "yellow"), out.why)
            _said(screen, "    ", [*out.paths, *(f"{path} (went along)" for path in out.along)])
    hidden = sum(len(commit.files) for commit in commits) - MOST_FILES
    if hidden > 0:
        screen.say((f"  and {hidden:,} more: --html FILE, or --json, has them", "dim"))
    _said(screen, "  kept out: ", [sentence for commit in commits for sentence in commit.refused])


def _file(screen: Screen, file: ReviewedFile) -> None:
    was = "" if file.previous is None else f"{file.previous} → "
    screen.say((f"  {file.kind} ", "yellow"), (f"{was}{file.path}", "cyan"))
    if file.why:
        screen.prose(file.why, indent=4)
    _said(screen, "    because ", [f"{one.source}: {one.said}" for one in file.evidence])
    if file.before == file.after:
        _side(screen, "says", file.after)
    else:
        _side(screen, "before", file.before)
        _side(screen, "after", file.after)
    lines = file.diff.split("\n") if file.diff else []
    for line in lines[:MOST_LINES]:
        screen.say((f"    {line}", _COLOURS.get(line[:1], "dim")))
    more = len(lines) - MOST_LINES
    if more > 0 or file.omitted:
        screen.say((f"    {file.omitted or f'and {more:,} more lines'}", "dim"))


def _side(screen: Screen, word: str, side: Side | None) -> None:
    if side is not None and (side.title or side.claim):
        claim = "" if side.claim == side.title else f": {side.claim}"
        screen.prose(f"{word}: {side.title}{claim}", indent=4)


def _said(screen: Screen, before: str, texts: Sequence[str]) -> None:
    for text in texts[:MOST_SAID]:
        screen.say((before, "yellow"), text)
    if len(texts) > MOST_SAID:
        screen.say((f"{' ' * (len(before) - len(before.lstrip()))}and {len(texts) - MOST_SAID:,} more", "dim"))


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
