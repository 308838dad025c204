"""A change that a reviewer does not want goes out of a run, and the reason stays where it was proposed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.errors import DirtyTreeError, InvalidInputError, PathNotFoundError, WriteConflictError
from memhtml.domain.memory import CommitId, Draft, Link, MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel
from memhtml.page.splice import AddLink, SetMeta, apply
from memhtml.store.archiving import stage_archive
from memhtml.store.branches import OpenRun, Runs
from memhtml.store.classes import RunCommit, commits
from memhtml.store.dropping import refused, take_out
from memhtml.store.landing import land
from memhtml.store.repository import Repository
from memhtml.store.transaction import Transaction
from memhtml.store.writing import stage_write

from .conftest import NOW, Person, nothing_else
from .test_landing import propose, seen

Put = Callable[[str, bytes], CommitId]
Write = Callable[..., MemoryPath]
DAY = "2026-07-28"


def listed(opened: OpenRun) -> tuple[RunCommit, ...]:
    """The run's commits."""
    run = opened.run()
    return commits(opened.repository.git, run.base, run.tip)


def put_away(tx: Transaction, path: MemoryPath, heir: MemoryPath) -> MemoryPath:
    """Archive it, with the name of what takes its place."""
    place = stage_archive(tx, path, now=NOW).path
    tx.put(place, apply(tx.read(place) or b"", [SetMeta("memhtml-superseded-by", f"/{heir}")]))
    return place


def test_a_commit_goes_with_all_its_files(store: Repository, person: Person, put: Put) -> None:
    """The others keep theirs; the emptied one says what was in it, and why that was not wanted."""
    put("areas/a.html", b"a")
    before = seen(store, person)
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/new.html", b"n"), phase="one")
        second = propose(opened, ("areas/a.html", b"a2"), ("areas/b.html", b"b"), phase="two")
        propose(opened, ("areas/c.html", b"c"), phase="three")
        untouched = listed(opened)[0].commit
        out = take_out(opened, commits=[second[:7]], why="They are not\nthe same.")
        assert out.paths == ("areas/a.html", "areas/b.html")
        assert out.run == opened.run()
        one, two, three = listed(opened)
        assert one.commit == untouched, "what came before is the same commit"
        assert [[file.path for file in commit.changed] for commit in (one, two, three)] == [
            ["areas/new.html"],
            [],
            ["areas/c.html"],
        ]
        assert two.trailers == (
            ("Memhtml-Run", DAY),
            ("Memhtml-Phase", "two"),
            ("Memhtml-Dropped", "areas/a.html"),
            ("Memhtml-Dropped", "areas/b.html"),
            ("Memhtml-Dropped-Why", "They are not the same."),
        )
        assert three.trailers == (("Memhtml-Run", DAY), ("Memhtml-Phase", "three"))
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"a"
        assert opened.repository.git.run("status", "--porcelain", "--untracked-files=all") == b""
        assert seen(store, person) == before
        land(opened, opened.run())
    assert person.git("log", "--format=%(trailers:key=Memhtml-Dropped,valueonly)", "main").split() == [
        "areas/a.html",
        "areas/b.html",
    ]
    assert person.shown("areas/a.html") == "a"


def test_a_path_goes_out_of_every_commit_with_its_other_places(store: Repository, person: Person, write: Write) -> None:
    """A memory that was edited and then archived is where it was, as it was."""
    folded, other = write("Drain before you deploy"), write("Cut traffic over at night")
    with Runs(store).begin(DAY) as opened:
        original = opened.repository.read_work(folded)
        propose(opened, (folded, original.replace(b"</head>", b"</head><!-- 1 -->")), phase="links")
        with opened.repository.transaction() as tx:
            archived = stage_archive(tx, folded, now=NOW).path
            stage_archive(tx, other, now=NOW)
            tx.commit("sleep(dedup-merge): 2", [("Memhtml-Phase", "dedup-merge")])
        propose(opened, ("areas/c.html", b"c"), phase="three")
        out = take_out(opened, paths=[archived], why="still in use")
        assert out.paths == (archived, folded)
        assert opened.repository.read_work(folded) == original
        first, second, third = listed(opened)
        assert (first.changed, len(second.changed), len(third.changed)) == ((), 1, 1)
        assert first.trailers[2:] == (("Memhtml-Dropped", folded), ("Memhtml-Dropped-Why", "still in use"))
        assert second.trailers[1:] == (
            ("Memhtml-Dropped", archived),
            ("Memhtml-Dropped", folded),
            ("Memhtml-Dropped-Why", "still in use"),
        )
        again = take_out(opened, paths=["areas/c.html"], why="nor this")
        assert again.paths == ("areas/c.html",)
        assert listed(opened)[1] == second
        land(opened, opened.run())
    assert {folded, f"archive/2026/{other}"} <= set(person.files())
    assert not {archived, other, "areas/c.html"} & set(person.files())


