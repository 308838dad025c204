"""Operation `eval retrieval`: files, the user's own store, and what is wrong with either."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from memhtml.domain.errors import (
    InvalidFlagError,
    InvalidInputError,
    MissingArgumentError,
    StoreMissingError,
    UnexpectedArgumentError,
)
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.quality import Way
from memhtml.ops.archive import archive
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.correct import correct
from memhtml.ops.index import embed_index, update_index
from memhtml.ops.read import read
from memhtml.ops.scoring import VECTORS_OFF, RetrievalScores, contents, run, score_files, score_own
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact, opened, seen

QUESTIONS = [
    {"store": "s", "id": "1", "query": "when is the queue drained", "gold": ["a"], "group": "x"},
    {"store": "t", "id": "2", "query": "when do nodes reboot", "gold": ["a"], "group": "x"},
]
DOCUMENTS = [
    {"store": "s", "id": "a", "text": "Checkout drains its queue before every deploy.", "ts": None},
    {"store": "t", "id": "a", "text": "Nodes reboot on Sundays.", "ts": "2026-01-04T00:00:00"},
    {"store": "u", "id": "a", "text": "Nobody asks for this.", "ts": None},
]
DAMAGED = "'f' cannot be read: it is damaged, or no such name is possible"
Put = Callable[..., Path]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file of JSON lines."""

    def lines(name: str, rows: list[dict[str, object]]) -> Path:
        file = tmp_path / name
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return file

    return lines


def called(workspace: Workspace, **given: object) -> RetrievalScores:
    """The operation, as a door calls it."""
    row = operation("eval retrieval")
    assert row is not None
    return run(workspace, bind(row, given))


def test_worked_example(put: Put, root: Path) -> None:
    """Two stores of the three in the file are asked; no store of the user's is needed, and none is made."""
    asked, texts = put("q.jsonl", QUESTIONS), put("d.jsonl", DOCUMENTS)
    with opened(root, "fake-words@64") as workspace:
        found = called(workspace, questions=str(asked), documents=str(texts))
    assert (found.questions, found.stores, found.memories, found.limit) == (2, 2, 2, 50)
    assert (found.space, found.left_out, found.warnings) == ("fake-words@64", (), ())
    assert [score.way for score in found.scores] == list(Way)
    assert [score.figures.hit_at_1 for score in found.scores] == [1.0, 1.0, 1.0]
    assert not root.exists()


def test_without_vectors_words_alone_are_scored(put: Put, root: Path) -> None:
    """Whether they are off or cannot be had, it is said why."""
    asked, texts = put("q.jsonl", QUESTIONS), put("d.jsonl", DOCUMENTS)
    with opened(root) as workspace:
        found = score_files(workspace, asked, texts, limit=10)
    assert [score.way for score in found.scores] == [Way.LEXICAL]
    assert {one.why for one in found.left_out} == {VECTORS_OFF}
    assert (found.space, found.limit, found.warnings) == (None, 10, ())
    with opened(root, "no-such-model@8") as workspace:
        found = score_files(workspace, asked, texts, limit=10)
    assert "no embedding server is configured" in found.left_out[0].why
    assert found.warnings[0].code == "ERR_INVALID_SETTING"
    assert found.warnings[0].message == f"words only, without vectors: {found.left_out[0].why}"
    with opened(root, "fake-failing@8") as workspace:
        found = score_files(workspace, asked, texts, limit=10)
    assert "always fails" in found.left_out[1].why
    assert found.space is None


def test_one_of_documents_and_store_is_needed(put: Put, workspace: Workspace) -> None:
    """Not both."""
    asked, texts = str(put("q.jsonl", QUESTIONS)), str(put("d.jsonl", DOCUMENTS))
    with pytest.raises(MissingArgumentError, match=r"^eval retrieval needs --documents, or --store$") as caught:
        called(workspace, questions=asked)
    assert caught.value.suggestions == ("--documents FILE asks what is in a file", "--store asks your own store")
    with pytest.raises(UnexpectedArgumentError, match=r"^--store asks your own store, and takes no --documents$"):
        called(workspace, questions=asked, documents=texts, store=True)
    with pytest.raises(MissingArgumentError, match="--questions"):
        called(workspace, documents=texts)


def test_figures_of_the_first_ten_need_ten(put: Put, workspace: Workspace) -> None:
    """Also for those who come past the table."""
    asked, texts = put("q.jsonl", QUESTIONS), put("d.jsonl", DOCUMENTS)
    with pytest.raises(InvalidFlagError, match="from 10 to 1000"):
        called(workspace, questions=str(asked), documents=str(texts), limit=9)
    with pytest.raises(InvalidFlagError, match=r"^limit takes a whole number from 10 "):
        score_files(workspace, asked, texts, limit=9)
    with pytest.raises(InvalidFlagError, match=r"^limit takes a whole number from 10 "):
        score_own(workspace, asked, limit=9)


