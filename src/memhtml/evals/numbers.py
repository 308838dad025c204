"""The numeric flip: the same claim with another number, of the same kind and size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import Match

from msgspec import Struct

from memhtml.domain.polarity import NUMBER_WORDS
from memhtml.domain.statements import read, sentences
from memhtml.domain.stems import stem
from memhtml.domain.stopwords import STOP_WORDS
from memhtml.evals.grammar.sentence import Flip, article

_MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SMALL: tuple[str, ...] = tuple(word for word, value in NUMBER_WORDS.items() if 2 <= int(value) <= 20)  # noqa: PLR2004 - 0 and 1 want other words around them
# A number is no part of a name (log4j, S3, sha256), of a path, or of a longer number.
_FREE = r"(?<![\w.,:/@=_+-])"
_ENDS = r"(?![\w:/@_=]|[.,-]\d)"
_UNIT = r"(?:ns|us|ms|s|m|h|d|[kKMGT]i?[Bb]?|B|x|GHz|MHz|kHz|rpm|fps|px|pt|mm|cm|km|kg|min|hrs?|pm|am|vCPUs?|MiB)"
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
_LAST_DAY = 28
_NEAR = (
    64  # characters in which the neighbour of a number is looked for, so that a long body costs no more than its length
)
_MINUTES = 60
_LOWEST_CODE, _ABOVE_CODES = 400, 600  # what a server answers when something is wrong
_LABELS = frozenset("http status code error errors port issue ticket answers returns build exit".split())  # noqa: SIM905 - a list would take a line a word
_CODED = frozenset({"error", "errors", "response", "responses", "answers", "status"})
_CODED_AFTER = frozenset(
    {"a", "an", "and", "or", "return", "answer", "gives", "throws", "sends", "with", "get", "gets"}
)
# The first of two numbers that belong together stays, and the second only grows, or they would change places.
_LEADS = re.compile(r"(?:%|[a-zA-Z]{1,3})? ?(?:-|/|\N{EN DASH}|to |and |of |out of |through )(?:the )?\$?\d")
_FOLLOWS = re.compile(r"\d(?:%|[a-zA-Z]{1,3})? ?(?:-|/|\N{EN DASH}|to |and |of |out of |through )(?:the )?\$?$")
_EXACT = {"7 day": (14, 10, 21), "24 hour": (48, 36, 12), "12 month": (18, 24, 6)}


class _Number(Struct, frozen=True):
    """A number in a text, and what might stand in its place, the best first."""

    start: int
    end: int
    options: tuple[str, ...]


Options = Callable[[Match[str]], "tuple[str, ...]"]


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with one of its numbers changed, the best first; nothing when it has none that can be changed.

    The new one is no number that claim or body hold already. Where ``body`` has the old one beside the same word, or
    alone, it is changed there too.

    >>> [flip.claim for flip in flips("It waits 30 s in v1.2.", "At 30 s it gives up.")]
    ['It waits 45 s in v1.2.', 'It waits 30 s in v1.3.']
    >>> next(flips("It waits 30 s.", "At 30 s it gives up. It ran on March 30.")).body
    'At 45 s it gives up. It ran on March 30.'
    """
    held = _held(claim) | _held(body)
    seen: list[_Number] = []
    for pattern, options in _KINDS:
        for match in pattern.finditer(claim):
            start, end = match.span("n")
            if any(start < other.end and other.start < end for other in seen):
                continue
            seen.append(_Number(start, end, _fitting(claim, start, end, options(match))))
    for number in sorted(seen, key=lambda one: (_last_resort(claim, one), one.start)):
        old = claim[number.start : number.end]
        new = next((text for text in number.options if not _held(text) <= held and text != old), None)
        if new is not None:
            yield Flip(_written(claim, number, new), _carried(body, claim, number, new))


def _fitting(claim: str, start: int, end: int, options: tuple[str, ...]) -> tuple[str, ...]:
    """Of ``options`` those that leave a pair (3 of 5, 10 to 20, 1-2) a pair."""
    if _LEADS.match(claim, end):
        return ()
    if not _FOLLOWS.search(claim[:start]):
        return options
    least = _size(claim[start:end])
    return tuple(new for new in options if (size := _size(new)) is not None and least is not None and size > least)