def test_what_was_refused_is_known_from_then_on(store: Repository, person: Person, put: Put) -> None:
    """By phase, path and reason, from the history of main; a title that only speaks of it is none."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/b.html", b"b"), ("areas/c.html", b"c"), phase="arc")
        propose(opened, ("areas/d.html", b"d"), phase="compress")
        take_out(opened, paths=["areas/c.html"], why="too early")
        take_out(opened, paths=["areas/b.html"], why="wrong")
        take_out(opened, paths=["areas/d.html"], why="in use")
        land(opened, opened.run())
    person.git("commit", "--quiet", "--allow-empty", "-m", "Memhtml-Dropped: is a trailer")
    main = store.head()
    assert main is not None
    later, earlier = refused(store.git, main)
    assert (later.paths, later.why) == (("areas/d.html",), "in use")
    assert (earlier.paths, earlier.why) == (("areas/b.html", "areas/c.html"), "wrong")
    assert ("Memhtml-Phase", "arc") in earlier.trailers
    assert refused(store.git, CommitId(person.git("rev-parse", "main~2").strip())) == ()


def test_what_others_were_made_from_stays_until_they_go_too(store: Repository, put: Put) -> None:
    """A later commit has changed the same file: taken out alone, the first would live on in the second."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        first = propose(opened, ("areas/a.html", b"a1"), ("areas/b.html", b"b"))
        second = propose(opened, ("areas/a.html", b"a2"), phase="later")
        run = opened.run()
        with pytest.raises(WriteConflictError, match=r"areas/a.html \(sleep\(later\): 1\)") as refused:
            take_out(opened, commits=[first], why="no")
        assert refused.value.paths == ("areas/a.html",)
        assert opened.run() == run
        out = take_out(opened, commits=[first, second], why="no")
        assert out.paths == ("areas/a.html", "areas/b.html")
        assert opened.repository.read_work(MemoryPath("areas/a.html")) == b"a"


