"""One run of one script, in an interpreter of its own process that has no files, no network and no environment.

The interpreter knows a subset of Python and no module of this one. All that a script can reach is what it is given by
name; each of these calls comes here, and is answered here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime
from inspect import signature
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import (
    ExecFailedError,
    ExecLimitError,
    InvalidInputError,
    PackageMissingError,
    PathNotFoundError,
    UsageError,
)
from memhtml.domain.memory import Instant
from memhtml.sandbox.limits import MEGABYTE, Limits
from memhtml.sandbox.value import Plain, TooLongError, plain_value

if TYPE_CHECKING:
    from pydantic_monty import (
        ExternalExceptionData,
        ExternalReturnValue,
        FunctionSnapshot,
        FutureSnapshot,
        MontyComplete,
        MontyError,
        MontySession,
        NameLookupSnapshot,
    )

    Stopped = FunctionSnapshot | NameLookupSnapshot | FutureSnapshot

REPORT = "report"
"""What a script answers with."""

LONGEST_SCRIPT = 1_000_000
"""Characters."""

_GRACE = 1.0
"""Seconds after which an interpreter that does not see its own limit is ended."""
_CALLS = 2**31 - 1
"""Calls are limited by the time that they take."""
_FILE = "<python-input-"
"""What the interpreter calls a script, before a number."""
_LESS = ("report and print less: counts, or the first few; this limit is not one of time or memory",)
_TOLD = 300
_PRINTED = 2_000


class Outcome(Struct, frozen=True):
    """What came of a script.

    Attributes:
        value: what it reported.
        printed: what it printed.
    """

    value: Plain
    printed: str


def run(
    source: str,
    given: Mapping[str, Callable[..., object]],
    limits: Limits,
    now: Instant,
    elapsed: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Run ``source``, which must call ``report(value)``, or ``exec.report(value)``, once.

    The same script over the same answers gives the same outcome: its clock stands still at ``now``, its chance begins
    with a seed, and sleeping takes no time.

    Args:
        source: the script.
        given: what it may call beside ``report``, by name. What such a call refuses, the script sees as an exception.
        limits: what it may use.
        now: what time the script is told.
        elapsed: seconds since some moment.

    Raises:
        PackageMissingError: the interpreter is not installed.
        InvalidInputError: the script is empty, or too long.
        ExecFailedError: it raised, or did not report once.
        ExecLimitError: it used more than ``limits``.
    """
    if not source.strip():
        raise InvalidInputError("the script is empty", suggestions=("report(len(corpus())) is one that works",))
    if len(source) > LONGEST_SCRIPT:
        raise InvalidInputError(
            f"a script has at most {LONGEST_SCRIPT} characters, not {len(source)}",
            suggestions=("what it works on comes from corpus()",),
        )
    with _session(limits, now) as session:
        return _Run(source, given, limits, elapsed).outcome(session)


@contextmanager
def _session(limits: Limits, now: Instant) -> Generator[MontySession]:
    """An interpreter in a process of its own, for one script."""
    with ExitStack() as stack:
        try:
            from pydantic_monty import Monty

            pool = stack.enter_context(Monty(max_processes=1, feed_duration_limit_grace=_GRACE))
        except (ImportError, OSError, RuntimeError) as error:
            raise PackageMissingError(
                "the interpreter of scripts, pydantic-monty, is not installed or cannot be started",
                suggestions=("pip install 'memhtml[exec]'",),
            ) from error
        yield stack.enter_context(
            pool.checkout(
                limits={
                    "max_feed_duration_secs": limits.seconds,
                    "max_memory": limits.memory,
                    "max_suspensions": _CALLS,
                },
                os_policy={"datetime": datetime.fromisoformat(now), "sleep": "zero", "random_start": {"seed": 0}},
            )
        )


