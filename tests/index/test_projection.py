"""From a file to its rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.memory import BlobId, Draft, Entity, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.index.projection import ChunkRow, Projected, Unreadable, project, text_hash
from memhtml.page.compose import compose
from memhtml.page.render import render

NOW = Instant("2026-03-01T10:00:00Z")
BLOB = BlobId("b")


def made(path: str, **given: object) -> Projected:
    """The rows of a file that the page makes."""
    draft = Draft(type=given.pop("type", MemoryType.SEMANTIC), title="Deploying", claim="Drain the queue.", **given)
    row = project(render(compose(draft, now=NOW)), MemoryPath(path), BLOB)
    assert isinstance(row, Projected)
    return row


def test_a_file_gives_its_words_and_its_pieces() -> None:
    """Tokens column by column; a short article is one piece, named by the hash of what is embedded."""
    row = made(
        "projects/shop/a.html",
        body="Then deploy checkout-api.",
        tags=("ops", "on call"),
        aliases=("release",),
        entities=(Entity("service", "checkout-api"),),
    )
    assert row.document.title == "deploying"
    assert row.document.claim == "drain the queue"
    assert row.document.body == "drain the queue then deploy checkoutapi checkout api"
    assert row.document.tags == "ops on call release"
    assert row.document.entities == "checkoutapi checkout api"
    body = row.facts.body
    assert row.chunks == (ChunkRow(0, len(body), text_hash(f"Deploying\n{body.strip()}")),)
    assert (row.path, row.blob, row.original, row.workspace) == ("projects/shop/a.html", "b", row.path, "shop")
    assert (row.archived, row.live) == (False, True)


def test_the_place_decides_what_is_archived() -> None:
    """Whatever the file's status says; the workspace is that of the place before."""
    row = made("archive/2026/projects/shop/a.html")
    assert (row.facts.head.status, row.archived, row.live) == ("active", True, False)
    assert (row.original, row.workspace) == ("projects/shop/a.html", "shop")


def test_a_task_is_outside_deduplication() -> None:
    """In both directions."""
    assert not made("projects/shop/tasks/a.html", type=MemoryType.TASK).live


def test_a_move_or_an_edit_of_the_head_keeps_every_piece() -> None:
    """So no vector is made again."""
    there, here = made("areas/a.html"), made("archive/2026/areas/a.html", tags=("more",), importance=9)
    assert there.chunks == here.chunks
    assert there.facts.content_hash == here.facts.content_hash


def test_a_broken_file_is_named_with_everything_that_is_wrong() -> None:
    """All violations at once."""
    row = project(b"<p>no memory</p>", MemoryPath("areas/a.html"), BLOB)
    assert isinstance(row, Unreadable)
    assert (row.path, row.blob) == ("areas/a.html", "b")
    assert row.reason.count(";") > 2


@given(st.binary())
def test_any_bytes_give_rows_or_a_reason(data: bytes) -> None:
    """Never an exception, and always the same."""
    row = project(data, MemoryPath("areas/a.html"), BLOB)
    assert isinstance(row, Projected | Unreadable)
    assert project(data, MemoryPath("areas/a.html"), BLOB) == row
