"""Names that are alike among thousands, found without comparing each two letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memhtml.domain.naming import similarity

_BLOCK: Final = 64
_BUCKETS: Final = 64
"""Characters are counted by their number modulo this: two that share a bucket only let more pairs through."""


def similar(names: Sequence[str], floor: float) -> dict[tuple[int, int], float]:
    """The places of every two names at ``floor`` or above, the smaller place first, and their similarity.

    Two names have at most as many characters in common as they have of each; so most pairs are passed over.

    >>> similar(["checkout api", "billing", "chekout api"], 0.85)
    {(0, 2): 0.9565217391304348}
    """
    if len(names) < 2:  # noqa: PLR2004 - a pair
        return {}
    import numpy as np

    counts = np.zeros((len(names), _BUCKETS), dtype=np.int16)
    for row, name in enumerate(names):
        for character in name:
            counts[row, ord(character) % _BUCKETS] += 1
    lengths = counts.sum(axis=1, dtype=np.int64)
    found: dict[tuple[int, int], float] = {}
    for start in range(0, len(names), _BLOCK):
        block = counts[start : start + _BLOCK, None, :]
        common = np.minimum(block, counts[None, start:, :]).sum(axis=2, dtype=np.int64)
        bound = 2 * common >= floor * (lengths[start : start + _BLOCK, None] + lengths[None, start:])
        for row, column in np.argwhere(bound).tolist():
            first, second = start + row, start + column
            if first < second:
                alike = similarity(names[first], names[second])
                if alike >= floor:
                    found[first, second] = alike
    return found
