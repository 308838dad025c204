"""What a night did, held against what was planted before it: files of two commits, read by the format alone.

A memory is known again by the text of its article, which no phase may change; so neither reports, nor counts, nor
messages of the run are believed.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import plants
from planting import Planted

from memhtml.domain.memory import Facts
from memhtml.domain.vocabulary import MemoryType, Rel, Status
from memhtml.page.read import read

EXTENDED_TO = "2026-08-11"
"""14 days after the night."""
NO_MEMORIES = ("index.html", "README.html")


@dataclass(frozen=True, slots=True)
class Memory:
    """One file."""

    path: str
    data: bytes
    facts: Facts

    @property
    def in_use(self) -> bool:
        """Whether it is neither archived nor in the archive."""
        return self.facts.head.status is Status.ACTIVE and not self.path.startswith("archive/")

    def links(self, rel: Rel) -> list[str]:
        """Where its links of this kind lead."""
        return [link.target for link in self.facts.links if link.rel is rel]

    @property
    def entities(self) -> set[str]:
        """What its head names."""
        return {str(entity) for entity in self.facts.head.entities}


class Side:
    """All memories of a commit."""

    def __init__(self, root: Path, commit: str) -> None:
        self.memories = {memory.path: memory for memory in _memories(root, commit)}

    @cached_property
    def by_text(self) -> dict[str, list[Memory]]:
        """The memories that say one thing, by the hash of that."""
        found: dict[str, list[Memory]] = {}
        for memory in self.memories.values():
            found.setdefault(memory.facts.content_hash, []).append(memory)
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """How many of the cases of a kind ended as they must."""

    name: str
    right: int
    of: int
    wrong: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether all did."""
        return self.right == self.of and not self.wrong


