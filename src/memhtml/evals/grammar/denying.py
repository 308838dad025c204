"""A denial put into a sentence that has none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memhtml.evals.grammar.clauses import CONTRACTED, Clause, Kind, clause
from memhtml.evals.grammar.finite import is_participle
from memhtml.evals.grammar.sentence import lowered, replaced
from memhtml.evals.grammar.verbs import Form
from memhtml.evals.grammar.words import MODALS

_UNCONTRACTED = frozenset({"am", "may", "might", "shall"})
_SHORT = {"can": "can't", "will": "won't"}
_LONG = {"can": "cannot"}
_WHOLE = re.compile(r"(all|only|every|everyone|everybody|everything)\b", re.IGNORECASE)
_TURNED = {"always": "never", "still": "no longer", "already": "not yet"}
_TURNED_BEFORE = {"always": "never", "still": "no longer", "sometimes": "never"}
_UNDENIABLE_BEFORE = frozenset(
    {"only", "just", "rarely", "seldom", "hardly", "barely", "almost", "nearly", "both", "either"}
)
_IDLE = frozenset(
    """
    note see thank welcome wish guess look love hope mean remember say excuse congratulate appreciate
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_STATES = frozenset(
    """
    have contain hold consist cost belong know prefer want need mean cover equal support sound seem look feel appear
    remain like love hate hope think believe understand own depend
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_CONTRACTED = {"m": "'m not", "re": "'re not", "ve": " haven't", "ll": " won't"}
_SOME = re.compile(r"\b([Ss])ome(?=thing\b|one\b|body\b|where\b|\b)")
_REACH = 4  # words after a denial in which "some" turns into "any"


def denied(sentence: str, sway: int) -> Iterator[str]:
    """``sentence`` with a denial, in the form that ``sway`` prefers first; nothing where the rules cannot tell.

    >>> next(denied("The worker retries jobs.", 0)), next(denied("Use the queue.", 0)), list(denied("Why?", 0))
    ('The worker does not retry jobs.', 'Do not use the queue.', [])
    """
    found = clause(sentence)
    if found is None:
        return
    if found.words[found.first].low in {"nearly", "almost", "hardly"}:
        return
    whole = _not_all(sentence, found)
    if whole is not None:
        yield whole
        return
    for made, scope in _BY_KIND[found.kind](sentence, found, sway):
        yield made[:scope] + _without_some(made[scope:])


def _not_all(sentence: str, found: Clause) -> str | None:
    """What holds of all does not hold of all: denying the verb would leave open which is meant."""
    first = found.words[found.first]
    if found.kind not in {Kind.AUXILIARY, Kind.LEXICAL} or not _WHOLE.fullmatch(first.text):
        return None
    return replaced(sentence, first.start, first.end, f"not {first.low}")


def _auxiliary(sentence: str, found: Clause, sway: int) -> Iterator[tuple[str, int]]:
    word, following = found.word, found.after()
    if word.low.endswith("n't") or word.low == "cannot" or following in _UNDENIABLE_BEFORE | {"not", "never", "no"}:
        return
    if CONTRACTED.fullmatch(word.low) and following not in _TURNED:
        yield from _contracted(sentence, found, following)
        return
    if following in _TURNED:
        turned = found.words[found.at + 1]
        yield replaced(sentence, turned.start, turned.end, _TURNED[following]), turned.end
        return
    if found.words[found.first].low == "there" and following in {"a", "an"}:
        art = found.words[found.at + 1]
        yield replaced(sentence, art.start, art.end, "no"), art.end
        return
    long = _LONG.get(word.low, f"{word.low} not")
    short = long if word.low in _UNCONTRACTED else _SHORT.get(word.low, f"{word.low}n't")
    if following == "also":
        yield replaced(sentence, word.end, found.words[found.at + 1].end, " also not"), word.end
        return
    if word.low in MODALS and following.endswith("ly"):
        adverb = found.words[found.at + 1]
        yield replaced(sentence, word.start, adverb.end, f"{following} {long}"), adverb.end
        return
    for form in dict.fromkeys((long, short) if sway % 2 == 0 else (short, long)):
        yield replaced(sentence, word.start, word.end, form), word.end


def _contracted(sentence: str, found: Clause, following: str) -> Iterator[tuple[str, int]]:
    word = found.word
    head, tail = re.split("['\N{RIGHT SINGLE QUOTATION MARK}]", word.text)
    if head.lower() in {"who", "what"}:
        return
    if tail.lower() == "s":
        ending = " hasn't" if following in {"been", "got", "had"} else "'s not"
    elif tail.lower() == "d":
        ending = " hadn't" if is_participle(following) or following == "better" else " wouldn't"
    else:
        ending = _CONTRACTED[tail.lower()]
    if following.endswith("ly") and ending[0] == " ":
        adverb = found.words[found.at + 1]
        yield replaced(sentence, word.start, adverb.end, f"{head} {following}{ending}"), adverb.end
        return
    yield replaced(sentence, word.start, word.end, head + ending), word.end


def _lexical(sentence: str, found: Clause, sway: int) -> Iterator[tuple[str, int]]:
    word, base, form = found.word, found.verb.base, found.verb.form
    before = found.words[found.at - 1]
    if before.low in _UNDENIABLE_BEFORE:
        return
    if before.low in _TURNED_BEFORE:
        yield replaced(sentence, before.start, before.end, _TURNED_BEFORE[before.low]), word.end
        return
    do = {Form.BASE: "do", Form.THIRD: "does"}.get(form, "did")
    start, between = word.start, ""
    if before.low == "already":
        start, between = before.start, "yet "
    elif (before.low.endswith("ly") or before.low == "first") and found.at - 1 > found.first:
        start, between = before.start, f"{before.text} "
    forms = [f"{do} not {between}{base}", f"{do}n't {between}{base}"]
    if not between:
        # Of a state, and of what happened once, nobody says that it is never so.
        lasts = base in _STATES or form is Form.PAST or found.after() == "to"
        forms += [] if lasts else [f"never {word.text}"]
    for turn in range(len(forms)):
        yield replaced(sentence, start, word.end, forms[(sway + turn) % len(forms)]), start


def _command(sentence: str, found: Clause, sway: int) -> Iterator[tuple[str, int]]:
    word = found.word
    before = found.words[found.at - 1] if found.at > found.first else None
    if found.verb.base in _IDLE or (before is not None and before.low in _UNDENIABLE_BEFORE | {"never"}):
        return
    if found.after() == "not":
        return
    if before is not None and before.low == "always":
        yield replaced(sentence, before.start, before.end, "never"), word.end
        return
    forms = ["do not", "don't", "never"]
    for turn in range(len(forms)):
        form = forms[(sway + turn) % len(forms)]
        yield replaced(sentence, word.start, word.end, f"{form} {lowered(word.text)}"), word.end


def _note(sentence: str, found: Clause, _: int) -> Iterator[tuple[str, int]]:
    word = found.word
    yield replaced(sentence, word.start, word.end, f"did not {found.verb.base}"), word.end


def _without_some(rest: str) -> str:
    """``some`` in reach of the denial as it stands after one."""
    near = _SOME.search(rest)
    if near is None or len(rest[: near.start()].split()) > _REACH or re.search(r"[,;:.!?]", rest[: near.start()]):
        return rest
    return f"{rest[: near.start()]}{'A' if near[1] == 'S' else 'a'}ny{rest[near.end() :]}"


_BY_KIND = {Kind.AUXILIARY: _auxiliary, Kind.LEXICAL: _lexical, Kind.IMPERATIVE: _command, Kind.NOTE: _note}
