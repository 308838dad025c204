"""Every command as a user runs it: its help, its examples, and what it says to wrong and hostile arguments."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memhtml.cli import door
from memhtml.ops.operation import Kind, Operation, Parameter
from memhtml.ops.table import OPERATIONS
from memhtml.store.worktrees import RunTree, take_away

pytestmark = pytest.mark.skipif(os.name != "posix", reason="examples are written for a POSIX shell")

EVERY = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.name)
STORED = [row for row in OPERATIONS if row.needs_store]
RUNS_ALONE = {"sleep status", "sleep review", "sleep drop"}
"""They read and change the branches of runs, and nothing else."""
BATCH = '{"claim":"The retry limit of checkout is 3."}\n{"claim":"The retry limit of checkout is 5."}\n'

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a `memhtml` that is this one."""
    folder = tmp_path_factory.mktemp("bin")
    script = folder / "memhtml"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memhtml "$@"\n')
    script.chmod(0o755)
    return folder


def environment(shim: Path, root: Path) -> dict[str, str]:
    """What the processes of these tests see."""
    known = dict(os.environ)  # noqa: TID251 - handed on to the processes
    return {**known, "PATH": f"{shim}:{known['PATH']}", "MEMHTML_ROOT": str(root), "MEMHTML_EMBED": "fake-words@32"}


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, shim: Path) -> Path:
    """A store with what the examples speak of."""
    folder = tmp_path_factory.mktemp("prepared")
    root = folder / "store"
    lines = (
        "memhtml init",
        'memhtml write "Drain before every deploy." --tag deploys --entity service:checkout',
        'memhtml write "Nodes reboot on Sundays."',
        'memhtml write "The checkout service retries failed payments 3 times."',
        'memhtml write "Builds take ten minutes."',
        "memhtml archive areas/inbox/builds-take-ten-minutes.html",
        'memhtml task add "Order the badges"',
        "memhtml state export",
        "memhtml index embed",
        "memhtml sleep run --date 2026-07-28",
    )
    home = {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "XDG_CONFIG_HOME": str(folder)}
    for line in lines:
        subprocess.run(line, shell=True, check=True, capture_output=True, env={**environment(shim, root), **home})  # noqa: S602 - a shell is what examples are for
    # A copy of the store is another store, whose run has no work tree yet; it is made when somebody needs it.
    take_away(RunTree(root / ".git", "2026-07-28"))
    (folder / "steps.txt").write_text("Stop the signer.\n\nRotate the key.\n")
    (folder / "batch.jsonl").write_text(BATCH)
    (folder / "documents.jsonl").write_text('{"id":"a","text":"Drain before every deploy."}\n')
    (folder / "questions.jsonl").write_text('{"query":"when to drain","gold":["a"]}\n')
    (folder / "orphans.py").write_text("report([one['path'] for one in corpus() if not backlinks(one['path'])])\n")
    path = "resources/deploys/drain-before-every-deploy.html"
    (folder / "own.jsonl").write_text(f'{{"query":"when to drain","gold":["{path}"]}}\n')
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    """A copy of the prepared store and of the files beside it."""
    return shutil.copytree(prepared, tmp_path / "copy")


@pytest.fixture
def run(folder: Path, shim: Path) -> Run:
    """Runs a command line, or a line of shell, beside the store."""

    def call(*words: str | bytes, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
        known = {**environment(shim, folder / "store"), **variables}
        line = words[0] if len(words) == 1 and isinstance(words[0], str) and " " in words[0] else None
        return subprocess.run(
            line or [shim / "memhtml", *words],
            shell=line is not None,
            cwd=folder,
            env=known,
            input=stdin,
            capture_output=True,
            timeout=100,
            check=False,
        )

    return call


def contents(root: Path) -> dict[str, bytes]:
    """The branch, git's view of the folder, and every file that is a person's."""
    found = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".memhtml"} & set(path.relative_to(root).parts)
    }
    for words in (("rev-parse", "HEAD"), ("status", "--porcelain")):
        found[words[0]] = subprocess.run(["git", "-C", root, *words], capture_output=True, check=False).stdout
    return found