class _Run:
    """What is known of a run while it lasts."""

    def __init__(
        self,
        source: str,
        given: Mapping[str, Callable[..., object]],
        limits: Limits,
        elapsed: Callable[[], float],
    ) -> None:
        self._source = source
        self._given = given
        self._limits = limits
        self._elapsed = elapsed
        self._until = elapsed() + limits.seconds
        self._reports: list[Plain] = []
        self._printed: list[str] = []
        self._room = limits.output

    def outcome(self, session: MontySession) -> Outcome:
        """Run to the end."""
        from pydantic_monty import ClassInstance, MontyComplete, MontyError

        known = {"exec": ClassInstance(_Exec(), allowed_methods={REPORT})}
        try:
            snapshot = session.feed_start(self._source, inputs=known, print_callback=self._print)
            while not isinstance(snapshot, MontyComplete):
                if self._elapsed() > self._until:
                    raise self._spent(None)
                snapshot = self._answered(snapshot)
        except MontyError as error:
            raise self._told(error) from None
        if not self._reports:
            raise ExecFailedError("the script ended without report(value)", printed=self._tail())
        return Outcome(self._reports[0], "".join(self._printed))

    def _answered(self, snapshot: Stopped) -> Stopped | MontyComplete:
        """The run after what it stopped for."""
        from pydantic_monty import FutureSnapshot, NameLookupSnapshot

        if isinstance(snapshot, NameLookupSnapshot):
            name = snapshot.variable_name
            known = _Exec().report if name == REPORT else self._given.get(name)
            return snapshot.resume() if known is None else snapshot.resume(value=known)
        if isinstance(snapshot, FutureSnapshot):
            raise ExecFailedError("the script waits for what never comes", printed=self._tail())
        if snapshot.function_name not in {REPORT, *self._given}:
            # Files, the environment, modules, other names: the interpreter asks, and refuses where nobody answers.
            return snapshot.resume_auto()
        return snapshot.resume(self._called(snapshot))

    def _called(self, call: FunctionSnapshot) -> ExternalReturnValue | ExternalExceptionData:
        name = str(call.function_name)
        if name == REPORT:
            return self._report(call)
        known = self._given[name]
        try:
            fitting = signature(known).bind(*call.args, **call.kwargs)
        except TypeError as error:
            return {"exc_type": "TypeError", "message": f"{name}: {error}"}
        try:
            return {"return_value": known(*fitting.args, **fitting.kwargs)}
        except PathNotFoundError as error:
            return {"exc_type": "LookupError", "message": error.message}
        except UsageError as error:
            return {"exc_type": "ValueError", "message": error.message}

    def _report(self, call: FunctionSnapshot) -> ExternalReturnValue | ExternalExceptionData:
        if len(call.args) != 1 or call.kwargs:
            return {"exc_type": "TypeError", "message": f"{REPORT} takes one value"}
        line, value = self._line(call), call.args[0]
        if isinstance(value, str) and (value == REPORT or value in self._given):
            # What a script is given comes back as its name, so that a pair of brackets that was left out looks like it.
            return {"exc_type": "TypeError", "message": f"{REPORT}: {value} is a function: report {value}(…)"}
        if self._reports:
            raise ExecFailedError(f"line {line}: {REPORT} is called a second time", line=line, printed=self._tail())
        try:
            self._reports.append(plain_value(value, self._limits.output))
        except TooLongError as error:
            message = f"line {line}: what is reported: {error}"
            raise ExecLimitError(message, line=line, printed=self._tail(), suggestions=_LESS) from None
        except (TypeError, ValueError) as error:
            return {"exc_type": "TypeError", "message": f"{REPORT}: {error}"}
        return {"return_value": None}

    def _print(self, stream: str, text: str) -> None:
        del stream
        self._room -= len(text)
        if self._room < 0:
            raise TooLongError
        self._printed.append(text)

    def _tail(self) -> str:
        return "".join(self._printed)[-_PRINTED:]

    def _line(self, call: FunctionSnapshot) -> int | None:
        place = call.position
        if not place.filename.startswith(_FILE):
            return None
        return self._source.encode()[: place.start].count(b"\n") + 1

    def _spent(self, line: int | None) -> ExecLimitError:
        where = "" if line is None else f"line {line}: "
        return ExecLimitError(
            f"{where}the script took more than {self._limits.seconds:g} seconds", line=line, printed=self._tail()
        )

    def _told(self, error: MontyError) -> ExecFailedError:
        """What the interpreter ended with, as an error of the tree."""
        from pydantic_monty import MontyCrashedError, MontyRuntimeError, MontySyntaxError

        printed = self._tail()
        if self._room < 0:
            message = f"the script printed more than {self._limits.output} characters"
            return ExecLimitError(message, printed=printed, suggestions=_LESS)
        if isinstance(error, MontyCrashedError):
            return self._spent(None) if error.timed_out else ExecLimitError("the interpreter broke", printed=printed)
        if not isinstance(error, MontyRuntimeError | MontySyntaxError):
            return ExecFailedError(f"the interpreter refused the script: {_short(str(error))}", printed=printed)
        lines = [frame.line for frame in error.traceback() if frame.filename.startswith(_FILE)]
        line = lines[-1] if lines else None
        where = ", called from line ".join(f"{one}" for one in reversed(lines[-3:]))
        what = error.display("type-msg")
        if what.startswith("TimeoutError: feed time limit exceeded"):
            return self._spent(line)
        if what.startswith("MemoryError: ") and "memory limit" in what:
            megabytes = self._limits.memory // MEGABYTE
            place = f"line {where}: " if lines else ""
            return ExecLimitError(
                f"{place}the script took more than {megabytes} MB of memory", line=line, printed=printed
            )
        return ExecFailedError(f"line {where}: {_short(what)}" if lines else _short(what), line=line, printed=printed)


class _Exec:
    """What `exec` is in a script, so that it may say `exec.report` as well as `report`."""

    def report(self, value: object) -> None:
        """Stands for the name in a script; the call of it is answered by `_Run` and never comes here."""
        raise NotImplementedError(value)


def _short(text: str) -> str:
    """One line of a text that a script has a hand in."""
    line = " ".join(text.split())
    return line if len(line) <= _TOLD else line[:_TOLD] + "…"
