"""The questions of docs/how-to/ask-with-code.md, as they stand there, on three thousand memories, in one call each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from memhtml import Store
from memhtml.domain.memory import Instant
from memhtml.workspace.clock import FixedClock

# Three thousand memories and as many links take a busy machine a minute.
pytestmark = pytest.mark.timeout(600)

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "ask-with-code.md"
COUNT = 3000
EARLY, LATE = Instant("2025-03-01T10:00:00Z"), Instant("2026-07-01T10:00:00Z")

Line = dict[str, object]


def questions() -> list[str]:
    """The scripts of the page, in its order."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def applied(root: Path, environment: Mapping[str, str], now: Instant, lines: list[Line]) -> list[str]:
    """The paths of what was written."""
    with Store.open(root, embed="off", variables=environment, clock=FixedClock(now)) as store:
        return [result.path for result in store.apply(lines).results if result.path]


def fact(number: int, tag: str) -> Line:
    """A memory like no other; what it names three of them name."""
    return {
        "op": "write",
        "claim": f"Shelf {number} of hall {number % 7} holds {number * 37 % 1009} boxes.",
        "body": "It was counted by hand, from left to right. " * (1 + number % 5),
        "tag": [tag, f"hall-{number % 7}"],
        "entity": [f"shelf:{number // 3}"],
    }


class Planted:
    """A store of `COUNT` memories, and what it holds, known from how it was made."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self.root = root
        self.environment = {**environment, "MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "off"}
        early = applied(root, environment, EARLY, [fact(number, "attic") for number in range(100)])
        late = applied(root, environment, LATE, [fact(number, "cellar") for number in range(100, COUNT - 3)])
        self.lonely = [late[10], early[10]]
        rest = [path for path in (*early, *late) if path not in self.lonely]
        self.pairs = [tuple(sorted(pair)) for pair in ((rest[5], rest[900]), (rest[7], rest[31]), (rest[8], rest[7]))]
        links = [("relates_to", one, other) for one, other in pairwise(rest)]
        links += [("contradicts", one, other) for one, other in self.pairs]
        applied(root, environment, LATE, [{"op": "link", "rel": r, "source": s, "target": t} for r, s, t in links])
        self.said = [[f"The limit of line {line} is {limit}." for limit in range(line + 2)] for line in range(3)]
        self.once = {f"line:{line[0]}": self._corrected(line) for line in self.said}

    def _corrected(self, claims: list[str]) -> str:
        """Where a memory is that said one after the other."""
        line: Line = {"op": "write", "claim": claims[0], "entity": [f"line:{claims[0]}"]}
        (path,) = applied(self.root, self.environment, LATE, [line])
        with Store.open(self.root, embed="off", variables=self.environment, clock=FixedClock(LATE)) as store:
            for claim in claims[1:]:
                path = store.correct(path, claim).path
        return path

    def answer(self, script: str) -> object:
        """What one call of the command line reports."""
        done = subprocess.run(
            [sys.executable, "-m", "memhtml", "exec", "-", "--limit-seconds", "60"],
            input=script,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        data = json.loads(done.stdout)["data"]
        assert data["memories"] == COUNT
        return data["value"]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    """Made once; nothing changes it, which is what `exec` promises."""
    folder = tmp_path_factory.mktemp("questions")
    (folder / "home").mkdir()
    variables = os.environ  # noqa: TID251 - what is made once cannot ask for a fixture that each test has
    known = {name: variables[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in variables}
    known |= {"HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    Store.init(folder / "store", embed="off", variables=known).close()
    return Planted(folder / "store", known)


def test_the_page_asks_five_questions() -> None:
    """One script each."""
    assert len(questions()) == 5


def test_which_memories_contradict_each_other(planted: Planted) -> None:
    """Each pair once, whichever of the two says so."""
    assert planted.answer(questions()[0]) == sorted(list(pair) for pair in planted.pairs)


def test_which_memories_stand_alone(planted: Planted) -> None:
    """The two that no link leads from or to."""
    assert planted.answer(questions()[1]) == planted.lonely


def test_what_was_corrected_more_than_once(planted: Planted) -> None:
    """With all that it said, oldest first; what was corrected once is not among them."""
    found = planted.answer(questions()[2])
    assert isinstance(found, list)
    assert sorted(found) == planted.said[1:]


def test_which_tags_nobody_has_written_to(planted: Planted) -> None:
    """One that only old memories have; those that newer ones have too are left out."""
    assert planted.answer(questions()[3]) == {"attic": "2025-03-01"}


def test_which_things_one_memory_names(planted: Planted) -> None:
    """Of 1,002 things three."""
    assert planted.answer(questions()[4]) == planted.once
