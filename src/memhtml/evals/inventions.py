"""What the invented memories of the gate are made of: sentences with gaps, and what fills them.

Nothing here was ever anybody's text. The sentences are as different in shape as what agents write down: passive and
active, commands, notes of what was done, conditions, definitions; about half of them deny something, and most hold a
number. A gap is written ``{name}``; ``{Name}`` is the same filling with a capital.
"""

from __future__ import annotations

from msgspec import Struct

from memhtml.domain.vocabulary import MemoryType


class Statement(Struct, frozen=True):
    """A claim with gaps, and two right paraphrases of it: other words, the same denials, numbers and qualifiers."""

    kind: MemoryType
    claim: str
    said: tuple[str, ...]


# The type, the claim, then what says the same.
_STATEMENTS = """
semantic
The {thing} retries failed {jobs} {few} times before it gives up.
Failed {jobs} are tried again {few} times by the {thing}, which then stops.
After {few} more tries at {jobs} that failed, the {thing} lets them go.

semantic
The {thing} never retries {jobs} that timed out.
{Jobs} that ran out of time are never tried again by the {thing}.
Once {jobs} have hit their deadline, the {thing} will never run them again.

semantic
The timeout of the {thing} is {secs} s for {jobs}.
The {thing} waits {secs} s for {jobs} and then hangs up.
{Jobs} get {secs} s from the {thing} before it hangs up.

procedural
Never deploy the {thing} while {jobs} are running.
A release of the {thing} must never overlap with {jobs} in flight.
As long as {jobs} run, the {thing} is never to be rolled out.

procedural
Use the {variant} client of the {thing} for {jobs}.
{Jobs} go through the {variant} client that talks to the {thing}.
For {jobs}, the {variant} client is the right way to reach the {thing}.

procedural
Do not restart the {thing} before its {part} has drained.
The {part} must be empty first; until then, do not bounce the {thing}.
While anything is left in the {part}, the {thing} must not be bounced.

semantic
{Jobs} of the {thing} are kept for {many} days in {place}.
In {place}, the {thing} holds on to {jobs} for {many} days.
{many} days is how long {jobs} from the {thing} stay in {place}.

semantic
{Jobs} of the {thing} are not encrypted in {place}.
In {place}, what the {thing} stores as {jobs} is not under any key.
The {thing} does not put {jobs} under a key in {place}.

semantic
No {jobs} run on the {thing} during {event}.
During {event}, the {thing} has no {jobs} to work on.
While {event} lasts, no {jobs} are started by the {thing}.

semantic
The {thing} has no {part} in {place}.
In {place}, no {part} was ever set up for the {thing}.
There is no {part} behind the {thing} in {place}.

semantic
There is no backup of the {part} that the {thing} uses.
The {part} under the {thing} has no second copy anywhere.
Nobody keeps a copy of the {part} on which the {thing} relies.

semantic
The {thing} runs without a {part} in {place}.
In {place}, the {thing} gets by without any {part}.
Without a {part} is how the {thing} was set up in {place}.

semantic
Neither the {thing} nor its {part} survives {event}.
When {event} comes, neither the {part} nor the {thing} stays up.
{Event} brings down the {thing} and the {part}, and neither comes through it.

semantic
The {thing} no longer accepts {jobs} from {place}.
{Jobs} sent from {place} are no longer taken in by the {thing}.
From {place}, no {jobs} get into the {thing} these days.

semantic
The {thing} cannot replay {jobs} older than {many} hours.
{Jobs} from more than {many} hours ago cannot be run again by the {thing}.
After {many} hours, there is no way for the {thing} to play {jobs} back.

semantic
Nobody in the team of {person} may change the {part} of the {thing}.
The {part} that belongs to the {thing} is to be touched by nobody who works with {person}.
Changes to the {part} inside the {thing} are for nobody on the side of {person}.

semantic
The {thing} speaks {version} of the {part} protocol.
Between the {thing} and the {part}, {version} of the protocol is in use.
To reach the {part}, the {thing} talks {version} of its protocol.

procedural
Pin the {part} driver of the {thing} to {release}.
The {thing} must stay on {release} of the driver for the {part}.
Hold the driver for the {part} at {release} in the {thing}.

semantic
The certificate of the {thing} expires on {date}.
On {date} the {thing} runs out of a valid certificate.
{date} is the last day of the certificate that the {thing} presents.

semantic
The freeze of the {thing} begins on {day} and ends after {event}.
From {day} until {event} is over, the {thing} is closed for changes.
Changes to the {thing} stop on {day} and may go on once {event} has passed.

semantic
The nightly {jobs} of the {thing} start at {clock}.
At {clock} every night, the {thing} begins with its {jobs}.
Each night the {thing} kicks off {jobs} at {clock}.

semantic
The error budget of the {thing} is {share}% a month.
Each month the {thing} may fail for {share}% of its requests.
{share}% of monthly requests may go wrong at the {thing}.

semantic
The {thing} backs off by {factor} s between {jobs}.
From one of the {jobs} to the next, the {thing} waits for {factor} s.
A pause of {factor} s parts the {jobs} of the {thing}.

semantic
The {part} of the {thing} holds at most {load} entries.
With {load} entries, the {part} in the {thing} is full.
{load} entries are all that goes into the {part} of the {thing}.

semantic
{Jobs} above {size} MB are refused by the {thing}.
The {thing} turns away {jobs} that weigh over {size} MB.
{size} MB is the largest that {jobs} may be at the {thing}.

semantic
The {variant} {thing} is off by default in {place}.
In {place}, somebody has to switch the {variant} {thing} on.
By default, {place} comes with the {variant} {thing} turned off.

semantic
The {variant} {thing} is not monitored by {person}.
{person} does not watch the {variant} {thing}.
Watching the {variant} {thing} is not what {person} does.

semantic
The {variant} endpoint of the {thing} answers {code} for {jobs}.
Ask the {variant} endpoint on the {thing} for {jobs} and {code} comes back.
{Jobs} get a {code} from the {thing} at its {variant} endpoint.

semantic
The quorum of the {thing} is {some} of {more} nodes.
{some} of {more} nodes must agree before the {thing} commits.
At the {thing}, a vote needs {some} out of {more} nodes.

semantic
{person} owns the {part} of the {thing} and reviews {jobs} within {few} days.
Reviews of {jobs} take {few} days at {person}, who is in charge of the {part} in the {thing}.
In the {thing}, the {part} is looked after by {person}, who reads {jobs} in {few} days.

user_preference
{person} wants {jobs} of the {thing} without attachments.
Without attachments is how {person} likes {jobs} from the {thing}.
The {thing} should send {person} its {jobs} without any file.

user_preference
{person} does not want to be paged for {jobs} of the {thing}.
Pages about {jobs} from the {thing} should not reach {person}.
When {jobs} at the {thing} break, do not wake {person}.

user_preference
{person} prefers {few} small {jobs} over one large run of the {thing}.
Rather than one big run of the {thing}, {person} likes {few} small {jobs}.
To {person}, {few} small {jobs} are better than one single run of the {thing}.

error_pattern
After {event}, the {thing} did not write {jobs} to its {part}.
The {part} got no {jobs} from the {thing} once {event} had passed.
{Event} was why the {part} of the {thing} did not get its {jobs}.

error_pattern
The {thing} lost {load} {jobs} when its {part} ran full.
A full {part} cost the {thing} {load} {jobs}.
{load} {jobs} were gone from the {thing} after an overflow of the {part}.

error_pattern
The {thing} fails with error {code} when the {part} is cold.
A cold {part} makes the {thing} answer with error {code}.
Error {code} from the {thing} means that the {part} was cold.

error_pattern
Without a warm {part}, the {thing} drops {jobs}.
The {thing} loses {jobs} if it starts without a warm {part}.
{Jobs} get lost at the {thing} without the {part} being warm.

agent_insight
{Jobs} of the {thing} are safe to repeat, since the {part} drops duplicates.
One can repeat {jobs} at the {thing} safely: duplicates are dropped by the {part}.
The {part} filters duplicates, so {jobs} may be sent to the {thing} again.

agent_insight
{Jobs} of the {thing} are not safe to repeat, because the {part} keeps duplicates.
Duplicates stay in the {part}, so do not send {jobs} to the {thing} again.
It is not safe to send {jobs} to the {thing} again, as the {part} holds on to both.

precedent
We chose the {variant} scheduler over cron for {jobs} of the {thing}.
For {jobs} on the {thing}, the {variant} scheduler was taken rather than cron.
Cron lost to the {variant} scheduler when {jobs} of the {thing} were planned.

precedent
Moved the {part} of the {thing} to {place} in {few} steps.
In {few} steps, the {part} that the {thing} needs went over to {place}.
It took {few} steps to bring the {part} of the {thing} to {place}.

procedural
Always drain the {part} before a release of the {thing}.
A release of the {thing} is always preceded by emptying the {part}.
Empty the {part} first, always, and then release the {thing}.

procedural
Deploys of the {thing} must not touch {place} before {clock}.
Until {clock}, {place} must not see any deploy of the {thing}.
Before {clock}, do not roll out the {thing} to {place}.

procedural
When the {part} is full, stop {jobs} of the {thing} for {secs} minutes.
A full {part} means a break of {secs} minutes for {jobs} on the {thing}.
Give {jobs} of the {thing} a pause of {secs} minutes once the {part} has filled up.

procedural
Keep {some} copies of the {part} that the {thing} reads.
The {part} read by the {thing} needs {some} copies.
{some} copies must exist of what the {thing} reads as its {part}.

semantic
It takes {secs} minutes to rebuild the {part} of the {thing}.
A rebuild of the {part} in the {thing} lasts {secs} minutes.
Rebuilding what the {thing} has as {part} is a matter of {secs} minutes.

semantic
Since {date}, the {variant} {part} of the {thing} is in {place}.
The {thing} has had its {variant} {part} in {place} since {date}.
{Place} has been home to the {variant} {part} of the {thing} since {date}.

semantic
{Event} does not stop the {thing}, though its {part} slows down.
The {thing} does not go down in {event}; only the {part} gets slower.
In {event} the {part} is slow, yet the {thing} is not stopped.

semantic
The {thing} can serve {load} readers during {event}.
{load} readers are within reach of the {thing} in {event}.
In {event}, as many as {load} readers get through to the {thing}.

semantic
The {thing} is the only one that writes to the {part} in {place}.
In {place}, all writes to the {part} come from the {thing} alone.
Writing to the {part} in {place} is left to the {thing}.

semantic
The {thing} was not covered by the audit on {day}.
The audit of {day} did not look at the {thing}.
On {day}, the auditors did not check the {thing}.

error_pattern
{Jobs} stall on {release} of the {thing} if {event} takes over {secs} minutes.
On {release}, the {thing} gets stuck with {jobs} once {event} lasts more than {secs} minutes.
{Event} of over {secs} minutes blocks {jobs} on {release} of the {thing}.
"""

