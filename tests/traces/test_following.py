"""Reading only what is new."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidSettingError
from memhtml.index.traces.reader import Mark
from memhtml.index.traces.transcripts import Transcripts
from memhtml.traces import following
from memhtml.traces.following import Followed, follow, resumes
from memhtml.traces.lines import LONGEST_LINE, SEAM, open_plain
from memhtml.traces.records import Fate
from memhtml.traces.tree import Obstacle, Passed, Transcript

if TYPE_CHECKING:
    from conftest import Says

Everything = Callable[[Transcripts], dict[str, list[tuple[object, ...]]]]
STORE = "/home/ada/memhtml"


class Opener:
    """Opens files, and counts which ones, and how many bytes of them are read."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.read = 0

    def __call__(self, path: Path) -> BinaryIO:
        """Open it."""
        self.opened.append(path.name)
        outer = self

        class Raw(io.FileIO):
            def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] - a stream of a test
                count = super().readinto(buffer) or 0
                outer.read += count
                return count

        return io.BufferedReader(Raw(path), buffer_size=32)


def never(path: Path) -> BinaryIO:
    """An opener of which nothing is wanted."""
    raise AssertionError(path)


def counted(root: Path) -> int:
    """Lines that are ended, counted in the bytes."""
    return sum(file.read_bytes().count(b"\n") for file in root.rglob("*.jsonl"))


