"""Whether a night may begin."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from memhtml.domain.errors import DirtyTreeError
from memhtml.index.index import Index
from memhtml.sleep.preflight import refuse_unready
from memhtml.store.founding import init
from memhtml.store.repository import Repository

LONG = 60.0


class Seen(Repository):
    """A repository that tells when its work tree has been looked at."""

    looked: threading.Event

    def uncommitted(self):  # type: ignore[no-untyped-def]  # noqa: ANN201 - as the repository's own
        """What is not committed, and that it was asked."""
        found = super().uncommitted()
        self.looked.set()
        return found


def test_a_writer_that_is_about_to_commit_is_waited_for(root: Path, environment: dict[str, str]) -> None:
    """Its files are in the work tree before its commit is; what a person leaves there is refused all the same."""
    init(root, environment=environment)
    live = Seen.open(root, environment=environment)
    live.looked = threading.Event()
    half = root / "areas" / "inbox" / "half.html"
    held = threading.Event()

    def write() -> None:
        with Repository.open(root, environment=environment).locked():
            half.parent.mkdir(parents=True, exist_ok=True)
            half.write_text("half a commit")
            held.set()
            assert live.looked.wait(LONG)
            half.unlink()

    writer = threading.Thread(target=write)
    writer.start()
    with Index.in_memory() as index:
        assert held.wait(LONG)
        refuse_unready(live, index)
        writer.join()
        half.write_text("a person's")
        with pytest.raises(DirtyTreeError, match=r"half\.html") as caught:
            refuse_unready(live, index)
        assert caught.value.paths == ("areas/inbox/half.html",)
