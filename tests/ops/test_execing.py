"""A script over the memories of one commit: it answers, and nothing is changed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memhtml.domain.errors import ExecFailedError, ExecLimitError, PathNotFoundError
from memhtml.ops.archive import archive
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.encoding import answer
from memhtml.ops.execing import execute, run
from memhtml.ops.failure import failure
from memhtml.ops.write import write
from memhtml.sandbox.limits import MEGABYTE, Limits
from memhtml.workspace.workspace import Workspace

from .conftest import fact, git, opened, seen

TIGHT = Limits(seconds=1.0, memory=64 * MEGABYTE, output=10_000)
PATHS = "report([one['path'] for one in corpus(archived=True)])"

ATTACKS = {
    "file": "open('.memhtml/config.toml', 'w').write('gone')",
    "path": "from pathlib import Path\nfor one in corpus():\n    Path(one['path']).unlink()",
    "network": "import socket\nsocket.create_connection(('127.0.0.1', 80))",
    "environment": "import os\nreport(os.environ['HOME'])",
    "import": "import memhtml.store\nreport(1)",
    "loop": "while True:\n    pass",
    "calls": "while True:\n    try:\n        backlinks(PATH)\n    except BaseException:\n        pass",
    "memory": "text = 'a'\nwhile True:\n    text += text",
    "print": "while True:\n    print(corpus())",
    "report": "report(corpus() * 10_000)",
    "query": "search('drain ' * 10**6)",
    "argument": "row = [0] * 1000\nrows = [row] * 1000\nsearch('a', limit=[[rows] * 1000])",
}


def everything(root: Path) -> dict[str, bytes]:
    """Every file of the store, git's own and the databases, but for what SQLite keeps beside them while it reads."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


@pytest.fixture
def memory(workspace: Workspace) -> str:
    """The one memory of the store."""
    return write(workspace, fact("Drain before every deploy.")).path


def test_a_script_reports_on_the_last_commit(workspace: Workspace, memory: str) -> None:
    """Which commit that was, how many memories it has, and what the script said."""
    done = execute(workspace, f"print('looking')\n{PATHS}")
    head = git(workspace.repository.root, "rev-parse", "HEAD")
    assert (done.commit, done.memories, done.value, done.printed) == (head, 1, [memory], "looking\n")
    assert (done.degraded, done.warnings) == ((), ())
    envelope = json.dumps(answer("exec.report", done))
    assert json.loads(envelope)["data"]["value"] == [memory]


def test_keys_of_a_report_stay_as_the_script_wrote_them(workspace: Workspace) -> None:
    """They are data, not names of fields."""
    done = execute(workspace, "report({'last_seen': {'two_words': 1}})")
    assert json.loads(json.dumps(answer("exec.report", done)))["data"]["value"] == {"last_seen": {"two_words": 1}}


def test_what_is_not_committed_is_not_seen(workspace: Workspace, memory: str) -> None:
    """Neither a new file, nor a change, nor that one is missing; also when the index has seen the work tree."""
    root = workspace.repository.root
    (root / "areas" / "inbox" / "new.html").write_text((root / memory).read_text().replace("Drain", "Never drain"))
    (root / memory).write_text((root / memory).read_text().replace("Drain", "Do not drain"))
    workspace.index.update(workspace.repository)
    assert "Do not drain" in str(workspace.index.reading().__enter__().texts([memory]))
    texts = execute(workspace, "report([one['text'] for one in corpus()])").value
    assert texts == ["Drain before every deploy."]


def test_the_store_as_it_was_is_another_commit(workspace: Workspace, memory: str) -> None:
    """By a commit's id or an instant; one that the store does not have is refused."""
    then = git(workspace.repository.root, "rev-parse", "HEAD")
    gone = archive(workspace, [memory]).memories[0].path
    assert execute(workspace, PATHS).value == [gone]
    past = execute(workspace, PATHS, commit=then[:12])
    assert (past.commit, past.value, past.memories) == (then, [memory], 1)
    with pytest.raises(PathNotFoundError, match="no commit before"):
        execute(workspace, PATHS, commit="2020-01-01")
    with pytest.raises(PathNotFoundError):
        execute(workspace, PATHS, commit="HEAD; rm -rf")


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_whatever_a_script_tries_the_store_stays_as_it_was(workspace: Workspace, memory: str, attack: str) -> None:
    """Every file of it: memories, git's own, index and state; and the script is told no."""
    root = workspace.repository.root
    workspace.catch_up()
    shown = seen(root)  # git writes its index when it looks
    before = everything(root)
    with pytest.raises(ExecFailedError) as caught:
        execute(workspace, attack.replace("PATH", repr(memory)), TIGHT)
    assert isinstance(caught.value, ExecLimitError) == (
        attack in {ATTACKS[name] for name in ("loop", "calls", "memory", "print", "report")}
    )
    assert everything(root) == before
    assert seen(root) == shown


def test_a_script_that_works_changes_nothing_either(workspace: Workspace, memory: str) -> None:
    """Neither does it count as an open."""
    root = workspace.repository.root
    workspace.catch_up()
    before = everything(root)
    execute(workspace, f"report([corpus(), search('drain'), backlinks({memory!r}), chain({memory!r})])")
    assert everything(root) == before


def test_scripts_run_beside_one_another(workspace: Workspace, memory: str) -> None:
    """Each with an index and an interpreter of its own, on one open store; one that fails disturbs none."""
    scripts = [f"report([{number}, corpus('path')[0]['path'], len(search('drain'))])" for number in range(6)]
    scripts[3] = "report(corpus()[99])"

    def answered(script: str) -> object:
        try:
            return execute(workspace, script).value
        except ExecFailedError as error:
            return error.code

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(answered, scripts))
    assert found == [[number, memory, 1] if number != 3 else "ERR_EXEC_FAILED" for number in range(6)]


@pytest.mark.usefixtures("memory")
def test_an_embedder_that_cannot_be_had_leaves_words(root: Path) -> None:
    """The answer says so, and there is one."""
    with opened(root, "some-model@8") as other:
        done = execute(other, "report(len(search('drain before a deploy')))")
    assert done.value == 1
    assert [each.code for each in done.warnings] == ["ERR_INVALID_SETTING"]


def test_the_row_hands_its_limits_on(workspace: Workspace, memory: str) -> None:
    """Seconds and megabytes, as a command line gives them."""
    row = operation("exec")
    assert row is not None
    spelled = {"script": "text = 'a'\nwhile True:\n    text += text", "limit_memory_mb": "16"}
    with pytest.raises(ExecLimitError, match="more than 16 MB of memory"):
        run(workspace, bind(row, spelled))
    with pytest.raises(ExecLimitError, match=r"more than 0\.2 seconds"):
        run(workspace, bind(row, {"script": "while True:\n    pass", "limit_seconds": "0.2"}))
    defaults = bind(row, {"script": PATHS})
    assert (defaults.number("limit_seconds"), defaults.count("limit_memory_mb") * MEGABYTE) == (
        Limits().seconds,
        Limits().memory,
    )
    assert run(workspace, defaults).value == [memory]


def test_a_failure_says_where_in_details(workspace: Workspace) -> None:
    """For a program that mends its script."""
    with pytest.raises(ExecFailedError) as caught:
        execute(workspace, "print('so far')\nreport(corpus()[7])")
    assert failure(caught.value) == {
        "apiVersion": "1",
        "error": "line 2: IndexError: list index out of range",
        "code": "ERR_EXEC_FAILED",
        "suggestions": ["correct the script; memhtml exec --help shows what it may call"],
        "details": {"line": 2, "printed": "so far\n"},
    }
