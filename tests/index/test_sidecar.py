"""The durable copy of the state."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import Instant, MemoryPath
from memhtml.index.sidecar import Parsed, exported, parsed
from memhtml.index.state import Access

INSTANTS = st.sampled_from([Instant("2026-01-01T00:00:00Z"), Instant("2026-01-02"), Instant("2026-02-01T12:00:00Z")])
NAMES = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
ROWS = st.builds(
    Access,
    st.builds(lambda name: MemoryPath(f"areas/inbox/{name}.html"), st.sampled_from("abcé東") | st.sampled_from("xyz")),
    st.integers(0, 10**9),
    st.integers(0, 10**9),
    st.integers(-10_000, 10_000).map(lambda grid: grid / 10_000),
    st.none() | INSTANTS,
    st.none() | INSTANTS,
    INSTANTS,
)


def test_the_lines_are_as_the_format_says() -> None:
    """Keys in this order, path order, whole numbers without a fraction, no sign on nothing."""
    rows = [
        Access(
            MemoryPath("areas/b.html"),
            1,
            2,
            -0.0,
            None,
            Instant("2026-01-02T00:00:00Z"),
            Instant("2026-01-02T00:00:00Z"),
        ),
        Access(MemoryPath("areas/あ.html"), 0, 0, -1.0, None, None, Instant("2026-01-01")),
        Access(
            MemoryPath("areas/a.html"),
            7,
            0,
            0.1234,
            Instant("2026-01-01T00:00:00Z"),
            None,
            Instant("2026-01-01T00:00:00Z"),
        ),
    ]
    assert exported(rows).decode() == (
        '{"path":"areas/a.html","accessCount":7,"reinforcementCount":0,"outcomeScore":0.1234,'
        '"lastAccessedAt":"2026-01-01T00:00:00Z","lastReinforcedAt":null,"updatedAt":"2026-01-01T00:00:00Z"}\n'
        '{"path":"areas/b.html","accessCount":1,"reinforcementCount":2,"outcomeScore":0,'
        '"lastAccessedAt":null,"lastReinforcedAt":"2026-01-02T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z"}\n'
        '{"path":"areas/あ.html","accessCount":0,"reinforcementCount":0,"outcomeScore":-1,'
        '"lastAccessedAt":null,"lastReinforcedAt":null,"updatedAt":"2026-01-01"}\n'
    )


def test_nothing_is_an_empty_file() -> None:
    """In both directions."""
    assert exported([]) == b""
    assert parsed(b"") == parsed(b"\n  \n") == Parsed((), 0)


@given(st.lists(ROWS, unique_by=lambda row: row.path))
def test_what_is_exported_is_read_back(rows: list[Access]) -> None:
    """Every row as it was; exported again, byte for byte the same."""
    data = exported(rows)
    back = parsed(data)
    assert back.skipped == 0
    assert list(back.rows) == sorted(rows, key=lambda row: row.path)
    assert exported(back.rows) == data
    for line in data.splitlines():
        score = json.loads(line)["outcomeScore"]
        assert len(str(score).partition(".")[2]) <= 4
        assert not str(score).startswith("-0") or score < 0


GOOD = {
    "path": "areas/a.html",
    "accessCount": 1,
    "reinforcementCount": 0,
    "outcomeScore": 0.5,
    "lastAccessedAt": None,
    "lastReinforcedAt": None,
    "updatedAt": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize(
    "change",
    [
        {"path": "../a.html"},
        {"path": "/areas/a.html"},
        {"path": 7},
        {"path": None},
        {"accessCount": -1},
        {"accessCount": 1.5},
        {"accessCount": True},
        {"accessCount": "1"},
        {"accessCount": 2**60},
        {"reinforcementCount": None},
        {"outcomeScore": 1.5},
        {"outcomeScore": "0.5"},
        {"outcomeScore": True},
        {"outcomeScore": None},
        {"lastAccessedAt": "yesterday"},
        {"lastReinforcedAt": 0},
        {"updatedAt": None},
        {"updatedAt": "2026-13-01"},
    ],
)
def test_a_line_with_a_bad_value_is_skipped_and_counted(change: dict[str, object]) -> None:
    """The good ones around it are read."""
    lines = [json.dumps(row) for row in (GOOD, {**GOOD, **change}, {**GOOD, "path": "areas/b.html"})]
    read = parsed("\n".join(lines).encode())
    assert ([row.path for row in read.rows], read.skipped) == (["areas/a.html", "areas/b.html"], 1)


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b"null", b"7", b"\xff\xfe", b"{}", b'{"path":', b"[" * 100_000, b"NaN", b"\x00"]
)
def test_a_line_that_is_no_object_is_skipped_and_counted(line: bytes) -> None:
    """Whatever the bytes."""
    assert parsed(line + b"\n") == Parsed((), 1)


@given(st.binary())
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    """Every line is a row or is counted."""
    read = parsed(data)
    assert len(read.rows) + read.skipped == sum(bool(line.strip()) for line in data.split(b"\n"))


def test_an_older_spelling_of_an_instant_is_normalised() -> None:
    """What another program wrote with fractions or an offset."""
    read = parsed(json.dumps({**GOOD, "updatedAt": "2026-01-01T01:00:00.123+01:00"}).encode())
    assert read.rows[0].updated == "2026-01-01T00:00:00Z"