def test_a_commit_and_a_path_go_together(store: Repository, put: Put) -> None:
    """The path goes out of the commits that stay, so nothing of the one that goes is left."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        first = propose(opened, ("areas/a.html", b"a1"), ("areas/b.html", b"b"))
        propose(opened, ("areas/a.html", b"a2"), ("areas/c.html", b"c"))
        out = take_out(opened, commits=[first], paths=["areas/a.html"], why="no")
        assert out.paths == ("areas/a.html", "areas/b.html")
        assert [[file.path for file in commit.changed] for commit in listed(opened)] == [[], ["areas/c.html"]]


def test_what_was_made_from_it_goes_along_when_that_is_wanted(store: Repository, write: Write, put: Put) -> None:
    """At every place that the file has later; earlier changes of it stay, and nobody has refused the later ones."""
    alpha, beta = write("Alpha waits"), write("Beta waits")
    put("areas/x.html", b"x")
    with Runs(store).begin(DAY) as opened:
        propose(opened, (alpha, store.read_work(alpha) + b"<!-- 1 -->"), phase="earlier")
        meant = propose(opened, (alpha, store.read_work(alpha) + b"<!-- 2 -->"), ("areas/x.html", b"x2"), phase="meant")
        with opened.repository.transaction() as tx:
            place = stage_archive(tx, alpha, now=NOW).path
            stage_archive(tx, beta, now=NOW)
            tx.commit("sleep(archive): 2", [("Memhtml-Phase", "archive")])
        propose(opened, (place, b"something else"), phase="last")
        out = take_out(opened, commits=[meant], why="no", later=True)
        assert out.paths == tuple(sorted([alpha, place, "areas/x.html"]))
        assert [[file.path for file in commit.changed] for commit in listed(opened)] == [
            [alpha],
            [],
            [f"archive/2026/{beta}"],
            [],
        ]
        earlier, gone, archive, last = listed(opened)
        assert earlier.trailers == (("Memhtml-Run", DAY), ("Memhtml-Phase", "earlier"))
        assert archive.trailers[1:] == (
            *(("Memhtml-Dropped-Along", path) for path in sorted([alpha, place])),
            ("Memhtml-Dropped-Why", "no"),
        )
        assert ("Memhtml-Dropped-Along", place) in last.trailers
        assert opened.repository.read_work(alpha).endswith(b"<!-- 1 -->")
        assert [one.paths for one in refused(store.git, opened.run().tip)] == [tuple(sorted([alpha, "areas/x.html"]))]
        assert gone.changed == ()


def test_what_would_lead_nowhere_goes_along(store: Repository, write: Write) -> None:
    """A link to where a memory was moved, a stamp that names a new one, a link into the archive; others stay."""
    alpha, beta, gamma, delta = (write(claim) for claim in ("Alpha waits", "Beta waits", "Gamma waits", "Delta waits"))
    moved = MemoryPath("resources/deploy/alpha.html")

    def linked(path: MemoryPath, target: MemoryPath) -> tuple[str, bytes]:
        data = opened.repository.read_work(path)
        return path, apply(data, [AddLink(Link(Rel.SUPPORTS, target))])

    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.move(alpha, moved, tx.read(alpha) or b"")
            tx.put(*linked(beta, moved))
            tx.put(*linked(delta, gamma))
            tx.commit("sleep(placement): 3", [("Memhtml-Phase", "placement")])
        propose(opened, (beta, opened.repository.read_work(beta) + b"<!-- later -->"), phase="later")
        with opened.repository.transaction() as tx:
            new = stage_write(
                tx, Draft(MemoryType.SEMANTIC, claim="Gamma waits for long"), now=NOW, duplicates=nothing_else
            ).path
            place = put_away(tx, gamma, new)
            tx.put(new, apply(tx.read(new) or b"", [AddLink(Link(Rel.SUPERSEDES, place))]))
            tx.commit("sleep(compress): 1", [("Memhtml-Phase", "compress")])
        out = take_out(opened, paths=[alpha], why="It is in its place.")
        assert out.paths == tuple(sorted([alpha, moved, beta]))
        assert [[file.path for file in commit.changed] for commit in listed(opened)][:2] == [[delta], []]
        first, later, _ = listed(opened)
        assert first.trailers == (
            ("Memhtml-Phase", "placement"),
            ("Memhtml-Dropped", alpha),
            ("Memhtml-Dropped", moved),
            ("Memhtml-Dropped-Along", beta),
            ("Memhtml-Dropped-Why", "It is in its place."),
        )
        assert ("Memhtml-Dropped-Along", beta) in later.trailers, "it was made from what led nowhere"
        assert opened.repository.read_work(beta) == store.read_work(beta)
        out = take_out(opened, paths=[gamma], why="It is not the same.")
        assert out.paths == tuple(sorted([gamma, place, new])), "what it was folded into led to it"
        assert listed(opened)[2].changed == ()
        assert opened.repository.read_work(gamma) == store.read_work(gamma)
        assert [file.path for file in listed(opened)[0].changed] == [delta], "gamma is there"


def test_of_several_folded_into_one_none_goes_alone(store: Repository, write: Write) -> None:
    """Without one of them the new memory leads nowhere, and without that the others name nothing."""
    alpha, beta = write("Alpha waits"), write("Beta waits")
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            draft = Draft(MemoryType.SEMANTIC, claim="All of them wait")
            new = stage_write(tx, draft, now=NOW, duplicates=nothing_else).path
            places = [put_away(tx, path, new) for path in (alpha, beta)]
            tx.put(new, apply(tx.read(new) or b"", [AddLink(Link(Rel.SUPERSEDES, place)) for place in places]))
            tx.commit("sleep(compress): 1", [("Memhtml-Phase", "compress")])
        out = take_out(opened, paths=[beta], why="It waits for something else.")
        assert out.paths == tuple(sorted([alpha, beta, new, *places]))
        assert listed(opened)[0].changed == ()
        (only,) = refused(store.git, opened.run().tip)
        assert only.paths == tuple(sorted([beta, f"archive/2026/{beta}"]))


def test_what_led_nowhere_before_stays(store: Repository, write: Write, put: Put) -> None:
    """The run did not make it so."""
    alpha = write("Alpha waits")
    moved = MemoryPath("resources/deploy/alpha.html")
    beta = write("Beta waits")
    put(beta, apply(store.read_work(beta), [AddLink(Link(Rel.SUPPORTS, moved))]))
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.move(alpha, moved, tx.read(alpha) or b"")
            tx.put(beta, apply(tx.read(beta) or b"", [SetMeta("memhtml-confidence", "0.5")]))
            tx.commit("sleep(test): 2", [("Memhtml-Phase", "test")])
        assert take_out(opened, paths=[moved], why="no").paths == (alpha, moved)
        assert [file.path for file in listed(opened)[0].changed] == [beta]


def test_what_a_new_memory_took_the_place_of_stays_without_it(store: Repository, write: Write) -> None:
    """The archived one names one that will not be; a name that can be written in several ways is found too."""
    gamma, other = write("Gamma waits"), write("Other waits")
    odd = MemoryPath("areas/a & \u00e9.html")
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.put(odd, store.read_work(other))
            put_away(tx, gamma, odd)
            tx.commit("sleep(compress): 1", [("Memhtml-Phase", "compress")])
        assert take_out(opened, paths=[odd], why="no").paths == tuple(sorted([odd, gamma, f"archive/2026/{gamma}"]))
        assert listed(opened)[0].changed == ()
        assert refused(store.git, opened.run().tip)[0].paths == (odd,)


def test_what_cannot_be_taken_out_changes_nothing(store: Repository, put: Put) -> None:
    """Unknown names, no reason, nothing named, an edited work tree, a run that has landed."""
    put("areas/a.html", b"a")
    with Runs(store).begin(DAY) as opened:
        commit = propose(opened, ("areas/b.html", b"b"))
        run = opened.run()
        for names in ([run.base], ["1234567"], [commit[:6]], [""]):
            with pytest.raises(PathNotFoundError):
                take_out(opened, commits=names, why="no")
        with pytest.raises(PathNotFoundError, match=r"does not change areas/a\.html"):
            take_out(opened, paths=["areas/a.html"], why="no")
        with pytest.raises(InvalidInputError):
            take_out(opened, paths=["areas/b.html"], why=" \n")
        with pytest.raises(InvalidInputError):
            take_out(opened, why="no")
        (opened.repository.root / "areas/b.html").write_bytes(b"edited by somebody")
        with pytest.raises(DirtyTreeError):
            take_out(opened, paths=["areas/b.html"], why="no")
        (opened.repository.root / "areas/b.html").write_bytes(b"b")
        assert opened.run() == run
        land(opened, run)
        with pytest.raises(WriteConflictError, match="main holds the run"):
            take_out(opened, paths=["areas/b.html"], why="no")


def test_a_run_is_taken_apart_on_its_base_though_main_moved(store: Repository, put: Put) -> None:
    """Replaying is another step."""
    with Runs(store).begin(DAY) as opened:
        propose(opened, ("areas/a.html", b"a"), ("areas/b.html", b"b"))
        base = opened.run().base
        put("areas/m.html", b"m")
        assert take_out(opened, paths=["areas/b.html"], why="no").run.base == base


def test_a_message_without_trailers_gets_a_paragraph_of_them(store: Repository, environment: dict[str, str]) -> None:
    """Also one in an encoding that nobody knows: its bytes stay."""
    with Runs(store).begin(DAY) as opened:
        hand = Person(opened.repository.root, environment)
        hand.commit("areas/a.html", "a")
        hand.write("areas/b.html", "b")
        hand.git("add", "--all")
        hand.write("areas/a.html", "a")
        message = opened.repository.root / ".memhtml/message"
        message.write_bytes(b"by hand \xff\n\nNote: this.\n\nAnd more\n")
        hand.git("-c", "i18n.commitEncoding=latin-9", "commit", "--quiet", "--file", str(message))
        take_out(opened, paths=["areas/a.html", "areas/b.html"], why="no")
        first, second = listed(opened)
        assert first.message == "by hand: areas/a.html\n\nMemhtml-Dropped: areas/a.html\nMemhtml-Dropped-Why: no\n"
        assert second.message.startswith("by hand \ufffd\n\nNote: this.\n\nAnd more\n\nMemhtml-Dropped: areas/b.html\n")
