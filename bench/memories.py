"""Made-up memories of engineers who do not exist, for measuring: any number, the same ones for the same seed.

Nothing here was ever anybody's text. Names are built from syllables, so that a store has many rare words, a few very
common ones, and no two memories alike.

    python bench/memories.py 1000 | memhtml apply -
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split("|")]


_SYLLABLES = _words("ba|bel|cor|dan|dor|el|fen|gar|hul|in|jo|kel|lum|mar|nor|ol|pra|qui|ren|sol|tam|ul|ver|wis|yor|zan")
_KINDS = _words("gateway|ledger|worker|scheduler|cache|importer|billing|search|mailer|archive|registry|proxy")
_PEOPLE = _words("Ansa|Borlak|Cimene|Dovra|Eskil|Fenwa|Gorla|Hestin|Ilvane|Jorrit|Kamsa|Lorvik")
_PARTS = _words(
    "retry queue|connection pool|token refresh|health check|schema migration|rate limiter|batch export|feature flag|"
    "log shipper|session store|upload path|nightly backup|index rebuild|webhook handler"
)
_SYMPTOMS = _words(
    "timed out|ran out of memory|lost messages|answered twice|sorted wrongly|leaked sockets|hung|dropped accents|"
    "ignored its deadline|filled the disk|rejected valid input|drifted by an hour"
)
_CAUSES = _words(
    "a stale lock file|an expired certificate|two workers sharing one cursor|a default of zero|a missing index|"
    "daylight saving time|a renamed column|an unbounded buffer|a copied secret"
)
_CURES = _words(
    "pinning the version|adding a deadline|draining before restart|splitting the table|moving the check to the door|"
    "halving the batch size|writing to a temporary file first"
)
_PLACES = _words("staging|production|the office cluster|the build farm|the demo tenant|the southern region")

Record = dict[str, object]


def memories(count: int, seed: int = 1) -> Iterator[Record]:
    """``count`` lines for `memhtml apply`, each another memory, in the order in which they were written."""
    chance = random.Random(seed)
    names = [_name(chance) for _ in range(max(20, count // 40))]
    for number in range(count):
        yield _memory(chance, names, number)


def queries(count: int, seed: int = 1) -> list[str]:
    """``count`` questions about the first thousand memories of ``seed``, in words of theirs and of nobody's."""
    chance = random.Random(seed + 1)
    asked = []
    for record in chance.choices(list(memories(1000, seed)), k=count):
        words = [word for word in str(record["claim"]).rstrip(".").split() if len(word) > 3]
        asked.append(" ".join(["why", *chance.sample(words, min(5, len(words)))]))
    return asked


def _memory(chance: random.Random, names: list[str], number: int) -> Record:
    # Squared, so that a few services are in very many memories and most are in a few.
    service = names[int(len(names) * chance.random() ** 2)]
    part, place, person = chance.choice(_PARTS), chance.choice(_PLACES), chance.choice(_PEOPLE)
    symptom, cause, cure = chance.choice(_SYMPTOMS), chance.choice(_CAUSES), chance.choice(_CURES)
    size, ticket = chance.randrange(2, 900), f"{service.split('-')[0].upper()}-{number + 100}"
    claim, kind = chance.choice(
        [
            (f"The {part} of {service} {symptom} in {place} because of {cause}.", "error_pattern"),
            (f"{person} fixed {ticket} in {service} by {cure}.", "episodic"),
            (f"{service} keeps at most {size} entries in its {part} ({ticket}).", "semantic"),
            (f"Restart the {part} of {service} only after {cure}; see {ticket}.", "procedural"),
            (f"{person} wants the {part} of {service} reviewed before {place}, as in {ticket}.", "user_preference"),
        ]
    )
    sentences = [
        f"It {symptom} again at {size} requests a second, and {person} found {cause}.",
        f"The cure was {cure}, tried first in {place}.",
        f"Ticket {ticket} has the trace from the {part}.",
        f"Before that, {chance.choice(names)} had waited {size} seconds for the {chance.choice(_PARTS)}.",
        f"Nobody should copy the setting to {chance.choice(names)}, where it {chance.choice(_SYMPTOMS)}.",
    ]
    record: Record = {
        "op": "write",
        "type": kind,
        "claim": claim,
        "body": " ".join(chance.sample(sentences, chance.randrange(1, 5))),
        "tag": [part.replace(" ", "-"), place.split()[-1]],
        "entity": [f"service:{service}", f"person:{person}"],
        "workspace": service if chance.random() < 0.7 else None,
        "importance": chance.randrange(1, 11),
    }
    if kind == "episodic":
        day = 1 + number % 28
        record["event_at"] = f"{2021 + number % 5}-{1 + number % 12:02}-{day:02}"
    return {name: value for name, value in record.items() if value is not None}


def _name(chance: random.Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.randrange(2, 4))) + "-" + chance.choice(_KINDS)


def main() -> None:
    """Print as many as the first argument says, made with the seed that the second one gives."""
    count, seed = (int(word) for word in [*sys.argv[1:], "1"][:2])
    for record in memories(count, seed):
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
