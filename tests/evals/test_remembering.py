"""An embedder that is asked for each text once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memhtml.domain.errors import ModelUnavailableError
from memhtml.evals.remembering import Remembering
from memhtml.models.fakes import AlwaysFailing, HashedWords

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows


class Counting(HashedWords):
    """Says what it was asked for."""

    def __init__(self) -> None:
        super().__init__(32)
        self.asked: list[tuple[str, ...]] = []

    def embed(self, texts: Sequence[str]) -> Rows:
        """As ever."""
        self.asked.append(tuple(texts))
        return super().embed(texts)


def test_each_text_is_asked_for_once() -> None:
    """The rows are those of the embedder, in the order of the texts, however often a text comes."""
    counting = Counting()
    once = Remembering(counting)
    plain = HashedWords(32)
    assert (once.space, once.describe()) == (plain.space, plain.describe())
    for texts in (["a", "b", "a"], ["b", "c"], ["c", "a"]):
        assert np.array_equal(once.embed(texts), plain.embed(texts))
    assert counting.asked == [("a", "b"), ("c",)]


def test_no_texts_give_no_rows() -> None:
    """Of the right width."""
    assert Remembering(HashedWords(32)).embed([]).shape == (0, 32)


def test_what_fails_or_is_no_answer_is_passed_on() -> None:
    """And is not remembered."""

    class Short(HashedWords):
        """One row too few."""

        def embed(self, texts: Sequence[str]) -> Rows:
            """Wrong."""
            return super().embed(texts[1:])

    assert len(Remembering(Short(32)).embed(["a", "b"])) == 1
    failing = Remembering(AlwaysFailing(32))
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            failing.embed(["a"])
