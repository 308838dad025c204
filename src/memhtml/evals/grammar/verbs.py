"""The forms of English verbs: which a word may be, and how to make one from another.

The list is closed and everyday, with the verbs of engineering. A word that is not on it is no verb, unless its ending
says so (``normalizes``, ``notified``): better no control than a wrong one.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from msgspec import Struct


class Form(Enum):
    """How a verb stands in a sentence. Regular verbs have one word for ``PAST`` and ``PARTICIPLE``."""

    BASE = "retry"
    THIRD = "retries"
    PAST = "retried"
    PARTICIPLE = "have retried"


class Verb(Struct, frozen=True):
    """A form of a verb."""

    base: str
    form: Form


_REGULAR = """
    abort absorb accept access account accumulate achieve acknowledge acquire act activate adapt add address adjust
    admire admit adopt advance advise affect afford aggregate agree aim alert align allocate allow alter amount
    analyze annotate announce answer appear append apply appreciate approach approve archive argue arrange arrest
    arrive ask assemble assert assess assign assist assume assure attach attack attempt attend attenuate attract
    audit authenticate author authorize automate avoid await back bake balance ban base batch behave believe belong
    benefit block book boost bootstrap borrow bother bounce bump bundle bury cache calculate calibrate call cancel
    cap capture care carry cascade cause celebrate centre certify challenge change charge chase chat check claim
    clarify clean clear click climb clone close coincide collapse collect collide combine comment commit communicate
    compare compensate compete compile complain complete comply compose compress compute concatenate concern
    conclude conduct confer configure confirm connect conserve consider consist consolidate consult consume contain
    continue contribute control convert convince cook cool coordinate copy correct correlate corrupt cough count
    cover crash crawl create crop cross cry cycle damage dance date debug decide declare decline decode decrease
    decrypt dedicate default defer define degrade delay delegate delete deliver demand demonstrate deny depend
    deploy deprecate derive describe deserve design desire destroy detail detect determine develop devote dictate
    differ digest direct disable disappear discard disclose disconnect discover discuss dismiss dispatch display
    distribute dive divide document dominate donate double downgrade download drain dress drift drop dump duplicate
    earn edit educate elect eliminate embed embrace emerge emit emphasize employ enable encode encounter encourage
    encrypt end enforce engage enjoy enqueue ensure enter escalate escape establish estimate evaluate evict evolve
    examine exceed exchange exclude execute exercise exist exit expand expect experience expire explain explode
    explore export expose express extend extract face facilitate fade fail fan favor favour fear feature fetch
    figure fill filter finalize finish fire fix flag flap flatten flip float flood flush focus fold follow force
    formulate forward foster frame free fry fsync fulfil function gain garden gather generate glance govern grab
    grant greet group guarantee guard guess guide halt hammer handle happen hash hate haul head heal heat help
    hesitate hibernate hike hint hire hook hope host hug hurry identify ignore illustrate imagine impair implement
    imply import impress improve include increase increment index indicate induce infer inflate influence inform
    inherit inhibit initiate inject insert insist inspect inspire install instantiate instruct integrate intend
    interact interest interrupt introduce invalidate invent invest investigate invite invoke involve isolate issue
    iterate join judge juggle jump justify kick kill kiss knock label lack land last laugh launch leak learn lease
    level lick lie lift like limit link list listen live load lock log look loop love lower maintain manage map mark
    mask match matter max measure mediate melt mention merge migrate mind minimize mirror miss mix modify modulate
    monitor motivate mount move multiply mutate name narrate navigate need negate neglect negotiate nest nominate
    normalize note notice notify number obey obfuscate object observe obtain occupy occur offer omit open operate
    oppose optimize order organize originate outline overflow overlap own pack page paint panic park parse
    participate partition pass paste patch pause penetrate perform permit persist phone pick pin ping pipe plan
    plant play please point poll pool populate post postpone postulate pour practice practise praise precede
    precipitate predate predict prefer prepare present preserve press prevent print process produce profile program
    promise promote prompt promulgate propagate propose protect provide provision proxy prune publish pull pump
    punish purchase purge push query question queue quote race radiate raise range rank rate reach react realize
    rebase reboot recall receive recognize recommend reconcile reconnect record recover recruit recycle redirect
    reduce refactor refer reference refine reflect refresh refuse register regulate reject relate relax release
    reload relocate rely remain remember remind remove rename render renew renovate repair repeat replace replicate
    reply report represent reproduce request require rescue reserve reside resign resist resolve respect respond
    restart restore restrict result resume retain retire retrieve retry return reuse reveal revert review revoke
    reward risk roll rotate round route ruin sail sample satisfy saturate save scale scan schedule score scrape
    scream scroll seal search secure seem select separate serialize serve settle shard share shelve shift ship shout
    shuffle sign signal simplify simulate skip slice slip slow smell smile smoke snapshot sniff snow solve sort
    sound source span spawn specify speculate spill spoil sponsor sprint stabilize stack stage stain stall start
    starve state stay stem step stimulate stipulate stir stop store stream strengthen stress stretch strip struggle
    study submit subscribe succeed suffer suggest suit summarize supply support suppose suppress surface surprise
    surround survive suspect suspend swap switch sync synchronize tabulate tag talk target taste tend terminate test
    thank throttle tick tidy time timeout tolerate toss touch track trade train transfer transform translate travel
    traverse treat trigger trim trip triple truncate trust try tune turn type unify uninstall unite unlock unpack
    unsubscribe update upgrade upload urge use validate value vanish vary vendor verify version view violate visit
    volunteer vote wait walk want warm warn wash watch weigh welcome wipe wish witness wonder work worry wrap yell
    yield zip
