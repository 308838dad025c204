"""The negation flip: what a claim says denied, what it denies said."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from memhtml.domain.statements import read
from memhtml.domain.terms import fold
from memhtml.evals.grammar.affirming import affirmed
from memhtml.evals.grammar.denying import denied
from memhtml.evals.grammar.sentence import Flip, placed

_SAME_AGAIN = 0.6
"""Share of words (Jaccard) from which a sentence of the body says again what the claim says."""


def flips(claim: str, body: str) -> Iterator[Flip]:
    """``claim`` with one denial put in or taken out, the best first; nothing where the rules cannot tell how.

    A claim that denies something has a denial taken out; only one that denies nothing gets one. Sentences of ``body``
    that say the same as the sentence that was changed are changed with it.

    >>> next(flips("Jobs are retried.", "Ask Ada. Jobs are retried. It helps.")).body
    "Ask Ada. Jobs aren't retried. It helps."
    """
    told = sorted(placed(claim), key=lambda one: (not read(one[1]).negations, one[0]))
    for place, sentence in told:
        for changed in _turned(sentence):
            yield Flip(claim[:place] + changed + claim[place + len(sentence) :], _carried(body, sentence, changed))


def _turned(sentence: str) -> Iterator[str]:
    # The forms of denial take turns by the text itself, so that no seed has to be handed in.
    sway = zlib.crc32(sentence.encode("utf-8", "surrogatepass"))
    return affirmed(sentence, sway) if read(sentence).negations else denied(sentence, sway)


def _carried(body: str, sentence: str, changed: str) -> str:
    """``body`` with the sentences turned that say again what ``sentence`` says."""
    # Word for word first, wherever sentences are taken to end: after "June 9." nobody can be sure.
    body = re.sub(rf"(?<!\w){re.escape(sentence)}(?!\w)", lambda _: changed, body)
    said = read(sentence)
    for place, other in reversed(list(placed(body))):
        also = read(other)
        if fold(other) == fold(sentence):
            turned: str | None = changed
        elif also.content and (also.negations > 0) == (said.negations > 0):
            like = len(also.content & said.content) / len(also.content | said.content)
            turned = next(_turned(other), None) if like >= _SAME_AGAIN else None
        else:
            turned = None
        if turned is not None:
            body = body[:place] + turned + body[place + len(other) :]
    return body
