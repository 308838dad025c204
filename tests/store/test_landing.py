"""A run on a main that has moved, and on main: with the promises of a write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import (
    DirtyTreeError,
    GitError,
    InvalidPathError,
    MemhtmlError,
    UnsafeFileError,
    WriteConflictError,
)
from memhtml.domain.memory import CommitId, Instant, MemoryPath
from memhtml.store.archiving import stage_archive
from memhtml.store.branches import OpenRun, Run, Runs
from memhtml.store.chain import steps
from memhtml.store.commits import Importing, Order
from memhtml.store.landing import land, replay
from memhtml.store.repository import Repository

from .conftest import NOW, Person

Put = Callable[[str, bytes], CommitId]
Write = Callable[..., MemoryPath]
DAY = "2026-07-28"


def propose(opened: OpenRun, *files: tuple[str, bytes | None], phase: str = "test") -> CommitId:
    """One commit of the run: each path gets these bytes, or goes."""
    with opened.repository.transaction() as tx:
        for path, data in files:
            if data is None:
                tx.remove(path)
            else:
                tx.put(path, data)
        return tx.commit(f"sleep({phase}): {len(files)}", [("Memhtml-Run", opened.name), ("Memhtml-Phase", phase)])


def seen(store: Repository, person: Person) -> tuple[object, ...]:
    """Branch, index, what git calls changed, and every file of the live store."""
    files = {path: path.read_bytes() for path in store.root.rglob("*") if path.is_file() and ".git" not in path.parts}
    return store.head(), person.git("ls-files", "--stage"), person.status(), files


def test_a_run_lands_as_one_merge(store: Repository, person: Person, write: Write, put: Put) -> None:
    """Main, its work tree and its git index hold what the run proposed; the message says which run it was."""
    kept, folded = write("Drain before deploy"), write("Drain before you deploy")
    put("areas/gone.html", b"gone")
    base = store.head()
    person.write("notes.txt", "mine")
    person.write("areas/inbox/mine.html", "mine")
    status = person.status()
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            archived = stage_archive(tx, folded, now=NOW).path
            tx.put(kept, (tx.read(kept) or b"").replace(b"</head>", b"</head><!-- kept -->"))
            tx.commit("sleep(dedup-merge): 1 merged")
        tip = propose(opened, ("areas/arcs/new.html", b"new"), ("areas/gone.html", None))
        run = opened.run()
        assert replay(opened).run == run, "main did not move, so nothing does"
        landed = land(opened, run, when=Instant("2026-07-28T23:00:00Z"), trailers=[("Memhtml-Session", "s")])
        assert opened.run() == Run(DAY, tip, run.base, held=True, landed=landed.commit)
        assert land(opened, run).commit == landed.commit, "a run that main holds has landed"
    assert store.head() == landed.commit
    assert person.git("rev-parse", "main^1", "main^2").split() == [base, tip]
    assert person.git("rev-parse", "main^{tree}") == person.git("rev-parse", f"{tip}^{{tree}}")
    assert landed.paths == ("archive/2026/" + folded, "areas/arcs/new.html", "areas/gone.html", kept, folded)
    assert (store.root / archived).is_file()
    assert not (store.root / folded).exists()
    assert not (store.root / "areas/gone.html").exists()
    assert person.status() == status
    message = person.git("log", "-1", "--format=%B%cI").strip()
    assert message.startswith(
        "memory(sleep): merge sleep/2026-07-28\n\nMemhtml-Run: 2026-07-28\nMemhtml-Session: s\n2026-07-28T23:00:00"
    )
    assert person.git("fsck", "--strict", "--no-dangling") == ""
    Runs(store).drop(DAY)
    assert store.head() == landed.commit


def test_a_gate_that_nobody_asked_is_in_the_message(store: Repository, person: Person) -> None:
    """Skipping is logged where everybody finds it."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a"))
        land(opened, opened.run(), gate_skipped=True)
    assert person.git("log", "-1", "--format=%(trailers:key=Memhtml-Gate,valueonly)").strip() == "skipped"


def test_a_run_without_commits_moves_nothing(store: Repository, person: Person, put: Put) -> None:
    """Neither when main stayed nor when it went on."""
    with Runs(store).begin(DAY) as opened:
        base = store.head()
        assert land(opened, opened.run()).paths == ()
        put("areas/a.html", b"a")
        before = seen(store, person)
        assert not replay(opened).moved
        assert land(opened, opened.run()).commit == base
    assert seen(store, person) == before


