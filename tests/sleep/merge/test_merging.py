"""A run comes to main, or is refused before anything of main moves: real git, real index, both gates."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    DiscriminationFailedError,
    EmbedModelMismatchError,
    IndexStaleError,
    MemhtmlError,
    ModelUnavailableError,
    PathNotFoundError,
    WriteConflictError,
)
from memhtml.domain.memory import Draft, Entity, Instant, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.evals.posed import shipped
from memhtml.evals.scratch import embed_all
from memhtml.index.index import Index
from memhtml.index.source import Source
from memhtml.index.update import Followed
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.page.splice import AddLink, AddValue, DropValue, Edit, SetMeta, apply
from memhtml.sleep.merge.judging import Judges
from memhtml.sleep.merge.merging import Merged, Trouble, merge
from memhtml.store.archiving import stage_archive, stamped
from memhtml.store.branches import Runs
from memhtml.store.founding import init
from memhtml.store.repository import Repository
from memhtml.store.transaction import Transaction
from memhtml.store.writing import stage_write

WRITTEN = Instant("2026-07-01T12:00:00Z")
NOW = Instant("2026-07-28T00:00:00Z")
DAY = "2026-07-28"

FACTS: Mapping[str, Draft] = {
    "answer": Draft(
        MemoryType.SEMANTIC, claim="The checkout worker drains its queue for 40 seconds before every deploy."
    ),
    "week": Draft(MemoryType.SEMANTIC, claim="The mail relay keeps bounced letters for 7 days."),
    "fortnight": Draft(MemoryType.SEMANTIC, claim="The mail relay keeps bounced letters for 14 days."),
    "older": Draft(MemoryType.SEMANTIC, claim="Ledger backups are encrypted with the vault key."),
    "newer": Draft(MemoryType.SEMANTIC, claim="The ledger backups are encrypted with the vault key."),
    "vital": Draft(MemoryType.SEMANTIC, claim="Never restart the primary database by hand.", importance=10),
    "human": Draft(MemoryType.SEMANTIC, claim="Ada owns the release calendar of the company.", author="human:ada"),
    "spelled": Draft(
        MemoryType.SEMANTIC,
        claim="Invoices are rendered by the printing service at night.",
        entities=(Entity("service", "Printing Service"),),
    ),
    "expired": Draft(
        MemoryType.SEMANTIC, claim="The office in Lisbon is closed for two weeks.", valid_until="2026-07-20"
    ),
    "inbox": Draft(MemoryType.SEMANTIC, claim="Thumbnails are resized by a lambda in Frankfurt."),
    "short": Draft(MemoryType.SEMANTIC, claim="Cats purr."),
    "loose": Draft(MemoryType.SEMANTIC, claim="The search cluster reboots every Sunday at noon."),
    "old": Draft(MemoryType.SEMANTIC, claim="The build farm caches wheels on a shared disk."),
    "task": Draft(MemoryType.TASK, claim="Rotate the signing keys.", workspace="checkout"),
}
FORTNIGHT = "the-mail-relay-keeps-bounced-letters-for-14-days"
TYPED = (
    "how long does the checkout worker drain its queue",
    "drain queue before deploy",
    "what happens before every deploy of checkout",
    "checkout worker 40 seconds",
    "seconds the checkout queue is drained",
    "why does the worker drain before a deploy",
    "checkout queue deploy",
    "worker drains queue",
    "40 seconds before deploy",
    "is the queue drained before every deploy",
)


class Bed:
    """A store with a few facts, and runs that are planted in it by hand."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        init(root, environment=environment)
        self.store = Repository.open(root, environment=environment, lock_wait=5.0)
        self.index = Index.open(root)
        self.at: dict[str, MemoryPath] = {}
        with self.store.transaction() as tx:
            for name, draft in FACTS.items():
                self.at[name] = stage_write(tx, draft, now=WRITTEN, duplicates=lambda _: ()).path
            loose = AddLink(Link(Rel.RELATES_TO, MemoryPath("areas/nowhere.html")))
            tx.put(self.at["loose"], apply(tx.read(self.at["loose"]) or b"", [loose]))
            tx.commit("memory(apply): facts", when=WRITTEN)
        with self.store.transaction() as tx:
            self.at["archived"] = stage_archive(tx, self.at["old"], now=WRITTEN).path
            tx.commit("memory(archive): old", when=WRITTEN)
        self.index.catch_up(self.store)
        self.index.state.open_memory(self.at["newer"], WRITTEN)
        self.index.state.open_memory(self.at["inbox"], WRITTEN)
        self.embedder = HashedWords()

    def git(self, *words: str) -> str:
        """What git prints in the store."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.store.root,
            env=dict(self.store.git.environment),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return done.stdout

    def write(self, claim: str) -> MemoryPath:
        """An agent writes to main; the index does not follow."""
        with self.store.transaction() as tx:
            draft = Draft(MemoryType.SEMANTIC, claim=claim)
            path = stage_write(tx, draft, now=WRITTEN, duplicates=lambda _: ()).path
            tx.commit(f"memory(write): {claim}", when=WRITTEN)
        return path

    def plant(self, *changes: Change, phase: str = "dedup-merge") -> None:
        """A run of which each commit is one of ``changes``."""
        with Runs(self.store).begin(DAY) as opened:
            for change in changes:
                with opened.repository.transaction() as tx:
                    change(self, tx)
                    tx.commit(f"sleep({phase}): 1", [("Memhtml-Run", opened.name), ("Memhtml-Phase", phase)], when=NOW)

    def merge(self, *, skip_gates: bool = False, words: bool = False) -> Merged:
        """The merge, with few probes beside those of what the run touches."""
        judges = Judges(None if words else self.embedder, NOW, probes=2)
        return merge(self.store, self.index, DAY, judges, skip_gates=skip_gates)

    def seen(self) -> dict[str, object]:
        """All of main that a refusal must leave as it was."""
        root = self.store.root
        return {
            "ref": self.git("rev-parse", "refs/heads/main", "HEAD"),
            "entries": self.git("ls-files", "--stage"),
            "status": self.git("status", "--porcelain", "--untracked-files=all"),
            "files": {
                path: path.read_bytes()
                for path in root.rglob("*")
                if path.is_file() and not {".git", ".memhtml"} & set(path.parts)
            },
            "index": rows(root / ".memhtml" / "index.db"),
            "state": rows(root / ".memhtml" / "state.db"),
        }


Change = Callable[[Bed, Transaction], object]


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table that is one."""
    with closing(sqlite3.connect(database)) as connection:
        names = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if not name.startswith("sqlite_")
        ]
        found: dict[str, list[tuple[object, ...]]] = {}
        for name in names:
            try:
                found[name] = sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr)  # noqa: S608 - its own
            except sqlite3.OperationalError:
                continue  # a full-text table without contents; the tables below it are there
        return found