class Aftermath:
    """Main before a night, and the night's result."""

    def __init__(self, before: Side, after: Side, made: Planted) -> None:
        self.before, self.after, self.made = before, after, made

    def now(self, path: str) -> Memory:
        """The memory that was at ``path`` before the night, wherever it is now."""
        (found,) = self.after.by_text[self.before.memories[path].facts.content_hash]
        return found

    def findings(self) -> Iterator[Finding]:
        """Each kind of plant, then what holds for every memory."""
        made = self.made
        yield _judged("true duplicates are folded into the older", made.duplicates, self._folded)
        yield _judged("near-twins stay two", made.twins, self._both_stay)
        yield _judged(
            "spellings of an entity become one", list(zip(made.aliases, plants.ALIASES, strict=True)), self._one_name
        )
        yield _judged("like names of two things stay two", made.others, self._names_stay)
        yield _judged("dangling links lead somewhere, or are gone", made.dangling, self._repaired)
        yield _judged("expired memories in use are extended", made.used, self._extended)
        yield _judged("expired memories out of use are archived", made.unused, self._ended)
        yield _judged("contradictions stay, and are a task", made.contradictions, self._contradicts)
        yield _judged(
            "former names of people are replaced", list(zip(made.people, plants.PEOPLE, strict=True)), self._renamed
        )
        yield _judged("what is a person's is the same bytes", made.untouchable, self._untouched)
        yield self._accounted()
        yield self._links_lead_somewhere()

    def merges(self) -> list[tuple[str, str]]:
        """Of what the night archived and something else took the place of, the texts: gone, kept; plants left out."""
        planted = {newer for _, newer in self.made.duplicates}
        found = []
        for path, memory in sorted(self.before.memories.items()):
            now = self.now(path)
            heir = now.facts.head.superseded_by
            if memory.in_use and not now.in_use and heir is not None and path not in planted:
                kept = self.after.memories.get(heir)
                found.append((memory.facts.body, "(nothing)" if kept is None else kept.facts.body))
        return found

    def evicted(self) -> list[str]:
        """What the night archived, and nothing took the place of, plants left out."""
        planted = set(self.made.unused)
        return [
            path
            for path, memory in sorted(self.before.memories.items())
            if memory.in_use and path not in planted
            and not (now := self.now(path)).in_use and now.facts.head.superseded_by is None
        ]  # fmt: skip

    def _folded(self, pair: tuple[str, str]) -> str:
        older, newer = map(self.now, pair)
        if not older.in_use or newer.in_use:
            return "not folded" if newer.in_use else "the older one is gone"
        if not newer.path.startswith("archive/2026/") or newer.facts.head.superseded_by != older.path:
            return f"{newer.path} does not name {older.path}"
        return "" if newer.path in older.links(Rel.SUPERSEDES) else f"{older.path} does not say what it supersedes"

    def _both_stay(self, pair: tuple[str, str]) -> str:
        one, other = map(self.now, pair)
        return "" if one.in_use and other.in_use else "one was put away"

    def _one_name(self, case: tuple[tuple[list[str], list[str]], tuple[str, str]]) -> str:
        (right, otherwise), (name, other) = case
        memories = [self.now(path) for path in (*right, *otherwise)]
        wrong = [memory.path for memory in memories if name not in memory.entities or other in memory.entities]
        return f"{len(wrong)} of {len(memories)} say otherwise" if wrong else ""

    def _names_stay(self, pair: tuple[str, str]) -> str:
        changed = [path for path in pair if self.now(path).entities != self.before.memories[path].entities]
        return f"{changed[0]} names something else" if changed else ""

    def _repaired(self, pair: tuple[str, str]) -> str:
        source, target = pair
        leads = self.now(source).links(Rel.SUPPORTS)
        wanted = [self.made.moved[target]] if target in self.made.moved else []
        if wanted and leads and leads[0] in self.after.memories:
            moved_on = self.after.memories[leads[0]].facts.content_hash
            return "" if moved_on == self.before.memories[wanted[0]].facts.content_hash else f"leads to {leads[0]}"
        return "" if leads == wanted else f"leads to {leads}, not to {wanted}"

    def _extended(self, path: str) -> str:
        memory = self.now(path)
        head = memory.facts.head
        as_it_must = memory.in_use and head.valid_until == EXTENDED_TO and head.reprieves == 1
        return "" if as_it_must else f"valid until {head.valid_until}, extended {head.reprieves} times"

    def _ended(self, path: str) -> str:
        memory = self.now(path)
        return "" if not memory.in_use and memory.facts.head.superseded_by is None else "still in use"

    def _contradicts(self, pair: tuple[str, str]) -> str:
        if why := self._both_stay(pair):
            return why
        if self.now(pair[1]).path not in self.now(pair[0]).links(Rel.CONTRADICTS):
            return "nothing says so any more"
        about = set(pair) | {self.now(path).path for path in pair}
        tasks = [task for task in self.after.memories.values() if task.facts.head.type is MemoryType.TASK]
        asked = [task for task in tasks if {facet.value for facet in task.facts.facets} & about]
        return "" if len(asked) == 1 else f"{len(asked)} tasks ask about it"

    def _renamed(self, case: tuple[tuple[str, list[str]], tuple[str, str, tuple[str, ...]]]) -> str:
        (file, others), (name, former, _) = case
        for path in others:
            memory = self.now(path)
            if memory.entities != {f"person:{name}"}:
                return f"{path} names {sorted(memory.entities)}, not {name} but {former}"
            if memory.links(Rel.ABOUT_PERSON) != [self.now(file).path]:
                return f"{path} is not linked to {file}"
        stubs = [
            path
            for path in self.after.memories
            if path.startswith("resources/people/") and former in self.after.memories[path].facts.title
        ]
        return f"{stubs[0]} was made for the former name" if stubs else ""

    def _untouched(self, pair: tuple[str, str]) -> str:
        theirs = self.after.memories.get(pair[0])
        if theirs is None or theirs.data != self.before.memories[pair[0]].data:
            return f"{pair[0]} is not as it was"
        return "" if self.now(pair[1]).facts.head.superseded_by is None else f"{pair[1]} was folded into it"

    def _accounted(self) -> Finding:
        """Every text of before is there once, and nothing is new but tasks and files of people."""
        wrong = []
        for path, memory in self.before.memories.items():
            found = self.after.by_text.get(memory.facts.content_hash, [])
            if len(found) != len(self.before.by_text[memory.facts.content_hash]):
                wrong.append(f"{path} is there {len(found)} times")
        new = [self.after.by_text[text][0] for text in self.after.by_text.keys() - self.before.by_text.keys()]
        wrong += [
            f"{memory.path} is new" for memory in new
            if memory.facts.head.type is not MemoryType.TASK or memory.facts.head.author != "agent:sleep"
        ]  # fmt: skip
        whole = len(self.before.memories)
        return Finding("every memory is there, and none is made up", whole - len(wrong), whole, tuple(wrong))

    def _links_lead_somewhere(self) -> Finding:
        ends = [
            (memory.path, link.target)
            for memory in self.after.memories.values() if memory.in_use
            for link in memory.facts.links if link.rel is not Rel.FROM_SESSION
        ]  # fmt: skip
        wrong = [f"{path} leads to {target}" for path, target in ends if target not in self.after.memories]
        return Finding("links of what is in use lead somewhere", len(ends) - len(wrong), len(ends), tuple(wrong))


def _judged(name: str, cases: Sequence[Any], judge: Callable[[Any], str]) -> Finding:
    wrong = [f"{case}: {why}" for case in cases if (why := judge(case))]
    return Finding(name, len(cases) - len(wrong), len(cases), tuple(wrong))


def tree(root: Path, commit: str) -> str:
    """The id of a commit's tree."""
    return _git(root, "rev-parse", f"{commit}^{{tree}}").decode().strip()


def _memories(root: Path, commit: str) -> Iterator[Memory]:
    listed = _git(root, "ls-tree", "-r", "-z", commit).decode().split("\0")
    blobs: Mapping[str, str] = {
        path: entry.split()[2]
        for entry, _, path in (line.partition("\t") for line in listed if line)
        if path.endswith(".html") and not path.startswith(".") and not path.endswith(NO_MEMORIES)
    }
    contents = _git(root, "cat-file", "--batch", given="".join(f"{blob}\n" for blob in blobs.values()).encode())
    place = 0
    for path in blobs:
        begin = contents.index(b"\n", place) + 1
        place = begin + int(contents[place:begin].split()[2]) + 1
        data = contents[begin : place - 1]
        facts = read(data).facts
        if facts is not None:
            yield Memory(path, data, facts)


def _git(root: Path, *words: str, given: bytes = b"") -> bytes:
    return subprocess.run(["git", *words], cwd=root, check=True, input=given, capture_output=True).stdout
