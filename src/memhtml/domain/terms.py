"""Words as the index knows them, made the same way from documents and from queries.

Text is folded (NFKC, case, accents) and cut into tokens; SQLite stems them afterwards (Porter) on both sides.

- A plain word is one token.
- An identifier (``checkout-api``, ``getUserById``, ``src/app.py``, ``v2.1``) is found whole and by part: the whole is
  its parts written together, so ``checkout_api`` and ``CheckoutApi`` find it too.
- A run of an unspaced script is found by overlapping pairs of characters; its last character also stands alone, so
  that any single character is the beginning of some token.
- A sign outside ASCII (an emoji, an arrow) is a token of its own; other punctuation only parts words.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from memhtml.domain.scripts import encode, is_mark, is_symbol, is_unspaced
from memhtml.domain.stopwords import STOP_WORDS

LONGEST_TOKEN = 64
"""Characters of a token that count, before encoding: more is never typed twice, and Porter leaves it alone anyway."""

_CONNECTORS = r"-_./:@'+#&"
_RUN = re.compile(rf"[cC]\+\+|[cCfFjJ]#(?![A-Za-z0-9])|[A-Za-z0-9]+(?:(?:://|::|[{_CONNECTORS}])[A-Za-z0-9]+)*")
_PLAIN = re.compile(r"[A-Z]?[a-z]+|[0-9]+|[A-Z]+s?")
_SEGMENTS = re.compile(r"[/:@&]+")
_ATOMS = re.compile(r"[-_.'+#]+")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SPELLED = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", "j#": "jsharp"}
_FEWEST_WORDS = 3  # of a phrase
_APOSTROPHES = "\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}"
_PARTING = "\N{LEFT SINGLE QUOTATION MARK}“”\N{EN DASH}—…"
_TYPOGRAPHY = str.maketrans({**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_PARTING, " "), "\xad": None})
# Points and marks that readers leave out: combining accents, Hebrew points, Arabic vowels and the tatweel.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]+")


class Term(Struct, frozen=True):
    """One token of a query.

    Attributes:
        text: the token as documents hold it, before stemming.
        stop: a function word, of no help while other words remain.
        part: a piece of an identifier that the query gave whole.
        prefix: a single character of an unspaced script: it matches every token that begins with it.
    """

    text: str
    stop: bool = False
    part: bool = False
    prefix: bool = False


def fold(text: str) -> str:
    """``text`` as a key: NFKC, no case, no accents, each run of white space one space, none at the edges.

    >>> fold("  Zoë  ÅNGSTRÖM ")
    'zoe angstrom'
    """
    return " ".join(text.lower().split()) if text.isascii() else " ".join(_fold(text).split())


def search_text(text: str) -> str:
    """The tokens of ``text`` for a document, in order, parted by spaces; empty when there are none.

    >>> search_text("Call getUserById, then src/app.py!")
    'call getuserbyid get user by id then srcapppy src apppy app py'
    >>> search_text("東京都")
    '東京 京都 都'
    """
    return " ".join(filter(None, map(_document_word, text.translate(_TYPOGRAPHY).split())))


def terms(text: str) -> tuple[Term, ...]:
    """The distinct terms of a query, in the order in which they first appear; ``()`` when it holds no word.

    >>> [term.text for term in terms("the Checkout-API")]
    ['the', 'checkoutapi', 'checkout', 'api']
    >>> terms("水")
    (Term(text='水', stop=False, part=False, prefix=True),)
    """
    found: dict[str, Term] = {}
    for word in text.translate(_TYPOGRAPHY).split():
        for term in _query_word(word):
            known = found.get(term.text)
            # A word that stands by itself somewhere counts as one, even if it is also a part of something.
            if known is None or (known.part and not term.part):
                found[term.text] = term
    return tuple(found.values())


def content_terms(given: Sequence[Term]) -> tuple[Term, ...]:
    """``given`` without its stop words, in order; all of it when it has nothing else.

    >>> [term.text for term in content_terms(terms("to be or not to be"))]
    ['not']
    >>> [term.text for term in content_terms(terms("who is it"))]
    ['who', 'is', 'it']
    """
    kept = tuple(term for term in given if not term.stop)
    return kept or tuple(given)


def phrase(text: str, most: int) -> str:
    """The words of a query as tokens in the order in which a document that holds them has them.

    Empty when there are fewer than three words, which most texts that hold them hold as they are, or over ``most``.

    >>> phrase("Call the Checkout-API!", 32), phrase("the Checkout-API", 32)
    ('call the checkoutapi checkout api', '')
    """
    pieces = [piece for word in text.translate(_TYPOGRAPHY).split() for piece in _pieces(word)]
    words: list[str] = []
    for number, piece in enumerate(pieces, 1):
        if isinstance(piece, list):
            # In the middle of a phrase a stretch of unspaced script ends where the document's ends; the last may go on.
            words += _pairs(piece, whole=number == len(pieces))
        else:
            words += filter(None, [_expanded(piece)])
    return " ".join(words) if _FEWEST_WORDS <= len(words) <= most else ""


@lru_cache(maxsize=1 << 16)
def _document_word(word: str) -> str:
    return " ".join(
        token
        for piece in _pieces(word)
        for token in (_pairs(piece, whole=False) if isinstance(piece, list) else [_expanded(piece)])
        if token
    )


def _expanded(run: str) -> str:
    """The tokens of one word or identifier as a document holds them."""
    return " ".join(dict.fromkeys(token for token, _ in _expand(run)))


def _query_word(word: str) -> Iterator[Term]:
    for piece in _pieces(word):
        if isinstance(piece, list):
            for token in _pairs(piece, whole=True):
                yield Term(token, prefix=len(piece) == 1)
        else:
            for token, part in _expand(piece):
                yield Term(token, stop=token in STOP_WORDS, part=part)


def _pieces(word: str) -> Iterable[str | list[str]]:
    """The words and identifiers in a run without spaces, and its stretches of unspaced script as lists of clusters."""
    return _RUN.findall(word) if word.isascii() else _foreign_pieces(unicodedata.normalize("NFKC", word))


def _foreign_pieces(word: str) -> list[str | list[str]]:
    pieces: list[str | list[str]] = []
    spaced = ""
    for character in f"{word} ":
        last = pieces[-1] if pieces else None
        if is_unspaced(character) and (character.isalnum() or is_mark(character)):
            pieces.extend(_split_spaced(spaced))
            continues = not spaced and isinstance(last, list)
            spaced = ""
            if continues and isinstance(last, list):
                if is_mark(character):
                    last[-1] += character
                else:
                    last.append(character)
            else:
                pieces.append([character])
        elif character.isalnum() or character in _CONNECTORS or (spaced and is_mark(character)):
            spaced += character
        else:
            pieces.extend(_split_spaced(spaced))
            # A space would let two stretches on both sides of it run together.
            spaced = ""
            pieces.append(character if is_symbol(character) else "")
    return [piece for piece in pieces if piece]


def _split_spaced(text: str) -> list[str]:
    """Identifiers in a stretch of letters, marks and connectors."""
    if text.isascii():
        return _RUN.findall(text)
    return [
        run for run in re.split(rf"^[{_CONNECTORS}]+|[{_CONNECTORS}]+$|(?<!:)//+|[{_CONNECTORS}]{{3,}}", text) if run
    ]


def _pairs(clusters: list[str], *, whole: bool) -> list[str]:
    """Overlapping pairs; the last cluster alone as well, unless a query that has a pair is asked (``whole``)."""
    tokens = [encode(_fold(first + second)) for first, second in itertools.pairwise(clusters)]
    if not tokens or not whole:
        tokens.append(encode(_fold(clusters[-1])))
    return tokens


def _expand(run: str) -> list[tuple[str, bool]]:
    """The tokens of one word or identifier, each with whether it is only a part; the whole comes first."""
    if _PLAIN.fullmatch(run):
        return [(run.lower()[:LONGEST_TOKEN], False)]
    if len(run) == 1 and is_symbol(run):
        # As it is: folded, "not equal" would be "equal".
        return [(encode(run), False)]
    spelled = _SPELLED.get(run.lower())
    if spelled is not None:
        return [(spelled, False), (run[0].lower(), True)]
    segments = [segment for segment in _SEGMENTS.split(run) if segment]
    tokens: list[tuple[str, bool]] = []
    if len(segments) > 1:
        tokens += _whole("".join(_ATOMS.sub("", segment) for segment in segments), part=False)
    for segment in segments:
        atoms = [atom for atom in _ATOMS.split(segment) if atom]
        nested = len(segments) > 1
        possessive = len(atoms) == 2 and atoms[1] in {"s", "S"} and "'" in segment  # noqa: PLR2004 - owner and s
        if len(atoms) > 1 and not possessive:
            tokens += _whole("".join(atoms), part=nested)
        for atom in atoms:
            tokens += _atom(atom, part=nested or len(atoms) > 1)
    return tokens


def _whole(joined: str, *, part: bool) -> list[tuple[str, bool]]:
    """Parts written together; nothing when that is too long to be a name that somebody types."""
    token = _fold(joined)
    return [(encode(token), part)] if 0 < len(token) <= LONGEST_TOKEN else []


def _atom(atom: str, *, part: bool) -> list[tuple[str, bool]]:
    token = _fold(atom)[:LONGEST_TOKEN]
    tokens = [(encode(token), part)] if token else []
    if atom.isascii() and not _PLAIN.fullmatch(atom):
        # Single letters and digits between humps say nothing: v2, iPhone, log4j.
        tokens += [(hump.lower(), True) for hump in _HUMPS.findall(atom[: 4 * LONGEST_TOKEN]) if len(hump) > 1]
    return tokens


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", bare).casefold())
