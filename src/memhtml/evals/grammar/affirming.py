"""A denial taken out of a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memhtml.evals.grammar.clauses import clause
from memhtml.evals.grammar.finite import is_base, plural
from memhtml.evals.grammar.sentence import article, replaced
from memhtml.evals.grammar.verbs import Form, is_gerund, past, readings, third
from memhtml.evals.grammar.words import ADVERBS, AUXILIARIES, DETERMINERS, OPENERS, PREPOSITIONS, words_of

Rule = Callable[[str, int], "str | None"]

_N_T = "n['\N{RIGHT SINGLE QUOTATION MARK}]t"
_DO = re.compile(
    rf"\b(?P<do>do|does|did)(?: not|{_N_T}) (?P<adverb>(?:\w+ly|even|always|ever|yet|really|also) )?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    rf"\b(?:(?P<aux>is|are|was|were|am|has|have|had|could|must|should|would|may|might|will|shall)(?: not|{_N_T})"
    rf"|(?P<can>can(?: ?not|'t|\u2019t))|(?P<will>wo{_N_T})|(?P<shall>sha{_N_T})"
    rf"|(?P<need>need(?: not|{_N_T})))(?![\w-])",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\bnever(?![\w-]) ", re.IGNORECASE)
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_NO_LIMIT = re.compile(r"\bno (?=(?:more|fewer|less|later|earlier|sooner) than\b)", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?P<no>nobody|no one|nothing|nowhere)\b(?! (?:but|else|more|less|other))", re.IGNORECASE)
_NO = re.compile(r"\bno (?=[\w`])", re.IGNORECASE)
_NONE_OF = re.compile(r"\bnone of (?=the|our|my|these|those|its|their|them|us)\b", re.IGNORECASE)
_NEITHER = re.compile(r"\bneither (?P<one>[^,;:.!?]{1,80}?) nor ", re.IGNORECASE)
_NEITHER_OF = re.compile(r"\bneither of (?=the|our|my|these|those|them|us)\b", re.IGNORECASE)
_WITHOUT = re.compile(r"\bwithout (?P<next>[\w`'-]+)", re.IGNORECASE)
_NOT = re.compile(r"\bnot (?P<next>[\w`'-]+)", re.IGNORECASE)

_IDIOM_AFTER_NO = frozenset(
    """
    matter doubt wonder problem idea worries thanks more less other sooner nonsense better worse different good see
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_SET_AFTER_NO = frozenset({"means", "case", "circumstances", "event", "account", "point", "time", "way"})
"""What makes a set phrase of "in no" and "by no"."""
_LEFT_ALONE = frozenset("only just merely simply necessarily so quite entirely because until unless that".split())  # noqa: SIM905 - a list would take a line a word
_MASS = frozenset(
    """
    data traffic evidence access information memory storage space bandwidth documentation encryption authentication
    authorization latency downtime support money time work effort progress feedback news advice equipment software
    hardware code logging monitoring caching testing tracing compression replication validation power water music food
    help proof damage trouble interest experience knowledge luck hope sense pressure permission approval maintenance
    coverage
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_SET_PHRASES = frozenset("fail question doubt exception saying further".split())  # noqa: SIM905 - a list would take a line a word
_EVERY = {"nobody": "everybody", "no one": "everyone", "nothing": "everything", "nowhere": "everywhere"}
_SOME = {"nobody": "somebody", "no one": "someone", "nothing": "something", "nowhere": "somewhere"}
_REPAIRS = (
    (re.compile(r",? (?:anymore|any more|any longer|at all|whatsoever)\b", re.IGNORECASE), ""),
    # "Any faster" needs its denial, and "any worker" does without one.
    (re.compile(r"\bany(?=(?:thing|one|body|where)?\b(?! \w+er\b| (?:less|more|worse|but)\b))"), "some"),
    (re.compile(r"\bever (?=\w)"), ""),
    (re.compile(r" either(?=[.!]?$)"), " too"),
    (re.compile(r" yet(?=[.!]?$)"), " already"),
)
_ARE = {"is": "are", "was": "were", "has": "have", "does": "do"}
_UNTIL = re.compile(r"\buntil\b")


def affirmed(sentence: str, sway: int) -> Iterator[str]:
    """``sentence`` with one of its denials taken out, the plainest first; nothing where the rules cannot tell how.

    Args:
        sentence: one sentence.
        sway: which of several forms is taken where more than one is right.

    >>> [next(affirmed(text, 0)) for text in ("It does not retry.", "It isn't kept.", "It runs without a lock.")]
    ['It retries.', 'It is kept.', 'It runs with a lock.']
    >>> next(affirmed("Nobody has any keys.", 0)), list(affirmed("It is not only fast.", 0))
    ('Everybody has some keys.', [])
    """
    if sentence.rstrip().endswith("?"):
        return
    made = (rule(sentence, sway) for rule in _RULES)
    yield from dict.fromkeys(text for text in made if text is not None)


def _repaired(text: str, start: int, *, until: bool = False) -> str:
    """``text`` with the words after ``start`` that need a denial before them written as they stand without one."""
    head, tail = text[:start], text[start:]
    for pattern, new in _REPAIRS:
        tail = pattern.sub(new, tail)
    return head + (_UNTIL.sub("before", tail) if until else tail)


def _without_do(text: str, sway: int) -> str | None:
    found = _DO.search(text)
    if found is None:
        return None
    verb, adverb = found["verb"], (found["adverb"] or "").lower()
    if verb != verb.lower() or verb in _FUNCTION_WORDS - {"do", "have"}:
        return None
    do = found["do"].lower()
    if do != "do" and any(is_base(word) for word in re.findall(r"\bor ([a-z]+)", text[found.end() :])):
        return None  # "does not read or write": the other verb would have to change too
    said = {"do": verb, "does": third(verb), "did": past(verb)}[do]
    adverb = {"yet ": "already ", "even ": "", "ever ": ""}.get(adverb, adverb)
    if found["do"][0].isupper() and not adverb and sway % 3 == 0:
        adverb = "always "
    return _repaired(replaced(text, found.start(), found.end(), adverb + said), found.start(), until=True)


def _without_not(text: str, _: int) -> str | None:
    found = _AUXILIARY.search(text)
    if found is None or found.start() == 0:
        return None
    rest = text[found.end() :]
    following = words_of(rest)[:1]
    if (following and following[0].low in _LEFT_ALONE) or re.match(r"[^,;:.!?]*\bbut\b", rest):
        return None
    said = (
        found["aux"] or (found["can"] and "can") or (found["will"] and "will") or (found["shall"] and "shall") or "must"
    )
    if following and following[0].low == "yet":
        rest = rest[: following[0].start] + "already" + rest[following[0].end :]
    return _repaired(text[: found.start()] + said + rest, found.end() - 1, until=True)


def _without_never(text: str, sway: int) -> str | None:
    found = _NEVER.search(text)
    if found is None:
        return None
    before, after = words_of(text[: found.start()])[-1:], words_of(text[found.end() :])[:1]
    if not after:
        return None
    auxiliary = before[0].low if before else ""
    forms = {verb.form for verb in readings(after[0].low)}
    if auxiliary not in AUXILIARIES and (not forms & {Form.BASE, Form.THIRD, Form.PAST} or after[0].low == "mind"):
        return None
    lasts = auxiliary not in {"has", "have", "had"} and Form.PAST not in forms - {Form.BASE}
    new = "always " if (lasts and sway % 2 == 0) or (auxiliary in AUXILIARIES and lasts) else ""
    return _repaired(replaced(text, found.start(), found.end(), new), found.start(), until=True)


def _still(text: str, _: int) -> str | None:
    found = _NO_LONGER.search(text)
    if found is None:
        return None
    return _repaired(replaced(text, found.start(), found.end(), "still"), found.start())


def _beyond(text: str, _: int) -> str | None:
    found = _NO_LIMIT.search(text)
    return None if found is None else replaced(text, found.start(), found.end(), "")


def _somebody(text: str, _: int) -> str | None:
    found = _NOBODY.search(text)
    if found is None:
        return None
    parsed = clause(text)
    low = found["no"].lower()
    subject = parsed is not None and found.start() <= parsed.words[parsed.first].start
    return _repaired(replaced(text, found.start(), found.end(), (_EVERY if subject else _SOME)[low]), found.end())


def _all_of(text: str, _: int) -> str | None:
    found = _NONE_OF.search(text)
    if found is None:
        return None
    return _repaired(replaced(_many(text, found.end()), found.start(), found.end(), "all of "), found.start())


def _both(text: str, _: int) -> str | None:
    found = _NEITHER_OF.search(text)
    if found is not None:
        return _repaired(replaced(_many(text, found.end()), found.start(), found.end(), "both of "), found.start())
    found = _NEITHER.search(text)
    if found is None:
        return None
    text = _many(text, found.end())
    return _repaired(replaced(text, found.start(), found.end(), f"both {found['one']} and "), found.start())


def _many(text: str, start: int) -> str:
    """``text`` with its verb made to agree with many, where it comes after ``start``."""
    parsed = clause(text)
    if parsed is None or parsed.word.start < start:
        inner = re.compile(r"\b(?:is|was|has|does)\b").search(text, start)
        return text if inner is None else text[: inner.start()] + _ARE[inner.group()] + text[inner.end() :]
    word = parsed.word
    plain = _ARE.get(word.low)
    if plain is None and parsed.verb.form is Form.THIRD:
        plain = parsed.verb.base
    return text if plain is None else text[: word.start] + plain + text[word.end :]


def _with(text: str, _: int) -> str | None:
    found = _WITHOUT.search(text)
    if found is None or found["next"].lower() in _SET_PHRASES | OPENERS:
        return None
    rest = words_of(text[found.start("next") :])
    if not rest:
        return None
    # "Without draining it" is what goes on meanwhile; "without logging" is a thing that is not there.
    verbal = len(rest) > 1 and not rest[0].closes and rest[1].low not in PREPOSITIONS | OPENERS | {"and", "or"}
    new = "while" if verbal and is_gerund(found["next"].lower()) else "with"
    return _repaired(replaced(text, found.start(), found.start("next") - 1, new), found.start())


def _without_no(text: str, _: int) -> str | None:
    found = _NO.search(text)
    if found is None:
        return None
    words = words_of(text)
    at = next(place for place, word in enumerate(words) if word.start == found.start())
    following = words[at + 1]
    if following.low in _IDIOM_AFTER_NO | _FUNCTION_WORDS or following.text[0].isdigit():
        return None
    if at and words[at - 1].low in PREPOSITIONS and following.low in _SET_AFTER_NO:
        return None
    parsed = clause(text)
    if parsed is not None and parsed.first == at < parsed.at:
        one, many = plural(words[at + 1 : parsed.at])
        new = "" if many and not one else "every "
        return _repaired(replaced(text, found.start(), found.end(), new), found.start(), until=True)
    head = at
    exists = at > 0 and words[at - 1].low in {"is", "was", "there's"}
    while head + 1 < len(words) and not words[head].closes and words[head + 1].low not in _FUNCTION_WORDS:
        if exists and head > at and is_gerund(words[head + 1].low):
            break  # "there is no man playing": he is the noun, and he plays
        head += 1
    last = words[head].low
    plain = plural(words[head : head + 1])[1] or last in _MASS or is_gerund(last) or not words[head].text.isalpha()
    new = "" if plain else f"{article(words[at + 1].text)} "
    return _repaired(replaced(text, found.start(), found.end(), new), found.start(), until=True)


def _bare(text: str, _: int) -> str | None:
    """A "not" that stands apart from its auxiliary, or before what is no verb."""
    found = _NOT.search(text)
    if found is None:
        return None
    before, following = text[: found.start()].rstrip(" "), found["next"].lower()
    last = before.rsplit(None, 1)[-1].lower() if before else ""
    if last == "but":
        start = len(before) - len(last)
        return _repaired(replaced(text, start, found.start("next") - 1, "and also"), start)
    if not _can_drop(last, following, text[found.end() :]):
        return None
    if following == "yet":
        return _repaired(replaced(text, found.start(), found.end(), "already"), found.start())
    return _repaired(replaced(text, found.start(), found.start("next"), ""), found.start(), until=bool(before))


def _can_drop(last: str, following: str, rest: str) -> bool:
    """Whether a "not" between two words can go without a trace; ``last`` is empty at the start of the sentence."""
    if not last:
        return following in _ALL
    if following in _LEFT_ALONE or rest.startswith(" mention") or re.search(r"\bbut\b", rest):
        return False
    return last not in _NO_PLACE_FOR_NOT and last[-1].isalnum()


_FUNCTION_WORDS = (
    PREPOSITIONS | OPENERS | DETERMINERS | ADVERBS | AUXILIARIES | {"and", "or", "but", "you", "we", "i", "it"}
)
_ALL = frozenset({"all", "every", "everyone", "everybody", "everything", "many", "much"})
_NO_PLACE_FOR_NOT = frozenset({"if", "or", "and", "whether", "why", "of", "do", "does", "did"})
_RULES: tuple[Rule, ...] = (
    _without_do,
    _without_not,
    _both,
    _all_of,
    _still,
    _beyond,
    _without_never,
    _somebody,
    _with,
    _bare,
    _without_no,
)  # fmt: skip - one order, the surest first
