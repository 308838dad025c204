"""Paths that memhtml writes, and twins."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidPathError
from memhtml.store.names import refuse_foreign, twin_key


@given(st.text())
def test_a_name_is_the_twin_of_its_own_spellings(name: str) -> None:
    """Neither letter case nor the Unicode form of a name makes another one."""
    key = twin_key(name)
    assert twin_key(unicodedata.normalize("NFD", name)) == key
    assert twin_key(unicodedata.normalize("NFC", name)) == key
    assert twin_key(key) == key


@pytest.mark.parametrize(
    ("one", "other", "twins"),
    [
        ("Drain.html", "drain.html", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("\u0130", "i\u0307", True),
        ("drain.html", "drain-2.html", False),
        ("cafe", "caf\u00e9", False),
    ],
)
def test_twins_by_example(one: str, other: str, twins: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Case and form count for nothing, letters do."""
    assert (twin_key(one) == twin_key(other)) is twins


def test_paths_of_the_store_pass_and_others_do_not() -> None:
    """A listing belongs into a folder of memories, or the root."""
    for path in ("areas/a.html", "areas/inbox/index.html", "index.html", ".memhtml/sleep/2026-01-01-2.html"):
        refuse_foreign(path)
    for path in ("other/index.html", "areas/../index.html", ".memhtml/state.db", ".memhtml/sleep/.html", "a.html"):
        with pytest.raises(InvalidPathError):
            refuse_foreign(path)
