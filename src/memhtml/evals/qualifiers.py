"""The qualifier flip: the same claim about another variant of the thing."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from re import Match

from memhtml.domain.polarity import QUALIFIERS
from memhtml.domain.stems import stem
from memhtml.evals.grammar.sentence import Flip, article, replaced
from memhtml.evals.grammar.verbs import Form, readings
from memhtml.evals.grammar.words import ADVERBS, AUXILIARIES, DETERMINERS, OPENERS, PREPOSITIONS, words_of

_OTHERS = {
    "pro": ("max",),
    "max": ("pro",),
    "beta": ("alpha",),
    "alpha": ("beta",),
    "rc": ("beta", "alpha"),
    "preview": ("beta", "legacy"),
    "legacy": ("preview", "experimental"),
    "deprecated": ("experimental", "legacy"),
    "experimental": ("deprecated", "legacy"),
}
"""What each is exchanged for: words that stand where it stands."""

_ANY = re.compile(rf"(?<![A-Za-z])(?P<word>{'|'.join(sorted(QUALIFIERS))})(?![A-Za-z])", re.IGNORECASE)
_LOOSE = frozenset({"beta", "alpha", "preview", "legacy", "deprecated", "experimental"})
"""Those that can be left out before a noun, and put in."""

_VARIABLE = frozenset(
    """
    api client service worker server queue cache cluster endpoint library pipeline parser driver gateway sdk cli app
    plugin importer exporter scheduler runner agent proxy broker bucket schema registry dashboard integration connector
    adapter webhook daemon controller operator router balancer deployment build protocol index database store backend
    frontend module toolkit framework renderer editor website script dataset bot crawler resolver loader compiler linter
    formatter migration mailer consumer producer listener handler collector limiter log ledger pool relay
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Things of engineering that come in variants: only before one of these a qualifier is put in."""

_NEW = ("legacy", "beta", "experimental")
_NO_MODIFIERS = (
    PREPOSITIONS
    | OPENERS
    | DETERMINERS
    | AUXILIARIES
    | frozenset(
        """
        and or but not never new other most more key main central dry good bad nice great own first last next only same
        whole entire non old small large big simple
        """.split()  # noqa: SIM905 - a list would take a line a word
    )
)
_JUDGING = ("ful", "able", "ible", "ous", "ive", "less", "est", "ly")
"""Endings of words that a qualifier does not stand before."""
_FUNCTION_WORDS = PREPOSITIONS | OPENERS | AUXILIARIES | ADVERBS | {"and", "or", "but"}
_PHRASE = re.compile(
    r"\b(?:the|an?|our|this|each|every|their) "
    rf"(?P<thing>(?:[A-Za-z][\w-]* ){{0,2}}?(?:{'|'.join(sorted(_VARIABLE))})s?)\b(?![\w-])",
    re.IGNORECASE,
)
_NEAR = 64  # characters in which a neighbour is looked for, so that a long body costs no more than its length
_SUFFIXED = re.compile(r"[-_.]$")


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with a qualifier exchanged, taken away or put in, the best first; nothing where none fits.

    A claim without a qualifier gets one, before a thing that comes in variants. Where ``body`` has the same qualifier
    at the same thing, or the same thing without one, it is changed there too.

    >>> sorted(flip.claim for flip in flips("The beta client retries.", ""))
    ['The alpha client retries.', 'The client retries.']
    >>> next(flips("A client retries.", "The client is small."))
    Flip(claim='A legacy client retries.', body='The legacy client is small.')
    """
    found = [match for match in _ANY.finditer(claim) if _is_qualifier(claim, match)]
    if found:
        for match in found:
            yield from _exchanged(claim, body, match)
        return
    if not _ANY.search(claim):
        yield from _put_in(claim, body)


def _is_qualifier(claim: str, found: Match[str]) -> bool:
    """Whether the word is one here: Max may be a person, a pro may be a con's, and max may be an amount."""
    word, low = found["word"], found["word"].lower()
    before, after = claim[: found.start()], claim[found.end() :]
    if low in _LOOSE or low == "rc":
        return True
    if low == "max" and re.match(r" (?:\d|[a-z]+ (?:is|are|of)\b)", after):
        return False
    product = re.search(r"(?:[A-Z]\w*|\d\w*) $", before)
    return bool(product) or (word == low and bool(re.match(r" [a-z]+", after)) and bool(re.search(r"\bthe $", before)))


