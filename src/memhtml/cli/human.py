"""Answers for a person at a terminal. What has no form of its own here is shown as an outline of its JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from memhtml.cli.discrimination import discrimination
from memhtml.cli.integrations import checked, installed, listed, uninstalled
from memhtml.cli.merges import merged
from memhtml.cli.nights import planned, slept
from memhtml.cli.plain import plain
from memhtml.cli.reports import reported
from memhtml.cli.reviews import dropped, reviewed, runs
from memhtml.cli.scores import retrieval
from memhtml.cli.screen import Screen
from memhtml.cli.streams import Streams
from memhtml.cli.transcripts import found, indexed, linked
from memhtml.ops.encoding import Json, encode

if TYPE_CHECKING:
    from memhtml.ops.apply import Applied
    from memhtml.ops.archive import MovedMemories
    from memhtml.ops.config import SettingValues
    from memhtml.ops.correct import CorrectedMemory
    from memhtml.ops.doctor import Finding, Health
    from memhtml.ops.entities import Entities
    from memhtml.ops.history import History
    from memhtml.ops.init import Initialized
    from memhtml.ops.link import LinkedMemories
    from memhtml.ops.listing import MemoryList
    from memhtml.ops.neighbors import Neighbors
    from memhtml.ops.read import Content, Opened, ReadMemories
    from memhtml.ops.recall import RecallPack
    from memhtml.ops.search import Hits
    from memhtml.ops.status import StoreStatus
    from memhtml.ops.summary import Summary
    from memhtml.ops.tasks import Tasks
    from memhtml.ops.write import WrittenMemory
    from memhtml.retrieve.answer import Degraded, Hit
    from memhtml.workspace.notice import Notice

DAY = 10
SHORT_COMMIT = 10
MOST_REFUSED = 20
SHORTEST_MARKED = 3
"""Letters of a word of the question that is marked where it is found; shorter ones are everywhere."""

_NOTHING = {
    "store_empty": "nothing: the store is empty",
    "scope_empty": "nothing: no memory is in this scope",
    "nothing_relevant": "nothing relevant",
    "lanes_down": "nothing: neither words nor vectors could be asked",
}


def show(envelope: str, result: object, streams: Streams) -> None:
    """Print ``result`` as its envelope's type wants it; its warnings go to standard error."""
    if streams.stdout is None:
        return
    streams.settle()
    render(envelope, result, Screen(streams.stdout))
    for notice in cast("Sequence[Notice]", getattr(result, "warnings", ())):
        streams.complain(f"warning: {plain(notice.message)}")


def render(envelope: str, result: object, screen: Screen) -> None:
    """Draw ``result`` on ``screen``."""
    drawn = RENDERERS.get(envelope)
    if drawn is None:
        screen.say(outline(encode(result)))
        return
    drawn(screen, result)


def outline(value: Json, depth: int = 0) -> str:
    """Any answer as indented lines; warnings and empty lists are left out."""
    margin = "  " * depth
    if isinstance(value, dict):
        return "\n".join(
            f"{margin}{key}:\n{outline(item, depth + 1)}"
            if isinstance(item, dict | list)
            else f"{margin}{key}: {_word(item)}"
            for key, item in value.items()
            if item not in ([], {}) and key != "warnings"
        )
    if isinstance(value, list):
        return "\n".join(outline(item, depth) for item in value)
    return margin + _word(value)


