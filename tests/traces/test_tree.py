"""Finding transcripts."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memhtml.traces.tree import DEEPEST, Obstacle, Passed, Transcript, obstacle, top, transcripts

PROJECT = "projects/-home-ada-checkout"


def put(tree: Path, path: str, data: bytes = b"{}\n") -> None:
    """A file, and the folders that it is in."""
    file = tree.joinpath(*path.split("/"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    os.utime(file, ns=(7, 123_456_700))


def found_as(path: str, *, project: str = "-home-ada-checkout", subagent: bool = False) -> Transcript:
    """What a file that `put` made is found as."""
    return Transcript(path, project, subagent, 3, 123_456_700)


def test_sessions_and_subagents_are_found_in_order(tree: Path) -> None:
    """By folder and name, with size and time, and nothing that is filed elsewhere."""
    for path in ("s2.jsonl", "s1.jsonl", "s1/subagents/agent-b.jsonl", "s1/subagents/run/deep/agent-a.jsonl"):
        put(tree, f"{PROJECT}/{path}")
    for path in ("s1/tool-results/x.jsonl", "s1/notes.jsonl", "notes.txt", "s1/subagents/meta.json"):
        put(tree, f"{PROJECT}/{path}")
    put(tree, "projects/stray.jsonl")
    put(tree, "todos/s1.jsonl")
    put(tree, "projects/-tmp/subagents/agent-c.jsonl")
    assert list(transcripts(tree)) == [
        found_as(f"{PROJECT}/s1/subagents/agent-b.jsonl", subagent=True),
        found_as(f"{PROJECT}/s1/subagents/run/deep/agent-a.jsonl", subagent=True),
        found_as(f"{PROJECT}/s1.jsonl"),
        found_as(f"{PROJECT}/s2.jsonl"),
        found_as("projects/-tmp/subagents/agent-c.jsonl", project="-tmp", subagent=True),
    ]


def test_a_root_may_be_the_folder_of_projects_itself(tree: Path) -> None:
    """Where it has no folder of that name; paths are below what was given."""
    put(tree, f"{PROJECT}/s1.jsonl")
    assert top(tree / "projects") == tree / "projects"
    (found,) = transcripts(tree / "projects")
    assert found.path == "-home-ada-checkout/s1.jsonl"


def test_an_empty_tree_has_nothing(tree: Path, tmp_path: Path) -> None:
    """A project without sessions, a root without projects, no root."""
    assert list(transcripts(tree)) == []
    (tmp_path / "empty").mkdir()
    assert list(transcripts(tmp_path / "empty")) == []
    assert list(transcripts(tmp_path / "none")) == [Passed("", Obstacle.VANISHED)]


def test_a_folder_in_the_place_of_a_file_is_passed_over(tree: Path) -> None:
    """It is named, and what was known of it is gone."""
    (tree / PROJECT / "s1.jsonl").mkdir()
    (found,) = transcripts(tree)
    assert found == Passed(f"{PROJECT}/s1.jsonl", Obstacle.NO_FILE)
    assert isinstance(found, Passed)
    assert found.gone


@pytest.mark.skipif(os.name != "posix", reason="not everybody may make links elsewhere")
def test_no_link_is_followed(tree: Path, tmp_path: Path) -> None:
    """In the place of a project, a folder of subagents, a session or a subagent; other links are nobody's business."""
    outside = tmp_path / "outside"
    put(outside, "s9.jsonl")
    put(outside, "subagents/agent-z.jsonl")
    put(tree, f"{PROJECT}/s1.jsonl")
    (tree / "projects" / "-linked").symlink_to(outside)
    (tree / PROJECT / "s2.jsonl").symlink_to(outside / "s9.jsonl")
    (tree / PROJECT / "s3.jsonl").symlink_to(tree / PROJECT / "s1.jsonl")
    (tree / PROJECT / "s4").mkdir()
    (tree / PROJECT / "s4" / "subagents").symlink_to(outside / "subagents")
    (tree / PROJECT / "s5").symlink_to(outside)
    put(tree, f"{PROJECT}/s6/subagents/agent-a.jsonl")
    (tree / PROJECT / "s6" / "subagents" / "more").symlink_to(outside)
    found = list(transcripts(tree))
    assert [each.path for each in found if isinstance(each, Transcript)] == [
        f"{PROJECT}/s1.jsonl",
        f"{PROJECT}/s6/subagents/agent-a.jsonl",
    ]
    assert {(each.path, each.obstacle) for each in found if isinstance(each, Passed)} == {
        ("projects/-linked", Obstacle.LINK),
        (f"{PROJECT}/s2.jsonl", Obstacle.LINK),
        (f"{PROJECT}/s3.jsonl", Obstacle.LINK),
        (f"{PROJECT}/s4/subagents", Obstacle.LINK),
        (f"{PROJECT}/s6/subagents/more", Obstacle.LINK),
    }


@pytest.mark.skipif(os.name != "posix", reason="links of a POSIX system")
def test_the_root_itself_may_be_a_link(tree: Path, tmp_path: Path) -> None:
    """It is what its owner configured."""
    put(tree, f"{PROJECT}/s1.jsonl")
    (tmp_path / "link").symlink_to(tree)
    assert len(list(transcripts(tmp_path / "link"))) == 1


