"""Hits that do not repeat each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memhtml.domain.diversity import diversify
from memhtml.domain.memory import MemoryPath
from memhtml.domain.stems import stem
from memhtml.domain.terms import search_text

if TYPE_CHECKING:
    from memhtml.index.view import View

COPY = 0.97
"""Cosine from which two memories may be the same words again."""


def varied(view: View, ranking: Sequence[MemoryPath], limit: int) -> tuple[MemoryPath, ...]:
    """``limit`` of ``ranking``, in its order, rather those that add something: maximal marginal relevance.

    Likeness is a cosine, and counts only between memories that have the same words in the same order: a wrong twin is
    as near as a copy, and to drop one of two twins for being alike would drop the right one half of the time. A memory
    without a vector is like no other.
    """
    if len(ranking) <= limit:
        return tuple(ranking)
    vectors = view.vectors(ranking)
    if not vectors:
        return tuple(ranking[:limit])
    import numpy as np  # only where vectors are

    with_vector = [path for path in ranking if path in vectors]
    # The first piece holds the claim; copies are copies from the start.
    rows = np.stack([vectors[path][0] for path in with_vector])
    cosines = rows @ rows.T
    close = np.argwhere(np.triu(cosines >= COPY, k=1)).tolist()
    texts = view.texts(sorted({with_vector[place] for pair in close for place in pair}))
    words = {path: tuple(map(stem, search_text(text.body).split())) for path, text in texts.items()}
    alike = {
        frozenset((with_vector[one], with_vector[other])): float(cosines[one, other])
        for one, other in close
        if words[with_vector[one]] == words[with_vector[other]]
    }
    if not alike:
        return tuple(ranking[:limit])
    return diversify(ranking, lambda one, other: min(1.0, alike.get(frozenset((one, other)), 0.0)), limit)
