"""The gate on a store's own memories, in a scratch copy of its index: the store never learns of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import ModelUnavailableError
from memhtml.domain.progress import Progress, silent
from memhtml.evals.gate import Demand
from memhtml.evals.overlay import Overlaid
from memhtml.evals.posed import answered, shipped
from memhtml.evals.report import Answers, Mode, Report, Subject, reported, skipped
from memhtml.evals.sample import Sample, Sampling, sample
from memhtml.evals.scratch import embed_all
from memhtml.evals.twins import moved
from memhtml.index.sidecar import exported

if TYPE_CHECKING:
    from memhtml.domain.memory import Instant
    from memhtml.index.index import Index
    from memhtml.index.source import Source
    from memhtml.models.embedder import Embedder

MOST = 60
"""Memories that are asked for where nobody says how many."""


class Own(Struct, frozen=True):
    """A store: its index, and the source that it follows."""

    index: Index
    source: Source


class Draw(Struct, frozen=True):
    """What is sampled, and whose vectors are asked.

    Attributes:
        probes: how many must be made; ``None``: as many as can be, up to `MOST`.
        seed: of the sample.
        now: when it is asked.
    """

    now: Instant
    probes: int | None = None
    seed: int = 1
    mode: Mode = Mode.LIVE


def discriminate_own(own: Own, draw: Draw, embedder: Embedder | None, progress: Progress = silent) -> Report:
    """Ask a store for memories of its own among controls of them, by ``embedder`` and by words alone.

    Files that were saved and not committed are asked for too. Vectors that are missing are made, in the copy.

    Raises:
        EmbedModelMismatchError: a live run, and the index holds vectors of another space.
        StorageError: the index cannot be read.
    """
    space = None if embedder is None else embedder.space
    if embedder is None:
        return skipped(Subject(draw.mode, space, _demand(draw, 0)), "vectors are off")
    # A control may be a day newer than what was written just now, and nothing is asked before it is there.
    now = moved(draw.now, newer=True)
    with own.index.copied() as copy:
        copy.update(own.source)
        if draw.mode is Mode.FAKE:
            copy.replace_space(embedder.space)
        try:
            embed_all(copy, embedder, progress)
            with copy.reading() as view:
                sampling = Sampling(MOST if draw.probes is None else draw.probes, draw.seed)
                drawn = sample(view, sampling, shipped(view, embedder, now), progress)
            plant(copy, own.source, drawn)
            embed_all(copy, embedder, progress)
            subject = Subject(draw.mode, space, _demand(draw, len(drawn.probes), drawn.unfound))
            return reported(subject, _answers(copy, drawn, embedder, now, progress))
        except ModelUnavailableError as error:
            return skipped(Subject(draw.mode, space, _demand(draw, 0)), error.message)


def plant(copy: Index, source: Source, drawn: Sample) -> None:
    """Let a scratch copy of the index of ``source`` hold the controls too, with what would have been done to them."""
    copy.update(Overlaid(source, drawn.files))
    copy.state.import_lines(exported(drawn.used))


def _answers(copy: Index, drawn: Sample, embedder: Embedder, now: Instant, progress: Progress) -> Answers:
    # A control may be a day newer than what was written just now, and nothing is asked before it is there.
    asked = moved(now, newer=True)
    with copy.reading() as view:
        fused, lexical = (answered(drawn.probes, shipped(view, chosen, asked), progress) for chosen in (embedder, None))
    return Answers(fused, lexical, drawn.rejected, drawn.passed_over)


def _demand(draw: Draw, made: int, unfound: int = 0) -> Demand:
    return Demand({draw.seed: made if draw.probes is None else draw.probes}, unfound=unfound)