def put(path: Path, data: bytes, when: int = 0) -> None:
    """Write a file; ``when`` makes its time differ from that of an earlier one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, ns=(1_000 + when, 1_000_000_000 * (1 + when)))


def rebuilt(root: Path, everything: Everything) -> dict[str, list[tuple[object, ...]]]:
    """What reading all of it at once gives."""
    with Transcripts.in_memory() as fresh:
        follow(fresh, root, STORE)
        return everything(fresh)


def test_every_line_falls_into_exactly_one_counter(
    known: Transcripts, tree: Path, transcript: Path, says: Says
) -> None:
    """The counters add up to the line feeds in the files, by run and in what is known."""
    lines = [
        says.user("Why?"),
        says.line("assistant"),
        says.line("mode"),
        says.line("of-tomorrow"),
        says.line("user", sessionId=None),
        b"[]\n",
        b"{\n",
        b"\n",
        says.line("ai-title", aiTitle="T"),
    ]
    put(transcript, b"".join(lines))
    put(transcript.with_suffix("") / "subagents" / "agent-a.jsonl", says.user("Look around.") * 3)
    done = follow(known, tree, STORE)
    expected = {"user": 4, "assistant": 1, "ai-title": 1, "skipped": 1, "unknown": 1, "unkeyed": 1}
    expected |= {"shapeless": 1, "broken": 1, "blank": 1}
    assert done.lines == {fate.value: expected.get(fate.value, 0) for fate in Fate}
    assert sum(done.lines.values()) == counted(tree) == 12
    assert (done.seen, done.opened, done.added, done.passed) == (2, 2, 2, 0)
    assert done.read == sum(file.stat().st_size for file in tree.rglob("*.jsonl"))
    with known.reading() as reader:
        assert reader.fates() == expected
        totals = reader.totals()
    assert (totals.transcripts, totals.sessions, totals.prompts, totals.links) == (2, 1, 1, 0)


def test_a_second_run_opens_nothing(known: Transcripts, tree: Path, transcript: Path, says: Says) -> None:
    """Size and time are as they were, so nothing is asked of the files themselves."""
    put(transcript, says.user("Why?"))
    put(transcript.with_name("s2.jsonl"), says.user("How?") + b'{"type":')
    put(transcript.with_name("s3.jsonl"), says.user("How?") + b'{"type":')
    assert follow(known, tree, STORE).waiting == 2
    done = follow(known, tree, STORE, opener=never)
    assert (done.seen, done.opened, done.unchanged, done.read, done.waiting) == (3, 0, 3, 0, 0)
    assert set(done.lines.values()) == {0}


def test_an_append_is_read_alone(known: Transcripts, tree: Path, transcript: Path, says: Says) -> None:
    """From where reading ended, and the few bytes before that by which the place is known."""
    put(transcript, says.user("Why?", promptId="p1") * 500)
    follow(known, tree, STORE)
    more = says.user("And then?", promptId="p2")
    with transcript.open("ab") as stream:
        stream.write(more)
    opener = Opener()
    done = follow(known, tree, STORE, opener=opener)
    assert (done.opened, done.grown, done.anew, done.read, done.lines["user"]) == (1, 1, 0, len(more), 1)
    # Each seam costs at most itself and what the stream's buffer takes along.
    assert len(more) <= opener.read <= len(more) + 2 * SEAM + 4 * 32
    with known.reading() as reader:
        assert reader.totals().prompts == 501


def test_a_line_that_is_too_long_is_counted_and_passed_over(
    known: Transcripts, tree: Path, transcript: Path, says: Says
) -> None:
    """What stands before and after it is read."""
    put(transcript, says.user("Why?") + says.user("x" * LONGEST_LINE) + says.user("And then?"))
    done = follow(known, tree, STORE)
    assert (done.lines["overlong"], done.lines["user"], done.waiting) == (1, 2, 0)
    with known.reading() as reader:
        assert reader.totals().prompts == 2


def test_plain_file_tools_are_known_by_where_the_store_lies(
    known: Transcripts, tree: Path, transcript: Path, says: Says
) -> None:
    """A file of the store is a memory; one beside it is none."""
    calls = (("c1", "Read", {"file_path": f"{STORE}/areas/a.html"}), ("c2", "Read", {"file_path": "/x/areas/b.html"}))
    put(transcript, says.calls(*calls) + says.result("c1") + says.result("c2"))
    follow(known, tree, STORE)
    with known.reading() as reader:
        assert [link.memory for link in reader.links_of_session(says.SESSION)] == ["areas/a.html"]


def test_a_run_tells_how_far_it_is(known: Transcripts, tree: Path, transcript: Path) -> None:
    """At every transcript, read or not; how many there are is not known before."""
    put(transcript, b"{}\n")
    put(transcript.with_name("s2.jsonl"), b"{}\n")
    told: list[tuple[str, int, int | None]] = []
    follow(known, tree, STORE, tell=lambda *words: told.append(words))
    assert told == [("reading transcripts", 1, None), ("reading transcripts", 2, None)]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_root_whose_name_is_no_text_is_read_all_the_same(known: Transcripts, tmp_path: Path) -> None:
    """It is known by a name that can be written."""
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    put(root / "projects" / "-p" / "s.jsonl", b"{}\n")
    assert follow(known, root, STORE).added == 1
    assert follow(known, root, STORE, opener=never).unchanged == 1


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"short", "shrunk"), (b"same!", "in place"), (b"rewritten", "longer, with another beginning")],
)
def test_what_was_rewritten_is_read_from_its_start(
    known: Transcripts, tree: Path, transcript: Path, everything: Everything, data: bytes, why: str
) -> None:
    """Shrunk, rewritten in place, or rewritten and longer: nothing of what it was is left."""
    del why

    def whole(word: bytes) -> bytes:
        return b'{"type":"user","sessionId":"s","message":{"content":"' + word + b'"}}\n'

    put(transcript, whole(b"first") * (2 if data == b"short" else 1))
    follow(known, tree, STORE)
    put(transcript, whole(data), when=1)
    done = follow(known, tree, STORE)
    assert (done.opened, done.anew, done.grown, done.added) == (1, 1, 0, 0)
    assert done.lines["user"] == 1
    assert everything(known) == rebuilt(tree, everything)


def test_a_last_line_that_is_not_ended_waits(known: Transcripts, tree: Path, transcript: Path, says: Says) -> None:
    """It is counted once, when it is whole."""
    first, second = says.user("Why?"), says.user("And then?")
    put(transcript, first + second[:-20])
    done = follow(known, tree, STORE)
    assert (done.lines["user"], done.waiting, done.read) == (1, 1, len(first))
    put(transcript, first + second[:-1], when=1)
    done = follow(known, tree, STORE)
    assert (done.lines["user"], done.waiting, done.grown) == (0, 1, 1)
    put(transcript, first + second, when=2)
    done = follow(known, tree, STORE)
    assert (done.lines["user"], done.waiting, done.lines["broken"]) == (1, 0, 0)


def test_one_file_that_cannot_be_read_stops_no_other(
    known: Transcripts, tree: Path, transcript: Path, says: Says
) -> None:
    """It is named, what is known of it stays, and it is read when it can be."""
    put(transcript, says.user("Why?"))
    put(transcript.with_name("s2.jsonl"), says.user("How?"))
    follow(known, tree, STORE)
    put(transcript, says.user("Why?") * 2, when=1)
    put(transcript.with_name("s2.jsonl"), says.user("How?") * 2, when=1)

    def refuse(path: Path) -> BinaryIO:
        if path.name != "s2.jsonl":
            raise PermissionError(path)
        return open_plain(path)

    done = follow(known, tree, STORE, opener=refuse)
    assert done.named == (Passed(f"projects/-home-ada-checkout/{transcript.name}", Obstacle.UNREADABLE),)
    assert (done.passed, done.grown, done.forgotten) == (1, 1, 0)
    with known.reading() as reader:
        assert reader.totals().prompts == 3
    assert follow(known, tree, STORE).grown == 1


def test_a_file_that_vanishes_before_it_is_opened_is_said(known: Transcripts, tree: Path, transcript: Path) -> None:
    """And is no error."""
    put(transcript, b"{}\n")

    def gone(path: Path) -> BinaryIO:
        path.unlink()
        return open_plain(path)

    done = follow(known, tree, STORE, opener=gone)
    assert [passed.obstacle for passed in done.named] == [Obstacle.VANISHED]
    assert follow(known, tree, STORE).seen == 0


def test_what_is_gone_is_forgotten_and_what_is_out_of_sight_is_not(
    known: Transcripts, tree: Path, transcript: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be looked into says nothing about the files in it; no more does a root that is not there."""
    put(transcript, says.user("Why?"))
    put(transcript.with_suffix("") / "subagents" / "a.jsonl", says.user("Look."))
    follow(known, tree, STORE)
    for hidden in ("projects/-home-ada-checkout", "projects", ""):
        reason = Obstacle.UNREADABLE if hidden.count("/") else Obstacle.VANISHED
        passed = Passed(hidden, reason)
        monkeypatch.setattr(following, "transcripts", lambda _, passed=passed: iter([passed]))
        assert follow(known, tree, STORE).forgotten == 0
    monkeypatch.undo()
    transcript.unlink()
    done = follow(known, tree, STORE, opener=never)
    assert (done.seen, done.forgotten) == (1, 1)
    with known.reading() as reader:
        assert reader.fates() == {"user": 1}


