"""Small closed lexicons of English: what denies, what affirms, what is the opposite of what.

They are general: function words, and the everyday words of absence, refusal, ending, exclusion and doubt. A word
that is missing costs a signal, never an error; nothing here knows what a memory is about.
"""

from __future__ import annotations

from functools import lru_cache

from memhtml.domain.stems import stem


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


NEGATIONS = frozenset("not no never none nobody nothing nowhere neither nor without".split())  # noqa: SIM905 - a list would take a line a word
"""The markers of a plain denial, once contractions are written out (``can't``, ``cannot``: ``can not``)."""

DENYING = _stems(
    """
    hardly barely scarcely seldom rarely rare scarce lack absent absence fail failure refuse refusal deny
    denial decline prohibit forbid forbidden forbade ban prevent avoid exclude except exception besides cease stop halt
    end quit reject rejection oppose opposition against resist unable impossible illegal inability remove removal delete
    drop cancel abolish abandon abstain discontinue suspend terminate revoke withdraw withdrew withhold disable disallow
    disagree disapprove dislike disprove disregard disappear distrust dismiss false wrong wrongly incorrect incorrectly
    erroneous erroneously mistaken mistakenly falsely invalid inaccurate inaccurately improper improperly inactive
    incomplete incompletely inconsistent insufficient insufficiently inadequate irregular irregularly irrelevant
    irreversible illegitimate illegally illiterate immature immobile impractical imperfect impatient improbable informal
    indirect indirectly inexpensive infrequent invisible insecure ineffective inefficient intolerant involuntary
    inappropriate lose lost loss miss missing neglect ignore forget forgot omit skip bypass unlike contrary instead
    different little few less least limited minor partial partially poorly badly weakly hate hostile enemy doubt
    doubtful uncertain unknown unclear vacant void empty weak poor worse bad obsolete outdated outlaw veto restrict
    block bar decrease reduce free exempt devoid regardless despite anti short hinder hamper impede difficult hard odd
    strange abnormal atypical
    """
)
"""Words that hold a denial, an absence, an ending, an exclusion or a doubt in themselves, as stems."""

AFFIRMING = _stems(
    """
    include including even also both all every always still already able allow permit support accept agree continue
    remain success successful successfully heavily common commonly usual usually typical typically many most often
    frequently certain certainly correct correctly true known clear clearly
    """
)
"""Words that a twin which says the contrary tends to have where the other has a denial, as stems."""

_OPPOSITES = """
    increase decrease|increase reduce|rise fall|rise drop|raise lower|grow shrink|gain lose|gain loss|up down
    above below|over under|more less|more few|most least|high low|higher lower|before after|begin end|start stop
    start end|open close|first last|always never|all none|all some|every no|allow prohibit|allow forbid|allow ban
    permit prohibit|permit forbid|accept reject|accept refuse|agree disagree|enable disable|include exclude|add remove
    buy sell|win lose|succeed fail|success failure|true false|right wrong|correct incorrect|left right|north south
    east west|old new|old young|early late|large small|big small|big little|long short|strong weak|fast slow
    quick slow|hot cold|warm cold|wet dry|hard soft|hard easy|difficult easy|rich poor|good bad|better worse|best worst
    positive negative|internal external|public private|major minor|max min|maximum minimum|male female|man woman
    boy girl|day night|black white|light dark|light heavy|full empty|inside outside|indoor outdoor|in out|on off
    with without|for against|same different|similar different|usual rare|common rare|many few|much little|often seldom
    often rarely|support oppose|favour oppose|love hate|like hate|like dislike|alive dead|live die|legal illegal
    safe dangerous|encourage discourage|near far|front back|top bottom|upper lower|push pull|give take|send receive
    arrive leave|enter leave|enter exit|remember forget|import export|attack defend|peace war|simple complex
    temporary permanent|partial complete|only also|single multiple|ancient modern|summer winter|morning evening
    sit stand|sleep wake|clean dirty|awake asleep|present absent|guilty innocent|wild tame|thick thin|wide narrow
    deep shallow|smooth rough|sharp blunt|tall short|happy sad|optional required|optional mandatory|sync async
    static dynamic|upgrade downgrade|grant revoke|lock unlock|encrypt decrypt|manual automatic
"""


def _paired(table: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in table.replace("\n", "|").split("|"):
        words = [stem(word) for word in pair.split()]
        if words:
            first, second = words
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return {word: frozenset(opposites) for word, opposites in found.items()}


OPPOSITES = _paired(_OPPOSITES)
"""Each stem with the stems that say the contrary of it. Symmetric."""

QUALIFIERS = frozenset("pro max beta alpha rc preview legacy deprecated experimental".split())  # noqa: SIM905 - a list would take a line a word
"""Words that tell variants of one thing apart."""

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty
""".split()  # noqa: SIM905 - a list would take a line a word
_TENS = "thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - a list would take a line a word
NUMBER_WORDS = {
    **{word: str(value) for value, word in enumerate(_UNITS) if word != "one"},
    **{word: str(10 * value) for value, word in enumerate(_TENS, 3)},
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
}
"""Numbers in words; without ``one``, which is more often a pronoun."""

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
_SHORTEST_BASE = 4
_SHORTEST_DENIED = 6
# Words that begin like a denial and are none.
_NO_DENIAL = tuple(
    """
    under unit union univers unique uniform unix until unto uncle understand unanimous unify unlock undo update upon
    mission mist miser miss nonetheless nevertheless unless regardless
    """.split()  # noqa: SIM905 - a list would take a line a word
)


def denies_by_affix(word: str) -> bool:
    """Whether ``word`` (folded, not stemmed) looks like a denial of another: ``unsafe``, ``stateless``, ``nonzero``.

    >>> [denies_by_affix(word) for word in ("unsafe", "stateless", "nonzero", "under", "unit", "bless")]
    [True, True, True, False, False, False]
    """
    if len(word) < _SHORTEST_DENIED or word.startswith(_NO_DENIAL):
        return False
    return word.startswith(("un", "non", "mis")) or word.endswith("less")


@lru_cache(maxsize=4096)
def denials_of(word: str) -> frozenset[str]:
    """What a stem becomes by an affix that denies it; nothing for words too short to tell.

    >>> "irregular" in denials_of("regular"), denials_of("act")
    (True, frozenset())
    """
    if len(word) < _SHORTEST_BASE:
        return frozenset()
    return frozenset({f"{word}less", *(prefix + word for prefix in _PREFIXES)})
