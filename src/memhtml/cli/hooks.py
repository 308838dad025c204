"""Hooks of agents' hosts: an answer in time, or silence; never an error."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

TYPE_CHECKING = False  # as in the package: nothing of memhtml is imported here before the time runs
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

    from memhtml.cli.streams import Streams

LIMITS = {"session-start": 5.0, "user-prompt-submit": 5.0, "pre-compact": 20.0, "session-end": 1.0}
"""Seconds that a host may be kept waiting; what is not done by then is not done."""
SLOWEST = 20.0
"""Seconds for an event that is not known."""
GRACE = 0.3
"""The last of these seconds: what is at work is interrupted, so that no git process of it is left behind."""
LONGEST_PAYLOAD = 8 * 1024 * 1024
"""Bytes that a host may say; more is no host, and would fill the memory until the time is up."""

_FULL = frozenset({"--help", "-h", "--json", "--dense"})


def run_hook(words: Sequence[str] | None = None) -> int:
    """Do what the hook asks for; 0, whatever comes of it. A person who asks for help or for JSON gets all there is.

    What takes too long is given up where it stands: everything that a hook does may be cut off at any instant.
    """
    given = sys.argv[1:] if words is None else words
    if not _FULL.isdisjoint(given):
        from memhtml.cli.door import run

        return run(words)
    patience = _Patience(min((LIMITS[word] for word in given if word in LIMITS), default=SLOWEST))
    try:
        try:
            patience.begin(alone=words is None)
            _answer(words)
        finally:
            patience.end()
    except BaseException:  # noqa: BLE001 - whatever it is, an agent's turn goes on
        _hush()
    return 0


def _answer(words: Sequence[str] | None) -> None:
    """Say what there is to say, and then do what no answer waits for."""
    from memhtml.cli.parser import parse
    from memhtml.cli.streams import arguments_of_process, standard
    from memhtml.config.environment import environment, user_file
    from memhtml.config.settings import load
    from memhtml.ops.arguments import bind
    from memhtml.ops.guide import Document
    from memhtml.ops.hooking import afterwards
    from memhtml.ops.running import load as load_operation
    from memhtml.workspace.workspace import Workspace

    call, streams = parse(arguments_of_process() if words is None else words), standard()
    if call.operation is None:
        return
    arguments = bind(call.operation, _with_payload(call.raw, streams))
    variables = environment()
    settings = load(call.settings, variables, user_file(variables), Path(), forgiving=True)
    with Workspace(settings, variables=variables) as workspace:
        result = load_operation(call.operation)(workspace, arguments)
        if isinstance(result, Document) and result.text:
            streams.write(result.text.removesuffix("\n"))
        afterwards(workspace, arguments)


def _with_payload(raw: Mapping[str, object], streams: Streams) -> Mapping[str, object]:
    """``raw`` with what the host says on standard input, unless a person said it with a flag.

    Raises:
        InvalidInputError: it is not UTF-8, or longer than any host's.
    """
    from memhtml.cli.streams import decoded
    from memhtml.domain.errors import InvalidInputError

    if raw.get("payload") not in (None, ["-"]) or streams.stdin is None or streams.stdin.isatty():
        return raw
    data = streams.stdin.buffer.read(LONGEST_PAYLOAD + 1)
    if len(data) > LONGEST_PAYLOAD:
        raise InvalidInputError("standard input is longer than any host's payload")
    return {**raw, "payload": [decoded(data, "standard input")]}


def _hush() -> None:
    """Leave nothing on standard output whose last flush could fail, and with it the process."""
    from memhtml.cli.streams import discard

    with suppress(Exception):
        discard(sys.stdout)


class _Patience:
    """The time that there is: interrupts what takes longer, once, and ends the process soon after."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._working = False
        self._over = threading.Event()

    def begin(self, *, alone: bool) -> None:
        """Let the time run. ``alone``: the process is the hook's, and so are its interrupts, until it ends."""
        self._working = True
        if alone:
            signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self) -> None:
        """Stop the time. From here on no interrupt is raised, or the process would not end as it must."""
        self._working = False
        self._over.set()

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self._working:
            self._working = False
            raise KeyboardInterrupt

    def _watch(self) -> None:
        if self._over.wait(self._seconds - GRACE):
            return
        main = threading.main_thread().ident
        if main is not None and sys.platform != "win32":  # what waits for a disk or a pipe hears of it too
            signal.pthread_kill(main, signal.SIGINT)
        if not self._over.wait(GRACE):
            os._exit(0)
