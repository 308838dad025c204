"""A script runs, reports, and can do nothing else: every attack ends with an error of its own, and soon."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memhtml.domain.errors import (
    ExecFailedError,
    ExecLimitError,
    InvalidFlagError,
    InvalidInputError,
    PackageMissingError,
    PathNotFoundError,
    StorageError,
)
from memhtml.domain.memory import Instant
from memhtml.sandbox.limits import MEGABYTE, Limits
from memhtml.sandbox.script import LONGEST_SCRIPT, Outcome, run

NOW = Instant("2026-07-28T10:00:00Z")
TIGHT = Limits(seconds=1.0, memory=64 * MEGABYTE, output=10_000)
SOON = 20.0
"""Seconds after which an attack that should end in one has not been stopped; the machine may be a busy one."""


def doubled(number: int) -> int:
    """What the scripts of these tests may call."""
    return number * 2


def outcome(source: str, limits: Limits = TIGHT, **given: Callable[..., object]) -> Outcome:
    """What comes of ``source``."""
    return run(source, {"doubled": doubled, **given}, limits, NOW)


def failure(source: str, limits: Limits = TIGHT, **given: Callable[..., object]) -> ExecFailedError:
    """The error that ``source`` ends with, which must come soon."""
    begun = time.monotonic()
    with pytest.raises(ExecFailedError) as caught:
        outcome(source, limits, **given)
    assert time.monotonic() - begun < SOON
    return caught.value


def children() -> set[int]:
    """Processes that this one has started and that are still there."""
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(word) for each in listed for word in each.read_text().split()}


@pytest.fixture(autouse=True)
def _nothing_is_left_running() -> Iterator[None]:
    """Whatever a script does, its interpreter is gone with it."""
    if sys.platform != "linux":
        yield
        return
    before = children()
    yield
    begun = time.monotonic()
    while children() - before:  # it has been killed; that it is dead comes in a moment
        assert time.monotonic() - begun < SOON


def test_a_script_calls_what_it_is_given_and_reports() -> None:
    """A value, and what was printed on the way."""
    assert outcome("print('half')\nreport({'whole': doubled(21)})") == Outcome({"whole": 42}, "half\n")


def test_the_same_script_gives_the_same_outcome() -> None:
    """Its clock stands still, its chance has a seed, and sleep takes no time."""
    source = (
        "import datetime, random, time\ntime.sleep(1000)\n"
        "report([str(datetime.datetime.now()), random.random(), time.time(), time.process_time()])"
    )
    first = outcome(source)
    assert first == outcome(source)
    assert isinstance(first.value, list)
    assert first.value[0] == "2026-07-28 10:00:00"


def test_what_a_call_refuses_is_an_exception_that_the_script_may_catch() -> None:
    """By kind: nothing there, or asked in a wrong way."""

    def absent(path: str) -> None:
        raise PathNotFoundError(f"nothing at {path}")

    def refusing() -> None:
        raise InvalidFlagError("not so")

    source = (
        "said = []\n"
        "for call in (lambda: absent('a'), lambda: refusing(), lambda: doubled(), lambda: doubled(1, x=2)):\n"
        "    try:\n        call()\n"
        "    except Exception as error:\n        said.append([type(error).__name__, str(error)])\n"
        "report(said)"
    )
    assert outcome(source, absent=absent, refusing=refusing).value == [
        ["LookupError", "nothing at a"],
        ["ValueError", "not so"],
        ["TypeError", "doubled: missing a required argument: 'number'"],
        ["TypeError", "doubled: got an unexpected keyword argument 'x'"],
    ]


def test_a_fault_that_is_not_the_scripts_ends_the_run() -> None:
    """It comes out as what it is, whatever the script catches."""

    def broken() -> None:
        raise StorageError("the disk reports an error")

    with pytest.raises(StorageError, match="the disk reports"):
        outcome("try:\n    broken()\nexcept BaseException:\n    report(1)", broken=broken)


def test_a_failure_names_the_lines_of_the_script() -> None:
    """The line where it happened, and those that led there."""
    error = failure("print('on the way')\ndef inner():\n    1 / 0\ndef outer():\n    inner()\nouter()")
    assert error.message == "line 3, called from line 5, called from line 6: ZeroDivisionError: division by zero"
    assert (error.line, error.printed) == (3, "on the way\n")


def test_what_is_no_python_is_refused_with_its_line() -> None:
    """Nothing of it runs."""
    error = failure("report(1)\nif True print(1)")
    assert error.line == 2
    assert "SyntaxError" in error.message


def test_a_long_message_is_cut_and_on_one_line() -> None:
    """A script has a hand in it."""
    message = failure("raise ValueError('two\\nlines ' * 500)").message
    assert message.startswith("line 1: ValueError: two lines two lines")
    assert "\n" not in message
    assert len(message) < 400


def test_a_script_reports_exactly_once() -> None:
    """Neither never nor twice; whatever it has reported, one that fails has failed."""
    assert failure("1 + 1").message == "the script ended without report(value)"
    again = failure("report(1)\ntry:\n    report(2)\nexcept BaseException:\n    pass")
    assert (again.line, again.message) == (3, "line 3: report is called a second time")
    assert "report takes one value" in failure("report()").message
    assert "report takes one value" in failure("report(value=1)").message
    assert failure("report(1)\n1 / 0").line == 2


def test_a_report_may_be_called_by_its_full_name() -> None:
    """It is the same one; there is nothing else of that name, and no way through it."""
    assert outcome("exec.report([1])").value == [1]
    assert outcome("say = exec.report\nsay(2)").value == 2
    assert failure("report(1)\nexec.report(2)").message == "line 2: report is called a second time"
    for other in ("exec('report(1)')", "exec.other(1)", "exec.__dict__", "exec.report.__self__", "report(exec)"):
        error = failure(f"{other}\n")
        assert error.message.startswith(("line 1: TypeError", "line 1: AttributeError")), other


def test_a_report_that_json_cannot_hold_is_an_exception_of_the_script() -> None:
    """With the kind of the value as the script calls it; a script may then report something else."""
    source = "class Pair:\n    pass\nreport(Pair())"
    assert "a value of the kind 'Pair' has no form in JSON" in failure(source).message
    assert outcome("try:\n    report({1, 1j})\nexcept TypeError:\n    report('other')").value == "other"


def test_a_function_that_was_not_called_is_no_report() -> None:
    """The brackets were left out: its name is told, with them. Within other values a text is a text."""
    assert failure("report(doubled)").message == "line 1: TypeError: report: doubled is a function: report doubled(…)"
    assert failure("report(report)").line == 1
    assert outcome("report(['doubled'])").value == ["doubled"]


@pytest.mark.parametrize(
    "attack",
    [
        "open('/etc/hostname').read()",
        "open('SECRET').read()",
        "open('SECRET', 'w').write('gone')",
        "from pathlib import Path\nPath('SECRET').read_text()",
        "from pathlib import Path\nPath('SECRET').unlink()",
        "from pathlib import Path\nlist(Path('/').iterdir())",
        "import os\nos.listdir('/')",
        "import os\nos.remove('SECRET')",
    ],
)
def test_no_file_is_reached(attack: str, tmp_path: Path) -> None:
    """Neither read, nor listed, nor written, nor removed, though this very process may do all of it."""
    secret = tmp_path / "secret"
    secret.write_text("kept")
    error = failure(f"found = None\n{attack.replace('SECRET', secret.as_posix())}")
    assert "PermissionError" in error.message or "has no attribute" in error.message
    assert secret.read_text() == "kept"
    assert "kept" not in error.message


@pytest.mark.parametrize(
    "attack",
    ["os.environ['TOKEN']", "os.getenv('TOKEN')", "os.urandom(4)"],
)
def test_neither_environment_nor_chance_of_the_machine_is_reached(attack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of this process are not those of the script."""
    monkeypatch.setenv("TOKEN", "open sesame")
    error = failure(f"import os\nreport({attack})")
    assert "is not supported in this environment" in error.message
    assert "sesame" not in error.message


