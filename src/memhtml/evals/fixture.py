"""A store of invented memories to ask about: targets, their wrong twins, right paraphrases, strangers.

Everything comes from one seed.
"""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.divergence import Divergence
from memhtml.domain.memory import Instant
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Control, Rejected, derive
from memhtml.evals.probes import Style, query


class Planted(Struct, frozen=True):
    """One memory to write, and its history.

    Attributes:
        written: when.
        opens: how many times it was opened, once a day from the day after it was written.
    """

    claim: str
    body: str
    tags: tuple[str, ...]
    memory_type: MemoryType
    written: Instant
    opens: int


class Probe(Struct, frozen=True):
    """A target, what must stand below it, what may stand above it, and what is asked."""

    target: Planted
    controls: tuple[tuple[Control, Planted], ...]
    paraphrases: tuple[Planted, ...]
    queries: tuple[tuple[Style, Divergence, str], ...]


class Fixture(Struct, frozen=True):
    """A whole store. ``rejected`` are the controls that were thrown away, in order."""

    seed: int
    probes: tuple[Probe, ...]
    distractors: tuple[Planted, ...]
    rejected: tuple[Rejected, ...]


_THINGS = ("checkout service", "billing worker", "search index", "mail server", "audit queue", "login cache")
_DEEDS = ("retries|failed jobs", "keeps|backups", "sends|reports", "rotates|keys", "closes|idle connections")
_DETAILS = ("after a deploy", "on the staging cluster", "for new customers", "during the night", "before each release")
_DISTRACTORS = 10


def fixture(seed: int, probes: int) -> Fixture:
    """The store of ``seed`` with ``probes`` targets, each with its controls; the same one on every machine."""
    chance = Chance(seed)
    made: list[Probe] = []
    rejected: list[Rejected] = []
    taken: set[str] = set()
    tries = 0
    while len(made) < probes and tries < 50 * probes:
        tries += 1
        verb, rest = chance.pick(_DEEDS).split("|")
        claim = f"The {chance.pick(_THINGS)} {verb} {3 + chance.below(40)} {rest} {chance.pick(_DETAILS)}."
        derived = derive(claim, "", taken)
        if claim in taken or not derived.controls:
            continue
        rejected.extend(derived.rejected)
        taken.update((claim, *(control.claim for control in derived.controls)))
        handicap = len(made) % 2 == 0
        target = _planted(claim, 1, 0)
        controls = tuple(
            (control, _planted(control.claim, 2 if handicap else 1, 8 if handicap else 0))
            for control in derived.controls
        )
        asked = tuple(
            (style, control.family, text)
            for style in Style
            for control in derived.controls
            if (text := query(claim, control.family, style, len(made))) is not None
        )
        said = f"Every time, {rest} ({claim.split()[4]}) are what the {' '.join(claim.split()[1:3])} {verb}."
        made.append(Probe(target, controls, (_planted(said, 1, 0),), asked))
    distractors = tuple(
        _planted(f"Tabby {chance.pick(('cats', 'kittens'))} number {number} purr at night.", 1, 0)
        for number in range(_DISTRACTORS * probes)
    )
    return Fixture(seed, tuple(made), distractors, tuple(rejected))


def _planted(claim: str, month: int, opens: int) -> Planted:
    return Planted(claim, "", (), MemoryType.SEMANTIC, Instant(f"2026-{month:02}-01T00:00:00Z"), opens)