def test_a_run_is_replayed_on_a_main_that_moved(store: Repository, person: Person, put: Put) -> None:
    """Commit by commit, with messages, authors and dates; then it lands, and nothing of main is lost."""
    put("areas/a.html", b"a")
    put("areas/b.html", b"b")
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a2"), phase="one")
        propose(opened, ("archive/2026/areas/b.html", b"b"), ("areas/b.html", None), phase="two")
        with opened.repository.transaction() as tx:  # a phase that found nothing leaves its trace too
            tx.commit("sleep(three): 0", [("Memhtml-Phase", "three")], empty=True)
        before = opened.run()
        messages = person.git("log", "--format=%an %ae %aI %cn %ce %cI %B", f"{before.base}..{before.tip}")
        for number in range(50):
            put(f"areas/inbox/agent-{number}.html", b"written meanwhile")
        main = store.head()
        state = seen(store, person)
        replayed = replay(opened)
        assert replayed.moved
        assert replayed.kept == ()
        assert seen(store, person) == state, "main does not move"
        run = replayed.run
        assert (run.base, run.held) == (main, False)
        assert person.git("log", "--format=%an %ae %aI %cn %ce %cI %B", f"{run.base}..{run.tip}") == messages
        files = person.git("ls-tree", "-r", "--name-only", run.tip).split()
        assert sum("agent-" in path for path in files) == 50
        assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
        assert opened.repository.read_work(MemoryPath("areas/inbox/agent-7.html")) == b"written meanwhile"
        assert not replay(opened).moved
        landed = land(opened, run)
    assert landed.paths == ("archive/2026/areas/b.html", "areas/a.html", "areas/b.html")
    assert person.status() == ""
    assert person.git("rev-parse", "main^{tree}") == person.git("rev-parse", f"{run.tip}^{{tree}}")


@pytest.mark.parametrize(
    ("ours", "theirs", "named"),
    [
        ([("areas/a.html", b"r")], [("areas/a.html", b"m")], ["areas/a.html"]),
        ([("areas/a.html", b"m")], [("areas/a.html", b"m")], ["areas/a.html"]),
        ([("areas/a.html", None)], [("areas/a.html", b"m")], ["areas/a.html"]),
        ([("areas/a.html", b"r")], [("areas/a.html", None)], ["areas/a.html"]),
        ([("areas/new.html", b"r")], [("areas/new.html", b"m")], ["areas/new.html"]),
        (
            [("areas/a.html", None), ("archive/2026/areas/a.html", b"a")],
            [("areas/a.html", b"m")],
            ["areas/a.html"],
        ),
        (
            [("areas/a.html", b"r"), ("areas/b.html", b"r"), ("areas/c.html", b"r")],
            [("areas/a.html", None), ("archive/2026/areas/a.html", b"a"), ("areas/b.html", b"m")],
            ["areas/a.html", "areas/b.html"],
        ),
        ([("archive/2026/areas/x.html", b"r")], [("archive/2026/areas/x.html", b"m")], ["archive/2026/areas/x.html"]),
        ([("areas/New.html", b"r")], [("areas/new.html", b"m")], ["areas/New.html", "areas/new.html"]),
        ([("areas/Sub/x.html", b"r")], [("areas/sub/y.html", b"m")], ["areas/Sub/x.html", "areas/sub/y.html"]),
    ],
)
def test_what_both_changed_refuses_with_all_names(
    store: Repository,
    person: Person,
    put: Put,
    ours: list[tuple[str, bytes | None]],
    theirs: list[tuple[str, bytes | None]],
    named: list[str],
) -> None:
    """An edit, an archiving, a new file at one place, or names that a system without case takes for one."""
    for name in "abc":
        put(f"areas/{name}.html", name.encode())
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/other.html", b"first, and innocent"))
        propose(opened, *ours)
        with store.transaction() as tx:
            for path, data in theirs:
                tx.remove(path) if data is None else tx.put(path, data)
            tx.commit("memory(apply): theirs")
        before, run = seen(store, person), opened.run()
        with pytest.raises(WriteConflictError) as refused:
            replay(opened)
        assert refused.value.paths == tuple(named)
        assert all(path in refused.value.message for path in named)
        assert opened.run() == run
        assert seen(store, person) == before
        with pytest.raises(WriteConflictError, match="main moved"):
            land(opened, run)
    assert seen(store, person) == before


