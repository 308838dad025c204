"""Filling the gaps among the vectors, in bounded portions. The lexical index is whole without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.index.index import Index
from memhtml.index.vectors import Pending

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder

AT_ONCE = 512
"""Texts that are given to an embedder in one call, and kept in one transaction."""


class FillReport(Struct, frozen=True):
    """What filling did.

    Attributes:
        embedded: texts that got a vector.
        remaining: chunks that still have none.
        failure: why the embedder stopped, when it did; what it had made before is kept.
    """

    embedded: int
    remaining: int
    failure: str | None = None


def fill(index: Index, embedder: Embedder, limit: int = -1) -> FillReport:
    """Embed at most ``limit`` texts that have no vector, those of newer memories first; -1 is all of them.

    An embedder that fails stops nothing but itself: the report says why.

    Raises:
        EmbedModelMismatchError: the index holds vectors of another space.
        IndexStaleError: another process is writing the index for longer than the wait.
        StorageError: the vectors cannot be written.
    """
    embedded, failure = 0, None
    while limit < 0 or embedded < limit:
        portion = index.pending(embedder.space, AT_ONCE if limit < 0 else min(AT_ONCE, limit - embedded))
        if not portion:
            break
        try:
            rows = _embedded(embedder, portion)
        except ModelUnavailableError as error:
            failure = error.message
            break
        # Another process may have filled the same gap meanwhile; what it has is what we have.
        index.store_vectors(embedder.space, rows)
        embedded += len(rows)
    return FillReport(embedded, index.missing_vectors(), failure)


def _embedded(embedder: Embedder, portion: list[Pending]) -> list[tuple[str, bytes]]:
    """Each text's name with its vector.

    Raises:
        ModelUnavailableError: the embedder cannot work, or what it gave is no vectors.
    """
    import numpy as np

    rows = embedder.embed([text.text for text in portion])
    dimension = int(embedder.space.rpartition("@")[2])
    if rows.shape != (len(portion), dimension) or not np.isfinite(rows).all():
        raise ModelUnavailableError(
            f"{embedder.space} gave something else than {len(portion)} vectors of {dimension} numbers",
            suggestions=("check the configured model and its dimension",),
        )
    return [(text.text_hash, row.astype("<f4").tobytes()) for text, row in zip(portion, rows, strict=True)]
