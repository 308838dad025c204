"""A store before a night: documents of question sets as memories, and what is planted among them.

The documents are read from a folder when this runs, and are nobody's to publish: nothing of them is kept here.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

import plants
from processes import run
from stores import command, variables

from memhtml import Store
from memhtml.domain.memory import Instant

BATCH = 500
LONGEST = 400
"""Characters of a document: what matters is how many memories there are, and vectors cost by length."""
FIRST = datetime(2026, 7, 16, 8, tzinfo=UTC)
"""When the first memory is written."""
DATE = "2026-07-28"
"""The night."""
SPELLED_RIGHT, SPELLED_OTHERWISE = 3, 2
"""Memories with each spelling of an entity's name."""
_END = re.compile(r"(?<=[.!?])\s+")

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Planted:
    """Paths, at the time of planting, of what was planted; each kind in the order of `plants`.

    Attributes:
        documents: how many memories were made of documents.
    """

    documents: int
    duplicates: list[tuple[str, str]]
    twins: list[tuple[str, str]]
    aliases: list[tuple[list[str], list[str]]]
    others: list[tuple[str, str]]
    dangling: list[tuple[str, str]]
    moved: dict[str, str]
    used: list[str]
    unused: list[str]
    contradictions: list[tuple[str, str]]
    people: list[tuple[str, list[str]]]
    untouchable: list[tuple[str, str]]


class Hand:
    """Writes into a store; it is a minute later after each batch."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self.root, self.now, self.environment = root, FIRST, environment

    def apply(self, lines: Iterable[Line]) -> list[str | None]:
        """Do ``lines`` as one commit; the paths of what is new."""
        self.now += timedelta(minutes=1)
        with self._open() as store:
            done = store.apply(list(lines))
        return [result.path if result.outcome.value == "written" else None for result in done.results]

    def written(self, lines: Iterable[Line]) -> list[str]:
        """The same where all must be new."""
        paths = self.apply(lines)
        if not all(paths):
            raise RuntimeError("a plant is in the store already")
        return [path for path in paths if path]

    def use(self, paths: list[str], times: int) -> None:
        """Open memories, with pauses after which it counts as use again."""
        for _ in range(times):
            self.now += timedelta(hours=1)
            with self._open() as store:
                store.read(*paths)

    def git(self, *words: str) -> str:
        """What a person does by hand."""
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@localhost", *words],
            cwd=self.root, env=self.environment, check=True, capture_output=True, encoding="utf-8",
        )  # fmt: skip
        return done.stdout

    def _open(self) -> Store:
        # Frozen, so that the store has the same bytes whenever it is made.
        return Store.open(self.root, embed="off", variables=self.environment, clock=_Stopped(self.now))


class _Stopped:
    """A clock that stands still."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> Instant:
        """Always the same."""
        return Instant(self._now.strftime("%Y-%m-%dT%H:%M:%SZ"))


def planted(folder: Path, data: Path, count: int) -> tuple[Path, Planted]:
    """A store of ``count`` documents and all plants, with vectors; the one of an earlier run where there is one."""
    root, record = folder / f"night-{count}", folder / f"night-{count}.json"
    if not record.exists():
        environment = variables(folder, "off")
        shutil.rmtree(root, ignore_errors=True)
        Store.init(root, embed="off", variables=environment).close()
        made = _plant(Hand(root, environment), documents(data), count)
        print(f"  {root.name}: making vectors", file=sys.stderr, flush=True)
        run([*command(), "index", "embed", "--root", str(root)], variables=variables(folder))
        record.write_text(json.dumps(asdict(made), indent=1) + "\n")
    return root, Planted(**json.loads(record.read_text()))


def documents(data: Path) -> Iterator[str]:
    """The texts of every set in ``data``, a few of each in turns, so that what belongs together stays together."""
    sets = [_texts(path) for path in sorted(data.glob("*.docs.jsonl.gz"))]
    portions = zip_longest(*(_portions(texts, 10) for texts in sets), fillvalue=())
    return chain.from_iterable(chain.from_iterable(portions))