def test_a_root_that_is_no_folder_is_refused_and_forgets_nothing(
    known: Transcripts, tree: Path, transcript: Path
) -> None:
    """A disk that is not there just now is no reason to forget what was on it."""
    put(transcript, b"{}\n")
    follow(known, tree, STORE)
    for root in (tree / "none", transcript):
        with pytest.raises(InvalidSettingError, match="trace_root names") as caught:
            follow(known, root, STORE)
        assert caught.value.suggestions[0] == "memhtml config set trace_root FOLDER --user"
    with known.reading() as reader:
        assert reader.totals().transcripts == 1


@pytest.mark.skipif(os.name != "posix", reason="links of a POSIX system")
def test_a_root_may_be_a_link_and_a_ring_of_links_is_no_folder(
    known: Transcripts, tree: Path, transcript: Path, tmp_path: Path
) -> None:
    """What is known is filed under where the link leads, so that the folder has one name."""
    put(transcript, b"{}\n")
    (tmp_path / "link").symlink_to(tree)
    (tmp_path / "ring").symlink_to(tmp_path / "ring")
    follow(known, tree, STORE)
    assert follow(known, tmp_path / "link", STORE, opener=never).unchanged == 1
    with pytest.raises(InvalidSettingError):
        follow(known, tmp_path / "ring", STORE)


def test_two_roots_are_known_side_by_side(known: Transcripts, tree: Path, transcript: Path, tmp_path: Path) -> None:
    """Looking through one forgets nothing of the other, though both have a file of that name."""
    put(transcript, b"{}\n")
    put(tmp_path / "other" / "projects" / "-home-ada-checkout" / transcript.name, b"{}\n{}\n")
    follow(known, tree, STORE)
    follow(known, tmp_path / "other", STORE)
    assert follow(known, tree, STORE, opener=never).forgotten == 0
    with known.reading() as reader:
        assert (reader.totals().transcripts, reader.fates()) == (2, {"unknown": 3})


