"""Small closed lexicons of English: words that may stand for one another, and words whose exchange is another fact.

They serve one question, whether two texts are wordings of one fact, and err on one side: a synonym that is missing
leaves two copies of a fact in a store, one too many would lose a fact.
"""

from __future__ import annotations

from memhtml.domain.stems import stem

_GROUPS = """
    need require necessitate|must shall|use utilise utilize employ|start begin began begun commence initiate
    end finish conclude|stop halt cease|delete remove erase|create make made generate|fix repair|solve resolve
    show shown display|get got fetch retrieve obtain|send sent transmit|check verify validate
    choose chose chosen select pick|change modify alter|run ran execute|buy bought purchase|large big
    small little|fast quick quickly rapid rapidly|bug defect|issue problem|often frequently|rarely seldom
    approximately roughly circa|allow permit let|forbid forbade forbidden prohibit disallow|enough sufficient
    help assist|answer reply respond response|wait await|happen occur|contain include|person people
    child children kid|man men|woman women|index indices|job task|app application|config configuration configure
    repo repository|db database|env environment|docs documentation|prod production|admin administrator
    info information|param parameter|arg argument|msg message|k8s kubernetes|postgres postgresql|js javascript
    dir directory folder|spec specification|sec second|ms millisecond millis|hr hour|kb kilobyte|mb megabyte
    gb gigabyte|tb terabyte|every each|many numerous|several multiple various|because since|therefore thus hence
    but however though although yet|if when whenever|until till|through via|toward towards|among amongst
    usual usually normally typically commonly|immediately instantly promptly|first initial initially
    last final finally|important crucial vital essential|hard difficult|wrong incorrect|say said|tell told
    prefer favour favor|want wish|think thought believe|know knew known|see saw seen
    give gave given provide supply|take took taken|bring brought|write wrote written|find found discover locate
    lose lost|move relocate|split divide|join combine|grow grew grown|increase raise|reduce decrease lower
    restart reboot|lead led|build built|watch monitor observe|notify alert inform|live reside|car automobile
    movie film|doctor physician|mother mom mum|father dad|holiday vacation|shut close|happy glad
    sick ill|colleague coworker teammate|phone telephone|photo photograph picture|cheap inexpensive
    costly expensive|exceed surpass|under below beneath|hold held|speak spoke spoken talk|go went gone|come came
    drive drove driven|meet met|pay paid|sell sold|spend spent|teach taught|understand understood|win won
    wear wore worn|eat ate eaten|drink drank drunk|break broke broken|fall fell fallen|fly flew flown|hear heard
    hide hid hidden|throw threw thrown|catch caught|freeze froze frozen|sleep slept|swim swam swum
    sing sang sung|ride rode ridden|draw drew drawn|feel felt|attempt try|gather collect|daily everyday
    error mistake|quit resign|arrive reach|boot bootstrap|reject refuse|accurate precise|additional extra
    assign allocate|cancel abort|clear obvious|component module|convert transform|correctly properly
    describe explain|enable activate|disable deactivate|ensure guarantee|entire whole|examine inspect
    fail failure|insert add|link connect|permission privilege|postpone defer delay|previous prior earlier
    recommend advise suggest|replace substitute swap|safe secure|team crew|terminate kill|yearly annually annual
    wrap enclose|rollback revert|expire lapse|engineer developer dev programmer|staff employee personnel
    laptop notebook|bill invoice|favorite favourite preferred|depend rely|license licence|center centre
    catalog catalogue|gray grey|program programme|defense defence|guide manual handbook|goal aim objective
    chance opportunity|own possess|skip omit|separate distinct|same identical|similar alike|login signin
    outage downtime|latency lag|deadline cutoff|afterwards afterward later
    store save persist keep kept retain preserve
"""


