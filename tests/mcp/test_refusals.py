"""What an agent reads of an error."""

from __future__ import annotations

from memhtml.domain.errors import InvalidFlagError
from memhtml.mcp.refusals import refusal
from memhtml.mcp.tools import TOOLS


def test_advice_is_for_an_agent() -> None:
    """Arguments are named as the tool has them; command lines, and arguments that it has not, are left out."""
    advice = ("use --as-of 2026-01-01", "try --article-html", "memhtml search x", '{"op":"write"}', "a--b stays")
    error = InvalidFlagError("--as-of says\n'yesterday'", suggestions=advice)
    assert refusal(error, TOOLS["memory_search"], {"query": "rack 4"}).splitlines() == [
        "ERR_INVALID_FLAG: as_of says 'yesterday'",
        "- use as_of 2026-01-01",
        "- a--b stays",
        'Try memory_search({"query": "rack 4"})',
    ]