def test_a_fault_names_file_and_line(put: Put, workspace: Workspace) -> None:
    """In either file, and between the two."""
    asked, texts = put("q.jsonl", QUESTIONS), put("d.jsonl", DOCUMENTS)
    with pytest.raises(InvalidInputError, match=r"^broken\.jsonl, line 2: .*query"):
        score_files(workspace, put("broken.jsonl", [QUESTIONS[0], {"gold": ["a"]}]), texts, limit=10)
    with pytest.raises(InvalidInputError, match=r"^broken\.jsonl, line 1: .*text"):
        score_files(workspace, asked, put("broken.jsonl", [{"id": "a"}]), limit=10)
    with pytest.raises(InvalidInputError, match=r"^q\.jsonl, line 2: 'a' is no document of store 't'"):
        score_files(workspace, asked, put("less.jsonl", DOCUMENTS[:1]), limit=10)


def test_a_file_is_text_plain_or_gzip(tmp_path: Path) -> None:
    """A byte order mark is no part of it; an empty packed file is empty."""
    plain, packed = tmp_path / "a", tmp_path / "b"
    plain.write_bytes("\ufeffé\n".encode())
    packed.write_bytes(gzip.compress("é\n".encode()))
    assert contents(plain) == contents(packed) == "é\n"
    packed.write_bytes(gzip.compress(b"", mtime=0))
    assert contents(packed) == ""


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"fine\nbad \xff\n", "f, line 2: no UTF-8"),
        (gzip.compress(b"fine\n\n\xff", mtime=0), "f, line 3: no UTF-8"),
        (gzip.compress(b"cut off" * 99, mtime=0)[:20], DAMAGED),
        (b"\x1f\x8bnothing of the kind", DAMAGED),
        (gzip.compress(b"x" * 99, mtime=0)[:-8] + b"12345678", DAMAGED),
    ],
)
def test_a_file_that_is_no_text_is_an_error(tmp_path: Path, data: bytes, what: str) -> None:
    """With what to do."""
    file = tmp_path / "f"
    file.write_bytes(data)
    with pytest.raises(InvalidInputError) as caught:
        contents(file)
    assert caught.value.message == what
    assert caught.value.suggestions


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """So are a folder, and a name that no file can have."""
    for place in (tmp_path / "nowhere", tmp_path, Path("a\0b")):
        with pytest.raises(InvalidInputError, match=r"cannot be read: ."):
            contents(place)
    with pytest.raises(InvalidInputError, match=r"^'nowhere' cannot be read: (?!it is damaged)"):
        contents(tmp_path / "nowhere")


def test_the_own_store_is_asked_by_path(put: Put, workspace: Workspace) -> None:
    """A path may begin with a slash; nothing of the store changes."""
    drain = write(workspace, fact("Checkout drains its queue before every deploy.")).path
    nodes = write(workspace, fact("Nodes reboot on Sundays.")).path
    asked = put("own.jsonl", [{"query": "when do nodes reboot", "gold": ["/" + nodes], "controls": {"x": [drain]}}])
    before = seen(workspace.repository.root)
    found = called(workspace, questions=str(asked), store=True)
    assert (found.questions, found.stores, found.memories, found.space) == (1, 1, 2, None)
    assert (found.scores[0].figures.hit_at_1, found.scores[0].figures.strict) == (1.0, 1.0)
    assert {one.why for one in found.left_out} == {VECTORS_OFF}
    with opened(workspace.repository.root, "fake-words@64") as embedding:
        embed_index(embedding)
        found = score_own(embedding, asked, limit=10)
    assert [score.figures.hit_at_1 for score in found.scores] == [1.0, 1.0, 1.0]
    assert found.space == "fake-words@64"
    assert seen(workspace.repository.root) == before


def test_an_embedder_that_cannot_be_had_is_no_error_for_the_own_store(put: Put, workspace: Workspace) -> None:
    """Words alone, and why."""
    path = write(workspace, fact("Nodes reboot on Sundays.")).path
    asked = put("own.jsonl", [{"query": "nodes", "gold": [path]}])
    with opened(workspace.repository.root, "no-such-model@8") as lame:
        found = score_own(lame, asked, limit=10)
    assert "no embedding server is configured" in found.left_out[0].why
    assert found.warnings
    with opened(workspace.repository.root, "fake-failing@8") as lame:
        found = score_own(lame, asked, limit=10)
    assert [score.way for score in found.scores] == [Way.LEXICAL]


