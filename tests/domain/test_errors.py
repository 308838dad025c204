"""The tree of errors."""

from __future__ import annotations

import re

import pytest

from memhtml.domain import errors
from memhtml.domain.errors import (
    BatchError,
    DirtyTreeError,
    ExecFailedError,
    ExecLimitError,
    GitError,
    InvalidMemoryError,
    InvalidPathError,
    LockedError,
    MemhtmlError,
    UsageError,
    WriteConflictError,
)

KINDS = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, MemhtmlError)]


def test_the_tree_that_is_drawn_is_the_tree_that_there_is() -> None:
    """Every class with its code, below the class that gives it its exit status."""
    drawn = dict(re.findall(r"(\w+Error) +(ERR_\w+)", errors.__doc__ or ""))
    assert drawn == {kind.__name__: kind.code for kind in KINDS if kind is not UsageError}
    usage = re.findall(r"│   [├└]── (\w+)", errors.__doc__ or "")
    assert sorted(usage) == sorted(kind.__name__ for kind in KINDS if kind is not UsageError and kind.exit_status == 2)


def test_no_two_errors_share_a_code() -> None:
    """A code names its class; only the class of all wrong calls has none of its own."""
    codes = [kind.code for kind in KINDS if kind is not UsageError]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("kind", [MemhtmlError, InvalidPathError, LockedError, WriteConflictError, GitError])
def test_an_error_holds_what_it_says_and_advises(kind: type[MemhtmlError]) -> None:
    """Its message is its text; nothing is advised, and no commit was made, unless it says so."""
    bare = kind("no")
    assert (str(bare), bare.message, bare.suggestions, bare.commit) == ("no", "no", (), None)
    assert kind("no", suggestions=("try again",)).suggestions == ("try again",)


def test_violations_are_told_in_one_line() -> None:
    """In the order of the document, and each by itself for who shows them."""
    error = InvalidMemoryError(("line 1: no doctype", "line 3: no title"), suggestions=("write both",))
    assert str(error) == error.message == "line 1: no doctype; line 3: no title"
    assert error.violations == ("line 1: no doctype", "line 3: no title")
    assert error.suggestions == ("write both",)


def test_paths_that_stand_in_the_way_are_facts() -> None:
    """Of a conflict, where there may be none, and of a dirty tree."""
    conflict = WriteConflictError("both changed it", paths=("areas/a.html",), suggestions=("look",))
    assert (conflict.message, conflict.paths, conflict.suggestions) == (
        "both changed it",
        ("areas/a.html",),
        ("look",),
    )
    assert WriteConflictError("the branch moved").paths == ()
    dirty = DirtyTreeError("edited", paths=("areas/a.html", "areas/b.html"), suggestions=("commit them",))
    assert (dirty.message, dirty.paths, dirty.suggestions) == (
        "edited",
        ("areas/a.html", "areas/b.html"),
        ("commit them",),
    )
    assert DirtyTreeError("edited", paths=()).suggestions == ()


def test_a_script_that_failed_says_where_and_what_it_had_printed() -> None:
    """As facts, where they are known; one that used too much has failed."""
    error = ExecLimitError("too long", line=3, printed="so far", suggestions=("ask for less",))
    assert (error.message, error.line, error.printed, error.suggestions) == ("too long", 3, "so far", ("ask for less",))
    bare = ExecFailedError("no")
    assert (bare.line, bare.printed, bare.suggestions) == (None, "", ())
    assert isinstance(error, ExecFailedError)


def test_a_refused_batch_names_five_lines_and_counts_the_rest() -> None:
    """All of them are facts; five are told in full without a count behind them."""
    failures = tuple((position, InvalidPathError(f"no {position}")) for position in range(1, 8))
    told = [f"line {position}: no {position} (ERR_INVALID_PATH)" for position in range(1, 6)]
    five = BatchError(failures[:5])
    assert (five.message, five.failures) == (f"nothing was written: {'; '.join(told)}", failures[:5])
    assert (five.skipped, five.suggestions, five.commit) == ((), (), None)
    seven = BatchError(failures, skipped=(8, 9), suggestions=("mend them",))
    assert seven.message == f"nothing was written: {'; '.join(told)}; and 2 more lines"
    assert (seven.failures, seven.skipped, seven.suggestions) == (failures, (8, 9), ("mend them",))
