"""Resources on a store in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml import Store
from memhtml.domain.errors import PathNotFoundError
from memhtml.mcp.resources import nights, resource

EXPIRED = "The badge printer stands in the cellar."


def test_a_night_is_told_by_its_changes_and_reasons(root: Path) -> None:
    """It is listed once it is there; memories are quoted in it, between fences."""
    with Store.init(root, embed="fake-words@32") as store:
        store.write(EXPIRED, event_at="2020-01-01", valid_until="2020-02-01")
        store.search("printer")  # makes the vectors that a night compares by
        assert nights(store._workspace) == ()
        store.sleep(date="2026-07-28")
        assert nights(store._workspace) == ("memhtml://sleep/2026-07-28",)
        text = resource(store._workspace, "memhtml://sleep/2026-07-28")
    assert text.startswith("Run 2026-07-28 is open; it changes")
    assert text.count("```") == 2
    assert "- archived archive/2026/" in text
    assert "its validity has ended" in text
    assert f"\n> {EXPIRED}" in text


@pytest.mark.parametrize("uri", ["memhtml://file/", "memhtml://x/y", "file:///etc/passwd", "memhtml:", ""])
def test_an_address_that_is_not_ours_is_refused(root: Path, uri: str) -> None:
    """With the addresses that there are."""
    with Store.init(root, embed="off") as store, pytest.raises(PathNotFoundError) as caught:
        resource(store._workspace, uri)
    assert caught.value.suggestions


def test_reading_a_resource_is_no_use_of_a_memory(root: Path) -> None:
    """A host may fetch it unasked."""
    with Store.init(root, embed="off") as store:
        path = store.write(EXPIRED).path
        resource(store._workspace, f"memhtml://file/{path}")
        assert store.read(path).memories[0].counted is True  # the first within 15 minutes
