"""Mined pairs typed by a model: what one memory is to another, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from memhtml.domain.memory import Link, MemoryPath
from memhtml.domain.vocabulary import Rel
from memhtml.page.splice import AddLink
from memhtml.sleep.answers import Quote, first, is_sure, standing
from memhtml.sleep.changes import Change, Edited, Evidence, Proposal, Reason
from memhtml.sleep.corpus import Corpus
from memhtml.sleep.likeness import Pair
from memhtml.sleep.mind import Heard, Mind, Offer
from memhtml.sleep.mining import mined
from memhtml.sleep.pending import MINED, Finding, Pending, between, read
from memhtml.sleep.phase import NO_MODEL, Phase
from memhtml.sleep.veto import is_protected

FLOOR: Final = 0.80
"""Cosine from which on a mined pair is typed."""
PAIRS_AT_ONCE: Final = 30
MOST_PROMOTED: Final = 50
MOST_SHOWN: Final = 2000
"""Characters of a text that a model sees."""
KIND: Final = "contradicts"

TYPED: Final[Mapping[str, Rel]] = {
    rel.value: rel for rel in (Rel.CAUSED_BY, Rel.LEADS_TO, Rel.EXAMPLE_OF, Rel.SUPPORTS, Rel.PART_OF, Rel.CONTRADICTS)
}

TASK: Final = f"""\
Each passage is a note. For each pair below say what the first note is to the second: {", ".join(TYPED)}; leave a pair
out when it is none of these. The subject of the answer is the note of which it holds: "a is caused_by b" has the
subject a and the object b. Give a confidence from 0 to 1, and a short quote from each of the two notes, word for word,
that shows it. Two notes that differ in one detail since they are about two things do not contradict each other.
Pairs: """


class Typing(Struct, frozen=True):
    """What a model says of one pair; the quotes stand in the two notes."""

    subject: str
    object: str
    rel: str
    confidence: float
    subject_quote: str
    object_quote: str


class Typings(Struct, frozen=True):
    """A model's answer."""

    pairs: list[Typing]


class _Edge(Struct, frozen=True):
    """A typing that stood every check, with paths in place of keys."""

    subject: MemoryPath
    rel: Rel
    object: MemoryPath
    confidence: float
    evidence: tuple[Evidence, ...]

    @property
    def key(self) -> str:
        """Of a finding, the same from both sides."""
        return between(self.subject, self.object)

    @property
    def both(self) -> tuple[MemoryPath, MemoryPath]:
        """The two ends in path order."""
        return min(self.subject, self.object), max(self.subject, self.object)


def propose(corpus: Corpus, mind: Mind | None) -> Proposal:
    """At most 50 edges: a directed one in the subject's file, `contradicts` in both once two nights have found it."""
    if mind is None:
        return NO_MODEL
    pairs = [pair for pair in mined(corpus) if pair.cosine >= FLOOR and not _belong_to_a_person(corpus, pair)]
    refused: list[str] = []
    edges = list(_edges(corpus, mind, pairs, refused))
    refused += mind.take_faults()
    night, pending = corpus.night.date, _standing(corpus)
    changes: list[Change] = []
    promoted = waiting = 0
    for edge in edges:
        if edge.rel is Rel.CONTRADICTS and not pending.agreed(KIND, edge.key, night):
            pending = pending.with_(Finding(KIND, edge.key, night, edge.confidence))
            waiting += 1
        elif promoted < MOST_PROMOTED:
            changes += _written(edge)
            promoted += 1
            if edge.rel is Rel.CONTRADICTS:
                found = Finding(MINED, edge.key, night, edge.confidence)
                pending = pending.without(KIND, edge.key).with_(found)
    kept = pending.written(night, Reason("These contradictions wait for another night to find them too."))
    changes += [kept] if kept else []
    counts = {"pairs": len(pairs), "promoted": promoted, "waiting": waiting}
    return Proposal(changes=tuple(changes), counts=counts, refused=tuple(dict.fromkeys(refused)))


PHASE = Phase("edge-typing", propose)


