"""Transcripts in volume, and how far from the memories they are kept."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from memhtml import Store
from memhtml.index.traces.transcripts import Transcripts
from memhtml.traces.following import follow
from memhtml.traces.lines import open_plain

STORE = "/home/ada/memhtml"
WORDS = ("queue", "drain", "deploy", "checkout", "latency", "retry", "budget", "index", "cache", "shard", "replica")


def spoken(chance: random.Random, words: int) -> str:
    """Words that say nothing."""
    return " ".join(chance.choices(WORDS, k=words))


def session(chance: random.Random, number: int, records: int) -> Iterator[dict[str, object]]:
    """A session: prompts, answers, calls and their results, and what is skipped, unknown or broken between them."""
    common = {
        "sessionId": f"{number:08d}",
        "timestamp": "2026-08-01T10:00:00.000Z",
        "cwd": "/home/ada",
        "gitBranch": "m",
    }
    for place in range(records):
        call = f"c{place - place % 6}"
        match place % 6:
            case 0:
                yield {**common, "type": "user", "message": {"content": spoken(chance, chance.randint(3, 300))}}
            case 1:
                command = f"memhtml read areas/{number % 7}.html" if place % 12 == 1 else "ls"
                block = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
                yield {**common, "type": "assistant", "message": {"content": [block]}}
            case 2:
                block = {"type": "tool_result", "tool_use_id": call, "content": spoken(chance, chance.choice((9, 900)))}
                yield {**common, "type": "user", "message": {"content": [block]}}
            case 3:
                yield {"type": "file-history-snapshot", "snapshot": spoken(chance, 400)}
            case 4:
                yield {"type": "of-tomorrow", "text": spoken(chance, 200)}
            case _:
                yield {
                    **common,
                    "type": "assistant",
                    "message": {"content": [{"type": "text", "text": spoken(chance, 90)}]},
                }


def grown(root: Path, megabytes: int) -> int:
    """A tree of so many transcripts; gives how many lines it has."""
    chance = random.Random(7)
    lines = size = number = 0
    while size < megabytes * 1_000_000:
        folder = root / "projects" / f"-home-ada-{number % 9}"
        for path in (folder / f"{number:08d}.jsonl", folder / f"{number:08d}" / "subagents" / "agent-a.jsonl"):
            path.parent.mkdir(parents=True, exist_ok=True)
            records = chance.randint(10, 1500)
            data = b"".join(json.dumps(record).encode() + b"\n" for record in session(chance, number, records))
            path.write_bytes(data + b"{\n\n[]\n")
            lines += records + 3
            size += len(data) + 6
        number += 1
    return lines


def never(path: Path) -> BinaryIO:
    """An opener of which nothing is wanted."""
    raise AssertionError(path)


def checked(root: Path, megabytes: int) -> None:
    """Every promise about a tree, at one size."""
    lines = grown(root, megabytes)
    files = sum(1 for _ in root.rglob("*.jsonl"))
    with Transcripts.in_memory() as known:
        done = follow(known, root, STORE)
        assert sum(done.lines.values()) == lines
        assert (done.opened, done.added, done.passed) == (files, files, 0)
        assert (done.lines["broken"], done.lines["blank"], done.lines["shapeless"]) == (files, files, files)
        with known.reading() as reader:
            assert sum(reader.fates().values()) == lines
            assert (reader.totals().transcripts, reader.totals().sessions) == (files, files // 2)
        again = follow(known, root, STORE, opener=never)
        assert (again.unchanged, again.read) == (files, 0)
        path = min(root.rglob("*.jsonl"))
        with path.open("ab") as stream:
            stream.write(b'{"type":"mode"}\n')
        more = follow(known, root, STORE)
        assert (more.opened, more.grown, more.read, more.lines["skipped"]) == (1, 1, 16, 1)


def test_a_tree_of_transcripts_is_counted_line_by_line(tmp_path: Path) -> None:
    """The counters add up to what was written; a second run opens nothing; an append is read alone."""
    checked(tmp_path, 2)


@pytest.mark.slow
def test_forty_megabytes_are_counted_line_by_line(tmp_path: Path) -> None:
    """The same in volume."""
    checked(tmp_path, 40)


def test_memory_does_not_grow_with_the_transcripts(tmp_path: Path) -> None:
    """Eight times as much to read takes no more than it took to read one part; SQLite's own cache is not counted."""
    peaks: list[int] = []
    for megabytes in (1, 8):
        root = tmp_path / str(megabytes)
        grown(root, megabytes)
        (tmp_path / f"store{megabytes}").mkdir()
        with Transcripts.open(tmp_path / f"store{megabytes}") as known:
            tracemalloc.start()
            follow(known, root, STORE)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 1_000_000
    assert peaks[1] < 12_000_000


def test_a_run_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    """Whole files, or portions of them, are there or not; together they are what one run gives."""
    root, store = tmp_path / "agents", tmp_path / "store"
    lines = grown(root, 3)
    store.mkdir()
    script = (
        "import sys, os\nfrom pathlib import Path\nfrom memhtml.index.traces.transcripts import Transcripts\n"
        "from memhtml.traces import following\nfrom memhtml.traces.lines import open_plain\n"
        "following.PORTION = 50_000\nleft = int(sys.argv[3])\nreal = following.classify\n"
        "def classify(line, store):\n    global left\n    left -= 1\n    if left == 0:\n        os._exit(9)\n"
        "    return real(line, store)\nfollowing.classify = classify\n"
        "following.follow(Transcripts.open(Path(sys.argv[2])), Path(sys.argv[1]), '/m')\n"
    )
    for after in (1, 333, 2000):
        words = [sys.executable, "-c", script, str(root), str(store), str(after)]
        assert subprocess.run(words, check=False, timeout=60).returncode == 9
    with Transcripts.open(store) as known:
        done = follow(known, root, STORE)
        assert done.grown + done.added > 0
        with known.reading() as reader:
            assert sum(reader.fates().values()) == lines
        assert known.incidents == ()
        assert follow(known, root, STORE, opener=never).read == 0


