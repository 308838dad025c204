"""Texts put in and taken out."""

from __future__ import annotations

import pytest

from memhtml.integrations.parts import Disputed, Splice, spliced, unspliced


def test_splices_are_undone_in_turn() -> None:
    """The last one first; where nothing was put in nothing changes."""
    text = "ad"
    splices = (Splice(1, "c"), Splice(1, "b"), Splice(4, "e"))
    for splice in splices:
        text = spliced(text, splice)
    assert text == "abcde"
    assert unspliced(text, splices) == "ad"
    assert unspliced("ad", ()) == "ad"


def test_a_splice_that_is_not_there_is_not_undone() -> None:
    """Nothing else is cut away instead."""
    with pytest.raises(Disputed):
        unspliced("abd", (Splice(1, "x"),))
    with pytest.raises(Disputed):
        unspliced("a", (Splice(1, "x"),))
