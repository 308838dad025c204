"""A store of invented memories to ask about: targets, their wrong twins, right paraphrases, strangers.

Everything comes from one seed. The conditions are honest by construction: a twin differs from its target in what it
says and in nothing that could help the target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct, structs

from memhtml.domain.divergence import Divergence
from memhtml.domain.instants import days_later, of_datetime
from memhtml.domain.memory import Instant
from memhtml.domain.terms import fold
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.chance import Chance
from memhtml.evals.controls import Control, Derived, Rejected, derive
from memhtml.evals.inventions import AROUND, FILLINGS, KINDS, STATEMENTS, STRANGERS, SYLLABLES, Statement
from memhtml.evals.probes import Style, query

STRANGERS_A_PROBE = 10
"""Memories a probe that have nothing to do with any probe."""

LOOKALIKES_A_PROBE = 2
"""Memories a probe that say such things as probes do, of things that no probe is about."""


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
    """A target, what must stand below it, what may stand above it, and what is asked.

    Every query tells the target from each of the controls.
    """

    target: Planted
    controls: tuple[tuple[Control, Planted], ...]
    paraphrases: tuple[Planted, ...]
    queries: tuple[tuple[Style, Divergence, str], ...]


class Fixture(Struct, frozen=True):
    """A whole store. ``rejected`` are the controls of its probes that were thrown away, in order."""

    seed: int
    probes: tuple[Probe, ...]
    distractors: tuple[Planted, ...]
    rejected: tuple[Rejected, ...]


_FIRST_DAY = datetime.fromisoformat("2025-01-01T08:00:00+00:00")
_DAYS = 400
_MINUTES = 600
_LATER = 20  # days that a favoured control is newer at the least
_MOST_LATER = 180
_OPENS = 4  # of a memory without favour, fewer than
_FAVOUR = 5  # opens that a favoured control has more
_MOST_SENTENCES = 3
_TRIES = 200
_A_NAME = 2  # syllables


def fixture(seed: int, probes: int) -> Fixture:
    """The store of ``seed`` with ``probes`` targets; the same one on every machine and version of Python.

    In every other probe the controls are newer than their target and were opened more often; in the rest they are as
    old and as often opened. Where the inventions run out, which takes many hundred probes, there are fewer.
    """
    making = _Making(Chance(seed), probes)
    made: list[Probe] = []
    rejected: list[Rejected] = []
    for statement in making.deck(probes):
        if len(made) >= probes:
            break
        found = making.probe(statement, favoured=len(made) % 2 == 0)
        if found is not None:
            made.append(found[0])
            rejected.extend(found[1])
    return Fixture(seed, tuple(made), tuple(making.distractors(len(made))), tuple(rejected))


class _Gaps(dict[str, str]):
    """What fills the gaps of the texts of one memory, chosen when it is first asked for."""

    def __init__(self, chance: Chance, thing: str) -> None:
        super().__init__(thing=thing)
        self._chance = chance

    def __missing__(self, gap: str) -> str:
        self[gap] = _capital(self[gap.lower()]) if gap[0].isupper() else self._chance.pick(FILLINGS[gap])
        return self[gap]


class _Making:
    """One fixture while it is made: its chance, its names, and what has been said."""

    def __init__(self, chance: Chance, probes: int) -> None:
        self._chance = chance
        self._taken: set[str] = set()
        names = self._names(2 * max(10, probes // 2))
        self._things, self._other_things = names[::2], names[1::2]

    def deck(self, probes: int) -> Iterator[Statement]:
        """Statements in turn, each as often as any other, far more of them than there will be probes."""
        for _ in range(2 + 2 * probes // len(STATEMENTS)):
            yield from self._chance.shuffled(STATEMENTS)

    def probe(self, statement: Statement, *, favoured: bool) -> tuple[Probe, tuple[Rejected, ...]] | None:
        """A probe of ``statement``, or ``None`` where it has been used up or cannot be asked in some style."""
        gaps = _Gaps(self._chance, self._chance.pick(self._things))
        claim = _written(statement.claim, gaps)
        body = self._body(claim)
        derived = derive(claim, body, self._taken)
        asked = self._queries(claim, derived)
        if fold(claim) in self._taken or {style for style, _, _ in asked} != set(Style):
            return None
        target = self._planted(statement, claim, body, gaps)
        said = [self._planted(statement, _written(text, gaps), self._body(""), gaps) for text in statement.said]
        self._take(claim, *(control.claim for control in derived.controls), *(one.claim for one in said))
        controls = tuple((control, self._twin(target, control, favoured=favoured)) for control in derived.controls)
        return Probe(target, controls, tuple(said), asked), derived.rejected

    def distractors(self, probes: int) -> Iterator[Planted]:
        """Strangers and lookalikes for so many probes, none of them said twice."""
        for _ in range(STRANGERS_A_PROBE * probes):
            yield self._new(STRANGERS)
        claims = [statement.claim for statement in STATEMENTS]
        for _ in range(LOOKALIKES_A_PROBE * probes):
            yield self._new(claims)

    def _new(self, claims: Sequence[str]) -> Planted:
        claim, gaps = "", _Gaps(self._chance, "")
        for _ in range(_TRIES):
            gaps = _Gaps(self._chance, self._chance.pick(self._other_things))
            claim = _written(self._chance.pick(claims), gaps)
            if fold(claim) not in self._taken:
                break
        self._take(claim)
        return self._planted(Statement(MemoryType.SEMANTIC, claim, ()), claim, self._body(""), gaps)

    def _queries(self, claim: str, derived: Derived) -> tuple[tuple[Style, Divergence, str], ...]:
        """One query a style and family, those left out that would be typed twice."""
        turn = self._chance.below(len(STATEMENTS))
        found: dict[str, tuple[Style, Divergence, str]] = {}
        for style in Style:
            for control in derived.controls:
                text = query(claim, control.family, style, turn)
                if text is not None:
                    found.setdefault(fold(text), (style, control.family, text))
        return tuple(found.values())

    def _planted(self, statement: Statement, claim: str, body: str, gaps: _Gaps) -> Planted:
        day = _FIRST_DAY + timedelta(days=self._chance.below(_DAYS), minutes=self._chance.below(_MINUTES))
        tags = (gaps["thing"].replace(" ", "-"), self._chance.pick(FILLINGS["part"]).replace(" ", "-"))
        return Planted(claim, body, tags, statement.kind, of_datetime(day), self._chance.below(_OPENS))

    def _twin(self, target: Planted, control: Control, *, favoured: bool) -> Planted:
        """The target with what the control says; newer and more often opened when it is ``favoured``."""
        twin = structs.replace(target, claim=control.claim, body=control.body)
        if not favoured:
            return twin
        written = days_later(target.written, _LATER + self._chance.below(_MOST_LATER - _LATER))
        return structs.replace(twin, written=written, opens=target.opens + _FAVOUR + self._chance.below(_OPENS))

    def _body(self, claim: str) -> str:
        """A few sentences around a claim; in one of four that have any, the claim itself is said again."""
        around = self._chance.shuffled(AROUND)[: self._chance.below(_MOST_SENTENCES + 1)]
        told = [_written(text, _Gaps(self._chance, "")) for text in around]
        if claim and told and self._chance.below(4) == 0:
            told.insert(self._chance.below(len(told) + 1), claim)
        return " ".join(told)

    def _names(self, count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            name = "".join(self._chance.pick(SYLLABLES) for _ in range(_A_NAME))
            found.setdefault(f"{name} {self._chance.pick(KINDS)}", None)
        return list(found)

    def _take(self, *claims: str) -> None:
        self._taken.update(map(fold, claims))


def _written(text: str, gaps: _Gaps) -> str:
    """``text`` with its gaps filled; what stands first has a capital."""
    return _capital(text.format_map(gaps))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
