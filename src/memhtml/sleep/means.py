"""Which night is wanted, and what it may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.progress import Progress, silent
from memhtml.sleep.corpus import NoTalks, Talks
from memhtml.sleep.mind import CALLS, TOKENS, Budget
from memhtml.sleep.phase import Phase
from memhtml.sleep.table import PHASES

if TYPE_CHECKING:
    from memhtml.models.embedder import Embedder
    from memhtml.models.language import LanguageModel


class Wish(Struct, frozen=True):
    """Which night.

    Attributes:
        date: whose stamps it sets, as ``2026-07-28``.
        deep: whether it looks further than usual.
    """

    date: str
    deep: bool = False


class Means(Struct, frozen=True):
    """What a night may use.

    Attributes:
        model: that is asked; ``None``: phases do what they can without.
        budget: of it.
        embedder: makes the vectors that are missing; ``None``: what has none is not compared.
        talks: sessions of agents.
        progress: told of every phase.
        phases: those that it goes through, in order.
    """

    model: LanguageModel | None = None
    budget: Budget = Budget(CALLS, TOKENS)
    embedder: Embedder | None = None
    talks: Talks = NoTalks()
    progress: Progress = silent
    phases: tuple[Phase, ...] = PHASES