@pytest.fixture
def bed(root: Path, environment: dict[str, str]) -> Iterator[Bed]:
    """A store."""
    made = Bed(root, environment)
    with made.index:
        yield made


def data(tx: Transaction, path: MemoryPath) -> bytes:
    """A file that is there."""
    found = tx.read(path)
    assert found is not None
    return found


def edit(name: str, *edits: Edit) -> Change:
    """The head of a memory, edited."""

    def change(bed: Bed, tx: Transaction) -> None:
        tx.put(bed.at[name], apply(data(tx, bed.at[name]), edits))

    return change


def archive(name: str) -> Change:
    """A memory put away, for nothing."""
    return lambda bed, tx: stage_archive(tx, bed.at[name], now=NOW)


def fold(keep: str, drop: str, *, link: str | None = None) -> Change:
    """One memory put away for another, which says so; or names ``link`` instead."""

    def change(bed: Bed, tx: Transaction) -> None:
        give_way(keep, drop)(bed, tx)
        place = f"archive/2026/{bed.at[drop]}"
        superseding = AddLink(Link(Rel.SUPERSEDES, MemoryPath(link or place)))
        tx.put(bed.at[keep], apply(data(tx, bed.at[keep]), [superseding]))

    return change


def give_way(keep: str, drop: str) -> Change:
    """One memory put away for another, which does not say so."""

    def change(bed: Bed, tx: Transaction) -> None:
        from memhtml.page.read import read

        old = data(tx, bed.at[drop])
        facts = read(old).facts
        assert facts is not None
        place = MemoryPath(f"archive/2026/{bed.at[drop]}")
        tx.move(bed.at[drop], place, stamped(old, facts.head, NOW, superseded_by=bed.at[keep]))

    return change


