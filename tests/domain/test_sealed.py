"""What was generated, and what somebody has changed since."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.sealed import SLOT, is_sealed, seal

MARK = f"memhtml publish {SLOT}"
TEXTS = st.text(st.characters(exclude_categories=("Cs",))) | st.sampled_from(
    [MARK, SLOT, "memhtml publish " + "0" * 64]
)


def test_worked_example() -> None:
    """The digest is that of the text without the mark."""
    sealed = seal(f"a{MARK}b")
    assert sealed == "amemhtml publish fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603b"
    assert is_sealed(sealed.encode())
    assert not is_sealed(b"")


@given(TEXTS.map(lambda text: text.replace("memhtml", "")), TEXTS, st.integers(0), st.binary(min_size=1, max_size=3))
def test_any_change_breaks_the_seal(before: str, after: str, place: int, more: bytes) -> None:
    """One more byte anywhere, one less, or another; sealing is repeatable."""
    text = f"{before}{MARK}{after}"
    data = seal(text).encode()
    assert seal(text).encode() == data
    assert is_sealed(data)
    at = place % (len(data) + 1)
    changed = {data[:at] + more + data[at:], data[:at] + data[at + 1 :], data[:at] + more + data[at + len(more) :]}
    assert not any(map(is_sealed, changed - {data}))


@given(TEXTS)
def test_what_was_never_sealed_is_not(text: str) -> None:
    """Whatever a person writes."""
    assert not is_sealed(text.encode())


@pytest.mark.parametrize("text", ["", "memhtml publish", SLOT])
def test_a_text_without_a_slot_is_refused(text: str) -> None:
    """It would pass for a person's own."""
    with pytest.raises(ValueError, match=r"^a text is sealed in a slot$"):
        seal(text)


def test_the_first_slot_takes_the_seal() -> None:
    """A memory that shows a slot keeps it."""
    assert seal(f"{MARK} {MARK}").endswith(f" {MARK}")
    assert is_sealed(seal(f"{MARK} {MARK}").encode())
