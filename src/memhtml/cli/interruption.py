"""Interrupts: told once, and not disturbed while they are told."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager

INTERRUPTED = 130
NOTHING_DONE = {
    "apiVersion": "1",
    "error": "interrupted: nothing was changed",
    "code": "ERR_INTERRUPTED",
    "suggestions": ["repeat the command; nothing is half done"],
}
"""What the door would say. Nothing that it says it with is at hand while the program is still being imported."""


@contextmanager
def undisturbed() -> Generator[None]:
    """Let a second interrupt pass while the first is told; outside the main thread there are none."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def told_early(words: Sequence[str] | None) -> int:
    """Say that nothing was done: an envelope where one is wanted, else a line on standard error."""
    with undisturbed():
        asked = {"--json", "--dense"} & set(sys.argv[1:] if words is None else words)
        try:
            if sys.stdout is not None and (asked or not sys.stdout.isatty()):
                sys.stdout.write(_envelope(dense="--dense" in asked) + "\n")
                sys.stdout.flush()
            elif sys.stderr is not None:
                sys.stderr.write(f"memhtml: {NOTHING_DONE['error']} ({NOTHING_DONE['code']})\n")
        except (OSError, ValueError):
            pass  # nobody is left to be told
    return INTERRUPTED


def _envelope(*, dense: bool) -> str:
    import json

    return json.dumps(NOTHING_DONE, separators=(",", ":")) if dense else json.dumps(NOTHING_DONE, indent=2)