def overwrite(bed: Bed, tx: Transaction) -> None:
    """The same file says another thing."""
    tx.put(bed.at["answer"], data(tx, bed.at["answer"]).replace(b"40 seconds", b"90 seconds"))


def delete(name: str) -> Change:
    """The file is gone."""
    return lambda bed, tx: tx.remove(bed.at[name])


def move(name: str, folder: str) -> Change:
    """A memory is filed elsewhere."""

    def change(bed: Bed, tx: Transaction) -> None:
        path = bed.at[name]
        tx.move(path, MemoryPath(f"{folder}/{path.rpartition('/')[2]}"), data(tx, path))

    return change


def create(draft: Draft) -> Change:
    """A new memory."""
    return lambda _, tx: stage_write(tx, draft, now=NOW, duplicates=lambda _: ())


def dangling(bed: Bed, tx: Transaction) -> None:
    """The twin stays, as after a review that took its change out, and the other one says that it superseded it."""
    place = MemoryPath(f"archive/2026/{bed.at['newer']}")
    tx.put(bed.at["older"], apply(data(tx, bed.at["older"]), [AddLink(Link(Rel.SUPERSEDES, place))]))


def vanish(bed: Bed, tx: Transaction) -> None:
    """The twin is gone, and the other one says that it superseded it."""
    tx.remove(bed.at["newer"])
    dangling(bed, tx)


ARC = Draft(MemoryType.ARC, claim="Deploys wait for queues.", body="Every worker is drained before it is replaced.")
TASK = Draft(MemoryType.TASK, claim="Decide who owns the relay.", workspace="checkout")

GOOD: Mapping[str, tuple[Change, str]] = {
    "a true duplicate folded": (fold("older", "newer"), "dedup-merge"),
    "an entity spelled as elsewhere": (
        edit(
            "spelled",
            DropValue("memhtml-entity", "service:Printing Service"),
            AddValue("memhtml-entity", "service:printing service"),
        ),
        "entity-resolution",
    ),
    "a link": (edit("week", AddLink(Link(Rel.RELATES_TO, MemoryPath("areas/inbox/cats-purr.html")))), "edge-typing"),
    "a tag": (edit("inbox", AddValue("memhtml-tag", "images")), "entity-resolution"),
    "confidence": (edit("fortnight", SetMeta("memhtml-confidence", "0.6")), "confidence-decay"),
    "an expired memory put away": (archive("expired"), "reprieve"),
    "a move": (move("inbox", "resources/images"), "placement-triage"),
    "an arc": (create(ARC), "arc-synthesis"),
    "a task": (create(TASK), "task-detection"),
    "a dangling link repaired": (
        lambda bed, tx: tx.put(
            bed.at["loose"], data(tx, bed.at["loose"]).replace(b"/areas/nowhere.html", b"/areas/inbox/cats-purr.html")
        ),
        "integrity",
    ),
}

