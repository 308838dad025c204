"""What a phase is: a name, when it may run, and the function that proposes."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from memhtml.sleep.changes import Proposal
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.mind import Mind

Propose = Callable[[Corpus, Mind | None], Proposal]

NO_MODEL = Proposal(note="no model")
"""What a phase proposes that cannot do without one."""


class Phase(Struct, frozen=True):
    """One phase of a night.

    Attributes:
        name: as in the commits' trailers.
        propose: what it would do; pure, and the same for the same corpus and answers. Without a model it does what it
            can without one, or gives `NO_MODEL`.
        needs: phases without whose success it does not run.
        commits: whether what it does is kept; one that does not is only counted.
        repeats: whether a deep night asks it again until it proposes nothing.
    """

    name: str
    propose: Propose
    needs: tuple[str, ...] = ()
    commits: bool = True
    repeats: bool = False
