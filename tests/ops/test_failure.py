"""Errors as envelopes."""

from __future__ import annotations

import errno

import pytest

from memhtml.domain import errors
from memhtml.domain.errors import MemhtmlError
from memhtml.ops.advice import ADVICE, suggestions
from memhtml.ops.failure import as_error, failure
from memhtml.ops.manifest import error_codes


def tree(kind: type[MemhtmlError]) -> list[type[MemhtmlError]]:
    """A class and all below it."""
    return [kind, *(found for child in kind.__subclasses__() for found in tree(child))]


def test_worked_example() -> None:
    """Code, message, what to do."""
    assert failure(errors.StoreMissingError("nothing is at /s")) == {
        "apiVersion": "1",
        "error": "nothing is at /s",
        "code": "ERR_REPO_REQUIRED",
        "suggestions": ["memhtml init"],
    }


def test_an_errors_own_suggestions_come_before_those_of_its_class() -> None:
    """Whoever raised it knows better."""
    error = errors.StoreMissingError("nothing is there", suggestions=("mount the disk",))
    assert suggestions(error) == ("mount the disk",)


def test_every_class_has_advice_and_every_code_one_meaning() -> None:
    """No error leaves a caller without a next step, and the manifest lists each code once."""
    assert set(tree(MemhtmlError)) == set(ADVICE)
    assert all(ADVICE.values())
    codes = [entry.code for entry in error_codes()]
    assert len(codes) == len(set(codes))
    assert set(codes) == {kind.code for kind in tree(MemhtmlError)}
    assert all(entry.meaning.endswith(".") for entry in error_codes())


def test_exit_statuses_are_those_of_the_contract() -> None:
    """1 failed, 2 usage, 130 interrupted; usage errors are exactly those below UsageError."""
    for kind in tree(MemhtmlError):
        wanted = 2 if issubclass(kind, errors.UsageError) else 130 if kind is errors.InterruptedCommandError else 1
        assert kind.exit_status == wanted


def test_facts_come_as_details() -> None:
    """All violations, all dirty paths, all paths of a conflict that has some, all refused lines."""
    assert failure(errors.InvalidMemoryError(("no claim", "two titles")))["details"] == {
        "violations": ["no claim", "two titles"]
    }
    dirty = errors.DirtyTreeError("edited", paths=("areas/a.html",))
    assert failure(dirty)["details"] == {"paths": ["areas/a.html"]}
    assert failure(errors.WriteConflictError("both", paths=("areas/a.html",)))["details"] == {"paths": ["areas/a.html"]}
    assert "details" not in failure(errors.WriteConflictError("moved"))
    batch = errors.BatchError(((3, errors.PathNotFoundError("nothing at areas/a.html")),), skipped=(1, 5))
    assert failure(batch)["details"] == {
        "results": [
            {"line": 1, "outcome": "skipped", "error": None, "code": None},
            {"line": 3, "outcome": "refused", "error": "nothing at areas/a.html", "code": "ERR_PATH_NOT_FOUND"},
            {"line": 5, "outcome": "skipped", "error": None, "code": None},
        ]
    }
    assert batch.message == "nothing was written: line 3: nothing at areas/a.html (ERR_PATH_NOT_FOUND)"


def test_a_batch_that_is_wrong_throughout_has_a_short_message() -> None:
    """Five lines are named; the details have all."""
    many = tuple((line, errors.PathNotFoundError("nothing there")) for line in range(1, 5001))
    error = errors.BatchError(many)
    assert error.message.endswith("; and 4995 more lines")
    assert len(error.message) < 400
    assert len(error.failures) == 5000


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission denied"),
        (errno.ENOTDIR, "Not a directory"),
    ],
)
def test_the_disks_troubles_are_storage_errors(number: int, words: str) -> None:
    """With the file that was meant."""
    error = as_error(OSError(number, "Not a directory", "/s/file"))
    assert isinstance(error, errors.StorageError)
    assert words in error.message
    assert "/s/file" in error.message


def test_what_nobody_expected_says_its_kind_and_no_more() -> None:
    """A message of a library may hold SQL, arguments or a memory's text."""
    error = as_error(ValueError("SELECT secret FROM memories"))
    assert error.code == "ERR_UNKNOWN"
    assert "SELECT" not in error.message
    assert "ValueError" in error.message


def test_errors_of_the_tree_and_interruptions_keep_their_meaning() -> None:
    """Nothing is wrapped twice."""
    own = errors.LockedError("held by 12")
    assert as_error(own) is own
    assert as_error(KeyboardInterrupt()).exit_status == 130