def _standing(corpus: Corpus) -> Pending:
    """What waits, and which contradictions nights found, but for those that no file says any more."""
    pending = read(corpus.files)
    said = {between(tie.source, tie.resolved) for tie in corpus.ties if tie.rel is Rel.CONTRADICTS and tie.resolved}
    for key in sorted(pending.of(MINED) - said):
        pending = pending.without(MINED, key)
    return pending


def _edges(corpus: Corpus, mind: Mind, pairs: Sequence[Pair], refused: list[str]) -> Iterator[_Edge]:
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        batch = pairs[start : start + PAIRS_AT_ONCE]
        paths = sorted({path for pair in batch for path in (pair.first, pair.second)})
        keys = {path: f"m{number}" for number, path in enumerate(paths, start=1)}
        listed = "; ".join(f"{keys[pair.first]} and {keys[pair.second]}" for pair in batch)
        offers = [Offer(path, corpus.memories[path].body[:MOST_SHOWN]) for path in paths]
        heard = mind.ask(TASK + listed, offers, Typings)
        if heard is not None:
            yield from _sound(corpus, heard, batch, refused)


def _sound(corpus: Corpus, heard: Heard[Typings], batch: Sequence[Pair], refused: list[str]) -> Iterator[_Edge]:
    """The answers that stand every check, one a pair, in the pairs' order whatever the answer's."""
    open_pairs = {(pair.first, pair.second) for pair in batch}
    found: dict[tuple[MemoryPath, MemoryPath], _Edge] = {}
    for typing in first(heard.answer.pairs, 2 * PAIRS_AT_ONCE):
        if not is_sure(typing.confidence):
            continue
        edge = _edge(heard, typing)
        why = edge if isinstance(edge, str) else _objection(corpus, edge, open_pairs)
        if isinstance(edge, str) or why:
            refused.append(why)
        elif edge.both in found:
            refused.append(f"a model said of {edge.both[0]} and {edge.both[1]} more than one thing")
        else:
            found[edge.both] = edge
    return (found[both] for both in sorted(found))


def _edge(heard: Heard[Typings], typing: Typing) -> _Edge | str:
    """The edge that was meant; or why there is none, as a sentence."""
    subject, other = heard.source(typing.subject), heard.source(typing.object)
    if subject is None or other is None:
        return "a model named texts that it was not shown"
    rel = TYPED.get(typing.rel)
    if rel is None:
        return f"a model used a relation for {subject} that is none of those asked for"
    quotes = (Quote(typing.subject, typing.subject_quote), Quote(typing.object, typing.object_quote))
    standing_quotes = standing(heard, quotes)
    if standing_quotes is None:
        return f"a model quoted of {subject} or {other} what does not stand there"
    evidence = tuple(Evidence(heard.source(one.key) or "", one.quote) for one in standing_quotes)
    return _Edge(MemoryPath(subject), rel, MemoryPath(other), typing.confidence, evidence)


def _objection(corpus: Corpus, edge: _Edge, open_pairs: set[tuple[MemoryPath, MemoryPath]]) -> str:
    """Why the edge is not drawn, as a sentence; "" when it may be."""
    if edge.both not in open_pairs:
        return f"a model typed {edge.subject} and {edge.object}, which was no pair to type"
    written = edge.both if edge.rel is Rel.CONTRADICTS else (edge.subject,)
    protected = [path for path in written if _is_protected(corpus, path)]
    unwanted = [path for path in written if path in corpus.refused]
    if unwanted:
        return f"{unwanted[0]}: a reviewer once took this out"
    return f"{protected[0]} is a person's to change" if protected else ""


def _written(edge: _Edge) -> Iterator[Edited]:
    reason = Reason(f"A model found that {edge.subject} {edge.rel.value} {edge.object}.", edge.evidence)
    yield Edited(edge.subject, (AddLink(Link(edge.rel, edge.object)),), reason)
    if edge.rel is Rel.CONTRADICTS:
        yield Edited(edge.object, (AddLink(Link(edge.rel, edge.subject)),), reason)


def _belong_to_a_person(corpus: Corpus, pair: Pair) -> bool:
    return _is_protected(corpus, pair.first) and _is_protected(corpus, pair.second)


def _is_protected(corpus: Corpus, path: MemoryPath) -> bool:
    row = corpus.memories[path].row
    return is_protected(row.importance, row.author)