# Sentences around a claim: they name other things, and say nothing for or against it.
_AROUND = """
{other} asked for this after a long week.
The change came in with the work on the {aside}.
{other} wrote it down in the handbook of the team.
Before that, the {aside} was the slowest piece of the whole.
The reason is the price of the {aside}.
A dashboard in the office of {other} shows it.
The old rule was never written down.
It came up again at the review, where {other} had {tally} questions.
No alarm covers the {aside} yet.
The {aside} is a story of its own.
"""

_STRANGERS = """
{person} keeps the keys of the {room} in the {colour} drawer.
The coffee in the {room} is ordered from {town} every {few} weeks.
Nobody books the {room} on a {weekday} afternoon.
The train to {town} leaves from platform {some} on a {weekday}.
{person} is allergic to {food} and never eats in the canteen.
The {colour} projector in the {room} does not work with adapters.
Lunch with {person} in {town} moved to {day}.
The lease of the office in {town} ends on {date}.
{person} grew up in {town} and speaks {some} languages.
The {room} has {load} seats and no window.
Visitors from {town} sign in at the {colour} desk.
{person} runs {size} km around {town} every {weekday}.
The plants in the {room} are watered by {person} without being asked.
Parking in {town} costs {some} coins an hour.
The choir of the office sings {food} songs on {weekday} evenings.
{person} cannot make it to the fair in {town} on {date}.
The legacy badge printer stands in the {room}, beside the {colour} shelf.
{person} brews {food} tea at {clock}.
The beta tickets for the concert in {town} cost {load} coins.
The bicycle of {person} is {colour} and has {few} gears.
The fire drill in the {room} takes {secs} minutes.
{person} bought {load} {colour} chairs for the office in {town}.
The insurance does not cover the {colour} van that {person} drives.
The invoice of the florist in {town} is due on {day}.
"""

