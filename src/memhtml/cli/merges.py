"""A run that came to main, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.ops.sleep.merge import MergedRun

SHORT_COMMIT = 10
SHOWN = 20
"""Files that a screen names."""


def merged(screen: Screen, result: object) -> None:
    """What main has now, and who was asked."""
    done = cast("MergedRun", result)
    commit = "" if done.commit is None else f" ({done.commit[:SHORT_COMMIT]})"
    if done.already:
        screen.say(("Nothing to do: ", "yellow"), f"main holds the run {done.run} already{commit}")
        return
    screen.say(("Merged: ", "green"), f"{done.branch}, {done.files:,} files{commit}")
    for path in done.paths[:SHOWN]:
        screen.say(f"  {path}")
    if done.files > SHOWN:
        screen.say((f"  and {done.files - SHOWN:,} more", "dim"))
    if done.tries > 1:
        screen.say(f"main moved meanwhile: it was judged {done.tries} times")
    if done.kept:
        screen.say(
            f"made from others, and as main had them: {', '.join(done.kept)}; memhtml publish makes listings anew"
        )
    if done.ranking is None or done.store is None:
        screen.say(("Nobody judged it", "yellow"), ", as the merge commit says; the ledger adds up")
        return
    store = done.store
    asked = f"{done.ranking.probes:,} invented and {store.probes:,} own memories"
    screen.say(f"The ledger adds up; {asked} are told apart and found as before")
    for path in store.evicted:
        screen.say((f"  not found any more, as was meant: {path}", "dim"))
    for path in store.changed:
        screen.say((f"  says something else now: {path}", "dim"))
