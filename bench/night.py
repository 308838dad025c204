"""A night on stores of a thousand memories and more, checked against what was planted in them. See README.md.

    python bench/night.py DATA [--counts 1000 5000] [--stores FOLDER]

DATA holds question sets (`*.docs.jsonl.gz`), whose documents become the memories among which the plants lie.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import plants
from aftermath import Aftermath, Side, tree
from planting import DATE, Planted, planted
from processes import Cost, run
from stores import command, variables

from memhtml.models.minilm import MiniLM

BOUND = 0.92
"""Cosine above which two memories are near-duplicates."""
FIRST, SECOND = f"sleep/{DATE}", f"sleep/{DATE}-2"


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the stores are, and where the documents come from."""

    folder: Path
    data: Path

    def copied(self, root: Path, name: str) -> Path:
        """A copy of a store; what an earlier run left there is gone."""
        copy = self.folder / name
        shutil.rmtree(copy, ignore_errors=True)
        return shutil.copytree(root, copy, symlinks=True)

    def memhtml(self, root: Path, *words: str) -> Cost:
        """Run one command on a store, as its own process."""
        return run([*command(), *words, "--root", str(root)], variables=variables(self.folder))

    def night(self, root: Path) -> Cost:
        """A night without a model."""
        return self.memhtml(root, "sleep", "run", "--date", DATE, "--no-model")


def near_enough() -> bool:
    """Whether the plants are as near as they must be: nothing is proved by pairs that likeness alone keeps apart."""
    made = MiniLM()
    pairs = [*plants.DUPLICATES, *(pair for _, *pair in plants.TWINS)]
    rows = made.embed([text for pair in pairs for text in pair])
    cosines = (rows[::2] * rows[1::2]).sum(axis=1)
    print(f"plants: {len(plants.DUPLICATES)} duplicates from cosine {cosines[: len(plants.DUPLICATES)].min():.3f} on, "
          f"{len(plants.TWINS)} near-twins from {cosines[len(plants.DUPLICATES) :].min():.3f} on")  # fmt: skip
    return bool((cosines > BOUND).all())


def one_night(bench: Bench, count: int) -> tuple[Cost, bool]:
    """A night on a store of ``count`` documents; what it cost, and whether everything ended as it must."""
    root, made = planted(bench.folder, bench.data, count)
    print(f"\n{made.documents:,} documents and {plants_of(made)} plants")
    work = bench.copied(root, f"work-{count}")
    main = tree(work, "main")
    cost = bench.night(work)
    before, after = Side(work, "main"), Side(work, FIRST)
    good = tell(Aftermath(before, after, made))
    good &= check("main is as it was", tree(work, "main") == main)
    again = bench.copied(root, f"again-{count}")
    bench.night(again)
    good &= check("the same night on a copy gives the same tree", tree(again, FIRST) == tree(work, FIRST))
    return cost, good


def on_its_own_result(bench: Bench, count: int) -> bool:
    """Merge the night, and sleep again: nothing is left to do."""
    work = bench.folder / f"work-{count}"
    merged = bench.memhtml(work, "sleep", "merge", DATE)
    good = check(f"the run passes both gates and lands ({told(merged)})", tree(work, "main") == tree(work, FIRST))
    bench.night(work)
    return good & check("a night on its own result proposes nothing", tree(work, SECOND) == tree(work, "main"))


def tell(found: Aftermath) -> bool:
    """Print how each kind of plant ended, and what a person has to look at."""
    good = True
    for finding in found.findings():
        good &= check(f"{finding.name}: {finding.right} of {finding.of}", finding.holds)
        for wrong in finding.wrong[:10]:
            print(f"         {wrong[:300]}")
    merges, evicted = found.merges(), found.evicted()
    print(f"         {len(merges)} merges among documents, for a person to judge:")
    for gone, kept in merges:
        print(f"           - {gone[:200]}\n             {kept[:200]}")
    print(f"         {len(evicted)} memories were hardly worth their place and put away")
    return good


def check(name: str, holds: bool) -> bool:  # noqa: FBT001 - what is checked
    """Print it."""
    print(f"{'ok' if holds else 'MISSED':6} {name}", flush=True)
    return holds


def told(cost: Cost) -> str:
    """What something cost, in words."""
    return f"{cost.wall:.1f} s, {cost.cpu:.1f} CPU s, {cost.peak:.0f} MB"


def plants_of(made: Planted) -> int:
    """How many memories are planted."""
    spelled = sum(len(right) + len(otherwise) for right, otherwise in made.aliases)
    people = sum(1 + len(others) for _, others in made.people)
    pairs = (made.duplicates, made.twins, made.others, made.dangling, made.contradictions, made.untouchable)
    gone = len(made.dangling) - len(made.moved)
    return spelled + people + 2 * sum(map(len, pairs)) + len(made.used) + len(made.unused) - gone


def main() -> None:
    """Make what is missing, sleep, check, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="a folder of question sets")
    parser.add_argument("--counts", type=int, nargs="+", default=[1_000, 5_000], help="documents")
    parser.add_argument("--stores", type=Path, default=Path(tempfile.gettempdir()) / "memhtml-nights", help="kept")
    parser.add_argument("--merge", type=int, default=1_000, help="merge the night on this many, and sleep again")
    given = parser.parse_args()
    given.stores.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.stores.resolve(), given.data)
    good = check(f"all plants are nearer than {BOUND}", near_enough())
    costs: dict[int, Cost] = {}
    for count in given.counts:
        costs[count], held = one_night(bench, count)
        good &= held
        print(f"       a night on {count:,}: {told(costs[count])}")
        if count == given.merge:
            good &= on_its_own_result(bench, count)
    for small, large in zip(given.counts, given.counts[1:], strict=False):
        one, other = costs[small], costs[large]
        print(f"\nfrom {small:,} to {large:,}: wall x{other.wall / one.wall:.1f}, CPU x{other.cpu / one.cpu:.1f}, "
              f"peak x{other.peak / one.peak:.2f}")  # fmt: skip
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