"""

# Base, past, participle.
_IRREGULAR = """
    be was been|become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten
    blow blew blown|break broke broken|bring brought brought|build built built|burn burned burned|burst burst burst
    buy bought bought|cast cast cast|catch caught caught|choose chose chosen|come came come|cost cost cost
    cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven
    eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown
    forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got
    give gave given|go went gone|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden
    hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known|lay laid laid|lead led led
    leave left left|lend lent lent|let let let|light lit lit|lose lost lost|make made made|mean meant meant
    meet met met|mistake mistook mistaken|offset offset offset|outgrow outgrew outgrown|overhear overheard overheard
    override overrode overridden|overrun overran overrun|overwrite overwrote overwritten|pay paid paid
    prove proved proven|put put put
    quit quit quit|read read read|rebuild rebuilt rebuilt|redo redid redone|rerun reran rerun|reset reset reset
    rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen
    seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|shed shed shed|shine shone shone
    shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat
    sleep slept slept|slide slid slid|speak spoke spoken|speed sped sped|spend spent spent|spin spun spun
    split split split|spread spread spread|stand stood stood|steal stole stolen|stick stuck stuck
    strike struck struck|sweep swept swept|swim swam swum|take took taken|teach taught taught|tear tore torn
    tell told told|think thought thought|throw threw thrown|undergo underwent undergone
    understand understood understood|undo undid undone|upset upset upset|wake woke woken|wear wore worn|win won won
    withdraw withdrew withdrawn|withhold withheld withheld|write wrote written