_FILLINGS = {
    "jobs": "imports|exports|uploads|payouts|deliveries|invoices|reports|thumbnails|webhooks|refunds|digests|"
    "receipts|transcripts|reminders|renewals",
    "part": "session cache|rate limiter|audit log|token store|connection pool|lookup table|job table|search index|"
    "event log|mail relay|blob store|message broker|ledger|retry queue|price list",
    "place": "staging|production|the northern region|the demo tenant|the build farm|the archive|the standby cluster|"
    "the partner network",
    "event": "a failover|a rolling upgrade|a full resync|a power cut|a schema change|the yearly close|"
    "a leader election",
    "person": "Ansa|Borlak|Cimene|Dovra|Eskil|Fenwa|Gorla|Hestin|Ilvane|Jorrit|Kamsa|Lorvik|Medra|Nolvik|Oresta",
    "other": "Pelvin|Quessa|Rundal|Sorvane|Tilda|Ulvar|Vesna|Wendor",
    "aside": "style guide|billing form|weekly newsletter|meeting calendar|onboarding course|cost report",
    "variant": "legacy|beta|alpha|preview|experimental|deprecated",
    "few": "two|three|four|five|six|seven",
    "some": "2|3|4|5",
    "more": "7|9|11",
    "tally": "two|three|four",
    "many": "7|14|30|45|60|90|120",
    "secs": "5|8|12|15|20|30|40|45|90",
    "factor": "0.5|1.5|2.5|0.25|1.2|3.5",
    "share": "0.1|0.5|1.5|2|5",
    "load": "120|250|300|400|512|1,000|2,500|4,096",
    "size": "5|16|25|40|64|80",
    "code": "403|409|412|423|500|502|503",
    "version": "v1|v2|v3|v4",
    "release": "1.4.2|2.0.7|2.3.1|3.8.0|4.1.12|0.9.5",
    "date": "2026-03-04|2026-05-17|2026-06-21|2026-09-08|2026-11-26|2027-01-13",
    "day": "March 3|April 12|June 9|August 21|October 5|November 18",
    "clock": "02:30|03:15|04:45|06:00|21:20|22:10",
    "room": "kitchen|library|workshop|attic|lobby|basement|studio",
    "colour": "red|green|yellow|purple|orange|grey|turquoise",
    "town": "Arlen|Brisvold|Corvane|Dunmar|Estrel|Falkensund|Gristow|Holmby|Istrad|Jervik",
    "food": "almond|fennel|barley|cherry|ginger|lentil|walnut|mint",
    "syllable": "bel|cor|dan|dor|fen|gar|hul|jor|kel|lum|mar|nor|pra|ren|sol|tam|ver|wis|yor|zan",
    "weekday": "Monday|Tuesday|Wednesday|Thursday|Friday",
}

STATEMENTS = tuple(
    Statement(MemoryType(kind), claim, tuple(said))
    for kind, claim, *said in (block.splitlines() for block in _STATEMENTS.strip().split("\n\n"))
)
AROUND = tuple(_AROUND.strip().splitlines())
"""What may stand in a body besides."""
STRANGERS = tuple(_STRANGERS.strip().splitlines())
"""Claims about quite other matters, with numbers, denials and qualifiers of their own."""
FILLINGS = {gap: tuple(given.split("|")) for gap, given in _FILLINGS.items()}
"""What a gap is filled with."""
SYLLABLES = FILLINGS.pop("syllable")
"""Of the names of invented things."""
KINDS = ("gateway", "worker", "scheduler", "importer", "exporter", "proxy", "runner", "registry", "mailer", "collector")
"""What the invented things are; all of them come in variants."""
