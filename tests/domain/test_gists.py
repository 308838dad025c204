"""A claim in a listing is bounded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.gists import LONGEST, listed


@given(st.text(max_size=1000))
def test_a_listed_claim_is_the_claim_or_its_beginning(gist: str) -> None:
    """Never longer than the bound; whole when it fits; else its beginning, and dots that say so."""
    shown = listed(gist)
    assert len(shown) <= LONGEST
    assert shown == gist or (len(gist) > LONGEST and gist.startswith(shown[:-1]) and shown.endswith("…"))


def test_the_bound_itself() -> None:
    """Literal: 400 characters stay, 401 do not."""
    assert listed("x" * 400) == "x" * 400
    assert listed("x" * 401) == "x" * 399 + "…"


def test_no_space_stands_before_the_dots() -> None:
    """A cut behind a word is one at the word's end; the beginning stays as it is."""
    assert listed(" " + "x" * 397 + " y z") == " " + "x" * 397 + "…"
