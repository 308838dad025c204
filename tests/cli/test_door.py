"""The door: one envelope on a pipe, whatever happens; exit statuses; streams that are closed, full or gone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import memhtml
from memhtml.cli.door import run
from memhtml.ops.operation import Kind
from memhtml.ops.table import OPERATIONS

from .conftest import Command

try:
    import pty
except ImportError:  # Windows
    pty = None

POSIX = pytest.mark.skipif(os.name != "posix", reason="descriptors and signals as POSIX has them")


def test_an_answer_on_a_pipe_is_one_envelope_and_nothing_else(process: Command) -> None:
    """Nothing on standard error either."""
    outcome = process("config", "list")
    assert outcome.status == 0
    assert outcome.envelope["apiVersion"] == "1"
    assert outcome.envelope["type"] == "config.list"
    assert outcome.stderr == b""
    assert outcome.stdout.endswith(b"}\n")
    assert b"\r" not in outcome.stdout


def test_an_error_on_a_pipe_is_one_envelope_and_nothing_else(process: Command) -> None:
    """With its code, what to do, and the status of its class."""
    outcome = process("serach", "x")
    assert outcome.status == 2
    assert set(outcome.envelope) == {"apiVersion", "error", "code", "suggestions"}
    assert outcome.code == "ERR_UNKNOWN_COMMAND"
    assert outcome.stderr == b""


def test_dense_is_one_line_without_nulls(process: Command) -> None:
    """The same data."""
    dense, wide = process("manifest", "--dense"), process("manifest")
    assert dense.stdout.count(b"\n") == 1
    assert b":null" not in dense.stdout
    assert b": null" in wide.stdout
    assert dense.data["commands"][0]["name"] == wide.data["commands"][0]["name"]


@pytest.mark.parametrize(
    "words", [["--help"], [], ["help"], ["config", "get", "--help"], ["--version"], ["agents-doc"]]
)
def test_documents_are_text_on_a_pipe_and_json_when_asked(process: Command, words: list[str]) -> None:
    """`memhtml agents-doc > AGENTS.md` makes the file; `--json` wraps the same text."""
    text = process(*words)
    assert (text.status, text.stderr) == (0, b"")
    assert not text.stdout.startswith(b"{")
    if words:
        assert process(*words, "--json").data["text"] + "\n" == text.stdout.decode()


def test_the_version_is_that_of_the_project(process: Command) -> None:
    """It is written twice, since reading the metadata of an installed package costs more than a search."""
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert f'\nversion = "{memhtml.__version__}"\n' in project
    assert process("--version").stdout.decode() == f"memhtml {memhtml.__version__}\n"


@POSIX
@pytest.mark.parametrize(
    "word", [b"\xff", b"config\xfe", b"\xe2\x80\xae", "😀".encode(), b"<script>", b"'; DROP TABLE x; --", b"x" * 10_000]
)
def test_any_bytes_in_the_arguments_give_an_envelope(process: Command, word: bytes) -> None:
    """Also those that are no UTF-8, in command, argument, flag and setting."""
    for words in ([word], [b"config", b"get", word], [b"config", b"list", b"--" + word], [b"help", word]):
        outcome = process(*words)
        assert outcome.status in {1, 2}
        assert outcome.code.startswith("ERR_")
        assert outcome.stderr == b""
    outcome = process(b"config", b"list", b"--root", word)
    assert outcome.status in {0, 1}
    assert json.loads(outcome.stdout)["apiVersion"] == "1"


@pytest.mark.parametrize("locale", ["C", "POSIX", "tr_TR.ISO-8859-9", "en_US.UTF-8"])
def test_the_locale_changes_nothing(process: Command, locale: str) -> None:
    """Arguments and output are UTF-8, also where Python is told that everything is ASCII."""
    variables = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    outcome = process("help", "тест-日本", variables=variables)
    assert outcome.envelope["error"] == "there is no command 'тест-日本'"
    assert "тест-日本".encode() in outcome.stdout


@POSIX
@pytest.mark.parametrize("locale", ["C", "tr_TR.ISO-8859-9"])
def test_names_of_files_are_utf8_in_any_locale(process: Command, root: Path, locale: str) -> None:
    """A path and a title beyond ASCII are written and read where Python would encode both otherwise."""
    variables = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert process("init", variables=variables).status == 0
    path = "areas/größe-日本.html"
    written = process("write", "Größe 日本.", "--path", path, variables=variables)
    assert written.data["path"] == path
    assert (root / path).is_file()
    assert process("read", path, variables=variables).data["memories"][0]["memory"]["title"] == "Größe 日本."
    assert process("doctor").data["healthy"]


@POSIX
def test_a_closed_standard_output_is_refused_before_anything_is_done(process: Command) -> None:
    """Nobody could learn that it was done; standard error says so."""
    assert process("init").status == 0
    before = process("status").data["commit"]
    outcome = process("write", "Drain before every deploy.", preexec_fn=lambda: os.close(1))
    assert outcome.status == 1
    assert b"standard output is closed" in outcome.stderr
    assert process("status").data["commit"] == before


@POSIX
def test_all_streams_closed_is_an_exit_status_and_no_crash(process: Command) -> None:
    """As a daemon would start it."""
    outcome = process("config", "list", preexec_fn=lambda: os.closerange(0, 3), stdin=None)
    assert outcome.status == 1


@POSIX
def test_a_closed_standard_input_matters_only_to_what_reads_it(process: Command) -> None:
    """An ordinary command works without one."""
    assert process("config", "list", preexec_fn=lambda: os.close(0), stdin=None).status == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_a_failure(process: Command) -> None:
    """Whoever asked did not get the answer."""
    with Path("/dev/full").open("wb") as full:
        outcome = process("manifest", stdout=full)
    assert outcome.status == 1
    assert b"the disk is full" in outcome.stderr
    assert b"Traceback" not in outcome.stderr


@POSIX
def test_a_reader_that_goes_away_is_no_error() -> None:
    """`memhtml manifest | head -c 1` ends quietly."""
    with subprocess.Popen(
        [sys.executable, "-m", "memhtml", "manifest"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(100) == 0


def test_an_interruption_is_an_answer_too(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """An envelope on a pipe, and 130."""

    def interrupted(words: object) -> None:
        del words
        raise KeyboardInterrupt

    monkeypatch.setattr("memhtml.cli.door.parse", interrupted)
    assert run(["config", "list"]) == 130
    assert json.loads(capsysbinary.readouterr().out)["code"] == "ERR_INTERRUPTED"


@pytest.mark.parametrize("row", ["write", "reinforce"])
def test_an_interruption_while_the_answer_is_written_says_what_is_done(
    command: Command, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    """On standard error, since standard output may hold a part of the answer; 130."""
    command("init")
    path = command("write", "Nodes reboot on Sundays.").data["path"]

    def interrupted(streams: object, text: object) -> None:
        del streams, text
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("memhtml.cli.streams.Streams.write", interrupted)
        outcome = command(*{"write": ("write", "Drain before every deploy."), "reinforce": ("reinforce", path)}[row])
    assert (outcome.status, outcome.stdout) == (130, b"")
    assert outcome.stderr.startswith(f"memhtml: interrupted while the answer was written; {row} is done".encode())
    assert (command("status").data["commit"].encode() in outcome.stderr) is (row == "write")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_change_whose_answer_cannot_be_written_is_done(process: Command) -> None:
    """Standard error says where it is, and 0 that it is done; the same again has nothing to do, and fails."""
    assert process("init").status == 0
    with Path("/dev/full").open("wb") as full:
        outcome = process("write", "Drain before every deploy.", stdout=full)
        again = process("write", "Drain before every deploy.", stdout=full)
        refused = process("read", "areas/none.html", stdout=full)
    assert outcome.status == 0
    commit = process("status").data["commit"]
    said = f"write is done: it is committed as {commit} (areas/inbox/drain-before-every-deploy.html)"
    assert outcome.stderr.decode() == f"memhtml: {said}; only the answer could not be written: the disk is full\n"
    assert again.status == 1
    assert b"the disk is full" in again.stderr
    assert refused.status == 1
    assert b"ERR_PATH_NOT_FOUND" in refused.stderr  # why it failed, and not why nobody was told


@POSIX
def test_a_change_whose_reader_went_away_says_that_it_is_done(process: Command) -> None:
    """A question ends quietly, a change tells standard error."""
    assert process("init").status == 0
    reading, writing = os.pipe()
    os.close(reading)
    try:
        outcome = process("write", "Drain before every deploy.", stdout=writing)
        asked = process("status", stdout=writing)
    finally:
        os.close(writing)
    assert outcome.status == 0
    assert b"write is done: it is committed as" in outcome.stderr
    assert b"nobody reads it any more" in outcome.stderr
    assert (asked.status, asked.stderr) == (0, b"")


def test_what_nobody_expected_becomes_an_envelope_and_a_trace_only_when_asked(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """A fault of ours names its kind and keeps the text of the exception to itself."""

    def faulty(words: object) -> None:
        del words
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("memhtml.cli.door.parse", faulty)
    assert run(["config", "list"]) == 1
    captured = capsysbinary.readouterr()
    assert json.loads(captured.out)["code"] == "ERR_UNKNOWN"
    assert b"secret" not in captured.out + captured.err
    monkeypatch.setenv("MEMHTML_DEBUG", "1")
    assert run(["config", "list"]) == 1
    assert b"ZeroDivisionError: a secret" in capsysbinary.readouterr().err


@POSIX
def test_a_person_at_a_terminal_reads_text_and_errors_on_standard_error() -> None:
    """No JSON, no control characters of the arguments."""
    leader, follower = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "memhtml", "conf\x1b[31mig"],
            stdout=follower,
            stderr=subprocess.PIPE,
            stdin=follower,
            check=False,
            timeout=100,
        )
    finally:
        os.close(follower)
        os.close(leader)
    assert done.returncode == 2
    assert done.stderr.startswith(b"memhtml: there is no command")
    assert b"\x1b" not in done.stderr


def test_no_command_takes_a_moment_that_is_none(command: Command) -> None:
    """Wherever one can be given, in a flag or in a line of a batch; nor a fact that ends before it begins."""
    command("init")
    fact = command("write", "Drain before every deploy.").data["path"]
    places = {"path": fact, "source": fact, "target": fact, "rel": "supports", "claim": "x", "query": "x", "lines": "-"}
    before = command("status").data["commit"]
    asked = 0
    for row in OPERATIONS:
        needed = [places[each.name] for each in row.parameters if each.positional and each.name in places]
        moments = [each.flag for each in row.parameters if each.kind is Kind.INSTANT]
        wrong = [[flag, word] for flag in moments for word in ("soon", "2026-13-01", "2026-8-9", "")]
        if "--valid-from" in moments:
            wrong += [["--valid-from", "2026-05-02", "--valid-until", end] for end in ("2026-05-01", "2026-05-02")]
        for words in wrong:
            outcome = command(*row.name.split(), *needed, *words)
            wanted = {"ERR_INVALID_MEMORY", "ERR_INVALID_FLAG"}
            if row.name == "write" and words[0] == "--due":
                wanted = {"ERR_UNEXPECTED_ARGUMENT"}  # it is for tasks, whatever it says
            assert outcome.code in wanted, (row.name, words)
            asked += 1
    for verb in ("write", "correct"):
        for wrong_fields in ({"valid_until": "soon"}, {"validFrom": "2026-05-02", "valid_until": "2026-05-01"}):
            line = json.dumps(
                {"op": verb, "claim": "x", **wrong_fields, **({"target": fact} if verb == "correct" else {})}
            )
            assert command("apply", "-", stdin=line.encode()).code == "ERR_BATCH_REFUSED"
    assert asked > 40
    assert command("status").data["commit"] == before


@pytest.mark.parametrize("text", ["[\x00garbage", 'lock_wait = "soon"\n'])
def test_a_broken_settings_file_stops_neither_doctor_nor_help_nor_what_mends_it(
    process: Command, tmp_path: Path, text: str
) -> None:
    """Everything else refuses, names the file and says what to do."""
    root = ("--root", str(tmp_path / "store"))
    assert process("init", *root).status == 0
    file = tmp_path / "store" / ".memhtml" / "config.toml"
    file.write_text(text)
    for words in (["search", "x"], ["config", "list"], ["status"]):
        outcome = process(*words, *root)
        assert (outcome.status, outcome.code) == (1, "ERR_INVALID_SETTING")
        assert str(file) in outcome.envelope["error"]
        assert f"edit {file}" in outcome.envelope["suggestions"]
    for words in (["help"], ["--version"], ["agents-doc"], ["manifest"]):
        assert process(*words, *root).status == 0
    found = process("doctor", *root).envelope["data"]["findings"]
    assert [(one["code"], one["path"]) for one in found] == [("bad-setting", str(file))]
    assert f"edit {file}" in found[0]["fix"]
