"""Facts that were corrected: what holds now comes first, whatever the archive holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml import Store


@pytest.mark.parametrize("asked", [{"archived": True}, {"as_of": "2100-01-01"}], ids=["archived", "as-of"])
def test_a_memory_never_stands_before_what_took_its_place(
    root: Path, environment: dict[str, str], asked: dict[str, object]
) -> None:
    """Through a chain of corrections in one second, in a search and in a pack."""
    with Store.init(root, embed="off", variables=environment) as store:
        path = str(store.write("The port of gamma is 1.", workspace="g").path)
        for number in (2, 3, 4):
            path = str(store.correct(path, f"The port of gamma is {number}.").path)
        found = [hit.gist for hit in store.search("port of gamma", **asked).hits]
        assert found == [f"The port of gamma is {number}." for number in (4, 3, 2, 1)]
        quoted = store.recall("port of gamma", **asked).quoted
        assert [Path(one).stem[-1] for one in quoted] == ["4", "3", "2", "1"]
        assert [hit.gist for hit in store.search("port of gamma").hits] == ["The port of gamma is 4."]