@EVERY
def test_help_shows_usage_and_an_example(run: Run, row: Operation) -> None:
    """On a pipe too, as text, and without a store."""
    for words in ((*row.name.split(), "--help"), ("help", *row.name.split())):
        done = run(*words, MEMHTML_ROOT="/nowhere")
        assert (done.returncode, done.stderr) == (0, b"")
        text = done.stdout.decode()
        assert f"Usage: memhtml {row.name}" in text
        assert all(example in text for example in row.examples)


@EVERY
def test_the_examples_work(run: Run, row: Operation) -> None:
    """One after the other, on a store that holds what they speak of; each answers as the table says."""
    for example in row.examples:
        done = run(f"{example} --json" if " < " not in example else example.replace(" < ", " --json < "))
        assert done.returncode == 0, done.stdout.decode()
        assert done.stderr == b""
        envelope = json.loads(done.stdout)
        assert (envelope["apiVersion"], envelope["type"]) == ("1", row.envelope)


@EVERY
def test_missing_extra_and_unknown_arguments_are_usage_errors(run: Run, row: Operation, folder: Path) -> None:
    """Exit 2, a code, what to do; the store is as it was."""
    before = contents(folder / "store")
    words = row.name.split()
    positional = [parameter for parameter in row.parameters if parameter.positional]
    calls = [[*words, "--no-such-flag"], [*words, "--root"]]
    if any(parameter.required for parameter in positional):
        calls.append(words)
    if not any(parameter.repeatable or parameter.joined for parameter in positional):
        calls.append([*words, *(["x"] * (len(positional) + 1))])
    for parameter in row.parameters:
        if parameter.kind in {Kind.INTEGER, Kind.NUMBER, Kind.CHOICE} and not parameter.positional:
            fill = ["x"] * sum(each.required for each in positional)
            calls.append([*words, *fill, parameter.flag, "no such value"])
    for call in calls:
        # A hook is silent on everything unless JSON is asked for.
        done = run(*call[: len(words)], "--json", *call[len(words) :]) if row.name == "hook" else run(*call)
        envelope = json.loads(done.stdout)
        assert done.returncode == 2, (call, envelope)
        assert envelope["code"].startswith("ERR_")
        assert envelope["suggestions"], (call, envelope)
        assert done.stderr == b""
    assert contents(folder / "store") == before


HOSTILE = {
    "parent": b"../../etc/passwd",
    "absolute": b"/etc/passwd",
    "no utf-8": b"areas/\xff\xfe.html",
    "long": b"a" * 10_000,
    "bidi": "areas/\u202e\u2066x.html".encode(),
    "emoji": "👩‍🚀🏳️‍🌈".encode(),
    "markup": b"<script>alert(1)</script>",
    "quotes": b"\"'`; DROP TABLE files; -- $(reboot)",
    "operators": b'AND OR NOT NEAR(a b) "unbalanced * ^ : {x} (',
    "escape": b"\x1b]0;owned\x07\x1b[2J",
    "newline": b"two\nlines",
    "git": b".git/config",
    "house": b".memhtml/index.db",
    "empty": b"",
    "dash": b"-",
    "space": b" \t ",
}