def test_a_file_below_a_file_is_a_conflict(store: Repository, person: Person) -> None:
    """A name that one side made a folder and the other a file."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/x/y.html", b"r"))
        person.commit("areas/x", "a file of somebody")
        with pytest.raises(WriteConflictError) as refused:
            replay(opened)
        assert refused.value.paths == ("areas/x", "areas/x/y.html")


def test_a_change_that_the_run_took_back_still_counts(store: Repository, put: Put) -> None:
    """Replayed, its commits would write over main's file one after the other."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"r"))
        propose(opened, ("areas/a.html", b"a"))
        put("areas/a.html", b"m")
        with pytest.raises(WriteConflictError):
            replay(opened)


def test_main_keeps_what_is_made_from_other_files(store: Repository, person: Person, put: Put) -> None:
    """Listings, the sitemap and the copy of the state are no conflict: they are made anew after the landing."""
    derived = ("areas/index.html", "sitemap.xml", ".memhtml/state/access.jsonl", ".memhtml/sleep/pending.jsonl")
    with Runs(store).begin(DAY) as opened:
        propose(opened, *((path, b"of the run") for path in derived), ("areas/a.html", b"a"))
        propose(opened, ("index.html", b"of the run"))
        for path in derived:
            put(path, b"of main")
        replayed = replay(opened)
        assert replayed.kept == tuple(sorted(derived))
        land(opened, replayed.run)
    assert [person.shown(path) for path in derived] == ["of main"] * 4
    assert (person.shown("index.html"), person.shown("areas/a.html")) == ("of the run", "a")


def test_main_that_moves_while_a_run_lands_wins(
    store: Repository, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare-and-swap: somebody's commit between the look and the move is not undone, and nothing is left behind."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a"))
        give = Importing.give

        def somebody_is_faster(importing: Importing, order: Order) -> None:
            monkeypatch.setattr(Importing, "give", give)
            person.commit("areas/by-hand.html", "x")
            give(importing, order)

        monkeypatch.setattr(Importing, "give", somebody_is_faster)
        run = opened.run()
        with pytest.raises(WriteConflictError):
            land(opened, run)
        assert person.status() == ""
        assert not (store.root / "areas/a.html").exists()
        assert "by hand" in person.git("log", "-1", "--format=%s")
        land(opened, replay(opened).run)
    assert {"areas/a.html", "areas/by-hand.html"} <= set(person.files())


def test_a_run_that_changed_since_it_was_judged_does_not_land(store: Repository, person: Person) -> None:
    """The gate has seen something else."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a"))
        judged = opened.run()
        propose(opened, ("areas/b.html", b"b"))
        before = seen(store, person)
        with pytest.raises(WriteConflictError, match="changed since it was judged"):
            land(opened, judged)
    assert seen(store, person) == before


def edited(person: Person) -> None:
    """An edit of a file that the run changes."""
    person.write("areas/a.html", "mine")


def staged(person: Person) -> None:
    """The same, staged."""
    edited(person)
    person.git("add", "areas/a.html")


def deleted(person: Person) -> None:
    """A file that the run archives is taken away by hand."""
    (person.root / "areas/b.html").unlink()


def untracked(person: Person) -> None:
    """A file where the run adds one."""
    person.write("areas/new.html", "mine")


def staged_new(person: Person) -> None:
    """The same, staged."""
    untracked(person)
    person.git("add", "areas/new.html")


@pytest.mark.parametrize(
    ("doing", "path"),
    [
        (edited, "areas/a.html"),
        (staged, "areas/a.html"),
        (deleted, "areas/b.html"),
        (untracked, "areas/new.html"),
        (staged_new, "areas/new.html"),
    ],
)
def test_a_persons_files_are_refused_by_name_or_untouched(
    store: Repository, person: Person, put: Put, doing: Callable[[Person], None], path: str
) -> None:
    """What is uncommitted where the run writes stays, and the run does not land; elsewhere both go on."""
    put("areas/a.html", b"a")
    put("areas/b.html", b"b")
    put("areas/else.html", b"else")
    with Runs(store).begin(DAY) as opened:
        propose(
            opened,
            ("areas/a.html", b"a2"),
            ("areas/b.html", None),
            ("archive/2026/areas/b.html", b"b"),
            ("areas/new.html", b"n"),
        )
        doing(person)
        person.write("areas/else.html", "edited elsewhere")
        before, run = seen(store, person), opened.run()
        with pytest.raises(DirtyTreeError) as refused:
            land(opened, run)
        assert refused.value.paths == (path,)
        assert seen(store, person) == before
        person.git("reset", "--quiet", "--", path)
        (store.root / path).unlink(missing_ok=True)
        if path != "areas/new.html":
            person.git("checkout", "--quiet", "--", path)
        land(opened, run)
    assert person.status() == " M areas/else.html\n"
    assert (store.root / "areas/else.html").read_text() == "edited elsewhere"


def detached(person: Person) -> None:
    """A commit is checked out, no branch."""
    person.git("switch", "--quiet", "--detach")


def elsewhere(person: Person) -> None:
    """Another branch is checked out."""
    person.git("switch", "--quiet", "-c", "feature")


def merging(person: Person) -> None:
    """A merge is under way."""
    (person.root / ".git/MERGE_HEAD").write_text(person.git("rev-parse", "HEAD"))


@pytest.mark.parametrize("doing", [detached, elsewhere, merging])
def test_a_run_lands_on_main_alone(store: Repository, person: Person, doing: Callable[[Person], None]) -> None:
    """What a person has under way is finished first."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a"))
        run = opened.run()
        doing(person)
        main, before = person.git("rev-parse", "main"), seen(store, person)
        for call in (lambda: replay(opened), lambda: land(opened, run)):
            with pytest.raises(GitError):
                call()
        assert (person.git("rev-parse", "main"), seen(store, person)) == (main, before)


