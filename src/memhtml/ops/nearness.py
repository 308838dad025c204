"""Memories that say nearly the same as a new one, by vector. They are proposed to a reader, never acted on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memhtml.domain.memory import Facts
    from memhtml.domain.progress import Progress
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder
    from memhtml.workspace.workspace import Workspace

NEAR = 0.9
"""Cosine from which two memories are called near. A wrong twin is as near as a paraphrase, so a person decides."""

_PORTION = 512
_MOST = 3


class NearDuplicate(Struct, frozen=True):
    """A memory of the batch and one that says nearly the same.

    Attributes:
        similarity: cosine of the two, to 4 decimals.
        other_line: of the other one, if it is of the batch too.
    """

    line: int
    path: MemoryPath
    other_line: int | None
    other: MemoryPath
    similarity: float


class Newcomer(Struct, frozen=True):
    """A memory of the batch; ``was_there`` says that the store had it, word for word, and the line says it again."""

    line: int
    path: MemoryPath
    facts: Facts
    was_there: bool


def near_duplicates(
    workspace: Workspace, newcomers: Sequence[Newcomer], stands: Callable[[MemoryPath], bool]
) -> tuple[NearDuplicate, ...]:
    """For each newcomer at most three memories in use, then earlier lines, that are near; in the order of the lines.

    ``stands`` says whether a memory is still where it was: one that the batch itself corrects or archives is no
    duplicate of anything.

    Raises:
        ModelUnavailableError: vectors are off, or the embedder cannot work.
        EmbedModelMismatchError: the index holds vectors of another space.
    """
    embedder = workspace.embedder
    if embedder is None:
        raise ModelUnavailableError(
            "near duplicates are found by vectors, and these are off", suggestions=("leave --embed off away",)
        )
    from memhtml.domain.chunks import chunks, embedded_text

    if not newcomers:
        return ()
    # The first chunk stands for a memory: it holds the claim.
    texts = [
        embedded_text(one.facts.title, one.facts.body, chunks(one.facts.title, one.facts.body)[0]) for one in newcomers
    ]
    own = _vectors(embedder, workspace.progress, texts)
    with workspace.index.reading() as view:
        view.require_space(embedder.space)
        return tuple(
            near
            for place, one in enumerate(newcomers)
            for near in (*_in_use(view, one, own[place]), *_in_batch(newcomers, own, place))
            if near.other_line is not None or stands(near.other)
        )


def _in_use(view: View, one: Newcomer, vector: NDArray[np.float32]) -> Iterator[NearDuplicate]:
    for hit in view.nearest(vector, Scope(), _MOST):
        if hit.cosine >= NEAR:
            yield NearDuplicate(one.line, one.path, None, hit.path, round(hit.cosine, 4))


def _in_batch(newcomers: Sequence[Newcomer], own: NDArray[np.float32], place: int) -> Iterator[NearDuplicate]:
    """The nearest of the lines before, nearest first, then in their order."""
    if not place:
        return
    likeness: list[float] = (own[:place] @ own[place]).tolist()
    one = newcomers[place]
    for before in sorted(range(place), key=lambda at: (-likeness[at], at))[:_MOST]:
        if likeness[before] >= NEAR:
            other = newcomers[before]
            yield NearDuplicate(one.line, one.path, other.line, other.path, round(likeness[before], 4))


def _vectors(embedder: Embedder, progress: Progress, texts: Sequence[str]) -> NDArray[np.float32]:
    import numpy as np  # only where vectors are wanted

    portions: list[NDArray[np.float32]] = []
    for start in range(0, len(texts), _PORTION):
        progress("embedding", start, len(texts))
        portions.append(embedder.embed(texts[start : start + _PORTION]))
    return np.concatenate(portions)
