"""Where the process begins: nothing is imported here that a person could interrupt."""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line, the process's own by default, and return what the process should end with."""
    try:
        from memhtml.cli.door import run  # noqa: PLC0415 - so that an early interrupt ends as quietly as a late one

        return run(words)
    except KeyboardInterrupt:
        return INTERRUPTED
