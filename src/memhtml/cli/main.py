"""Where the process begins: nothing is imported here that a person could interrupt."""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # as in the package
if TYPE_CHECKING:
    from collections.abc import Sequence

# A command is short-lived and makes few cycles. Importing a program allocates much, of which nothing is garbage, and
# the usual threshold would look it all through again and again; this one still bounds what a big batch leaves behind.
ALLOCATIONS_BETWEEN_COLLECTIONS = 100_000


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line, the process's own by default, and return what the process should end with."""
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS, 50, 50)
    if words is None and sys.getfilesystemencoding() != "utf-8":
        _begin_again()
    try:
        from memhtml.cli.door import run  # so that an early interrupt is answered as a late one

        return run(words)
    except KeyboardInterrupt:  # the door tells of those that come after it has begun to work
        from memhtml.cli.interruption import told_early

        return told_early(words)
    finally:
        if words is None:
            # The process ends here: Python would look through everything it made, three times, for what to take apart.
            gc.freeze()


def _begin_again() -> None:
    """Start this command anew with UTF-8 for names of files and arguments, whatever the locale says.

    Git keeps names in UTF-8, so any other encoding would give a file two names.
    """
    import os
    from contextlib import suppress

    words = [os.fsencode(word) for word in sys.orig_argv[1:]]
    with suppress(OSError):  # Python was not found: this process goes on, and refuses the names that it cannot write
        os.execv(sys.executable, [os.fsencode(sys.executable), b"-X", b"utf8", *words])  # noqa: S606 - this very program