@pytest.mark.parametrize(
    "module",
    [
        *["socket", "ssl", "urllib.request", "http.client", "subprocess", "asyncio.subprocess", "multiprocessing"],
        *["ctypes", "importlib", "builtins", "threading", "signal", "shutil", "sqlite3", "pickle"],
        *["memhtml", "msgspec", "numpy"],
    ],
)
def test_no_module_that_leads_out_is_there(module: str) -> None:
    """Network, processes, other code: none of it is there to import."""
    error = failure(f"import {module}\nreport(1)")
    assert error.message.startswith("line 1: ModuleNotFoundError")


@pytest.mark.parametrize(
    "attack",
    [
        "().__class__.__bases__[0].__subclasses__()",
        "doubled.__globals__",
        "doubled.__code__",
        "report.__self__",
        "__import__('os').system('id')",
        "__builtins__",
        "globals()",
        "import os\nos.system('id')",
        "import sys\nsys.modules",
        "breakpoint()",
        "input()",
    ],
)
def test_no_way_leads_from_a_value_to_the_program(attack: str) -> None:
    """What a script is given is a name, not an object of this process."""
    assert failure(f"report(str({attack}))" if "\n" not in attack else attack).line is not None


@pytest.mark.parametrize(
    "loop",
    [
        "while True:\n    pass",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        "sum(range(10**12))",
        "import math\nmath.factorial(10**6)",
        "max(range(10**12))",
    ],
)
def test_a_loop_without_end_is_ended(loop: str) -> None:
    """Also one that catches what would end it, and one that is a single call."""
    error = failure(loop)
    assert isinstance(error, ExecLimitError)
    assert "the script took more than 1 seconds" in error.message