BAD: Mapping[str, tuple[Change, type[MemhtmlError], str]] = {
    "the only answer put away": (archive("answer"), DiscriminationFailedError, "finds neither it nor anything in its"),
    "an answer of two words put away": (archive("short"), DiscriminationFailedError, "cats-purr.html"),
    "an answer folded into another matter": (
        fold("spelled", "inbox"),
        WriteConflictError,
        "invoices-are-rendered-by-the-printing-service-at-night.html, which says otherwise: one has thumbnails",
    ),
    "a twin folded": (fold("week", "fortnight"), WriteConflictError, r"says otherwise: they differ by number"),
    "a twin that gives way": (
        give_way("week", "fortnight"),
        WriteConflictError,
        r"says otherwise: they differ by number",
    ),
    "a twin superseded by a link alone": (
        edit("week", AddLink(Link(Rel.SUPERSEDES, MemoryPath(f"areas/inbox/{FORTNIGHT}.html")))),
        WriteConflictError,
        rf"{FORTNIGHT}.html gives way to .*, which says otherwise: they differ by number",
    ),
    "an answer made a task": (
        edit("answer", SetMeta("memhtml-type", "task"), SetMeta("memhtml-task-status", "todo")),
        DiscriminationFailedError,
        "search would be worse for areas/inbox/the-checkout",
    ),
    "a claim overwritten": (overwrite, WriteConflictError, "says something else than on main"),
    "a memory deleted": (delete("inbox"), WriteConflictError, "is nowhere in the result"),
    "an archived memory deleted": (delete("archived"), WriteConflictError, "archive/2026/.* is nowhere in the result"),
    "a task deleted": (delete("task"), WriteConflictError, "rotate-the-signing-keys.* is nowhere"),
    "a memory deleted that is named": (
        vanish,
        WriteConflictError,
        "is nowhere in the result, but for its name in areas/inbox/ledger-backups",
    ),
    "importance 10 edited": (edit("vital", SetMeta("memhtml-confidence", "0.5")), WriteConflictError, "a person alone"),
    "importance 10 put away": (archive("vital"), WriteConflictError, "a person alone to change, and goes to archive"),
    "a person's memory tagged": (edit("human", AddValue("memhtml-tag", "x")), WriteConflictError, "a person alone"),
    "a keeper of what stayed": (dangling, WriteConflictError, "supersedes archive/2026/.*, and that is not there"),
    "a keeper of nothing": (
        fold("older", "newer", link="archive/2026/areas/inbox/none.html"),
        WriteConflictError,
        "none.html, and that is not there",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_proposal_is_refused_and_main_is_untouched(bed: Bed, name: str) -> None:
    """Whatever phase says that it is from, beside a good one, with the reason and with what to do."""
    change, error, reason = BAD[name]
    bed.plant(GOOD["an arc"][0], change)
    before = bed.seen()
    with pytest.raises(error, match=reason) as caught:
        bed.merge()
    assert bed.seen() == before
    assert any(f"memhtml sleep drop {DAY} --path " in one and "--why" in one for one in caught.value.suggestions)
    if isinstance(caught.value, WriteConflictError):
        assert caught.value.paths


def test_the_only_answer_to_ten_questions_is_missed(bed: Bed) -> None:
    """All ten find it first on main; with it gone the merge is refused, by words alone and with vectors."""
    embed_all(bed.index, bed.embedder)
    with bed.index.reading() as view:
        for embedder in (None, bed.embedder):
            ask = shipped(view, embedder, NOW)
            assert [ask(query)[:1] for query in TYPED] == [[bed.at["answer"]]] * 10
    bed.plant(archive("answer"))
    for words in (True, False):
        with pytest.raises(DiscriminationFailedError, match=r"search would be worse for areas/inbox/the-checkout"):
            bed.merge(words=words)


@pytest.mark.parametrize("name", GOOD)
def test_a_good_proposal_lands_and_the_index_follows(bed: Bed, name: str) -> None:
    """Main holds what the run proposed, and the index of the store what main holds, without being made anew."""
    change, phase = GOOD[name]
    bed.plant(change, phase=phase)
    done = bed.merge()
    assert (done.already, done.tries, done.troubles) == (False, 1, ())
    assert bed.git("rev-parse", "main").strip() == done.commit
    assert bed.git("rev-parse", "main^2").strip() == done.run.tip
    assert done.paths
    assert_followed(bed)


def assert_followed(bed: Bed) -> None:
    """The index and the work tree are main's."""
    with bed.index.reading() as view:
        assert view.commit == bed.store.head()
    assert bed.index.verify(bed.store).sound
    assert bed.git("status", "--porcelain", "--untracked-files=all") == ""
    assert bed.git("fsck", "--strict", "--no-dangling") == ""
    assert not list(bed.store.check())


def test_ten_good_proposals_land_together(bed: Bed) -> None:
    """What was opened is known where it went; what reprieve put away is listed apart."""
    with Runs(bed.store).begin(DAY) as opened:
        for change, phase in GOOD.values():
            with opened.repository.transaction() as tx:
                change(bed, tx)
                tx.commit(f"sleep({phase}): 1", [("Memhtml-Run", DAY), ("Memhtml-Phase", phase)], when=NOW)
    done = bed.merge()
    assert done.store is not None
    assert done.ranking is not None
    assert done.store.regressions == ()
    moved = MemoryPath(bed.at["inbox"].replace("areas/inbox", "resources/images"))
    put_away = MemoryPath(f"archive/2026/{bed.at['newer']}")
    with bed.index.reading() as view:
        assert {path: access.opens for path, access in view.state([moved, put_away, bed.at["inbox"]]).items()} == {
            moved: 1,
            put_away: 1,
        }
        assert view.rows([put_away])[put_away].superseded_by == bed.at["older"]
    assert_followed(bed)
    message = bed.git("log", "-1", "--format=%B", "main")
    assert message.startswith("memory(sleep): merge sleep/2026-07-28")
    assert "Memhtml-Gate" not in message
    again = merge(bed.store, bed.index, DAY, Judges(None, NOW, probes=2))
    assert (again.already, again.commit, again.tries) == (True, done.commit, 0), "it is said, and is no error"
    assert not list(bed.store.root.glob(".git/memhtml/runs/sleep-*/*")), "no work tree is needed any more"


def writing(bed: Bed, times: int, *, change: Change | None = None) -> Judges:
    """Judges beside whom an agent writes to main, each time that they are asked."""
    written: list[str] = []

    def progress(doing: str, done: int, total: int | None) -> None:
        del done, total
        if doing == "merging" and len(written) < times:
            if change is None:
                bed.write(f"The agent noted fact number {len(written)} meanwhile.")
            else:
                with bed.store.transaction() as tx:
                    change(bed, tx)
                    tx.commit("memory(apply): meanwhile", when=WRITTEN)
            written.append(bed.store.head() or "")

    return Judges(bed.embedder, NOW, probes=2, progress=progress)


def test_a_run_is_put_on_a_main_that_moved_before(bed: Bed) -> None:
    """Nothing that agents wrote is lost."""
    pending = ".memhtml/sleep/pending.jsonl"
    bed.plant(fold("older", "newer"), lambda _, tx: tx.put(pending, b"the run's\n"))
    with bed.store.transaction() as tx:
        tx.put(pending, b"another night's\n")
        tx.commit("memory(sleep): another night", when=WRITTEN)
    written = [bed.write(f"The agent noted fact number {number}.") for number in range(5)]
    done = bed.merge()
    assert (done.tries, done.kept) == (1, (pending,)), "what waits for another night is found again by one"
    assert bed.git("show", f"main:{pending}") == "another night's\n"
    assert set(written) <= set(bed.git("ls-tree", "-r", "--name-only", "main").split())
    assert not (bed.store.root / bed.at["newer"]).exists()
    assert_followed(bed)


def test_a_run_is_judged_again_where_main_moves_meanwhile(bed: Bed) -> None:
    """Once is no matter; each time is, and then nothing of main has moved but by who wrote there."""
    bed.plant(fold("older", "newer"))
    done = merge(bed.store, bed.index, DAY, writing(bed, 1))
    assert (done.tries, done.already) == (2, False)
    assert (bed.store.root / "areas/inbox/the-agent-noted-fact-number-0-meanwhile.html").is_file()
    assert_followed(bed)


def test_a_main_that_never_stands_still_is_left_alone(bed: Bed) -> None:
    """After three times."""
    bed.plant(fold("older", "newer"))
    with pytest.raises(WriteConflictError, match="each of the 3 times"):
        merge(bed.store, bed.index, DAY, writing(bed, 9))
    assert bed.git("rev-list", "--count", "--merges", "main").strip() == "0"
    assert (bed.store.root / bed.at["newer"]).is_file()
    assert bed.merge().tries == 1, "the run is whole, and lands when it is quiet"


def test_a_file_that_both_changed_refuses(bed: Bed) -> None:
    """Before the judges, and when it is changed while they are asked; all files are named."""
    bed.plant(fold("older", "newer"), edit("week", AddValue("memhtml-tag", "mail")))
    theirs = edit("week", AddValue("memhtml-tag", "relay"))
    with pytest.raises(WriteConflictError, match="main and the run both changed") as caught:
        merge(bed.store, bed.index, DAY, writing(bed, 1, change=theirs))
    assert caught.value.paths == (bed.at["week"],)
    before = bed.seen()
    with pytest.raises(WriteConflictError, match="main and the run both changed"):
        bed.merge(skip_gates=True)
    assert bed.seen() == before


def test_what_a_person_left_in_the_way_is_named(bed: Bed) -> None:
    """That is no main that moved: judging again would not help."""
    bed.plant(lambda _, tx: tx.put("areas/arcs/index.html", b"a listing"))
    (bed.store.root / "areas/arcs").mkdir()
    (bed.store.root / "areas/arcs/Index.html").write_bytes(b"a person's")
    before = bed.seen()
    with pytest.raises(WriteConflictError, match="differ only in letter case"):
        bed.merge()
    assert bed.seen() == before


def test_skipping_the_gates_is_logged_and_does_not_skip_the_ledger(bed: Bed) -> None:
    """The only answer goes, since a person wants that; a memory is deleted for nobody."""
    bed.plant(archive("answer"))
    done = bed.merge(skip_gates=True)
    assert (done.ranking, done.store) == (None, None)
    assert bed.git("log", "-1", "--format=%(trailers:key=Memhtml-Gate,valueonly)", "main").strip() == "skipped"
    Runs(bed.store).drop(DAY)
    bed.plant(delete("inbox"))
    before = bed.seen()
    with pytest.raises(WriteConflictError, match="is nowhere in the result"):
        bed.merge(skip_gates=True)
    assert bed.seen() == before


def test_what_retention_puts_away_is_no_loss_unless_something_took_its_place(bed: Bed) -> None:
    """The commit's phase says that it was meant; a fold that calls itself so is judged as a fold."""
    bed.plant(archive("answer"), phase="retention-triage")
    done = merge(bed.store, bed.index, DAY, Judges(None, NOW, probes=20))
    assert done.store is not None
    assert done.store.evicted == (bed.at["answer"],)
    Runs(bed.store).drop(DAY)
    bed.plant(fold("spelled", "inbox"), phase="retention-triage")
    with pytest.raises(WriteConflictError, match="says otherwise"):
        bed.merge(words=True)


def test_a_gate_that_cannot_be_asked_refuses(bed: Bed) -> None:
    """An embedder that cannot work, or vectors of another space; the way past is named."""
    bed.plant(fold("older", "newer"))
    before = bed.seen()
    with pytest.raises(ModelUnavailableError, match="is not passing it") as caught:
        merge(bed.store, bed.index, DAY, Judges(AlwaysFailing(), NOW, probes=2))
    assert "--skip-gate" in caught.value.suggestions[-1]
    assert bed.seen() == before
    embed_all(bed.index, HashedWords(64))
    with pytest.raises(EmbedModelMismatchError, match="cannot be asked") as mismatch:
        bed.merge()
    assert "--skip-gate" in mismatch.value.suggestions[-1]
    assert bed.merge(skip_gates=True).commit == bed.store.head()


def test_a_ranking_that_fails_refuses_every_run(bed: Bed) -> None:
    """No probe is a failure of the fixture too."""
    bed.plant(fold("older", "newer"))
    before = bed.seen()
    with pytest.raises(DiscriminationFailedError, match="does not tell memories from wrong versions"):
        merge(bed.store, bed.index, DAY, Judges(None, NOW, probes=0))
    assert bed.seen() == before


def test_a_store_of_which_nothing_can_be_asked_refuses(root: Path, environment: dict[str, str]) -> None:
    """Nothing is known of what the run does to it."""
    init(root, environment=environment)
    store = Repository.open(root, environment=environment)
    with store.transaction() as tx:
        stage_write(tx, Draft(MemoryType.SEMANTIC, claim="So it is."), now=NOW, duplicates=lambda _: ())
        tx.commit("memory(write): so it is", when=NOW)
    with Runs(store).begin(DAY) as opened, opened.repository.transaction() as tx:
        stage_write(tx, ARC, now=NOW, duplicates=lambda _: ())
        tx.commit("sleep(arc-synthesis): 1", when=NOW)
    with Index.open(root) as index:
        index.catch_up(store)
        with pytest.raises(DiscriminationFailedError, match="nothing is known") as caught:
            merge(store, index, DAY, Judges(None, NOW, probes=2))
        assert "--skip-gate" in caught.value.suggestions[-1]


def test_links_of_files_that_the_run_leaves_alone_count_too(bed: Bed) -> None:
    """What a memory superseded comes back: the one that did it says what is not so any more."""
    archived = bed.at["archived"]
    with bed.store.transaction() as tx:
        edit("week", AddLink(Link(Rel.SUPERSEDES, archived)))(bed, tx)
        tx.commit("memory(link): week", when=WRITTEN)
    bed.plant(lambda bed, tx: tx.move(archived, bed.at["old"], data(tx, archived)))
    with pytest.raises(WriteConflictError, match=r"supersedes archive/2026/.*, and that is not there") as caught:
        bed.merge()
    assert caught.value.paths == (archived,)
    assert f"--path {archived}" in caught.value.suggestions[0]


def test_a_run_without_commits_and_one_that_is_not_there(bed: Bed) -> None:
    """The first is main's already; the second is an error."""
    bed.plant()
    done = bed.merge()
    assert (done.already, done.commit, done.run.tip) == (True, None, done.run.base)
    with pytest.raises(PathNotFoundError, match="no run 2026-07-29"):
        merge(bed.store, bed.index, "2026-07-29", Judges(None, NOW))


class Busy(Index):
    """An index that somebody else writes all the time."""

    def catch_up(self, source: Source) -> Followed | None:
        """Never."""
        del source
        raise IndexStaleError("the index is being written")


def test_an_index_that_cannot_follow_is_told_beside_the_merge(bed: Bed) -> None:
    """Main has the run by then; the next command lets the index follow."""
    bed.plant(fold("older", "newer"))
    with Busy.open(bed.store.root) as busy:
        done = merge(bed.store, busy, DAY, Judges(None, NOW, probes=2))
    assert done.commit == bed.store.head()
    [trouble] = done.troubles
    assert trouble == Trouble(
        "ERR_INDEX_STALE", "the run is merged, but the index could not follow: the index is being written"
    )


def test_a_night_that_was_broken_off_is_not_merged(bed: Bed) -> None:
    """It has begun and has not ended; its rest would never be done. What names no phases is somebody's own run."""
    bed.plant(edit("inbox", AddValue("memhtml-tag", "images")), phase="preflight")
    before = bed.seen()
    with pytest.raises(WriteConflictError, match="broken off") as caught:
        bed.merge()
    assert caught.value.suggestions[0] == f"memhtml sleep resume {DAY}"
    assert bed.seen() == before
    with pytest.raises(WriteConflictError, match="broken off"):
        bed.merge(skip_gates=True)
