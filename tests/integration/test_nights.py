"""Whole nights, with every phase, on small stores: the same twice, beside agents that write, killed, and misled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Final

import pytest
from tests.integration.night_models import MADE_UP, SLOGAN, WAYS, Helpful, Hostile
from tests.integration.nights import (
    COPIES,
    DATE,
    EMBEDDER,
    ORDER,
    TWINS,
    UNCLEAR,
    Bed,
    Ledger,
    copied,
    files,
    made,
    means,
    opened,
    written,
)

from memhtml import Store
from memhtml.evals.scratch import embed_all
from memhtml.models.language import LanguageModel
from memhtml.models.scripted import Scripted
from memhtml.sleep.means import Wish
from memhtml.sleep.mind import Budget
from memhtml.sleep.pipeline import resume, run
from memhtml.sleep.preflight import PREFLIGHT
from memhtml.sleep.review.review import REPORT, reviewed
from memhtml.sleep.table import PHASES
from memhtml.sleep.trailers import State
from memhtml.store.branches import Runs
from memhtml.store.chain import steps

BRANCH: Final = f"sleep/{DATE}"
NAMES: Final = (PREFLIGHT, *(phase.name for phase in PHASES), REPORT)
STORM: Final = Path(__file__).with_name("night_storm.py")
AGENTS: Final = 50
"""Memories that agents write while a run works."""
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and SIGKILL are POSIX")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with every kind of case, made once; tests work on copies."""
    folder = tmp_path_factory.mktemp("nights")
    (folder / "home").mkdir()
    variables = os.environ  # noqa: TID251 - what is made once cannot ask for a fixture that each test has
    known = {name: variables[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in variables}
    return made(folder / "store", {**known, "HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"})


@pytest.fixture
def bed(prepared: Path, root: Path, environment: dict[str, str]) -> Iterator[Bed]:
    """A store of one's own."""
    with opened(copied(prepared, root), environment) as mine:
        yield mine


@pytest.fixture
def ledger(bed: Bed) -> Ledger:
    """What main held before anybody slept."""
    found = Ledger()
    found.enter(files(bed, "main"))
    return found


def marked(text: str) -> str:
    """As the claim stands in an article."""
    return f"<mark>{text}</mark>"


def in_use(bed: Bed, commit: str, text: str) -> bool:
    """Whether a memory that claims ``text`` is in use there."""
    return any(file.in_use and marked(text) in file.text for file in files(bed, commit).values())


def test_the_pairs_are_near_duplicates_to_the_embedder() -> None:
    """Nothing that stays two here stays so for want of likeness."""
    for one, other in (*COPIES, *TWINS):
        first, second = EMBEDDER.embed([one, other])
        assert float(first @ second) > 0.92
    first, second = EMBEDDER.embed(UNCLEAR)
    assert 0.86 <= float(first @ second) <= 0.92


def test_a_night_folds_the_copies_and_nothing_else(bed: Bed, ledger: Ledger) -> None:
    """The older one keeps; twins, and what is a person's, stay; what nobody used and what has ended goes."""
    outcome = bed.night()
    now = files(bed, BRANCH)
    assert ledger.faults(now) == []
    assert {result.told.state for result in outcome.results} == {State.DONE}
    gone = {file.text for file in now.values() if not file.in_use and file.heir}
    assert gone == {file.text for file in now.values() if any(marked(newer) in file.text for _, newer in COPIES)}
    assert len(gone) == len(COPIES)
    assert all(in_use(bed, BRANCH, text) for pair in TWINS for text in pair)
    assert not in_use(bed, BRANCH, "Visitors of the mill sign in at the rear entrance.")
    extended = now["areas/inbox/the-canteen-serves-cold-meals-only.html"]
    assert extended.metas["memhtml-valid-until"] == "2026-08-11"
    assert "service:Front-Desk" not in {file.metas.get("memhtml-entity") for file in now.values()}


@pytest.mark.parametrize("model", [None, Helpful(), Hostile()])
def test_the_same_night_twice_gives_the_same_bytes(
    prepared: Path, tmp_path: Path, environment: dict[str, str], model: LanguageModel | None
) -> None:
    """Two copies of one store, one date: the trees are equal, and so is every commit."""
    tips: list[tuple[str, str]] = []
    for number in range(2):
        with opened(copied(prepared, tmp_path / f"copy-{number}"), environment) as bed:
            fresh = Hostile() if isinstance(model, Hostile) else model
            bed.night(fresh)
            tips.append((bed.tree(BRANCH), bed.git("rev-parse", BRANCH)))
    assert tips[0] == tips[1]


@pytest.mark.parametrize("model", [None, Helpful()])
def test_a_night_on_its_own_result_proposes_nothing(bed: Bed, model: LanguageModel | None) -> None:
    """Once merged, the same date again leaves the tree as it is, without a model."""
    bed.night(model)
    bed.merge(DATE)
    assert bed.tree("main") == bed.tree(BRANCH)
    again = bed.night()
    assert again.run == f"{DATE}-2"
    assert {result.told.phase: result.changes for result in again.results if result.changes} == {}
    assert bed.tree(f"sleep/{again.run}") == bed.tree("main")


def by_agent(bed: Bed, environment: dict[str, str], number: int) -> None:
    """One more memory on main, through the door that agents use."""
    written(bed.root, environment, f"2026-07-28T10:{number:02}:00Z", [f"An agent saw meteor number {number} fall."])


def judged_beside_agents(bed: Bed, ledger: Ledger) -> None:
    """All that agents wrote is on main and not on the branch; the run lands on top, and nothing is lost."""
    texts = [f"An agent saw meteor number {number} fall." for number in range(AGENTS)]
    assert sum(in_use(bed, "main", text) for text in texts) == AGENTS
    assert not any("meteor" in file.text for file in files(bed, BRANCH).values())
    proposed = {path: file.data for path, file in files(bed, BRANCH).items()}
    bed.merge(DATE)
    now = files(bed, "main")
    assert ledger.faults(now) == []
    assert sum(in_use(bed, "main", text) for text in texts) == AGENTS
    assert {path: file.data for path, file in now.items() if "meteor" not in file.text} == proposed
    assert bed.git("status", "--porcelain", "--untracked-files=all") == ""
    assert bed.git("fsck", "--strict", "--no-dangling") == ""
    with bed.index.reading() as view:
        assert view.commit == bed.store.head()
    assert bed.index.verify(bed.store).sound


def test_agents_write_in_every_phase_of_a_run(bed: Bed, ledger: Ledger, environment: dict[str, str]) -> None:
    """At the beginning of each phase some of 50 memories come to main; the run neither sees nor loses them."""
    left = list(range(AGENTS))
    portion = -(-AGENTS // len(NAMES))

    def write(_name: str, _done: int, _total: int | None) -> None:
        for number in left[:portion]:
            by_agent(bed, environment, number)
        del left[:portion]

    bed.night(progress=write)
    assert left == []
    judged_beside_agents(bed, ledger)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("round_", range(5))
def test_agents_write_at_any_time_of_a_run(bed: Bed, ledger: Ledger, environment: dict[str, str], round_: int) -> None:
    """The same from two threads that wait for nobody."""
    del round_
    refused: list[BaseException] = []

    def agent(numbers: range) -> None:
        try:
            for number in numbers:
                by_agent(bed, environment, number)
        except BaseException as error:  # noqa: BLE001 - told below
            refused.append(error)

    agents = [threading.Thread(target=agent, args=(range(half, AGENTS, 2),)) for half in (0, 1)]

    def begun(name: str, _done: int, _total: int | None) -> None:
        if name == PREFLIGHT:
            for each in agents:
                each.start()

    bed.night(progress=begun)
    for each in agents:
        each.join()
    assert refused == []
    judged_beside_agents(bed, ledger)


def broken_off(bed: Bed, environment: dict[str, str], phase: str, instant: int, model: str) -> bool:
    """A night in a process of its own, killed in a phase; whether it lived to its end."""
    process = subprocess.Popen(
        [sys.executable, str(STORM), str(bed.root), DATE, phase, str(instant), model],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    )  # fmt: skip
    _, complaint = process.communicate(timeout=120)
    assert process.returncode in {0, -signal.SIGKILL}, complaint
    return process.returncode == 0


def judged_resumed(bed: Bed, whole: str, model: str) -> None:
    """After the kill main is as it was; gone on with, the run has the tree of one that nobody killed."""
    assert bed.git("fsck", "--strict", "--no-dangling") == ""
    assert bed.git("status", "--porcelain", "--untracked-files=all") == ""
    resume(bed.store, bed.index, DATE, means(Helpful() if model == "helpful" else None))
    assert bed.tree(BRANCH) == whole
    found = Runs(bed.store).find(DATE)
    told = [step.trailers for step in steps(bed.store.git, found.base, found.tip)]
    ended = [dict(trailers)["Memhtml-Phase"] for trailers in told if "Memhtml-Part" not in dict(trailers)]
    assert len(ended) == len(set(ended)), "no phase is done twice"


@pytest.fixture
def whole(prepared: Path, tmp_path: Path, environment: dict[str, str]) -> Callable[[str], str]:
    """The tree of a night that nobody kills, by model."""

    def tree(model: str) -> str:
        with opened(copied(prepared, tmp_path / f"whole-{model}"), environment) as bed:
            bed.night(Helpful() if model == "helpful" else None)
            return bed.tree(BRANCH)

    return tree


@posix
@pytest.mark.timeout(300)
def test_a_run_killed_in_any_phase_is_gone_on_with(
    prepared: Path, tmp_path: Path, environment: dict[str, str], whole: Callable[[str], str]
) -> None:
    """Once in each phase, at another instant of it; the result is the same as of an unbroken run."""
    wanted, killed = whole("helpful"), list[str]()
    for number, phase in enumerate(NAMES):
        with opened(copied(prepared, tmp_path / phase), environment) as bed:
            if not broken_off(bed, environment, phase, 1 + 7 * (number % 4), "helpful"):
                killed.append(phase)
            judged_resumed(bed, wanted, "helpful")
    assert len(killed) > len(NAMES) - 4, "a phase without a commit looks at the disk too seldom"


@posix
@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("model", ["none", "helpful"])
@pytest.mark.parametrize("phase", NAMES)
def test_a_run_killed_at_many_instants_of_a_phase_is_gone_on_with(
    prepared: Path,
    tmp_path: Path,
    environment: dict[str, str],
    whole: Callable[[str], str],
    phase: str,
    model: str,
) -> None:
    """Every seventh look at the disk is once the last one, until the phase lives to its end."""
    wanted, instant, lives = whole(model), 1, False
    while not lives:
        with opened(copied(prepared, tmp_path / f"{instant}"), environment) as bed:
            lives = broken_off(bed, environment, phase, instant, model)
            judged_resumed(bed, wanted, model)
        instant += 7


def judged_misled(bed: Bed, ledger: Ledger) -> None:
    """Whatever the model said, each commit of the run holds every memory, and nothing of what it made up."""
    found = Runs(bed.store).find(DATE)
    for step in steps(bed.store.git, found.base, found.tip):
        now = files(bed, step.commit)
        assert ledger.faults(now) == []
        assert all(in_use(bed, step.commit, text) for pair in TWINS for text in pair)
        new = [file for file in now.values() if file.metas.get("memhtml-author") == "agent:sleep"]
        assert not any(wrong in file.text for wrong in (MADE_UP, SLOGAN, "Delete all") for file in new)
        message = bed.git("show", "-s", "--format=%B", step.commit)
        assert MADE_UP not in message
        assert SLOGAN not in message
    kept = {file.text for file in files(bed, "main").values()}
    for path, file in files(bed, BRANCH).items():
        assert file.text in kept or path.startswith("resources/people/") or "/tasks/" in path, f"{path} is made up"


@pytest.mark.parametrize("way", [None, *WAYS])
def test_nothing_that_a_hostile_model_says_reaches_a_commit(bed: Bed, ledger: Ledger, way: str | None) -> None:
    """Merges of twins, invented keys and quotes, prose, orders of memories: refused, and the report says what."""
    model = Hostile(way)
    outcome = bed.night(model)
    assert {result.told.state for result in outcome.results} == {State.DONE}
    judged_misled(bed, ledger)
    asked = {"Groups", "Clusters", "Typings", "ArcAnswer", "FoldAnswer", "TraceAnswer", "TaskAnswer"}
    assert set(model.asked) == asked, "every phase that can ask has asked"
    refused = {result.told.phase: result.refused for result in outcome.results if result.refused}
    review = reviewed(bed.store.git, Runs(bed.store).find(DATE))
    by_phase = {phase.phase: phase.refused for phase in review.phases if phase.refused}
    assert by_phase == {name: len(sentences) for name, sentences in refused.items()}
    page = bed.git("show", f"{BRANCH}:.memhtml/sleep/{DATE}.html")
    told = [sentence for sentences in refused.values() for sentence in sentences]
    assert [sentence for sentence in told if escape(sentence) not in page] == []
    if way is not None:
        assert len(refused) >= 6
    bed.merge(DATE)
    assert ledger.faults(files(bed, "main")) == []


def test_a_model_that_costs_too_much_is_asked_no_more(bed: Bed, ledger: Ledger) -> None:
    """Two calls are allowed; or the first answer has used up all tokens. The rest of the night goes on without."""
    few = Hostile("near")
    outcome = run(bed.store, bed.index, Wish(DATE), means(few, Budget(2, 10**6)))
    assert len(few.asked) == 2
    assert sum(result.told.calls for result in outcome.results) == 2
    assert {result.told.state for result in outcome.results} == {State.DONE}
    assert any("the budget of 2 calls" in sentence for result in outcome.results for sentence in result.refused)
    judged_misled(bed, ledger)
    Runs(bed.store).drop(DATE)
    dear = Hostile("near", cost=10**6)
    run(bed.store, bed.index, Wish(DATE), means(dear, Budget(100, 1000)))
    assert len(dear.asked) == 1
    judged_misled(bed, ledger)


NIGHTS: Final = tuple(f"2026-{8 + day // 31:02}-{1 + day % 31:02}" for day in range(30))


def many_nights(
    bed: Bed, ledger: Ledger, environment: dict[str, str], nights: int, model: LanguageModel | None
) -> None:
    """Each merged before the next; agents write between them: a new fact, a copy of one, and a twin of one."""
    for number, date in enumerate(NIGHTS[:nights]):
        said = f"The lighthouse keeper of pier {number} writes down each of the ships that pass by at dusk."
        written(bed.root, environment, f"{date}T08:00:00Z", [
            said,
            f"At dusk, the lighthouse keeper of pier {number} writes down each of the ships that pass by.",
            said.replace("each of", "none of"),
        ])  # fmt: skip
        bed.index.catch_up(bed.store)
        embed_all(bed.index, EMBEDDER)
        ledger.enter(files(bed, "main"))
        bed.night(model, date)
        assert ledger.faults(files(bed, f"sleep/{date}")) == [], date
        bed.merge(date, skip_gates=True)
        now = files(bed, "main")
        assert ledger.faults(now) == [], date
        ledger.enter(now)
    assert ledger.size >= 40 + 3 * nights


@pytest.mark.timeout(300)
@pytest.mark.parametrize("hostile", [False, True])
def test_a_few_nights_in_a_row_lose_nothing(
    bed: Bed,
    ledger: Ledger,
    environment: dict[str, str],
    hostile: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Every memory is accounted for, and what is a person's has the same bytes."""
    many_nights(bed, ledger, environment, 4, Hostile() if hostile else None)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("model", [None, Hostile(), Hostile("near"), Hostile("obey"), Helpful()])
def test_thirty_nights_in_a_row_lose_nothing(
    bed: Bed, ledger: Ledger, environment: dict[str, str], model: LanguageModel | None
) -> None:
    """The same for 30 nights."""
    many_nights(bed, ledger, environment, 30, model)


def test_an_order_in_a_memory_is_shown_to_the_model_as_data(bed: Bed) -> None:
    """It stands in a passage, never in a task, and no path is shown."""
    model = Scripted(lambda _: "Sure.")
    bed.night(model)
    asked = model.asked
    assert any(ORDER in passage.text for question in asked for passage in question.passages)
    assert not any(ORDER in question.task for question in asked)
    assert not any("areas/inbox/" in question.task for question in asked)
    assert all(passage.key.startswith("m") for question in asked for passage in question.passages)


def pages(root: Path) -> dict[str, bytes]:
    """Every page of the work tree."""
    found = (path for path in root.rglob("*.html") if ".git" not in path.parts)
    return {path.as_posix(): path.read_bytes() for path in found}


def test_main_and_index_are_as_they_were(bed: Bed) -> None:
    """A run changes neither, nor the work tree."""
    before = (bed.git("rev-parse", "main"), pages(bed.root))
    with Store.open(bed.root, embed="off") as store:
        found = [hit.path for hit in store.search("checkout queue deploy").hits]
    bed.night(Helpful())
    assert (bed.git("rev-parse", "main"), pages(bed.root)) == before
    with Store.open(bed.root, embed="off") as store:
        assert [hit.path for hit in store.search("checkout queue deploy").hits] == found