def _texts(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield " ".join(json.loads(line)["text"].split())[:LONGEST].strip()


def _portions(texts: Iterator[str], size: int) -> Iterator[list[str]]:
    while portion := list(islice(texts, size)):
        yield portion


def _plant(hand: Hand, texts: Iterator[str], count: int) -> Planted:
    older = hand.written(_write(first) for first, _ in plants.DUPLICATES)
    filed = _documents(hand, texts, count)
    spelled = iter(filed)
    twins = hand.written(_write(text) for _, *pair in plants.TWINS for text in pair)
    newer = hand.written(_write(second) for _, second in plants.DUPLICATES)
    dangling, moved = _dangling(hand)
    expired = hand.written({**_write(text), "valid_until": "2026-07-22"} for text in plants.EXPIRED)
    half = len(expired) // 2
    hand.use(expired[:half], 4)
    return Planted(
        documents=len(filed),
        duplicates=list(zip(older, newer, strict=True)),
        twins=_pairs(twins),
        aliases=[_spelled(hand, spelled, *names) for names in plants.ALIASES],
        others=[_told_apart(hand, spelled, *names) for names in plants.OTHERS],
        dangling=dangling,
        moved=moved,
        used=expired[:half],
        unused=expired[half:],
        contradictions=_contradicting(hand),
        people=_people(hand),
        untouchable=_untouchable(hand),
    )


def _documents(hand: Hand, texts: Iterator[str], count: int) -> list[str]:
    """``count`` memories of documents; those that say the same as an earlier one are passed over."""
    filed: list[str] = []
    kinds = ("agent_insight", "semantic", "user_preference", "verdict")
    while len(filed) < count:
        batch = list(islice(texts, min(BATCH, count - len(filed))))
        if not batch:
            raise RuntimeError("the folder has too few documents")
        lines = [_document(text, kinds[(len(filed) + number) % len(kinds)]) for number, text in enumerate(batch)]
        filed += [path for path in hand.apply(lines) if path]
        print(f"  {hand.root.name}: {len(filed):,} documents", file=sys.stderr, flush=True)
    return filed


def _document(text: str, kind: str) -> Line:
    claim, *rest = _END.split(text, 1)
    return {"op": "write", "type": kind, "claim": claim, **({"body": rest[0]} if rest else {})}


def _write(text: str, **fields: object) -> Line:
    return {"op": "write", "claim": text, **fields}


def _pairs(paths: list[str]) -> list[tuple[str, str]]:
    return list(zip(paths[::2], paths[1::2], strict=True))


def _spelled(hand: Hand, filed: Iterator[str], name: str, other: str) -> tuple[list[str], list[str]]:
    """Memories that name a thing right, and otherwise: of things that nobody else names."""
    right = [_named(hand, name, next(filed)) for _ in range(SPELLED_RIGHT)]
    return right, [_named(hand, other, next(filed)) for _ in range(SPELLED_OTHERWISE)]


def _told_apart(hand: Hand, filed: Iterator[str], name: str, other: str) -> tuple[str, str]:
    return _named(hand, name, next(filed)), _named(hand, other, next(filed))


def _named(hand: Hand, entity: str, like: str) -> str:
    """A memory that names ``entity``: what it says is far from all others, being made of the path of a document."""
    words = Path(like).stem.replace("-", " ")
    line = _write(f"Somebody asked about this: {words}.", type="agent_insight", entity=[entity])
    return hand.written([line])[0]


def _dangling(hand: Hand) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Links whose target a person moves or deletes by hand; and where those that are moved lie now."""
    pairs = _pairs(hand.written(_write(text) for pair in plants.DANGLING for text in pair))
    hand.apply({"op": "link", "source": one, "rel": "supports", "target": other} for one, other in pairs)
    moved = {other: f"resources/found/{Path(other).name}" for _, other in pairs[:2]}
    (hand.root / "resources/found").mkdir(parents=True)
    for old, new in moved.items():
        hand.git("mv", old, new)
    hand.git("rm", "--quiet", *(other for _, other in pairs[2:]))
    hand.git("commit", "--quiet", "-m", "tidied by hand")
    return pairs, moved


def _contradicting(hand: Hand) -> list[tuple[str, str]]:
    pairs = _pairs(hand.written(_write(text) for pair in plants.CONTRADICTIONS for text in pair))
    hand.apply({"op": "link", "source": one, "rel": "contradicts", "target": other} for one, other in pairs)
    return pairs


def _people(hand: Hand) -> list[tuple[str, list[str]]]:
    found = []
    for name, former, told in plants.PEOPLE:
        slug = name.lower().replace(" ", "-")
        file = _write(
            f"{name} works with us.", title=name, entity=[f"person:{name}"], alias=[former],
            path=f"resources/people/{slug}.html",
        )  # fmt: skip
        path, *others = hand.written([file, *(_write(text, entity=[f"person:{former}"]) for text in told)])
        found.append((path, others))
    return found


def _untouchable(hand: Hand) -> list[tuple[str, str]]:
    (one, other), (mine, theirs) = plants.UNTOUCHABLE
    vital = hand.written([_write(one, importance=10), _write(other)])
    human = hand.written([_write(mine, author="human:ada"), _write(theirs)])
    return [(vital[0], vital[1]), (human[0], human[1])]