def test_a_long_transcript_is_read_in_portions(
    known: Transcripts,
    tree: Path,
    transcript: Path,
    says: Says,
    everything: Everything,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each its own transaction, together the same as one; it is opened once."""
    put(transcript, b"".join(says.user(f"Question {number}?", promptId=f"p{number}") for number in range(50)) + b'{"')
    monkeypatch.setattr(following, "PORTION", 1000)
    opener = Opener()
    done = follow(known, tree, STORE, opener=opener)
    assert (done.opened, done.added, done.grown, done.lines["user"], done.waiting) == (1, 1, 0, 50, 1)
    monkeypatch.undo()
    assert everything(known) == rebuilt(tree, everything)
    assert follow(known, tree, STORE, opener=never).unchanged == 1


def test_a_disk_that_fails_in_the_middle_leaves_whole_portions(
    known: Transcripts,
    tree: Path,
    transcript: Path,
    says: Says,
    everything: Everything,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next run goes on from there."""
    put(transcript, b"".join(says.user(f"Question {number}?") for number in range(50)))
    monkeypatch.setattr(following, "PORTION", 1000)

    class Failing(Opener):
        def __call__(self, path: Path) -> BinaryIO:
            stream = super().__call__(path)
            whole = stream.readline

            def readline(size: int | None = -1) -> bytes:
                if stream.tell() > 4000:
                    raise OSError(5, "Input/output error")
                return whole(size)

            stream.readline = readline  # type: ignore[method-assign] - a stream of a test
            return stream

    done = follow(known, tree, STORE, opener=Failing())
    assert (done.passed, done.added) == (1, 1)
    assert 0 < done.lines["user"] < 50
    again = follow(known, tree, STORE)
    assert again.grown == 1
    assert again.lines["user"] == 50 - done.lines["user"]
    assert everything(known) == rebuilt(tree, everything)


def test_two_at_once_count_nothing_twice(
    tmp_path: Path, tree: Path, transcript: Path, says: Says, everything: Everything
) -> None:
    """Whoever comes second finds the work done."""
    (tmp_path / "store").mkdir()
    put(transcript, says.user("Why?"))
    with Transcripts.open(tmp_path / "store") as one, Transcripts.open(tmp_path / "store") as other:
        follow(one, tree, STORE)
        put(transcript, says.user("Why?") * 3, when=1)
        seen: list[Followed] = []

        def meanwhile(path: Path) -> BinaryIO:
            seen.append(follow(other, tree, STORE))
            return open_plain(path)

        done = follow(one, tree, STORE, opener=meanwhile)
        assert (seen[0].grown, seen[0].lines["user"]) == (1, 2)
        assert (done.opened, done.grown, done.lines["user"]) == (1, 0, 0)
        assert everything(one) == rebuilt(tree, everything)


def test_a_call_and_its_answer_find_each_other_across_runs(
    known: Transcripts, tree: Path, transcript: Path, says: Says, everything: Everything
) -> None:
    """A link is there when the answer is, and not before; failed calls leave none, repeated ones count."""
    reads = says.calls(("c1", "Bash", {"command": "memhtml read areas/a.html"}))
    fails = says.calls(("c2", "Bash", {"command": "memhtml reinforce areas/a.html"}))
    write = says.calls(("c3", "Bash", {"command": "memhtml write x"}))
    put(transcript, reads + fails + write)
    follow(known, tree, STORE)
    with known.reading() as reader:
        assert reader.links_of_session(says.SESSION) == []
    answers = [
        says.result("c1", "The limit is 3.", timestamp="2026-08-01T10:00:09Z"),
        says.result("c1", "again"),
        says.result("c2", "no", failed=True),
        says.result("c3", '{"data":{"path":"areas/b.html","deduped":false}}'),
        says.result("c4", '{"data":{"path":"areas/c.html","deduped":false}}'),
        reads,
        says.result("c1", "The limit is 3.", timestamp="2026-08-01T10:00:05Z"),
    ]
    put(transcript, reads + fails + write + b"".join(answers), when=1)
    follow(known, tree, STORE)
    with known.reading() as reader:
        found = [
            (link.rel.value, link.memory, link.times, link.first) for link in reader.links_of_session(says.SESSION)
        ]
        assert reader.totals().links == 2
        assert [link.session for link in reader.links_of_memories(["areas/a.html"])] == [says.SESSION]
    assert found == [
        ("read", "areas/a.html", 2, "2026-08-01T10:00:05Z"),
        ("wrote", "areas/b.html", 1, "2026-08-01T10:00:00Z"),
    ]
    assert everything(known) == rebuilt(tree, everything)
    transcript.unlink()
    follow(known, tree, STORE)
    with known.reading() as reader:
        assert reader.totals().links == 0


def test_the_first_prompt_of_a_person_keeps_more(known: Transcripts, tree: Path, transcript: Path, says: Says) -> None:
    """500 characters, of a person's first in this session; 200 of all others."""
    put(transcript, says.user("x" * 600, isSidechain=True) + says.user("y" * 600) + says.user("z" * 600))
    follow(known, tree, STORE)
    put(transcript, transcript.read_bytes() + says.user("w" * 600), when=1)
    follow(known, tree, STORE)
    rows = known._connection.execute("SELECT length(head), subagent FROM heads ORDER BY position").fetchall()
    assert rows == [(200, 1), (500, 0), (200, 0), (200, 0)]
    with known.reading() as reader:
        session = reader.session(says.SESSION)
    assert session is not None
    assert (session.prompts, session.records, session.first_prompt) == (3, 4, "y" * 499 + "…")


def survives(known: Transcripts, tree: Path, transcript: Path, says: Says, lines: int) -> None:
    """Mangled lines, read in two goes: each that is ended is counted, and what is known is sound."""
    data = b"".join(says.mangled(lines, seed=lines))
    put(transcript, data[: len(data) // 2])
    first = follow(known, tree, STORE)
    put(transcript, data, when=1)
    second = follow(known, tree, STORE)
    assert (first.passed, second.passed, second.grown) == (0, 0, 1)
    assert sum(first.lines.values()) + sum(second.lines.values()) == counted(tree) > lines / 2
    with known.reading() as reader:
        assert sum(reader.fates().values()) == counted(tree)
        assert reader.totals().prompts > 0


def test_a_transcript_of_mangled_lines_is_read_to_its_end(
    known: Transcripts, tree: Path, transcript: Path, says: Says, everything: Everything
) -> None:
    """Nothing raises, in sorting or in writing down, and two goes give what one gives."""
    survives(known, tree, transcript, says, 2_000)
    assert everything(known) == rebuilt(tree, everything)


@pytest.mark.slow
def test_a_hundred_thousand_mangled_lines_are_read_to_their_end(
    known: Transcripts, tree: Path, transcript: Path, says: Says
) -> None:
    """The same, at length."""
    survives(known, tree, transcript, says, 100_000)


def test_where_to_read_on() -> None:
    """The decision alone, with literal numbers."""
    found = Transcript("p", "x", subagent=False, size=100, modified=5)

    def mark(size: int, modified: int) -> Mark:
        return Mark(1, "p", size, modified, min(size, 80), b"")

    assert resumes(None, found) == 0
    assert resumes(mark(100, 5), found) is None
    assert resumes(mark(90, 5), found) == 80
    assert resumes(mark(90, 9), found) == 80
    assert resumes(mark(100, 4), found) == 0
    assert resumes(mark(100, 6), found) == 0
    assert resumes(mark(101, 5), found) == 0


LINES = st.sampled_from(range(8))
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["append", "cut", "replace", "remove", "look"]),
        st.integers(0, 2),
        st.lists(LINES, max_size=4),
        st.integers(0, 40),
    ),
    max_size=12,
)


