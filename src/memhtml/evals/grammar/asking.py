"""A claim turned into a question that takes it for granted, or asks whether it holds."""

from __future__ import annotations

import re

from memhtml.evals.grammar.clauses import CONTRACTED, Clause, Kind, clause
from memhtml.evals.grammar.finite import is_base
from memhtml.evals.grammar.sentence import lowered
from memhtml.evals.grammar.verbs import Form
from memhtml.evals.grammar.words import OPENERS, PREPOSITIONS, words_of

_OPENINGS = ("why ", "", "since when ", "")
_ORDERS = ("why should we ", "should we ", "when should we ", "must we ")
_NOTES = ("why did we ", "did we ", "when did we ", "did we ")
_SHORT = {"s": "is", "m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_N_T = "n't"
_CANNOT = "can't"
_DENIED = {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"}
_ORDER = re.compile(
    r"(?P<mode>do not|don['\N{RIGHT SINGLE QUOTATION MARK}]t|never|always) (?P<verb>[a-z]+)\b", re.IGNORECASE
)
_END = re.compile(r"[\s.!;:,]+$")


def question(sentence: str, turn: int) -> str | None:
    """``sentence`` as a question; ``None`` where the rules find no verb in it.

    A denial stays one: what is not so is asked for as what is not so.

    >>> question("The worker never retries failed jobs.", 0), question("On Fridays, deploys are not run.", 1)
    ('why does the worker never retry failed jobs?', 'are deploys not run on Fridays?')
    >>> question("Do not use the beta client.", 0), question("Chose the queue.", 1), question("What a day!", 0)
    ('why should we not use the beta client?', 'did we choose the queue?', None)
    """
    order = _ORDER.match(sentence)
    if order is not None and is_base(order["verb"]):
        mode = order["mode"].lower()
        mode = mode if mode in {"never", "always"} else "not"
        return _written(_ORDERS[turn % len(_ORDERS)], f"{mode} {order['verb']}", sentence[order.end() :])
    found = clause(sentence)
    if found is None or (found.first != found.at and found.words[found.first].low in PREPOSITIONS | OPENERS):
        return None
    rest = sentence[found.word.end :]
    lead = _lead(sentence, found)
    if found.kind is Kind.IMPERATIVE:
        return _written(_ORDERS[turn % len(_ORDERS)], lowered(found.word.text), rest, lead)
    if found.kind is Kind.NOTE:
        return _written(_NOTES[turn % len(_NOTES)], found.verb.base, rest, lead)
    opening = _OPENINGS[turn % len(_OPENINGS)]
    subject = _uncapitalised(sentence[found.words[found.first].start : found.word.start].strip())
    if found.kind is Kind.LEXICAL:
        do = {Form.BASE: "do", Form.THIRD: "does"}.get(found.verb.form, "did")
        return _written(f"{opening}{do} ", f"{subject} {found.verb.base}", rest, lead)
    return _written(opening, _inverted(found, subject, short=turn % 2 == 0), rest, lead)


def _inverted(found: Clause, subject: str, *, short: bool) -> str:
    """The auxiliary and then the subject; a denial that is written in one with it is written so or apart."""
    low = found.word.low
    if CONTRACTED.fullmatch(low):
        who, tail = low.split("'")
        return f"{_SHORT[tail]} {who}"
    if low != "cannot" and not low.endswith("n't"):
        return f"{low} {subject}"
    if short:
        return f"{low if low != 'cannot' else _CANNOT} {subject}"
    return f"{_DENIED.get(low) or low.removesuffix(_N_T)} {subject} not"


def _lead(sentence: str, found: Clause) -> str:
    """What stood before the subject and says when or where."""
    before = words_of(sentence[: found.words[found.first].start])
    place = next((word.start for word in before if word.low in PREPOSITIONS | OPENERS), None)
    return "" if place is None else _uncapitalised(sentence[place : before[-1].end])


def _uncapitalised(text: str) -> str:
    first, space, rest = text.partition(" ")
    return lowered(first) + space + rest


def _written(opening: str, asked: str, rest: str, lead: str = "") -> str:
    return " ".join(f"{opening}{asked}{_END.sub('', rest)} {lead}".split()) + "?"