def _word(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def _initialized(screen: Screen, result: object) -> None:
    store = cast("Initialized", result)
    screen.say(("Made a store at " if store.created else "The store is in order at "), (str(store.root), "bold"))
    if store.created:
        screen.say('Next: memhtml write "One fact in a sentence."')


def _written(screen: Screen, result: object) -> None:
    memory = cast("WrittenMemory", result)
    screen.say("Already there: " if memory.deduped else "Remembered: ", (memory.path, "bold"))


def _corrected(screen: Screen, result: object) -> None:
    memory = cast("CorrectedMemory", result)
    screen.say("Corrected: ", (memory.path, "bold"))
    screen.say(f"{memory.previous} is now {memory.superseded}")


def _moved(screen: Screen, result: object) -> None:
    for move in cast("MovedMemories", result).memories:
        screen.say(f"{move.previous} is now ", (move.path, "bold"))


def _linked(screen: Screen, result: object) -> None:
    edge = cast("LinkedMemories", result)
    now = "" if edge.linked else " no longer"
    screen.say(edge.source, (f"{now} {edge.rel.value} ", "cyan"), edge.target, "" if edge.changed else " (as before)")


def _applied(screen: Screen, result: object) -> None:
    batch = cast("Applied", result)
    counts = {
        "written": batch.written,
        "already there": batch.deduped,
        "corrected": batch.corrected,
        "linked": batch.linked,
        "archived": batch.archived,
        "refused": batch.refused,
    }
    done = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "nothing to do"
    screen.say(("Would be done: " if batch.dry_run else "Done: "), (done, "bold"))
    refused = [line for line in batch.results if line.error is not None]
    for line in refused[:MOST_REFUSED]:
        screen.say((f"line {line.line}: ", "red"), line.error or "")
    if len(refused) > MOST_REFUSED:
        screen.say(f"and {len(refused) - MOST_REFUSED:,} more")
    for conflict in batch.conflicts:
        screen.say(("conflict: ", "yellow"), f"{conflict.path} says {conflict.value}, ")
        screen.say(f"          {conflict.other} says {conflict.other_value}")
    for near in batch.near_duplicates:
        screen.say((f"near ({near.similarity:.2f}): ", "yellow"), f"{near.path} and {near.other}")
    for gone in batch.displaced:
        screen.say(("displaced: ", "yellow"), f"{gone.previous} by {gone.by}; it is now {gone.path}")


def _listed(screen: Screen, result: object) -> None:
    page = cast("MemoryList", result)
    _summaries(screen, page.memories)
    _total(screen, len(page.memories), page.total, "memories")


def _tasks(screen: Screen, result: object) -> None:
    found = cast("Tasks", result)
    for task in found.tasks:
        due = f"  due {task.due}" if task.due else ""
        screen.say((f"{task.task_status or '':<8}", "yellow"), (task.title, "bold"), due)
        screen.say(("        " + task.path, "cyan"))
    _total(screen, len(found.tasks), found.total, "tasks")


def _entities(screen: Screen, result: object) -> None:
    found = cast("Entities", result)
    screen.table(("memories", "entity"), [(str(use.memories), str(use.entity)) for use in found.entities])
    if found.memories:
        screen.gap()
        _summaries(screen, found.memories)


def _summaries(screen: Screen, memories: Sequence[Summary]) -> None:
    for memory in memories:
        screen.say(((memory.event_at or memory.updated)[:DAY], "dim"), " ", (memory.gist, "bold"))
        superseded = f", superseded by {memory.superseded_by}" if memory.superseded_by else ""
        screen.say(("           " + memory.path, "cyan"), (f"  {memory.type.value}{superseded}", "dim"))


def _total(screen: Screen, shown: int, total: int, what: str) -> None:
    if shown < total:
        screen.say((f"{shown:,} of {total:,} {what}", "dim"))
    elif not total:
        screen.say((f"no {what}", "dim"))


def _read(screen: Screen, result: object) -> None:
    for place, opened in enumerate(cast("ReadMemories", result).memories):
        if place:
            screen.gap()
        _opened(screen, opened)


def _opened(screen: Screen, opened: Opened) -> None:
    if opened.moved:
        screen.say((f"{opened.requested} has moved:", "yellow"))
    screen.say((opened.path, "dim"))
    if opened.memory is not None:
        _content(screen, opened.memory)
    for violation in opened.violations:
        screen.say(("wrong: ", "red"), violation)
    if opened.html is not None:
        screen.gap()
        screen.say(opened.html.rstrip("\n"))


def _content(screen: Screen, memory: Content) -> None:
    screen.say((memory.title, "bold"))
    about = [memory.type.value, *(f"#{tag}" for tag in memory.tags), *(str(entity) for entity in memory.entities)]
    dates = [f"written {memory.created[:DAY]}", *([f"happened {memory.event_at}"] if memory.event_at else [])]
    state = [memory.task_status.value] if memory.task_status else []
    screen.say((" · ".join([*state, *about, *dates]), "dim"))
    screen.gap()
    screen.prose(memory.text)
    for cited in memory.citations:
        screen.say(("source: ", "cyan"), " ".join(dict.fromkeys(part for part in (cited.text, cited.uri) if part)))
    for link in memory.links:
        screen.say((f"{link.rel.value}: ", "cyan"), link.target)


def _hits(screen: Screen, result: object) -> None:
    found = cast("Hits", result)
    words = [word.strip(".,;:!?\"'()") for word in found.query.split() if len(word) >= SHORTEST_MARKED]
    for number, hit in enumerate(found.hits, start=1):
        _hit(screen, number, hit, words)
    if found.reason is not None:
        screen.say((_NOTHING[found.reason], "yellow"))
    if found.rejected is not None:
        screen.say(("nearest, but not relevant:", "dim"))
        _hit(screen, 0, found.rejected, words)
    _degraded(screen, found.degraded)


def _hit(screen: Screen, number: int, hit: Hit, words: Sequence[str]) -> None:
    about = f"{hit.type.value} · {(hit.event_at or hit.updated)[:DAY]} · {hit.relevance:.0%}"
    screen.say((f"{number or '-'}. ", "dim"), (hit.title, "bold"), (f"  {about}", "dim"))
    screen.say(("   " + hit.path, "cyan"))
    screen.prose(hit.snippet, indent=3, found=words)
    if hit.superseded_by is not None:
        screen.say(("   superseded by ", "yellow"), hit.superseded_by)
    for path in hit.contradicts:
        screen.say(("   contested by ", "yellow"), path)
    for share in hit.arms or ():
        screen.say((f"   {share.arm.value}: rank {share.rank}, {share.value}, adds {share.contribution:.4f}", "dim"))


def _recall(screen: Screen, result: object) -> None:
    pack = cast("RecallPack", result)
    if pack.reason is not None:
        screen.say((_NOTHING[pack.reason], "yellow"))
    screen.say(pack.pack.rstrip("\n"))
    _degraded(screen, pack.degraded)


def _degraded(screen: Screen, arms: Sequence[Degraded]) -> None:
    for arm in arms:
        screen.say((f"without {arm.arm.value}: ", "yellow"), arm.why)


def _neighbors(screen: Screen, result: object) -> None:
    found = cast("Neighbors", result)
    for each in found.neighbors:
        arrow = f"{each.rel.value} → " if each.outgoing else f"← {each.rel.value} "
        screen.say((arrow, "yellow"), ((each.gist or "") if each.found else "(nothing is there)", "bold"))
        screen.say(("  " + each.path, "cyan"))
    _total(screen, len(found.neighbors), len(found.neighbors), "links")


def _history(screen: Screen, result: object) -> None:
    found = cast("History", result)
    rows = [(each.when, each.change, each.author, each.commit[:SHORT_COMMIT], each.subject) for each in found.commits]
    screen.table(("when", "change", "who", "commit", "what"), rows)
    _total(screen, len(rows), found.total, "commits")


def _status(screen: Screen, result: object) -> None:
    store = cast("StoreStatus", result)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in store.active.items()) or "none"
    vectors = "none" if store.space is None else f"{store.coverage:.0%} in {store.space}"
    edits = store.pending.edited + store.pending.deleted + store.pending.unsafe
    rows = [
        ("store", str(store.root)),
        ("branch", f"{store.branch or '(detached)'} at {(store.commit or '-')[:SHORT_COMMIT]}"),
        ("in use", counts),
        ("archived", f"{store.archived:,}"),
        ("index", "up to date" if store.fresh else "behind the branch"),
        ("vectors", f"{vectors} (setting: {store.embed})"),
        ("not committed", f"{edits:,}"),
    ]
    screen.table(("", ""), rows)
    for path in store.pending.paths:
        screen.say(f"  {path}")


