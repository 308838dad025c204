"""What is known of agents' transcripts, for a person at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.index.traces.reader import Session
    from memhtml.ops.traces.index import TracesIndexed
    from memhtml.ops.traces.links import TraceLinks
    from memhtml.ops.traces.search import TraceHits

MINUTE = 16


def indexed(screen: Screen, result: object) -> None:
    """What was read, and what could not be."""
    done = cast("TracesIndexed", result)
    read = sum(done.lines.values())
    screen.say(
        (f"{done.transcripts:,} transcripts", "bold"),
        f" at {done.root}: {done.added:,} new, {done.grown:,} grown, {done.anew:,} read anew, ",
        f"{done.unchanged:,} as they were, {done.forgotten:,} gone",
    )
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in done.lines.items() if count)
    screen.say(f"{read:,} lines read" + (f": {kinds}" if kinds else ""))
    if done.waiting:
        screen.say(f"{done.waiting:,} with a last line that is not ended yet")
    for passed in done.named:
        screen.say(("passed over: ", "yellow"), passed.path, (f" ({passed.reason.value})", "dim"))
    if done.passed_over > len(done.named):
        screen.say(f"and {done.passed_over - len(done.named):,} more")
    known = done.known
    screen.say(f"Known: {known.sessions:,} sessions, {known.prompts:,} prompts, {known.links:,} links to memories")


def found(screen: Screen, result: object) -> None:
    """Sessions, each with the heads that were found."""
    answer = cast("TraceHits", result)
    for hit in answer.hits:
        _session(screen, hit.session)
        for match in hit.matches:
            asked = " (to a subagent)" if match.subagent else ""
            screen.prose(f"{match.text}{asked}", indent=2, found=answer.query.split())
            screen.say((f"  {match.file}:{match.position}", "cyan"))
    if not answer.hits:
        known = answer.transcripts
        screen.say("nothing was found" if known else "nothing is known yet: memhtml trace index reads the transcripts")


def linked(screen: Screen, result: object) -> None:
    """What sessions did with memories."""
    answer = cast("TraceLinks", result)
    for session in answer.sessions:
        _session(screen, session)
    rows = [
        (
            _minute(use.last),
            use.rel.value,
            str(use.times),
            use.path if answer.session is not None else use.session,
            "" if use.found or answer.path is not None else "(nothing is there)",
        )
        for use in answer.links
    ]
    screen.table(("last", "did", "times", "session" if answer.path is not None else "memory", ""), rows)
    if answer.total > len(rows):
        screen.say((f"{len(rows):,} of {answer.total:,} links", "dim"))
    if not rows:
        screen.say("no links are known")


def _session(screen: Screen, session: Session) -> None:
    what = session.title or session.first_prompt or "(nothing was asked)"
    screen.say((_minute(session.started), "dim"), " ", (what, "bold"))
    where = session.folder or session.project
    screen.say((f"  {session.session}", "cyan"), (f"  {where}, {session.prompts:,} prompts", "dim"))


def _minute(instant: str | None) -> str:
    return (instant or "-")[:MINUTE].replace("T", " ")
