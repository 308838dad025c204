"""Where the process begins: nothing is imported here that a person could interrupt."""

from __future__ import annotations

import gc

TYPE_CHECKING = False  # as in the package
if TYPE_CHECKING:
    from collections.abc import Sequence

# A command is short-lived and makes few cycles. Importing a program allocates much, of which nothing is garbage, and
# the usual threshold would look it all through again and again; this one still bounds what a big batch leaves behind.
ALLOCATIONS_BETWEEN_COLLECTIONS = 100_000


def main(words: Sequence[str] | None = None) -> int:
    """Run one command line, the process's own by default, and return what the process should end with."""
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS, 50, 50)
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
