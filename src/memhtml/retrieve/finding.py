"""The arms that find memories: by words, by vectors, by names, by wording. Adding one is a row of `FINDERS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import EmbedModelMismatchError, ModelUnavailableError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.scope import Scope
from memhtml.retrieve.answer import Arm, Degraded
from memhtml.retrieve.asking import Asked

if TYPE_CHECKING:
    from memhtml.index.view import View
    from memhtml.models.embedder import Embedder

POOL = 100
"""Memories that each arm gives at least, however few are wanted: what agrees best may be found far down."""

FULL_ENOUGH = 0.95
"""Share of chunks that must have a vector: with fewer, what has none would be buried under what has one."""

TITLE_WEIGHT = 0.5
"""Of a word in the title; 1.0 elsewhere. A title mostly says again how the claim begins."""

_LONGEST_NAME = 4  # words of a name, a tag or an alias
_FEW_NAMED = 20
_FEW_PHRASED = 100  # what more memories than these hold whole is a turn of speech


class Sought(Struct, frozen=True):
    """What the arms are given."""

    asked: Asked
    view: View
    embedder: Embedder | None
    scope: Scope
    limit: int


class Found(Struct, frozen=True):
    """What one arm gives: judgements by path, best first, higher is better; or why it could not take part.

    Attributes:
        chunks: the piece of each memory that was judged, where one was.
        why: what kept the arm out; ``None`` when nothing did.
    """

    values: Mapping[MemoryPath, float] = {}
    chunks: Mapping[MemoryPath, int] = {}
    why: str | None = None


def find(sought: Sought, arms: frozenset[Arm]) -> tuple[dict[Arm, Found], tuple[Degraded, ...]]:
    """What each of ``arms`` that can find finds, where it finds anything; and which of them could not take part."""
    found: dict[Arm, Found] = {}
    degraded: list[Degraded] = []
    for arm, finder in FINDERS.items():
        if arm not in arms:
            continue
        result = finder(sought)
        if result.why is None:
            found.update({arm: result} if result.values else {})
        else:
            degraded.append(Degraded(arm, result.why))
    return found, tuple(degraded)


def _by_words(sought: Sought) -> Found:
    from memhtml.index.lexical import ColumnWeights

    if not sought.asked.sought:
        return Found()
    weights = ColumnWeights(title=TITLE_WEIGHT)
    hits = sought.view.lexical(sought.asked.sought, sought.scope, sought.limit, weights)
    return Found({hit.path: hit.score for hit in hits})


def _by_vectors(sought: Sought) -> Found:
    view, embedder = sought.view, sought.embedder
    if embedder is None or not sought.asked.text.strip():
        return Found()
    try:
        view.require_space(embedder.space)
        coverage = view.coverage() if view.space is not None else 0.0
        if coverage < FULL_ENOUGH:
            # Never rounded up to what would have been enough.
            return Found(
                why=f"only {int(100 * coverage)}% of the texts have a vector; `memhtml index embed` makes them"
            )
        vector = embedder.embed([sought.asked.text])[0]
    except (EmbedModelMismatchError, ModelUnavailableError) as error:
        return Found(why=error.message)
    hits = view.nearest(vector, sought.scope, sought.limit)
    return Found({hit.path: hit.cosine for hit in hits}, {hit.path: hit.chunk for hit in hits})


def _by_name(sought: Sought) -> Found:
    """Memories with an entity, a tag or an alias that the query names: 1.0 when that is the whole query."""
    text = sought.asked.text
    whole = sought.view.exact([text], sought.scope, _FEW_NAMED) if text.strip() else []
    part = sought.view.exact(_names(text), sought.scope, _FEW_NAMED)
    return Found({**dict.fromkeys(whole, 1.0), **{path: 0.5 for path in part if path not in whole}})


def _by_wording(sought: Sought) -> Found:
    """Memories whose title, claim or body is the whole query: 1.0; and those that hold it as a phrase: 0.5.

    Of the first, those that have its case and its signs too come before those that have its words alone.
    """
    asked, view, scope = sought.asked, sought.view, sought.scope
    whole = [] if asked.digest is None else view.worded(asked.digest, scope, sought.limit)
    if len(whole) > 1:
        literal = _literally(asked.text, view, whole)
        whole.sort(key=lambda path: path not in literal)
    part = view.phrased(asked.phrase, scope, _FEW_PHRASED) if asked.phrase else []
    return Found({**dict.fromkeys(whole, 1.0), **{path: 0.5 for path in part if path not in whole}})


def _literally(query: str, view: View, paths: Sequence[MemoryPath]) -> frozenset[MemoryPath]:
    """Those of ``paths`` of which a text is the query to the letter, but for white space."""
    wanted = query.split()
    texts = view.texts(paths)
    return frozenset(
        path
        for path, row in view.rows(paths).items()
        if any(text.split() == wanted for text in (row.title, row.gist, texts[path].body))
    )


def _names(text: str) -> list[str]:
    """Runs of up to four words of a short query, without the marks around them; none of a long one."""
    words = [word.strip(".,;:!?()[]{}\"'`") for word in text.split()]
    words = [word for word in words if word]
    if len(words) > 8 * _LONGEST_NAME:
        return []
    return [
        " ".join(words[start : start + length])
        for length in range(1, _LONGEST_NAME + 1)
        for start in range(len(words) - length + 1)
    ]


FINDERS: Mapping[Arm, Callable[[Sought], Found]] = {
    Arm.LEXICAL: _by_words,
    Arm.VECTOR: _by_vectors,
    Arm.EXACT: _by_name,
    Arm.VERBATIM: _by_wording,
}
