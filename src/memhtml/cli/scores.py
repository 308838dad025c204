"""Retrieval scores for a person at a terminal: the ways to search side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from memhtml.cli.screen import Screen

if TYPE_CHECKING:
    from memhtml.evals.measures import Figures
    from memhtml.evals.quality import Score
    from memhtml.ops.scoring import RetrievalScores

NAMES = {
    "hit_at_1": "hit@1",
    "hit_at_5": "hit@5",
    "hit_at_10": "hit@10",
    "recall_at_10": "recall@10",
    "all_at_10": "all@10",
    "mrr": "MRR",
    "ndcg_at_10": "nDCG@10",
    "strict": "strict",
}
"""The figures by field, in the order in which they are shown."""


def retrieval(screen: Screen, result: object) -> None:
    """A table of all figures with their intervals, and one of the figure that matters most by group."""
    found = cast("RetrievalScores", result)
    scores = {score.way.value: score for score in found.scores}
    asked, known = _many(found.questions, "question"), _many(found.memories, "memory", "memories")
    screen.say((f"{asked}, {known} in {_many(found.stores, 'store')}", "bold"))
    screen.gap()
    _table(screen, "figure", {label: _intervals(name, scores) for name, label in NAMES.items()}, scores)
    lead = "strict" if any(score.figures.strict is not None for score in found.scores) else "recall_at_10"
    parts = {
        f"{part.group or '-'} ({part.questions:,})": _parts(lead, place, scores)
        for score in found.scores[:1]
        for place, part in enumerate(score.groups)
    }
    if parts:
        screen.gap()
        _table(screen, f"{NAMES[lead]} by group", parts, scores)
    for left in found.left_out:
        screen.say((f"without {left.way.value}: ", "yellow"), left.why)


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def _table(screen: Screen, head: str, rows: Mapping[str, list[str]], scores: Mapping[str, Score]) -> None:
    screen.table((head, *scores), [(label, *cells) for label, cells in rows.items() if any(cells)])


def _intervals(name: str, scores: Mapping[str, Score]) -> list[str]:
    cells = [(score, _shown(name, score.figures)) for score in scores.values()]
    return [cell and f"{cell} ({_shown(name, score.low)}-{_shown(name, score.high)})" for score, cell in cells]


def _parts(name: str, place: int, scores: Mapping[str, Score]) -> list[str]:
    return [_shown(name, score.groups[place].figures) for score in scores.values()]


def _shown(name: str, figures: Figures) -> str:
    value: float | None = getattr(figures, name)
    return "" if value is None else f"{value:.3f}"