def _exchanged(claim: str, body: str, found: Match[str]) -> Iterator[Flip]:
    word, low = found["word"], found["word"].lower()
    beside = _beside(claim, found.start(), found.end())
    end = found.end()
    options = [other for other in _OTHERS[low] if stem(other) not in beside]
    attached = _SUFFIXED.search(claim[: found.start()]) or re.match(r"[-_.\d]", claim[end:])
    loose = low in _LOOSE or (low == "pro" and beside[1] == "max")
    if loose and not attached and re.match(r" [A-Za-z]", claim[end:]):
        options.append("")
    sway = _sway(claim)
    for turn in range(len(options)):
        new = _cased(options[(sway + turn) % len(options)], word)
        changed = _with_article(claim, found.start(), end if new else end + 1, new)
        yield Flip(changed, _carried(body, low, beside, new))


def _cased(new: str, word: str) -> str:
    if word.isupper() and len(word) > len("rc"):
        return new.upper()
    return new.capitalize() if word[0].isupper() else new


def _sway(claim: str) -> int:
    """Which of several right forms comes first: by the text itself, so that no seed has to be handed in."""
    return zlib.crc32(claim.encode("utf-8", "surrogatepass"))


def _put_in(claim: str, body: str) -> Iterator[Flip]:
    new = _NEW[_sway(claim) % len(_NEW)]
    for found in _PHRASE.finditer(claim):
        thing = found["thing"]
        modifiers = thing.lower().split()[:-1]
        if any(map(_is_no_modifier, modifiers)) or not _ends_here(claim, found):
            continue
        changed = _with_article(claim, found.start("thing"), found.start("thing"), f"{new} ")
        yield Flip(changed, _put_in_again(body, thing, new))


def _put_in_again(body: str, thing: str, new: str) -> str:
    again = re.compile(rf"(?<![\w-]){re.escape(thing)}(?![\w-])")
    for found in reversed(list(again.finditer(body))):
        body = _with_article(body, found.start(), found.start(), f"{new} ")
    return body


def _is_no_modifier(word: str) -> bool:
    """Whether a word is a verb, a function word or a judgement, rather than a part of the name of a thing."""
    if word in _NO_MODIFIERS or word.endswith(_JUDGING):
        return True
    return any(verb.form in {Form.THIRD, Form.PAST} for verb in readings(word))


def _ends_here(claim: str, found: Match[str]) -> bool:
    """Whether the thing is a thing by itself, and no part of the name of another."""
    rest = claim[found.end() :]
    following = words_of(rest)[:1]
    if not following or not rest.startswith(" ") or following[0].start != 1:
        return not rest.startswith((" (", "'", "\N{RIGHT SINGLE QUOTATION MARK}"))
    low = following[0].low
    if low in _FUNCTION_WORDS or low.endswith(("ly", "n't")) or low in {"not", "cannot"}:
        return True
    wanted = {Form.BASE} if found["thing"].endswith("s") else {Form.THIRD}
    return any(verb.form in wanted for verb in readings(low)) or _is_past(low)


def _is_past(low: str) -> bool:
    return any(verb.form is Form.PAST for verb in readings(low))


def _with_article(text: str, start: int, end: int, new: str) -> str:
    """``text`` with a stretch replaced, and ``a`` or ``an`` before it as it then must be."""
    made = text[:start] + new + text[end:]
    lead = re.search(r"\b[Aa](n? )$", made[max(0, start - _NEAR) : start])
    if lead is None:
        return replaced(text, start, end, new) if end > start else made
    following = made[start : start + _NEAR].split(None, 1)[0]
    return made[: start - len(lead[1])] + ("n " if article(following) == "an" else " ") + made[start:]


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The stems of the words right before and after; empty where there is none."""
    before = re.search(r"([^\W_]+)[ _.-]$", text[max(0, start - _NEAR) : start])
    after = re.match(r"[ _.-]([^\W_]+)", text[end : end + _NEAR])
    return stem(before[1].lower()) if before else "", stem(after[1].lower()) if after else ""


def _carried(body: str, low: str, beside: tuple[str, str], new: str) -> str:
    """``body`` with the qualifier exchanged where it stands beside the same thing."""

    def changed(found: Match[str]) -> str:
        near = _beside(body, found.start(), found.start("after"))
        same = (near[1] and near[1] == beside[1]) or (not beside[1] and near[0] == beside[0])
        return (new + found["after"] if new else "") if same else found.group()

    return re.sub(rf"(?<![A-Za-z]){low}(?![A-Za-z])(?P<after> ?)", changed, body, flags=re.IGNORECASE)
