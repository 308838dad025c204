"""A store with files that it has not."""

from __future__ import annotations

from memhtml.domain.memory import Draft, Instant, MemoryPath
from memhtml.domain.vocabulary import MemoryType
from memhtml.evals.overlay import Overlaid
from memhtml.evals.scratch import scratch
from memhtml.page.compose import compose
from memhtml.page.render import render

NOW = Instant("2026-03-01T12:00:00Z")


def test_an_index_holds_what_the_store_has_not(environment: dict[str, str]) -> None:
    """The files and what was saved by hand are found beside what is committed; the store has not changed."""
    new, old = MemoryPath("areas/inbox/new.html"), MemoryPath("areas/inbox/by-hand.html")
    data = render(compose(Draft(MemoryType.SEMANTIC, claim="Gnus graze."), now=NOW))
    with scratch(environment) as store:
        [committed] = store.write([(Draft(MemoryType.SEMANTIC, claim="Cats purr."), NOW)])
        by_hand = store.repository.root / old
        by_hand.write_bytes(render(compose(Draft(MemoryType.SEMANTIC, claim="Dogs bark."), now=NOW)))
        head = store.repository.head()
        with store.index.copied() as copy:
            copy.update(Overlaid(store.repository, {new: data}))
            with copy.reading() as view:
                assert {row.gist for row in view.rows([new, old, committed]).values()} == {
                    "Gnus graze.",
                    "Dogs bark.",
                    "Cats purr.",
                }
            copy.update(Overlaid(store.repository, {}))
            with copy.reading() as view:
                assert list(view.rows([new, old, committed])) == [old, committed]
        assert store.repository.head() == head
        assert not (store.repository.root / new).exists()
        with store.index.reading() as view:
            assert view.total == 1