@pytest.mark.skipif(os.name != "posix", reason="FIFOs of a POSIX system")
def test_a_fifo_is_no_transcript(tree: Path) -> None:
    """It is seen for what it is without being opened."""
    os.mkfifo(tree / PROJECT / "s1.jsonl")
    assert list(transcripts(tree)) == [Passed(f"{PROJECT}/s1.jsonl", Obstacle.NO_FILE)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_is_passed_over(tree: Path) -> None:
    """In bytes that are no UTF-8, or with a line feed; named in a way that can be written."""
    folder = os.fsencode(tree / PROJECT)
    for name in (b"\xff.jsonl", b"a\nb.jsonl", b"\xfe.txt"):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(b"{}\n")
    found = list(transcripts(tree))
    assert {each.obstacle for each in found if isinstance(each, Passed)} == {Obstacle.UNNAMEABLE}
    assert sorted(each.path for each in found) == [f"{PROJECT}/\\udcff.jsonl", f"{PROJECT}/a\\nb.jsonl"]


def test_folders_without_end_are_left(tree: Path) -> None:
    """So many are looked through, and no more."""
    put(tree, f"{PROJECT}/s1/subagents/{'d/' * DEEPEST}a.jsonl")
    put(tree, f"{PROJECT}/s2/subagents/{'d/' * (DEEPEST + 1)}a.jsonl")
    found = list(transcripts(tree))
    assert [isinstance(each, Transcript) for each in found] == [True, False]
    assert found[1] == Passed(f"{PROJECT}/s2/subagents/{'d/' * DEEPEST}d", Obstacle.TOO_DEEP)


def test_folders_are_counted_from_subagents_wherever_that_is(tree: Path) -> None:
    """Beside the sessions as well as in one."""
    put(tree, f"{PROJECT}/subagents/{'d/' * DEEPEST}a.jsonl")
    assert [isinstance(each, Transcript) for each in transcripts(tree)] == [True]


@pytest.mark.parametrize("name", ["projects/-other", f"{PROJECT}/s1.jsonl", f"{PROJECT}/s1/subagents", f"{PROJECT}/s1"])
def test_a_junction_is_a_link(tree: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What Windows shows neither as a link nor as something else."""
    put(tree, f"{PROJECT}/s1.jsonl")
    put(tree, f"{PROJECT}/s1/subagents/a.jsonl")
    put(tree, "projects/-other/s2.jsonl")
    number = tree.joinpath(*name.split("/")).lstat().st_ino
    monkeypatch.setattr("memhtml.traces.tree.is_reparse_point", lambda seen: seen.st_ino == number)
    found = list(transcripts(tree))
    assert not [each for each in found if isinstance(each, Transcript) and each.path.startswith(name + "/")]
    named = [each for each in found if isinstance(each, Passed)]
    # A folder beside a session is only looked into for subagents, and is nobody's business else.
    assert named == ([] if name == f"{PROJECT}/s1" else [Passed(name, Obstacle.LINK)])


def test_a_file_that_vanishes_or_hides_while_it_is_looked_at_is_passed_over(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the list of its folder and the look at itself."""
    for name in ("s1", "s2", "s3"):
        put(tree, f"{PROJECT}/{name}.jsonl")
    look = os.lstat
    errors = {"s1.jsonl": FileNotFoundError(), "s3.jsonl": PermissionError()}

    def looking(path: str) -> os.stat_result:
        error = errors.get(Path(path).name)
        if error is not None:
            raise error
        return look(path)

    monkeypatch.setattr("memhtml.traces.tree.os.lstat", looking)
    found = [each.obstacle if isinstance(each, Passed) else each.path for each in transcripts(tree)]
    assert found == [Obstacle.VANISHED, f"{PROJECT}/s2.jsonl", Obstacle.UNREADABLE]


def test_a_folder_that_cannot_be_listed_is_passed_over(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every depth, and what lies beside it is found."""
    put(tree, f"{PROJECT}/s1/subagents/deep/a.jsonl")
    put(tree, "projects/-other/s2.jsonl")
    scan = os.scandir

    def listing(hidden: str) -> list[object]:
        def scanning(path: Path) -> object:
            if Path(path).name == hidden:
                raise PermissionError(path)
            return scan(path)

        monkeypatch.setattr("memhtml.traces.tree.os.scandir", scanning)
        return list(transcripts(tree))

    for hidden, path in (
        ("-home-ada-checkout", PROJECT),
        ("s1", f"{PROJECT}/s1"),
        ("subagents", f"{PROJECT}/s1/subagents"),
        ("deep", f"{PROJECT}/s1/subagents/deep"),
    ):
        passed, other = listing(hidden)
        assert passed == Passed(path, Obstacle.UNREADABLE)
        assert isinstance(other, Transcript)
    assert listing("projects") == [Passed("projects", Obstacle.UNREADABLE)]


def test_errors_are_obstacles() -> None:
    """What is gone is gone; anything else is out of sight, and stays known."""
    assert obstacle(FileNotFoundError()) is Obstacle.VANISHED
    assert obstacle(NotADirectoryError()) is Obstacle.VANISHED
    assert obstacle(PermissionError()) is Obstacle.UNREADABLE
    assert obstacle(OSError()) is Obstacle.UNREADABLE
    assert not Passed("x", Obstacle.UNREADABLE).gone
    assert Passed("x", Obstacle.VANISHED).gone