QUERY = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b")
TABLES = ("transcripts", "fates", "parts", "heads", "head_words", "calls", "memory_session_links")
NAMED = re.compile(rf"\b(?:{'|'.join(TABLES)})\b")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Every statement that SQLite is given from now on, and the name of every database that is opened."""
    statements: list[str] = []
    opened: list[str] = []
    connect = sqlite3.connect

    def watching(database: str | Path, **given: object) -> sqlite3.Connection:
        connection = connect(database, **given)  # type: ignore[call-overload] - handed on as it is
        opened.append(Path(database).name)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", watching)
    return statements, opened


@pytest.fixture
def store(tmp_path: Path, environment: dict[str, str], watched: tuple[list[str], list[str]]) -> Iterator[Store]:
    """Two memories, and a transcript with a word that is in neither."""
    assert watched == ([], [])
    folder = tmp_path / "agents" / "projects" / "-p"
    folder.mkdir(parents=True)
    record = {"type": "user", "sessionId": "s1", "message": {"content": "Where is Zanzibar, and why is it slow?"}}
    (folder / "s1.jsonl").write_text(json.dumps(record) + "\n")
    variables = {**environment, "MEMHTML_TRACE_ROOT": str(tmp_path / "agents")}
    with Store.init(tmp_path / "store", embed="fake-words@32", variables=variables) as made:
        made.write("The build is slow on Mondays.", tags=["builds"], entities=["service:checkout"], session_id="s1")
        made.write("The build is fast on Sundays.", workspace="checkout", facets={"day": "Sunday"})
        yield made


def retrieve(store: Store, query: str) -> None:
    """Ask for memories in every way that there is."""
    scopes: tuple[dict[str, object], ...] = (
        {},
        {"types": ["semantic", "task"], "archived": True},
        {"workspace": "checkout", "facet": ("day", "Sunday")},
        {"tags": ["builds"], "entity": "service:checkout"},
        {"as_of": "2026-08-01"},
    )
    for scope in scopes:
        store.search(query, explain=True, bar=False, **scope)  # type: ignore[arg-type] - handed on as it is
        store.recall(query, **scope)  # type: ignore[arg-type] - handed on as it is
        store.list(**scope)  # type: ignore[arg-type] - handed on as it is
    path = store.search(query).hits[0].path
    store.search(query, known_at=store.history(path).commits[0].commit)
    store.read(path)
    store.neighbors(path)
    store.entities()


def test_no_statement_of_retrieval_names_a_table_of_transcripts(
    store: Store, watched: tuple[list[str], list[str]]
) -> None:
    """Every statement that is assembled while memories are searched, recalled, listed and read is looked at."""
    statements, opened = watched
    assert index_traces(store) == 1
    # What is looked for is there to be found: reading transcripts names their tables.
    assert any(NAMED.search(statement) for statement in statements)
    assert "traces.db" in opened
    statements.clear()
    opened.clear()
    retrieve(store, "Why is the build slow?")
    assert len(statements) > 200
    assert any("search MATCH" in statement for statement in statements)
    assert [statement for statement in statements if NAMED.search(statement) or "traces" in statement] == []
    assert "traces.db" not in opened


def test_no_memory_is_found_by_what_only_a_transcript_says(store: Store) -> None:
    """Neither by a search nor in a pack, with and without the bar."""
    assert index_traces(store) == 1
    assert store.search("Zanzibar").hits == ()
    assert all("Zanzibar" not in hit.snippet for hit in store.search("Zanzibar", bar=False).hits)
    assert "Where is Zanzibar" not in store.recall("Zanzibar").pack


def index_traces(store: Store) -> int:
    """Reads the transcripts; gives how many are known."""
    from memhtml.ops.traces.index import index_traces as run

    return run(store._workspace).known.transcripts


def test_the_words_of_retrieval_name_no_table_of_transcripts() -> None:
    """The same, read from the source: also statements that no test ever assembles."""
    import memhtml.index
    import memhtml.retrieve

    looked = 0
    for package in (memhtml.index, memhtml.retrieve):
        for module in Path(str(package.__file__)).parent.rglob("*.py"):
            texts = re.findall(r'"""(.*?)"""|"([^"\n]*)"', module.read_text(encoding="utf-8"), re.DOTALL)
            queries = [
                text for pair in texts for text in pair if re.search(r"\b(?:SELECT|INSERT|UPDATE|DELETE)\b", text)
            ]
            own = module.parent.name == "traces"
            looked += 0 if own else len(queries)
            named = any(NAMED.search(query) for query in queries)
            assert named == (own and module.stem in {"reader", "writer"}), module.name
    assert looked > 50


def test_an_opener_is_the_only_way_to_a_transcript(tmp_path: Path) -> None:
    """What a test counts is all that there is: with an opener that opens nothing, nothing is read."""
    grown(tmp_path, 1)
    with Transcripts.in_memory() as known:

        def refuse(path: Path) -> BinaryIO:
            raise PermissionError(path)

        done = follow(known, tmp_path, STORE, opener=refuse)
        assert (done.read, done.added, done.passed) == (0, 0, done.seen)
        assert follow(known, tmp_path, STORE, opener=open_plain).added == done.seen
