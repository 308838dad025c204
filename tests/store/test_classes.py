"""What a run does to each file, in a reviewer's words."""

from __future__ import annotations

from collections.abc import Callable

from memhtml.domain.memory import CommitId, Draft, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.page.splice import SetMeta, apply
from memhtml.store.archiving import stage_archive, stage_restore
from memhtml.store.branches import Runs
from memhtml.store.chain import steps
from memhtml.store.classes import KINDS, Changed, commits, numbers
from memhtml.store.correcting import stage_correct
from memhtml.store.repository import Repository

from .conftest import NOW, nothing_else

Put = Callable[[str, bytes], CommitId]
Write = Callable[..., MemoryPath]
DAY = "2026-07-28"


def test_each_file_has_one_class_in_each_commit(store: Repository, write: Write, put: Put) -> None:
    """An archived or moved memory is one file, whatever was stamped into it; listings and reports are files too."""
    claims = ("Alpha waits", "Beta waits", "Gamma waits", "Delta waits", "Epsilon waits")
    alpha, beta, gamma, delta, epsilon = (write(claim) for claim in claims)
    put("areas/gone.html", b"gone")
    put("areas/broken.html", b"no memory")
    with store.transaction() as tx:
        away = stage_archive(tx, epsilon, now=NOW).path
        tx.commit("memory(archive): epsilon")
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.put(alpha, apply(tx.read(alpha) or b"", [SetMeta("memhtml-confidence", "0.5")]))
            tx.put(beta, (tx.read(beta) or b"").replace(b"Beta waits", b"Beta runs"))
            stage_archive(tx, gamma, now=NOW)
            stage_restore(tx, away, now=NOW)
            tx.move(
                delta, "resources/deploy/delta.html", apply(tx.read(delta) or b"", [SetMeta("memhtml-importance", "7")])
            )
            tx.remove("areas/gone.html")
            tx.put("areas/broken.html", b"still none")
            tx.put(".memhtml/sleep/2026-07-28.html", b"report")
            tx.commit("sleep(test): all", [("Memhtml-Run", DAY), ("Memhtml-Counts", '{"a": 1}')])
            tx.commit("sleep(none): 0", empty=True)
        run = opened.run()
        first, second = commits(store.git, run.base, run.tip)
    assert (first.subject, first.trailers) == (
        "sleep(test): all",
        (("Memhtml-Run", DAY), ("Memhtml-Counts", '{"a": 1}')),
    )
    assert second.changed == ()
    assert [(file.path, file.kind, file.previous) for file in first.changed] == [
        (".memhtml/sleep/2026-07-28.html", "created", None),
        (f"archive/2026/{gamma}", "archived", gamma),
        ("areas/broken.html", "body-changed", None),
        ("areas/gone.html", "deleted", None),
        (alpha, "meta-only", None),
        (beta, "body-changed", None),
        (epsilon, "moved", away),
        ("resources/deploy/delta.html", "moved", delta),
    ]
    assert {file.kind for file in first.changed} == set(KINDS)
    assert numbers(store.git, steps(store.git, run.base, run.tip)) == (len(first.changed), 0)
    for file in first.changed:
        assert (file.old is None) == (file.kind == "created")
        assert (file.new is None) == (file.kind == "deleted")


def test_a_correction_is_a_new_file_and_an_archived_one(store: Repository, write: Write) -> None:
    """However alike the two are, and git would take the new one for the renamed old one."""
    wrong = write("The pool holds forty connections and no more than that")
    draft = Draft(type=MemoryType.SEMANTIC, claim="The pool holds fifty connections and no more than that")
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            stage_correct(tx, wrong, draft, now=NOW, duplicates=nothing_else)
            tx.commit("sleep(compress): 1")
        run = opened.run()
        (commit,) = commits(store.git, run.base, run.tip)
    archived, created = commit.changed
    assert (archived.kind, archived.previous) == ("archived", wrong)
    assert (created.kind, created.previous, created.old) == ("created", None, None)
    assert archived.paths == (f"archive/2026/{wrong}", wrong)
    assert created.paths == (created.path,)


def test_the_archive_tells_where_a_file_came_from(store: Repository, write: Write, put: Put) -> None:
    """Also one that breaks the format, whatever its bytes became; from one year to another it was archived before."""
    put("areas/broken.html", b"no memory, and long enough to be something")
    put("archive/2026/areas/back.html", b"none either")
    put("archive/2025/areas/y.html", store.read_work(write("Alpha waits")))
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.move("areas/broken.html", "archive/2026/areas/broken.html", b"quite another thing")
            tx.move("archive/2026/areas/back.html", "areas/back.html", b"back again, and changed")
            old = tx.read("archive/2025/areas/y.html") or b""
            tx.move("archive/2025/areas/y.html", "archive/2026/areas/y.html", old)
            tx.commit("sleep(test): moves")
        run = opened.run()
        (commit,) = commits(store.git, run.base, run.tip)
    assert [(file.path, file.kind, file.previous) for file in commit.changed] == [
        ("archive/2026/areas/broken.html", "archived", "areas/broken.html"),
        ("archive/2026/areas/y.html", "moved", "archive/2025/areas/y.html"),
        ("areas/back.html", "moved", "archive/2026/areas/back.html"),
    ]


def test_two_files_of_one_content_are_told_apart_in_path_order(store: Repository, write: Write) -> None:
    """The same listing each time."""
    source = write("Alpha waits")
    data = store.read_work(source)
    with Runs(store).begin(DAY) as opened:
        with opened.repository.transaction() as tx:
            tx.remove(source)
            tx.put("areas/x.html", data)
            tx.put("areas/y.html", data)
            tx.commit("sleep(test): split")
        run = opened.run()
        (commit,) = commits(store.git, run.base, run.tip)
    blob = commit.changed[0].new
    assert numbers(store.git, steps(store.git, run.base, run.tip)) == (2,)
    assert commit.changed == (
        Changed("areas/x.html", "moved", source, blob, blob),
        Changed("areas/y.html", "created", None, None, blob),
    )


def test_nothing_is_nothing(store: Repository) -> None:
    """A run without commits."""
    with Runs(store).begin(DAY) as opened:
        run = opened.run()
        assert commits(store.git, run.base, run.tip) == ()