def test_what_answers_is_followed_and_what_only_seems_to_is_not(put: Put, workspace: Workspace) -> None:
    """A question that names a corrected memory asks for what took its place; the old one may be a control."""
    old = write(workspace, fact("The retry limit of checkout is 3.")).path
    new = correct(workspace, old, fact("The retry limit of checkout is 5.")).path
    asked = put("own.jsonl", [{"query": "retry limit of checkout", "gold": [old], "controls": {"stale": [old]}}])
    found = score_own(workspace, asked, limit=10)
    assert new != old
    assert (found.scores[0].figures.hit_at_1, found.scores[0].figures.strict) == (1.0, 1.0)


def test_a_control_is_the_memory_at_its_path_however_it_is_written(put: Put, workspace: Workspace) -> None:
    """One that stands above what answers costs the win."""
    above = write(workspace, fact("Nodes reboot on Sundays.")).path
    below = write(workspace, fact("Racks and nodes are far from here.")).path
    row: dict[str, object] = {"query": "nodes reboot on Sundays", "gold": [below], "controls": {"x": ["/" + above]}}
    assert score_own(workspace, put("own.jsonl", [row]), limit=10).scores[0].figures.strict == 0.0


def test_a_file_that_is_not_committed_yet_is_a_memory(put: Put, workspace: Workspace) -> None:
    """As it is for a search; as an answer, and as a control."""
    written = write(workspace, fact("Nodes reboot on Sundays.")).path
    root = workspace.repository.root
    copy = "areas/inbox/by-hand.html"
    (root / copy).write_bytes((root / written).read_bytes().replace(b"Sundays", b"Mondays"))
    update_index(workspace)
    rows: list[dict[str, object]] = [
        {"query": "reboot on Mondays", "gold": [copy], "controls": {"x": [written]}},
        {"query": "reboot on Sundays", "gold": [written], "controls": {"x": [copy]}},
    ]
    assert score_own(workspace, put("own.jsonl", rows), limit=10).scores[0].figures.strict == 1.0


def test_what_was_opened_counts_as_of_now(put: Put, workspace: Workspace) -> None:
    """Unless the question says when it is asked."""
    path = write(workspace, fact("Nodes reboot on Sundays.")).path
    read(workspace, [path])
    rows: list[dict[str, object]] = [{"query": "nodes", "gold": [path]}, {"query": "nodes", "gold": [path]}]
    rows[1]["now"] = "2026-12-01"
    with opened(workspace.repository.root, "fake-words@64") as embedding:
        embed_index(embedding)
        found = score_own(embedding, put("own.jsonl", rows), limit=10)
    assert [score.figures.hit_at_1 for score in found.scores] == [1.0, 1.0, 1.0]


def test_what_no_search_finds_is_named_by_line(put: Put, workspace: Workspace) -> None:
    """An archived memory, a task, a path where nothing ever was, and one that is none."""
    gone = write(workspace, fact("Builds take ten minutes.")).path
    archive(workspace, [gone])
    task = write(workspace, replace(fact("Order the badges."), type=MemoryType.TASK)).path
    here = write(workspace, fact("Nodes reboot on Sundays.")).path
    rows: list[dict[str, object]] = [
        {"query": "x", "gold": [here]},
        {"query": "x", "gold": [here, gone]},
        {"query": "x", "gold": [task]},
        {"query": "x", "gold": ["areas/inbox/never.html"]},
        {"query": "x", "gold": ["never"]},
    ]
    with pytest.raises(InvalidInputError) as caught:
        score_own(workspace, put("own.jsonl", rows), limit=10)
    parts = caught.value.message.split("; line ")
    assert caught.value.suggestions == ("name memories by their paths, as `memhtml list` shows them",)
    assert parts[0] == f"own.jsonl, line 2: no search finds archive/2026/{gone}: it is archived, a task, or no memory"
    assert parts[1].startswith(f"3: no search finds {task}:")
    assert parts[2].startswith("4: there is no memory at areas/inbox/never.html")
    assert parts[3].startswith("5: ")
    rows = [{"query": "x", "gold": [here], "controls": {"n": ["areas/inbox/never.html"]}}]
    with pytest.raises(InvalidInputError, match=r"line 1: there is no memory at 'areas/inbox/never\.html'"):
        score_own(workspace, put("own.jsonl", rows), limit=10)


def test_the_own_store_must_be_there(put: Put, root: Path) -> None:
    """As for any other command."""
    with opened(root) as workspace, pytest.raises(StoreMissingError):
        score_own(workspace, put("own.jsonl", [{"query": "x", "gold": ["areas/a.html"]}]), limit=10)


def test_a_question_file_is_read_before_a_store_is_looked_at(root: Path, tmp_path: Path) -> None:
    """A wrong file costs nothing."""
    with opened(root) as workspace, pytest.raises(InvalidInputError):
        score_own(workspace, tmp_path / "nowhere", limit=10)
    (tmp_path / "own.jsonl").write_text("{}")
    with opened(root) as workspace, pytest.raises(InvalidInputError, match=r"^own\.jsonl, line 1: "):
        score_own(workspace, tmp_path / "own.jsonl", limit=10)
