"""The sidecar follows the state."""

from __future__ import annotations

import pytest
from tests.sleep.corpora import corpus

from memhtml.sleep.changes import Generated, Proposal, Reason
from memhtml.sleep.phases.state_export import PHASE
from memhtml.store.layout import SIDECAR

LINE = b'{"path":"areas/a.html"}\n'


@pytest.mark.parametrize(("before", "usage"), [(None, LINE), (b"old\n", LINE), (LINE, LINE + LINE), (LINE, b"")])
def test_it_is_written_where_it_says_something_else(before: bytes | None, usage: bytes) -> None:
    """Also where nothing is left to say."""
    files = {} if before is None else {SIDECAR: before}
    proposal = PHASE.propose(corpus(files=files, usage=usage), None)
    (change,) = proposal.changes
    assert isinstance(change, Generated)
    assert change == Generated(SIDECAR, usage, Reason("memories were opened or reinforced"))
    assert proposal.counts["memories"] == usage.count(b"\n")


@pytest.mark.parametrize(("before", "usage"), [(None, b""), (b"", b""), (LINE, LINE)])
def test_it_is_left_where_it_says_the_same(before: bytes | None, usage: bytes) -> None:
    """And none is made for nothing."""
    files = {} if before is None else {SIDECAR: before}
    assert PHASE.propose(corpus(files=files, usage=usage), None) == Proposal(counts={"memories": usage.count(b"\n")})
