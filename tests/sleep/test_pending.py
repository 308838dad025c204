"""What waits for a second night is kept in a file that any hand may have touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sleep.corpora import Fixed

from memhtml.sleep.changes import Generated, Reason
from memhtml.sleep.pending import Finding, Pending, read
from memhtml.store.layout import PENDING

WHY = Reason("it waits")
ONE = Finding("entity", "a\nb", "2026-07-01", 0.8)
LINE = b'{"kind":"entity","key":"a\\nb","night":"2026-07-01","confidence":0.8}\n'

findings = st.builds(
    Finding,
    st.sampled_from(["entity", "contradicts"]),
    st.text(max_size=8),
    st.sampled_from(["2026-07-01", "2026-07-02", "2026-07-28"]),
    st.floats(0, 1),
)


def test_a_finding_is_one_line() -> None:
    """Worked: the bytes of a file with one finding, and what is read back."""
    change = Pending().with_(ONE).written("2026-07-01", WHY)
    assert change == Generated(".memhtml/sleep/pending.jsonl", LINE, WHY)
    assert read(Fixed({PENDING: LINE})).findings == (ONE,)


@given(st.lists(findings, max_size=6), st.randoms())
def test_what_is_written_is_read(found: list[Finding], chance: object) -> None:
    """In whatever order it was found, the file is the same, and reading it and writing it again changes nothing."""
    first = Pending()
    for one in found:
        first = first.with_(one)
    change = first.written("2026-07-28", WHY)
    kept = read(Fixed({} if change is None else {PENDING: change.data or b""}))
    assert kept.findings == first.findings
    assert kept.written("2026-07-28", WHY) is None
    distinct = list({(one.kind, one.key, one.night): one for one in found}.values())
    chance.shuffle(distinct)  # type: ignore[attr-defined]  # a random.Random
    again = Pending()
    for one in distinct:
        again = again.with_(one)
    assert again.findings == first.findings


def test_another_earlier_night_agrees() -> None:
    """The night itself is no second one, nor is a later one, nor one of another finding."""
    pending = Pending((ONE,))
    assert pending.agreed("entity", "a\nb", "2026-07-02")
    assert not pending.agreed("entity", "a\nb", "2026-07-01")
    assert not pending.agreed("entity", "a\nb", "2026-06-30")
    assert not pending.agreed("entity", "b\na", "2026-07-02")
    assert not pending.agreed("contradicts", "a\nb", "2026-07-02")


def test_thirty_days_are_remembered() -> None:
    """On the 31st of July the 1st counts, a day later it is forgotten, and its line goes."""
    pending = Pending((ONE,), LINE)
    assert pending.agreed("entity", "a\nb", "2026-07-31")
    assert not pending.agreed("entity", "a\nb", "2026-08-01")
    assert pending.written("2026-07-31", WHY) is None
    assert pending.written("2026-08-01", WHY) == Generated(PENDING, None, WHY)


def test_what_is_settled_goes() -> None:
    """Every night of it; others stay."""
    other = Finding("entity", "c\nd", "2026-07-01", 0.7)
    later = Finding("entity", "a\nb", "2026-07-02", 0.9)
    left = Pending((ONE, later, other), LINE).without("entity", "a\nb")
    assert left == Pending((other,), LINE)
    assert left.written("2026-07-02", WHY) is not None


def test_without_findings_there_is_no_file() -> None:
    """And nothing is proposed for the want of it."""
    assert read(Fixed()) == Pending()
    assert Pending().written("2026-07-28", WHY) is None


@pytest.mark.parametrize(
    "line",
    [
        b"not json", b"{}", b"[]", b"<<<<<<< main", b"\xff\xfe",
        b'{"kind":"entity","key":"a","night":"soon","confidence":1}',
        b'{"kind":"entity","key":"a","night":"2026-07-01","confidence":2}',
        b'{"kind":"entity","key":"a","night":"20260701","confidence":1}',
        b'{"kind":"entity","key":"\\ud800","night":"2026-07-01","confidence":1}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_finding_is_passed_over(line: bytes) -> None:
    """The good one beside it counts, and the next writing leaves the bad one out."""
    pending = read(Fixed({PENDING: line + b"\n" + LINE}))
    assert pending.findings == (ONE,)
    assert pending.written("2026-07-02", WHY) == Generated(PENDING, LINE, WHY)


@given(st.binary(max_size=80))
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever the file holds."""
    read(Fixed({PENDING: data}))