def _size(text: str) -> float | None:
    plain = text.replace(",", "")
    return float(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else None


def _held(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(read(sentence).numbers for sentence in sentences(text)))


def _last_resort(claim: str, number: _Number) -> bool:
    """Dates, years and versions say when, more often than what."""
    text = claim[number.start : number.end]
    return "-" in text or text.startswith("v") or text.count(".") > 1 or bool(re.fullmatch(r"(?:1[4-9]|20)\d\d", text))


def _written(claim: str, number: _Number, new: str) -> str:
    """``claim`` with the number replaced, and with the article that goes with the new one."""
    before = claim[: number.start]
    if re.search(r"\b[Aa]n? $", before):
        before = re.sub(r"n? $", "", before) + ("n " if article(new) == "an" else " ")
    if claim[number.start].isupper():
        new = new[0].upper() + new[1:]
    return before + new + claim[number.end :]


def _carried(body: str, claim: str, number: _Number, new: str) -> str:
    old = claim[number.start : number.end]
    beside = _beside(claim, number.start, number.end)

    def changed(found: Match[str]) -> str:
        near = _beside(body, found.start(), found.end())
        same = any(one and one == other for one, other in zip(beside, near, strict=True)) or not any(near)
        return new if same else found.group()

    return re.sub(rf"(?<![\w.,:/@=_+-]){re.escape(old)}(?![\w:/@_=]|[.,-]\d)", changed, body)


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The stems of the words right before and after, without function words; empty where there is none."""
    before = re.search(r"([^\W\d_]+)[ \N{NO-BREAK SPACE}-]$", text[max(0, start - _NEAR) : start])
    after = re.match(r"%?[ \N{NO-BREAK SPACE}-]?([^\W\d_]+)", text[end : end + _NEAR])
    found = [match[1].lower() if match else "" for match in (before, after)]
    one, other = ("" if word in STOP_WORDS else stem(word) for word in found)
    return one, other


def _iso_day(found: Match[str]) -> tuple[str, ...]:
    year, month, day = found["n"].split("-")
    return tuple(f"{year}-{month}-{other:02}" for other in _days(int(day)))


def _days(day: int) -> tuple[int, ...]:
    """Other days of the same month, some days off rather than one."""
    return tuple(other for step in (7, -7, 9, -9, 5, -5, 11, 3) if 1 <= (other := day + step) <= _LAST_DAY)


def _month_day(found: Match[str]) -> tuple[str, ...]:
    ordinal = not found["n"].isdigit()
    days = _days(int(re.sub(r"\D", "", found["n"])))
    return tuple(f"{day}{_suffix(day)}" if ordinal else str(day) for day in days)


def _ordinal(found: Match[str]) -> tuple[str, ...]:
    value = int(found["n"][:-2])
    return tuple(f"{other}{_suffix(other)}" for other in _integers(value))


def _suffix(value: int) -> str:
    teen = 10 <= value % 100 <= 20  # noqa: PLR2004 - eleventh, twelfth, thirteenth
    return "th" if teen else _SUFFIXES.get(value % 10, "th")


def _time(found: Match[str]) -> tuple[str, ...]:
    hour, minute = found["n"].split(":")[:2]
    rest = found["n"][len(hour) :]
    most = 12 if found["half"] else 23
    width = len(hour)
    if int(minute) >= _MINUTES or int(hour) > most:
        return ()
    return tuple(
        f"{other:0{width}}{rest}" for step in (2, 3, -2, -3, 4, -4) if 1 <= (other := int(hour) + step) <= most
    )


def _hour(found: Match[str]) -> tuple[str, ...]:
    return tuple(str(other) for step in (2, 3, -2, -3, 4) if 1 <= (other := int(found["n"]) + step) <= 12)  # noqa: PLR2004 - the face of a clock


def _version(found: Match[str]) -> tuple[str, ...]:
    text = found["n"]
    lead = "v" if text[0] in "vV" else ""
    parts = text[len(lead) :].split(".")
    place = min(1, len(parts) - 1)
    made: list[str] = []
    for step in (1, 2, 3, 4, 5):
        other = [*parts[:place], str(int(parts[place]) + step), *parts[place + 1 :]]
        made.append(text[: len(lead)] + ".".join(other))
    return tuple(made)


def _year(found: Match[str]) -> tuple[str, ...]:
    return tuple(str(int(found["n"]) + step) for step in (2, -2, 3, -3, 4))


def _decade(found: Match[str]) -> tuple[str, ...]:
    # A decade of the same century, or of none that is said.
    return tuple(
        f"{other}" for step in (20, -20, 10, -10) if len(f"{(other := int(found['n']) + step)}") == len(found["n"])
    )


def _decimal(found: Match[str]) -> tuple[str, ...]:
    whole, part = found["n"].split(".")
    value, width = int(whole + part), len(part)
    made: list[str] = []
    one = 10**width if whole != "0" else 2
    for step in (value + one, value + 3, value + 7, value + 11, value + 2 * one):
        digits = f"{step:0{width + 1}}"
        if (whole == "0") == (len(digits) == width + 1 and digits[0] == "0"):
            made.append(f"{digits[:-width]}.{digits[-width:]}")
    return tuple(made)


def _percent(found: Match[str]) -> tuple[str, ...]:
    value = int(found["n"])
    made = _integers(value)
    return tuple(str(other) for other in made if other <= 100 or value > 100)  # noqa: PLR2004 - per cent


def _grouped(found: Match[str]) -> tuple[str, ...]:
    return tuple(f"{other:,}" for other in _integers(int(found["n"].replace(",", ""))))


def _integer(found: Match[str]) -> tuple[str, ...]:
    text = found["n"]
    value = int(text)
    if text != str(value) or len(text) > 9 or (value == 1 and not found["hyphen"]):  # noqa: PLR2004 - an id, which has no size
        return ()
    lead = found.string[: found.start("n")].rstrip(" #").rsplit(None, 1)[-1:]
    label = lead[0].lower().strip("(`\"'") if lead else ""
    code = _LOWEST_CODE <= value < _ABOVE_CODES and (label in _CODED_AFTER or (found["unit"] or "") in _CODED)
    if code or label in _LABELS:
        return tuple(str(value + step) for step in (1, 2, 3, 4, -1, -2))
    unit = f"{value} {(found['unit'] or '').lower().rstrip('s')}"
    return tuple(map(str, (*_EXACT.get(unit, ()), *_integers(value))))


def _integers(value: int) -> tuple[int, ...]:
    """Other whole numbers of the same size and roundness, the more likely first; none below 2, which has no plural."""
    if value >= 16 and value & (value - 1) == 0:  # noqa: PLR2004 - below, a power of two is a number like others
        near = [value * 2, value // 2, value * 4, value * 8]
    elif value and value % 10 == 0:
        tenth = 10 ** (len(str(value)) - len(str(value).rstrip("0")))
        half = max(5, tenth // 2)
        grown = -(-value * 3 // 2 // half) * half
        near = [grown, grown + half, value * 2, value + half, value * 3]
    elif value <= 12:  # noqa: PLR2004 - as people count
        near = [value + 2, value + 3, value + 1, value + 4, value + 5, value + 6]
    elif value % 5 == 0:
        near = [value + 10, value + 5, value - 5, value + 15, value + 20]
    else:
        step = max(3, value // 7)
        near = [value + step, value + step + 1, value + step + 3, value - step, value + 2 * step]
    return tuple(dict.fromkeys(other for other in near if other > 1 and other != value))


def _word(found: Match[str]) -> tuple[str, ...]:
    word = found["n"].lower()
    if found["n"] != word and found.start():
        return ()  # a part of a name: the Group of Seven
    place = _SMALL.index(word)
    near = (place + 2, place + 3, place + 1, place - 2, place - 3, place + 4)
    return tuple(_SMALL[other] for other in near if 0 <= other < len(_SMALL))


def _compound(found: Match[str]) -> tuple[str, ...]:
    tens = str(_TENS).split("|")
    word = found["n"].lower()
    place = tens.index(word)
    return tuple(tens[other] for other in (place + 2, place + 1, place - 1, place - 2) if 0 <= other < len(tens))


def _twice(_: Match[str]) -> tuple[str, ...]:
    return ("three times", "four times", "five times")


_QUANTITY = rf"(?:{_UNIT}\b(?!-)|(?![\w:/@_=]|[.,-]\d))"
_NAMED = r"\b(?:[Vv]ersion|[Rr]elease|[A-Z][a-z]+[A-Za-z]*|[A-Z]{2,})"
_SPELLED = "|".join(sorted(_SMALL, key=len, reverse=True))


def _kind(pattern: str, options: Options) -> tuple[re.Pattern[str], Options]:
    return re.compile(pattern), options


_KINDS = (
    _kind(rf"{_FREE}(?P<n>(?:19|20)\d\d-\d\d-\d\d)(?![\d-])", _iso_day),
    _kind(rf"\b(?:{_MONTHS})\.? (?P<n>\d\d?(?:st|nd|rd|th)?)(?![\w:.]\d|\w)", _month_day),
    _kind(rf"\b(?:{_MONTHS})\.? \d\d? ?(?:and|to|-|through|\u2013) ?(?P<n>\d\d?)(?![\w:.]\d|\w)", _month_day),
    _kind(rf"{_FREE}(?P<n>\d\d?(?:st|nd|rd|th)?)(?= (?:of )?(?:{_MONTHS})\b)", _month_day),
    _kind(rf"(?i){_FREE}(?P<n>\d\d?:\d\d(?::\d\d)?)(?![\w:])(?P<half> ?[ap]\.?m)?", _time),
    _kind(rf"(?i){_FREE}(?P<n>\d\d?)(?= ?[ap]\.?m\b)", _hour),
    _kind(r"(?<![\w.@/=])(?P<n>[vV]\d+(?:\.\d+){0,3}|\d+(?:\.\d+){2,3})(?![\w/@]|\.\d)", _version),
    _kind(rf"{_NAMED} (?P<n>\d+\.\d+){_ENDS}(?!%| ?{_UNIT}\b)", _version),
    _kind(rf"{_FREE}(?P<n>(?:1[4-9]|20)\d\d){_ENDS}(?! ?(?:{_UNIT}|%|[a-z]+s)\b)", _year),
    _kind(rf"\b(?:in|since|until|from|{_MONTHS}),? (?P<n>1\d\d\d){_ENDS}(?! ?(?:{_UNIT}|%|[a-z]+s)\b)", _year),
    _kind(rf"(?<!\w)(?:1[4-9]|20)\d\d-(?P<n>(?:1[4-9]|20)\d\d){_ENDS}", _year),
    _kind(r"(?<!\w)(?P<n>(?:1[4-9]|20)\d0)(?=s\b)", _decade),
    _kind(r"\b(?:the|and|early|late|mid)[ -](?P<n>[2-9]0)(?=s\b)", _decade),
    _kind(rf"{_FREE}\$?(?P<n>\d+\.\d+)(?:%|{_QUANTITY})", _decimal),
    _kind(rf"{_FREE}(?P<n>\d+)(?=%| ?per ?cent\b)", _percent),
    _kind(rf"{_FREE}[$#]?(?P<n>\d{{1,3}}(?:,\d{{3}})+){_ENDS}", _grouped),
    _kind(rf"{_FREE}(?P<n>\d+(?:st|nd|rd|th)){_ENDS}(?! century)", _ordinal),
    _kind(rf"(?:{_FREE}[$#]?|{_FREE}\d+-)(?P<n>\d+){_QUANTITY}(?: (?P<unit>[A-Za-z]+)|(?P<hyphen>-[a-z]))?", _integer),
    _kind(rf"(?i)\b(?P<n>{_TENS})(?:-(?:one|two|three|four|five|six|seven|eight|nine))?\b", _compound),
    _kind(rf"(?i)\b(?<!-)(?P<n>{_SPELLED})\b(?!-(?:hundred|thousand))", _word),
    _kind(r"(?i)\b(?P<n>twice)\b(?= (?:a|per|before|in|on|after|for|each|every)\b|[.,;!]|$)", _twice),
)
"""Tried in this order; what one has found, none after it reads again."""