def test_an_interpreter_that_does_not_see_its_limit_is_ended() -> None:
    """To square a number of a million digits is one step, between two looks at the clock."""
    error = failure("number = 7\nfor _ in range(40):\n    number = number * number", Limits(seconds=1.0))
    assert isinstance(error, ExecLimitError)
    assert error.message == "the script took more than 1 seconds"


@pytest.mark.parametrize(
    "call",
    ["doubled(1)", "unknown", "open('/etc/hostname')", "import socket", "report(object)"],
)
def test_time_is_counted_where_the_script_waits_for_answers_too(call: str) -> None:
    """The interpreter's own clock stands still while it waits, and the script catches whatever is raised."""
    error = failure(f"while True:\n    try:\n        {call}\n    except BaseException:\n        pass")
    assert isinstance(error, ExecLimitError)


def test_a_call_that_takes_long_is_the_last() -> None:
    """By a clock that a call moves on: what comes after it is not answered any more."""
    hands = [0.0]
    calls: list[int] = []

    def slow() -> None:
        calls.append(1)
        hands[0] += 0.6

    with pytest.raises(ExecLimitError):
        run("while True:\n    slow()", {"slow": slow}, TIGHT, NOW, elapsed=lambda: hands[0])
    assert len(calls) == 2


@pytest.mark.parametrize(
    "bomb",
    [
        "'a' * 10**10",
        "b'a' * 10**10",
        "[0] * 10**10",
        "10 ** 10**8",
        "1 << 10**12",
        "'{:>10000000000}'.format(1)",
        "('a' * 10**6).replace('a', 'b' * 10**6)",
        "('a' * 10**6).join([''] * 10**6)",
        "list(range(10**10))",
        "text = 'a'\nwhile True:\n    text += text",
        "chain = []\nwhile True:\n    chain = [chain]",
        "known = {}\nnumber = 0\nwhile True:\n    known[number] = str(number)\n    number += 1",
        "import itertools\nlist(itertools.permutations(range(12)))",
        "doubled([1] * 10**8)",
    ],
)
def test_a_memory_bomb_goes_off_in_a_small_room(bomb: str) -> None:
    """One great piece or many small ones, in a step of the interpreter or in one of its functions."""
    error = failure(bomb, Limits(seconds=10.0, memory=64 * MEGABYTE))
    assert isinstance(error, ExecLimitError)
    assert "the script took more than 64 MB of memory" in error.message