"""

# Of more than one syllable, and doubled all the same: the stress is on the last, or British spelling wants it.
_DOUBLED = frozenset(
    """
    admit allot cancel commit compel concur control debug defer embed emit equip expel format infer kidnap occur omit
    overlap patrol permit prefer program propel recap refer regret remap repel submit transfer transmit travel unplug
    unwrap unzip zigzag
    """.split()  # noqa: SIM905 - a list would take a line a word
)
_VOWELS = frozenset("aeiou")
_HISSES = ("s", "x", "z", "ch", "sh")
_SHORTEST_TOLD = 6
_PASTS = (Form.PAST, Form.PARTICIPLE)
# Ending: letters to cut off for the base, letters to add, what it may be.
_TOLD = {
    "ifies": (3, "y", (Form.THIRD,)),
    "izes": (1, "", (Form.THIRD,)),
    "ises": (1, "", (Form.THIRD,)),
    "ified": (3, "y", _PASTS),
    "ized": (1, "", _PASTS),
    "ised": (1, "", _PASTS),
    "ated": (1, "", _PASTS),
    "ize": (0, "", (Form.BASE,)),
    "ify": (0, "", (Form.BASE,)),
}


def _irregular() -> dict[str, tuple[str, str]]:
    rows = (row.split() for row in _IRREGULAR.replace("\n", "|").split("|"))
    return {row[0]: (row[1], row[2]) for row in rows if row}


IRREGULAR = _irregular()
BASES = frozenset(_REGULAR.split()) | IRREGULAR.keys()


def third(base: str) -> str:
    """The form after he, she or it.

    >>> [third(base) for base in ("retry", "play", "push", "go", "have", "drop")]
    ['retries', 'plays', 'pushes', 'goes', 'has', 'drops']
    """
    if base in {"be", "have"}:
        return {"be": "is", "have": "has"}[base]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ies"
    return (
        f"{base}es"
        if base.endswith(_HISSES) or base in {"do", "go", "undergo", "undo", "redo", "veto", "echo"}
        else f"{base}s"
    )


def past(base: str) -> str:
    """The simple past.

    >>> [past(base) for base in ("retry", "drop", "commit", "open", "freeze", "cache", "queue", "fix")]
    ['retried', 'dropped', 'committed', 'opened', 'froze', 'cached', 'queued', 'fixed']
    """
    return IRREGULAR[base][0] if base in IRREGULAR else _regular_past(base)


def participle(base: str) -> str:
    """The past participle.

    >>> participle("freeze"), participle("drop")
    ('frozen', 'dropped')
    """
    return IRREGULAR[base][1] if base in IRREGULAR else _regular_past(base)


def gerund(base: str) -> str:
    """The form in ``-ing``.

    >>> [gerund(base) for base in ("retry", "drop", "cache", "see", "lie", "run", "be")]
    ['retrying', 'dropping', 'caching', 'seeing', 'lying', 'running', 'being']
    """
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base != "be":
        return f"{base[:-1]}ing"
    return f"{_doubled(base)}ing"


@lru_cache(maxsize=1)
def _forms() -> dict[str, tuple[Verb, ...]]:
    found: dict[str, list[Verb]] = {}
    for base in sorted(BASES):
        made = (
            (base, Form.BASE),
            (third(base), Form.THIRD),
            (past(base), Form.PAST),
            (participle(base), Form.PARTICIPLE),
        )
        for word, form in made:
            found.setdefault(word, []).append(Verb(base, form))
    return {word: tuple(verbs) for word, verbs in found.items()}


def readings(word: str) -> tuple[Verb, ...]:
    """What forms of a verb ``word`` (in small letters) may be; ``()`` when it is none that is known.

    >>> [(verb.base, verb.form.name) for verb in readings("ran")], readings("quickly")
    ([('run', 'PAST')], ())
    >>> [verb.form.name for verb in readings("normalizes")]
    ['THIRD']
    """
    return _forms().get(word) or _told(word)


def _told(word: str) -> tuple[Verb, ...]:
    """By the ending alone, for verbs that are not listed."""
    if len(word) < _SHORTEST_TOLD:
        return ()
    for ending, (cut, added, forms) in _TOLD.items():
        # "Coated" and "heated" have another vowel there, and another base.
        if word.endswith(ending) and word[-len(ending) - 1] not in "eo":
            base = word[: len(word) - cut] + added
            return tuple(Verb(base, form) for form in forms)
    return ()


def is_gerund(word: str) -> bool:
    """Whether ``word`` (in small letters) is a known verb with ``-ing``.

    >>> is_gerund("draining"), is_gerund("string"), is_gerund("warning")
    (True, False, True)
    """
    return word in _gerunds()


@lru_cache(maxsize=1)
def _gerunds() -> frozenset[str]:
    return frozenset(map(gerund, BASES))


def _regular_past(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ied"
    return f"{_doubled(base)}ed"


def _doubled(base: str) -> str:
    """``base`` with its last consonant twice where spelling wants it."""
    closed = base[-1] not in _VOWELS | set("wxy") and base[-2:-1] in _VOWELS and base[-3:-2] not in _VOWELS
    syllables = sum(
        letter in _VOWELS and (place == 0 or base[place - 1] not in _VOWELS) for place, letter in enumerate(base)
    )
    # The u of "quit" belongs to its q.
    doubles = (closed and (syllables == 1 or base in _DOUBLED)) or base == "quit"
    return base + base[-1] if doubles else base
