"""A memory and its denial, asked for in another wording of the denial, where both hold a word that sounds like one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memhtml.domain.memory import MemoryPath
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.embedder import Embedder
from memhtml.models.fakes import HashedWords
from memhtml.retrieve.answer import Request
from memhtml.retrieve.search import search

from .conftest import NOW

Write = Callable[..., MemoryPath]

TWINS = (
    ("gateway", "logs", "log", "a failed call"),
    ("scanner", "deletes", "delete", "a lost parcel"),
    ("importer", "reports", "report", "a missing column"),
    ("broker", "retries", "retry", "a rejected order"),
    ("parser", "stores", "store", "an invalid header"),
)
DENIALS = ("does not", "doesn't", "won't", "cannot", "no longer", "never")


@pytest.mark.parametrize("embedder", [None, HashedWords()], ids=["words", "vectors"])
@pytest.mark.parametrize("denial", DENIALS)
@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: str(twin[0]))
def test_a_denial_is_found_in_another_wording_and_never_its_opposite(
    store: Index, write: Write, twin: tuple[str, str, str, str], denial: str, embedder: Embedder | None
) -> None:
    """A failed call is no denial of logging it: who asks what never happens is not told that it does."""
    who, does, do, what = twin
    said = write("said", f"The {who} {does} {what}.")
    denied = write("denied", f"The {who} never {does} {what}.")
    if embedder is not None:
        fill(store, embedder)
    verb = does if denial in {"no longer", "never"} else do

    def first(query: str) -> MemoryPath:
        return search(store, embedder, Request(query), NOW).hits[0].path

    assert first(f"the {who} {denial} {verb} {what}") == denied
    assert first(f"{who} {denial} {verb} {what.split(' ', 1)[1]}") == denied
    assert first(f"does the {who} {do} {what}?") == said
    assert first(f"{who} {does} {what.split(' ', 1)[1]}") == said