BOMB = """
import resource
from memhtml.domain.errors import ExecLimitError
from memhtml.sandbox.limits import Limits
from memhtml.sandbox.script import run
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run("report(1)", {}, Limits(), "2026-07-28T10:00:00Z")
before = peak()
try:
    run("text = 'a'\\nwhile True:\\n    text += text", {}, Limits(), "2026-07-28T10:00:00Z")
except ExecLimitError:
    print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is counted in kilobytes there")
def test_a_memory_bomb_does_not_grow_the_program_that_runs_it() -> None:
    """What the interpreter may hold, up to 256 MB, the other process never does."""
    done = subprocess.run([sys.executable, "-c", BOMB], capture_output=True, encoding="utf-8", check=True)
    assert int(done.stdout) < 20_000


@pytest.mark.parametrize(
    "shout",
    [
        "while True:\n    print('loud')",
        "print('loud' * 10_000)",
        "import sys\nwhile True:\n    print('loud', file=sys.stderr)",
        "while True:\n    try:\n        print('loud' * 100)\n    except BaseException:\n        pass",
        "for _ in range(200):\n    print('l' * 100)\nreport(1)",
    ],
)
def test_output_without_end_is_ended(shout: str, capfd: pytest.CaptureFixture[str]) -> None:
    """And none of it comes out anywhere but in the answer."""
    error = failure(shout)
    assert isinstance(error, ExecLimitError)
    assert error.message == "the script printed more than 10000 characters"
    assert "print less" in error.suggestions[0], "more seconds would not help"
    assert len(error.printed) <= 2000
    assert capfd.readouterr() == ("", "")


def test_printing_up_to_the_limit_is_printing() -> None:
    """The last character that fits is told."""
    assert outcome("print('a' * 9_999)\nreport(1)").printed == "a" * 9_999 + "\n"
    assert isinstance(failure("print('a' * 10_000)\nreport(1)"), ExecLimitError)


@pytest.mark.parametrize(
    "report",
    [
        "report('a' * 10_001)",
        "report(list(range(10_001)))",
        "row = [0] * 1000\nrows = [row] * 1000\nreport([rows] * 1000)",
        "try:\n    report('a' * 20_000)\nexcept BaseException:\n    report(1)",
    ],
)
def test_a_huge_report_is_refused(report: str) -> None:
    """Also one that is small for as long as it is not written out, and one whose refusal is to be caught."""
    error = failure(report)
    assert isinstance(error, ExecLimitError)
    assert "it is longer than 10000 characters" in error.message
    assert "report and print less" in error.suggestions[0]


@pytest.mark.parametrize(
    "knot",
    [
        "def call():\n    return call()\ncall()",
        "eval('(' * 100_000)",
        "eval('-' * 100_000 + '1')",
        "pair = ()\nfor _ in range(100_000):\n    pair = (pair,)\nhash(pair)",
        "import json\njson.loads('[' * 100_000)",
        "chain = []\nfor _ in range(10_000):\n    chain = [chain]\nreport(chain)",
        "ring = []\nring.append(ring)\nring.append(1j)\nreport(ring)",
        "import re\nre.match('(a+)+\\\\1$', 'a' * 40 + 'b')",
    ],
)
def test_what_has_no_bottom_is_a_failure_and_not_a_crash(knot: str) -> None:
    """Calls, nesting, patterns."""
    assert failure(knot).line is not None


@pytest.mark.parametrize("blank", ["", " \n\t\n"])
def test_an_empty_script_is_no_script(blank: str) -> None:
    """It is told so, rather than that it reports nothing."""
    with pytest.raises(InvalidInputError, match="the script is empty"):
        outcome(blank)


def test_a_script_is_not_longer_than_a_book() -> None:
    """It is refused before an interpreter is started; one at the limit runs."""
    with pytest.raises(InvalidInputError, match="at most 1000000 characters"):
        outcome("report(1)" + " " * LONGEST_SCRIPT)
    assert outcome("report(1)" + " " * (LONGEST_SCRIPT - 9), Limits()).value == 1


def test_without_the_package_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the binding nor its program may be missing."""
    monkeypatch.setitem(sys.modules, "pydantic_monty", None)
    with pytest.raises(PackageMissingError) as caught:
        outcome("report(1)")
    assert caught.value.suggestions == ("pip install 'memhtml[exec]'",)


def test_without_the_interpreters_program_the_same_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is a file of its own."""
    monkeypatch.setenv("MONTY_BIN", str(tmp_path / "none"))
    with pytest.raises(PackageMissingError):
        outcome("report(1)")