def link(person: Person) -> None:
    """A symbolic link."""
    (person.root / "areas").mkdir(exist_ok=True)
    (person.root / "areas/x.html").symlink_to("/etc/hostname")


def program(person: Person) -> None:
    """An executable."""
    person.write("areas/x.html", "x").chmod(0o755)


def foreign(person: Person) -> None:
    """A file that is nothing to memhtml."""
    person.write("setup.py", "x")


@pytest.mark.parametrize(
    ("doing", "error"), [(link, UnsafeFileError), (program, UnsafeFileError), (foreign, InvalidPathError)]
)
def test_what_memhtml_would_not_write_does_not_land(
    store: Repository,
    person: Person,
    environment: dict[str, str],
    doing: Callable[[Person], None],
    error: type[MemhtmlError],
) -> None:
    """Somebody committed it to the run by hand."""
    before = seen(store, person)
    with Runs(store).begin(DAY) as opened:
        hand = Person(opened.repository.root, environment)
        doing(hand)
        hand.git("add", "--all")
        hand.git("commit", "--quiet", "-m", "by hand")
        with pytest.raises(error):
            land(opened, opened.run())
    assert seen(store, person) == before


def test_two_runs_stand_side_by_side_and_land_one_after_the_other(store: Repository, person: Person, put: Put) -> None:
    """Each from main as it was; the second is replayed on what the first brought, or refused by name."""
    put("areas/a.html", b"a")
    runs = Runs(store)
    with runs.begin(DAY) as first, runs.begin(DAY) as second:
        propose(first, ("areas/a.html", b"first"))
        propose(second, ("areas/b.html", b"second"))
        merges = [land(first, first.run()).commit]
        with pytest.raises(WriteConflictError, match="main moved"):
            land(second, second.run())
        merges.append(land(second, replay(second).run).commit)
    assert (person.shown("areas/a.html"), person.shown("areas/b.html")) == ("first", "second")
    assert [(run.held, run.landed) for run in runs.listed()] == [(True, merge) for merge in merges]
    with runs.begin(DAY) as third, runs.begin(DAY) as fourth:
        propose(third, ("areas/a.html", b"third"))
        propose(fourth, ("areas/a.html", b"fourth"))
        land(third, third.run())
        with pytest.raises(WriteConflictError) as refused:
            replay(fourth)
        assert refused.value.paths == ("areas/a.html",)


def test_a_person_who_merged_main_into_the_run_is_followed(
    store: Repository, person: Person, put: Put, environment: dict[str, str]
) -> None:
    """Their merge becomes a step like the others, and the result holds both sides."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/r.html", b"r"))
        put("areas/m.html", b"m")
        hand = Person(opened.repository.root, environment)
        hand.git("merge", "--quiet", "--no-edit", "main")
        propose(opened, ("areas/r2.html", b"r2"))
        put("areas/m2.html", b"m2")
        run = replay(opened).run
        assert [step.subject for step in steps(store.git, run.base, run.tip)][::2] == ["sleep(test): 1"] * 2
        land(opened, run)
    assert {f"areas/{name}.html" for name in ("r", "r2", "m", "m2")} <= set(person.files())
    assert person.status() == ""