@EVERY
def test_hostile_arguments_give_one_envelope_and_leave_the_past_alone(
    row: Operation, folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """In every place of every command: exit 0, 1 or 2, never a traceback; every memory that was there still is.

    In this process, since there are thousands of calls; `tests/cli/test_door.py` has some with real arguments.
    """
    root = folder / "store"
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MEMHTML_ROOT", str(root))
    monkeypatch.setenv("MEMHTML_EMBED", "fake-words@32")
    before = contents(root)
    for parameter in row.parameters:
        for word in HOSTILE.values() if parameter.kind is not Kind.FLAG else ():
            line = _line(row, parameter, word.decode(errors="surrogateescape"))
            status = door.run(line)
            out, err = capsysbinary.readouterr()
            assert err == b"", line
            envelope = json.loads(out)
            assert status in {0, 1, 2}, line
            assert ("code" in envelope) is not ("type" in envelope), line
            assert envelope.get("code") != "ERR_UNKNOWN", line
    after = contents(root)
    if not row.mutates:
        assert after == before
    if row.name not in {"archive", "correct", "link", "unlink", "restore", "task status", "publish"}:
        kept = {path: data for path, data in before.items() if path.startswith(("areas/", "resources/"))}
        assert kept.items() <= after.items()


def _line(row: Operation, parameter: Parameter, word: str) -> list[str]:
    """A command line with ``word`` as ``parameter``, and a real path wherever else a place must be filled."""
    places = [each for each in row.parameters if each.positional]
    fill = [word if each is parameter else "areas/inbox/nodes-reboot-on-sundays.html" for each in places]
    flag = [] if parameter.positional else [f"--{parameter.name.replace('_', '-')}={word}"]
    return [*row.name.split(), *(["--json"] if row.document else []), *flag, "--", *fill]


@pytest.fixture(params=["nothing", "file", "folder", "repository", "bare"])
def no_store(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Places that are no store."""
    place = tmp_path / "place"
    match request.param:
        case "file":
            place.write_text("thesis")
        case "folder":
            place.mkdir()
            (place / "thesis.txt").write_text("mine")
        case "repository":
            subprocess.run(["git", "init", "-q", place], check=True)
            (place / "main.c").write_text("int main;")
        case "bare":
            subprocess.run(["git", "init", "-q", "--bare", place], check=True)
        case _:
            pass
    return place


def test_a_place_that_is_no_store_is_refused_by_every_command(
    no_store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """With a code that says what is there, and the place as it was."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MEMHTML_ROOT", str(no_store))
    before = sorted(str(path) for path in no_store.rglob("*")) if no_store.is_dir() else no_store.exists()
    for row in STORED:
        status = door.run(shlex.split(row.examples[0])[1:])
        envelope = json.loads(capsysbinary.readouterr().out)
        assert status == 1, (row.name, envelope)
        assert envelope["code"] in {"ERR_REPO_REQUIRED", "ERR_NOT_A_STORE"}, (row.name, envelope)
        assert envelope["suggestions"]
    after = sorted(str(path) for path in no_store.rglob("*")) if no_store.is_dir() else no_store.exists()
    assert after == before


@pytest.mark.parametrize("row", STORED, ids=lambda row: row.name)
def test_a_damaged_index_stops_no_command(run: Run, folder: Path, row: Operation) -> None:
    """It is made anew, and said, and doctor names what was put aside."""
    house = folder / "store" / ".memhtml"
    for name in ("index.db-wal", "index.db-shm"):
        (house / name).unlink(missing_ok=True)
    (house / "index.db").write_bytes(b"no database" * 999)
    done = run(row.examples[0])
    assert done.returncode == (1 if row.name == "doctor" else 0), done.stdout
    asks_no_index = row.name in {"resolve", "history", "trace index", "trace search", *RUNS_ALONE}
    assert asks_no_index or [path for path in house.iterdir() if "corrupt" in path.name]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a folder read-only")
def test_a_store_that_may_not_be_written_is_said_to_be_so(folder: Path, shim: Path) -> None:
    """An error that says so, or an answer that changed nothing."""
    root = folder / "store"
    if subprocess.run(["mount", "--bind", root, root], check=False, capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", root], check=True)
        before = contents(root)
        for row in STORED:
            example = f"{row.examples[0]} --json" if row.name == "hook" else row.examples[0]
            done = subprocess.run(  # noqa: S602 - a shell is what examples are for
                example, shell=True, cwd=folder, env=environment(shim, root), capture_output=True, check=False
            )
            envelope = json.loads(done.stdout)
            assert done.returncode in {0, 1}, (row.name, envelope)
            if row.name == "doctor":  # it answers with what it could not look at
                assert [finding["code"] for finding in envelope["data"]["findings"]] == ["index-closed"]
            elif done.returncode == 1:
                assert envelope["code"] == "ERR_STORAGE", (row.name, envelope)
                assert envelope["suggestions"]
            elif row.mutates:
                assert envelope["data"].get("commit") is None, (row.name, envelope)
        assert contents(root) == before
    finally:
        subprocess.run(["umount", root], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make a small disk")
def test_a_full_disk_is_said_to_be_full_and_the_branch_stays(folder: Path, shim: Path, tmp_path: Path) -> None:
    """Nothing is half written; with room again the next write works."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], check=False).returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        root = shutil.copytree(folder / "store", disk / "store")
        ballast = disk / "ballast"
        _fill(ballast)
        before = contents(root)
        claim = "A long claim " + "that fills the disk " * 500
        for words in (["write", claim], ["archive", "areas/inbox/nodes-reboot-on-sundays.html"], ["publish"]):
            done = _memhtml(shim, root, *words)
            envelope = json.loads(done.stdout)
            assert done.returncode == 1, envelope
            assert envelope["code"] in {"ERR_STORAGE", "ERR_GIT"}, envelope
        assert contents(root) == before
        ballast.unlink()
        done = _memhtml(shim, root, "write", "There is room again.")
        assert done.returncode == 0, done.stdout
        assert json.loads(_memhtml(shim, root, "doctor").stdout)["data"]["healthy"]
    finally:
        subprocess.run(["umount", disk], check=True)


def _fill(ballast: Path) -> None:
    """Leave no byte free."""
    with ballast.open("wb", buffering=0) as file:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue


def _memhtml(shim: Path, root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    known = environment(shim, root)
    return subprocess.run([shim / "memhtml", *words], env=known, capture_output=True, check=False, timeout=100)


@pytest.mark.parametrize("stdin", [b"\xff\xfe", b"caf\xe9\n", b"{\n", b"", b"\n\n", b'{"claim":"a\x00b"}', b"[]" * 9])
def test_standard_input_that_is_no_batch_is_refused(run: Run, folder: Path, stdin: bytes) -> None:
    """Not UTF-8, not JSON, nothing at all; the store is as it was."""
    before = contents(folder / "store")
    done = run("apply", "-", stdin=stdin)
    envelope = json.loads(done.stdout)
    assert done.returncode in {1, 2}
    assert envelope["code"] in {"ERR_INVALID_INPUT", "ERR_BATCH_REFUSED", "ERR_MISSING_ARGUMENT"}
    assert contents(folder / "store") == before


HEAVY = {
    "numpy",
    "asyncio",
    "pydantic",
    "turbohtml",
    "rich",
    "onnxruntime",
    "argparse",
    "http",
    "tomllib",
    "platformdirs",
}


@pytest.mark.parametrize(
    ("line", "spared"),
    [
        (["search", "drain"], HEAVY),
        (["recall", "drain"], HEAVY),
        (["write", "Another fact."], HEAVY),
        (["list"], HEAVY),
        (["--version"], HEAVY | {"sqlite3", "subprocess", "anyascii"}),
        (["config", "list"], HEAVY | {"sqlite3", "subprocess", "anyascii"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_imports_only_what_it_uses(folder: Path, shim: Path, line: list[str], spared: set[str]) -> None:
    """Without vectors there is no numpy, no framework and no parser of markup in the process."""
    script = (
        "import sys\n"
        "from memhtml.cli.main import main\n"
        f"status = main({line!r})\n"
        f"print(status, sorted({{name.partition('.')[0] for name in sys.modules}} & {spared!r}), file=sys.stderr)\n"
    )
    assert (
        _memhtml(shim, folder / "store", "index", "embed").returncode == 0
    )  # vectors that are there cost nothing either
    known = {**environment(shim, folder / "store"), "MEMHTML_EMBED": "off"}
    done = subprocess.run([sys.executable, "-c", script], env=known, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "0 []"
