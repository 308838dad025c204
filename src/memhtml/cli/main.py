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
    """Run one command line and return what the process should end with; the process's own also ends it, if it can."""
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS, 50, 50)
    if words is None and sys.getfilesystemencoding() != "utf-8":
        _begin_again()
    try:
        # Here, so that an early interrupt is answered as a late one.
        if (sys.argv[1:] if words is None else words)[:1] == ["hook"]:
            from memhtml.cli.hooks import run_hook as run
        else:
            from memhtml.cli.door import run

        status = run(words)
    except KeyboardInterrupt:  # the door tells of those that come after it has begun to work
        from memhtml.cli.interruption import told_early

        status = told_early(words)
    if words is None:
        _end(status)
    return status


def serve_mcp() -> int:
    """``memhtml-mcp``: the same as ``memhtml serve mcp``, for hosts that take one word."""
    sys.argv[1:1] = ["serve", "mcp"]
    return main()


def _end(status: int) -> None:
    """End this process at once, unless Python has something left to do in it.

    To take apart all that a command has imported, Python needs as long as git for a commit. By now every file and
    database is closed and the answer is written; what asks to be told of the end, or watches, is told as ever.
    """
    import atexit
    import os

    threads = sys.modules.get("threading")
    alone = threads is None or threads.active_count() == 1
    # What other Pythons do not count may be there; they end as ever.
    if not alone or getattr(atexit, "_ncallbacks", lambda: 1)() or sys.flags.interactive or sys.getprofile():
        gc.freeze()  # what is alive now stays so: Python need not look through it for garbage, three times
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):  # nobody reads on: Python says what there is to say
            return
    os._exit(status)


def _begin_again() -> None:
    """Start this command anew with UTF-8 for names of files and arguments, whatever the locale says.

    Git keeps names in UTF-8, so any other encoding would give a file two names.
    """
    import os
    from contextlib import suppress

    words = [os.fsencode(word) for word in sys.orig_argv[1:]]
    with suppress(OSError):  # Python was not found: this process goes on, and refuses the names that it cannot write
        os.execv(sys.executable, [os.fsencode(sys.executable), b"-X", b"utf8", *words])  # noqa: S606 - this very program