def _grouped(table: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for group in table.replace("\n", "|").split("|"):
        words = group.split()
        for word in words:
            found.setdefault(word, f"={words[0]}")
    return found


SYNONYMS = _grouped(_GROUPS)
"""Each word of a group with the name that the group shares: ``=`` and its first word. Words, not stems: the stem of
``important`` is that of ``import``."""

PHRASES: dict[tuple[str, ...], tuple[str, ...]] = {
    tuple(said.split()): tuple(plain.split())
    for said, plain in (
        line.split(":")
        for line in """
        prior to:before|in order to:to|has to:must|have to:must|needs to:must|need to:must|required to:must
        as well as:and|due to:because|because of:because|owing to:because|make sure that:ensure|make sure:ensure
        makes sure that:ensure|makes sure:ensure|each time:when|every time:when|as soon as:when|in case:if
        per cent:%|percent:%|is able to:can|are able to:can|set up:setup|sets up:setup|takes place:happens
        take place:happen|carry out:run|carries out:run|carried out:run|get rid of:remove|gets rid of:removes
        a number of:several|a lot of:many|lots of:many|a couple of:2|rather than:instead|instead of:instead
        once a day:daily|every day:daily|each day:daily|per day:daily|once a week:weekly|every week:weekly
        each week:weekly|per week:weekly|once a month:monthly|every month:monthly|each month:monthly
        per month:monthly|once a year:yearly|every year:yearly|each year:yearly|per year:yearly
        every hour:hourly|each hour:hourly|roll back:rollback|rolls back:rollback|rolled back:rollback
        rolling back:rollback|time out:timeout|times out:timeout|timed out:timeout|log in:login|logs in:login
        logged in:login|sign in:login|signs in:login|shut down:shutdown|shuts down:shutdown|start up:startup
        clean up:cleanup|cleans up:cleanup|back up:backup|backs up:backup|backed up:backup|roll out:rollout
        rolled out:rollout|rolls out:rollout|turn on:enable|turns on:enable|turned on:enable|switch on:enable
        switched on:enable|turn off:disable|turns off:disable|turned off:disable|switch off:disable
        switched off:disable|look up:lookup|looks up:lookup|wait for:await|waits for:await|ask for:request
        asks for:request|depend on:depend|depends on:depend|rely on:depend|relies on:depend|consist of:contain
        consists of:contains|as a result:therefore|in addition:|right away:immediately|at once:immediately
        more than:above|greater than:above|less than:below|fewer than:below|as noted:|as agreed:|as mentioned:
        as before:|once again:|in other words:|to be clear:|for the record:|for reference:|in short:
        once an hour:hourly|per hour:hourly|every night:nightly|each night:nightly|keep in mind that:note
        keep in mind:note|please note that:note|note that:note|remember that:note|remember to:note|of course:
        for example:|e g:|i e:|that is to say:|in fact:|in general:usually|at all times:always|no one:nobody
        """.replace("\n", "|").split("|")
        if line.strip()
    )
}
"""Several words for what one or two say. A phrase that says nothing is left out."""

GLUE = frozenset(
    """
    a an the this that these those it its itself they them their theirs themselves there is are am be been being was
    were has have had having do does did doing done of in on at to into onto upon within and which who whom whose as
    s d ll re ve m t
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Words that carry sentences and no facts. Pronouns that tell people apart (``he``, ``she``) are not among them."""

LIGHT = frozenset(
    """
    please note remember ensure ensures currently now presently simply just really actually also additionally too
    very quite respective we our us ours service system here hence thus therefore so basically essentially indeed
    certainly each every given particular specific moreover furthermore reminder fyi nb recap importantly services
    systems
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Words that one of two wordings may have, and the other leave out."""

RESTRICTING = frozenset(
    map(
        stem,
        """
        only solely exclusively unless except until till if when whenever sometimes maybe perhaps may might could
        instead but however almost nearly partly partially unlike hardly some most all both always usually often seldom
        rarely occasionally regularly mostly mainly generally typically normally again still already yet even least
        frequently constantly permanently temporarily mandatory optional automatically manually
        """.split(),  # noqa: SIM905 - a list would take a line a word
    )
)
"""Stems of words that make a fact another one by being there."""

TELLING = frozenset(
    map(
        stem,
        """
        monday tuesday wednesday thursday friday saturday sunday january february march april june july august
        september october november december mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep
        sept oct nov dec weekday weekend spring summer autumn fall winter morning noon afternoon evening night midnight
        today yesterday tomorrow hourly daily nightly weekly monthly quarterly yearly
        ms millisecond second sec s minute min hour hr h day d week month quarter year decade
        bit byte b kb mb gb tb kib mib gib tib kilobyte megabyte gigabyte terabyte hz khz mhz ghz
        percent dollar euro pound cent usd eur gbp chf jpy yen franc utc gmt cet cest est edt pst pdt am pm
        mm cm m km inch foot feet yard mile mg g kg gram kilogram ounce ton litre liter ml celsius fahrenheit kelvin
        red green blue yellow orange purple pink brown black white grey gray
        staging production prod development dev test qa canary sandbox local remote
        north south east west left right up down front back top bottom inner outer
        primary secondary replica master leader follower client server frontend backend upstream downstream
        he she him her his hers mine yours get post put patch delete read write reader writer input output
        debug info warning error fatal critical minor major request response
        """.split(),  # noqa: SIM905 - a list would take a line a word
    )
)
"""Stems of words that tell cases of one thing apart: days, units, colours, sides, stages, roles."""

STARTS = frozenset(
    """
    for with from by before after when whenever if unless until till while during since because although though via per
    without through under over between among against than like instead where whereas
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Words with which a part of a sentence begins that may stand at its end or at its beginning."""

CLAUSES = frozenset(
    "before after when whenever if unless until till while since because although though where whereas".split()  # noqa: SIM905 - a list would take a line a word
)
"""Those of them that begin a sentence within the sentence."""

KINDS = frozenset(
    """
    folder channel service server host queue table bucket branch team project repo repository database cluster job topic
    namespace user file flag library module package account room office city street hall machine node pipeline script
    tool region zone environment group list key role endpoint port version device printer camera sensor dashboard site
    domain app application model dataset index collection schema column field class function method command program
    company film movie ship vault store api system component board document portal broker router switch gateway proxy
    cache stream feed bot agent worker daemon building floor garden market hotel school shop warehouse
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Words for kinds of things that have names of their own, which stand before or after them."""

PARTICIPLES = frozenset(
    """
    sent kept made built written set cut put lost thrown shown taken given drawn broken frozen done read run sold held
    told found bought brought caught taught paid hit shut split reset rebuilt rewritten overwritten
    """.split()  # noqa: SIM905 - a list would take a line a word
)
"""Participles without the ending that shows them."""
