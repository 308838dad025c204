"""The discrimination gate for a person at a terminal: what holds, by family and by style, and what does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.evals.gate import Score, Verdict
    from memhtml.ops.discriminate import Discrimination

MOST_SHOWN = 20
"""Inversions that are told; JSON has all."""


def discrimination(screen: Screen, result: object) -> None:
    """One word of what it came to, a table, and the inversions."""
    found = cast("Discrimination", result)
    if found.lexical is None:
        screen.say(("Skipped: ", "yellow"), found.reason or "")
        return
    word, style = ("Passed: ", "green") if found.passed else ("Failed: ", "red")
    seeds = f"seed {found.seeds[0]}" if len(found.seeds) == 1 else f"seeds {found.seeds[0]} to {found.seeds[-1]}"
    store = "your store" if found.corpus else seeds
    screen.say((word, style), f"{found.probes:,} probes of {store}, {found.questions:,} questions, {found.space}")
    screen.gap()
    heads = ("", "probes", "questions", "mrr", "corpus mrr", "inversions", "by words alone")
    screen.table(heads, list(_rows(found, found.lexical)))
    if found.thrown_away:
        counts = ", ".join(f"{one.count} {one.family.value} {one.reason.value}" for one in found.thrown_away)
        screen.say((f"no controls: {counts}", "dim"))
    for inversion in found.inversions[:MOST_SHOWN]:
        screen.say(("inverted: ", "red"), inversion.describe())
    if len(found.inversions) > MOST_SHOWN:
        screen.say(f"and {len(found.inversions) - MOST_SHOWN:,} more")


def _rows(found: Discrimination, lexical: Verdict) -> Iterator[tuple[str, ...]]:
    yield (
        "all",
        f"{found.probes:,}",
        f"{found.questions:,}",
        f"{found.mrr:.4f}",
        f"{found.corpus_mrr:.4f}",
        f"{len(found.inversions):,}",
        f"{len(lexical.inversions):,}",
    )
    words = {score.name: score for score in (*lexical.families, *lexical.styles)}
    for score in (*found.families, *found.styles):
        yield _row(score, words[score.name].inversions if score.name in words else 0)


def _row(score: Score, by_words: int) -> tuple[str, ...]:
    return (
        score.name,
        f"{score.probes:,}",
        f"{score.questions:,}",
        _mean(score.mrr),
        _mean(score.corpus_mrr),
        f"{score.inversions:,}",
        f"{by_words:,}",
    )


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