def pool(says: Says) -> Iterator[bytes]:
    """Lines of which histories are made."""
    yield says.user("Why is the build slow?", promptId="p1")
    yield says.user("And the tests?", sessionId="s2", timestamp="2026-08-01T09:00:00Z", cwd="/w", gitBranch="b")
    yield says.line("ai-title", aiTitle="A slow build")
    yield says.line("ai-title", aiTitle="A cold cache", timestamp=None)
    yield says.calls(("c1", "Bash", {"command": "memhtml read areas/a.html"}))
    yield says.result("c1")
    yield b"{\n"
    yield says.line("mode")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CHANGES)
def test_any_history_gives_what_reading_at_once_gives(
    says: Says,
    everything: Everything,
    tmp_path_factory: pytest.TempPathFactory,
    changes: list[tuple[str, int, list[int], int]],
) -> None:
    """Appends, cuts, rewritings and removals, looked at in between or not: the same rows in the end."""
    root = tmp_path_factory.mktemp("history")
    made = list(pool(says))
    with Transcripts.in_memory() as known:
        (root / "projects").mkdir()
        for when, (change, file, chosen, cut) in enumerate([*changes, ("look", 0, [], 0)]):
            path = root / "projects" / "-p" / f"s{file}.jsonl"
            before = path.read_bytes() if path.exists() else b""
            text = b"".join(made[each] for each in chosen)
            if change == "look":
                follow(known, root, STORE)
            elif change == "append":
                # An append may stop in the middle of a line, and the next one goes on from there.
                put(path, before + text[: len(text) - cut % 3], when)
            elif change == "cut":
                put(path, before[: max(0, len(before) - cut)], when)
            elif change == "replace":
                put(path, text, when)
            elif path.exists():
                path.unlink()
        assert everything(known) == rebuilt(root, everything)