def _health(screen: Screen, result: object) -> None:
    health = cast("Health", result)
    _findings(screen, "repaired", "green", health.repaired)
    _findings(screen, "wrong", "red", health.findings)
    if health.healthy:
        screen.say(("Healthy: ", "green"), f"{health.memories:,} memories, nothing is wrong")


def _findings(screen: Screen, word: str, style: str, findings: Sequence[Finding]) -> None:
    for finding in findings:
        screen.say((f"{word}: ", style), finding.message, (f" [{finding.code}]", "dim"))
        if finding.fix and word == "wrong":
            screen.say(f"  {finding.fix}")


def _settings(screen: Screen, result: object) -> None:
    found = cast("SettingValues", result)
    rows = [(each.name, each.value or "-", each.source.value, each.origin) for each in found.settings]
    screen.table(("setting", "value", "from", "where"), rows)
    for name in found.ignored:
        screen.say(("not heard: ", "yellow"), name)


RENDERERS: dict[str, Callable[[Screen, object], None]] = {
    "store.initialized": _initialized,
    "memory.written": _written,
    "memory.corrected": _corrected,
    "memory.moved": _moved,
    "memory.linked": _linked,
    "batch.applied": _applied,
    "memory.list": _listed,
    "task.list": _tasks,
    "memory.entities": _entities,
    "memory.read": _read,
    "memory.hits": _hits,
    "memory.recall": _recall,
    "memory.neighbors": _neighbors,
    "memory.history": _history,
    "store.status": _status,
    "store.health": _health,
    "exec.report": reported,
    "eval.discrimination": discrimination,
    "eval.retrieval": retrieval,
    "trace.indexed": indexed,
    "trace.hits": found,
    "trace.links": linked,
    "sleep.run": slept,
    "sleep.plan": planned,
    "sleep.status": runs,
    "sleep.review": reviewed,
    "sleep.drop": dropped,
    "sleep.merge": merged,
    "config.list": _settings,
    "integration.installed": installed,
    "integration.uninstalled": uninstalled,
    "integration.list": listed,
    "integration.doctor": checked,
}
"""How each type of answer is drawn."""
