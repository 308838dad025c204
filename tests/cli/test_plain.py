"""What a memory holds is shown at a terminal, never obeyed."""

from __future__ import annotations

from memhtml.cli.plain import complaint, plain
from memhtml.domain.errors import StoreMissingError
from memhtml.domain.visible import visible


def test_a_complaint_says_what_is_wrong_and_what_to_do() -> None:
    """One line each, the code for those who look it up."""
    assert complaint(StoreMissingError("nothing is at /s")) == (
        "memhtml: nothing is at /s (ERR_REPO_REQUIRED)\n  memhtml init"
    )
    assert plain is visible
    assert complaint(StoreMissingError("a\x1bb")).startswith("memhtml: a\\x1bb (")
