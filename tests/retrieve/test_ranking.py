"""From what the arms found to one order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from memhtml.domain.fusion import K
from memhtml.domain.memory import ContentHash, Instant, MemoryPath
from memhtml.domain.statements import read
from memhtml.domain.vocabulary import MemoryType, Status
from memhtml.index.index import Index
from memhtml.index.memories import MemoryRow
from memhtml.index.state import Access
from memhtml.retrieve.answer import Arm
from memhtml.retrieve.asking import Asked, asked
from memhtml.retrieve.finding import Found
from memhtml.retrieve.ranking import (
    JUDGES,
    NAMED,
    RELEVANCE_WEIGHT,
    Agreed,
    Compared,
    Judged,
    agreed,
    folded,
    joined,
    shares,
    successors_first,
)

NOW = Instant("2026-03-01T12:00:00Z")
A, B, C, D = (MemoryPath(f"areas/inbox/{name}.html") for name in "abcd")
Write = Callable[..., MemoryPath]
PLACES = st.lists(st.sampled_from([A, B, C, D]), unique=True, max_size=4)


def question(query: str = "deploys are frozen") -> Asked:
    """A query, asked of an empty index: each of its words is as rare as the others."""
    with Index.in_memory() as empty, empty.reading() as view:
        return asked(query, view)


def rows_of(store: Index, *paths: MemoryPath) -> dict[MemoryPath, MemoryRow]:
    """What the index knows of ``paths``."""
    with store.reading() as view:
        return view.rows(paths)


def access(path: MemoryPath, opens: int, last: str | None) -> Access:
    """How a memory was used."""
    return Access(path, opens=opens, last_opened=None if last is None else Instant(last))


def test_words_alone_are_joined_by_their_share_of_the_best() -> None:
    """Best first; equal ones as the arm gave them."""
    found = {Arm.LEXICAL: Found({A: 1.0, B: 4.0, C: 1.0, D: 2.0})}
    assert joined(question(), found) == {B: 1.0, D: 0.5, A: 0.25, C: 0.25}
    assert list(joined(question(), found)) == [B, D, A, C]


def test_being_named_adds_to_what_words_and_vectors_say() -> None:
    """By the whole query as much as `NAMED`, by a part of it half; by a name alone it is all there is."""
    found = {Arm.LEXICAL: Found({A: 1.0, B: 0.5}), Arm.EXACT: Found({B: 1.0, A: 0.5, C: 0.5})}
    assert joined(question(), found) == pytest.approx({A: 1 + NAMED / 2, B: 0.5 + NAMED, C: NAMED / 2})


def test_what_has_the_very_words_is_no_less_relevant_than_any_other() -> None:
    """The whole query before all; a part of one among the best, and before its equals."""
    found = {Arm.LEXICAL: Found({A: 1.0, B: 0.5, C: 0.2}), Arm.VERBATIM: Found({D: 1.0, C: 0.5})}
    assert joined(question(), found) == {D: 1.0, C: 1.0, A: 1.0, B: 0.5}
    assert list(joined(question(), found)) == [D, C, A, B]


def test_nothing_found_is_nothing_joined() -> None:
    """No arm, or arms without hits."""
    assert joined(question(), {}) == {}
    assert joined(question(), {Arm.LEXICAL: Found()}) == {}


def test_agreement_deals_twins_anew_and_lets_others_be() -> None:
    """What denies the claim goes behind what makes it; what was not compared stays behind, as it was."""
    relevance = {A: 0.9, B: 0.85, C: 0.5, D: 0.4}
    said = {A: "Deploys are not frozen.", B: "Deploys are frozen.", C: "The rota changes."}
    compared = {path: Compared(NOW, (read(text),)) for path, text in said.items()}
    found = {Arm.LEXICAL: Found({A: 9.0, B: 8.5, C: 5.0, D: 4.0})}
    made = agreed(question(), relevance, found, compared)
    assert made.order == (B, A, C, D)
    assert made.twins == ((B, A),)
    assert made.before == {A: 1, B: 2, C: 3}


def test_agreement_over_nothing_is_nothing() -> None:
    """No candidates, no order."""
    assert agreed(question(), {}, {}, {}) == Agreed((), (), {})


def fold(store: Index, order: tuple[MemoryPath, ...], **more: object) -> tuple[MemoryPath, ...]:
    """``order`` after the judges."""
    opened = more.get("opened", {})
    whole = more.get("whole", ())
    arms = more.get("arms", frozenset(Arm))
    twins = more.get("twins", ())
    assert isinstance(opened, Mapping)
    assert isinstance(whole, tuple)
    assert isinstance(arms, frozenset)
    assert isinstance(twins, tuple)
    return folded(Agreed(order, twins), Judged(rows_of(store, *order), opened, NOW), arms, whole).paths


def test_age_moves_nothing_into_the_first_places() -> None:
    """Of 160 the newest, which is the last, moves up by some, and by none where the one before it is its twin.

    The others, each older than the one before, stay as they are.
    """
    order = tuple(MemoryPath(f"areas/inbox/m{number:03}.html") for number in range(160))
    years = {path: Instant(f"{2025 - number}-01-01") for number, path in enumerate(order[:-1])}
    rows = {path: replace(row(path), updated=years.get(path, NOW)) for path in order}
    recency = frozenset({Arm.RECENCY})
    made = folded(Agreed(order), Judged(rows, {}, NOW), recency).paths
    assert 20 < made.index(order[-1]) < 159
    assert tuple(path for path in made if path != order[-1]) == order[:-1]
    twins = folded(Agreed(order, (order[-2:],)), Judged(rows, {}, NOW), recency).paths
    assert twins.index(order[-2]) < twins.index(order[-1])
    assert folded(Agreed(order), Judged(rows, {}, NOW), frozenset()).paths == order


def test_what_was_opened_counts_little_and_tasks_and_people_not_at_all(store: Index, write: Write) -> None:
    """An open moves no memory past one that is more relevant; without any, salience takes no part."""
    a, b = write("a", "Deploys wait."), write("b", "Deploys stop.")
    person = write("resources/people/ada.html", "Ada waits.")
    task = write("projects/shop/tasks/t.html", "Wait.", type=MemoryType.TASK, task_status="todo")
    opened = {path: access(path, 9, "2026-02-28T12:00:00Z") for path in (b, person, task)}
    judged = Judged(rows_of(store, a, b, person, task), opened, NOW)
    values = JUDGES[Arm.SALIENCE].judge(judged)
    assert set(values) == {a, b}
    assert values[a] == 0.0
    assert float(values[b]) > 0
    assert JUDGES[Arm.SALIENCE].judge(Judged(judged.rows, {}, NOW)) == {}
    assert fold(store, (a, b), opened=opened, arms=frozenset({Arm.SALIENCE})) == (a, b)


def test_scores_fall_and_are_of_the_places(store: Index, write: Write) -> None:
    """Whoever stands there: reciprocal rank of relevance and of what judges."""
    a, b = write("a", "Deploys wait."), write("b", "Deploys stop.")
    order = folded(Agreed((a, b)), Judged(rows_of(store, a, b), {}, NOW), frozenset({Arm.RECENCY}), (b,))
    assert order.paths == (b, a)
    assert order.scores == pytest.approx(
        (RELEVANCE_WEIGHT / (K + 1) + 0.05 / (K + 1), RELEVANCE_WEIGHT / (K + 2) + 0.05 / (K + 1))
    )
    assert order.agreed == {a: 1, b: 2}


def row(path: MemoryPath, superseded_by: MemoryPath | None = None) -> MemoryRow:
    """What an index would know of a memory, as far as an order needs it."""
    return MemoryRow(
        path=path,
        title="t",
        gist="g",
        type=MemoryType.SEMANTIC,
        status=Status.ACTIVE,
        archived=False,
        workspace=None,
        created=NOW,
        updated=NOW,
        event_at=None,
        valid_from=None,
        valid_until=None,
        confidence=None,
        importance=None,
        author=None,
        session=None,
        needs_revision=None,
        task_status=None,
        due=None,
        content_hash=ContentHash("sha256:0"),
        superseded_by=superseded_by,
        contradicts=(),
        entities=(),
        tags=(),
        aliases=(),
        facets=(),
    )


@given(PLACES, PLACES)
def test_what_the_query_quotes_whole_comes_first_in_its_order(
    order: list[MemoryPath], quoted: list[MemoryPath]
) -> None:
    """And the others behind it as they were."""
    whole = [path for path in quoted if path in order]
    judged = Judged({path: row(path) for path in order}, {}, NOW)
    made = folded(Agreed(tuple(order)), judged, frozenset(), whole)
    assert made.paths == (*whole, *(path for path in order if path not in whole))
    assert list(made.scores) == sorted(made.scores, reverse=True)


def test_what_took_a_place_comes_right_before_it() -> None:
    """Through a chain, wherever the successor was found; one that was not found changes nothing."""
    rows = {A: row(A, B), B: row(B, C), C: row(C), D: row(D, MemoryPath("areas/inbox/gone.html"))}
    assert successors_first([D, A, C, B], rows) == [D, C, B, A]
    assert successors_first([A, D], rows) == [A, D]
    assert successors_first([], rows) == []


def test_a_successor_that_was_archived_since_is_known_by_its_first_path() -> None:
    """A stamp names the place where it was written."""
    archived = MemoryPath("archive/2026/areas/inbox/b.html")
    rows = {A: row(A, B), archived: row(archived)}
    assert successors_first([A, archived], rows) == [archived, A]


@given(PLACES, st.lists(st.sampled_from([A, B, C, D, None]), min_size=4, max_size=4))
def test_stamps_of_any_kind_lose_nothing(order: list[MemoryPath], stamps: list[MemoryPath | None]) -> None:
    """Circles too, which only a hand can make: each memory stands once, and without stamps nothing moves."""
    rows = {path: row(path, stamp) for path, stamp in zip((A, B, C, D), stamps, strict=True)}
    assert sorted(successors_first(order, rows)) == sorted(order)
    assert successors_first(order, {path: row(path) for path in order}) == order


def test_an_explained_memory_has_a_share_of_each_arm_that_ranked_it(store: Index, write: Write) -> None:
    """Words and vectors divide what their joined place is worth; what only moves or names adds nothing."""
    a, b = write("a", "Deploys are frozen."), write("b", "Deploys wait.")
    asking = question("deploys are frozen")
    found = {
        Arm.LEXICAL: Found({a: 4.0, b: 2.0}),
        Arm.VECTOR: Found({a: 0.8, b: 0.2}),
        Arm.VERBATIM: Found({a: 1.0}),
    }
    compared = {a: Compared(NOW, (read("Deploys are frozen."),)), b: Compared(NOW, (read("Deploys wait."),))}
    agreement = agreed(asking, joined(asking, found), found, compared)
    order = folded(agreement, Judged(rows_of(store, a, b), {}, NOW), frozenset({Arm.RECENCY}), (a,))
    by_arm = {share.arm: share for share in shares(a, order, found, asking)}
    assert set(by_arm) == {Arm.LEXICAL, Arm.VECTOR, Arm.VERBATIM, Arm.AGREEMENT, Arm.RECENCY}
    assert all(share.rank == 1 for share in by_arm.values())
    assert (by_arm[Arm.LEXICAL].value, by_arm[Arm.VECTOR].value, by_arm[Arm.VERBATIM].value) == (4.0, 0.8, 1.0)
    assert by_arm[Arm.VERBATIM].contribution == by_arm[Arm.AGREEMENT].contribution == 0.0
    both = by_arm[Arm.LEXICAL].contribution + by_arm[Arm.VECTOR].contribution
    assert both == pytest.approx(RELEVANCE_WEIGHT / (K + 1), abs=2e-6)
    assert both + by_arm[Arm.RECENCY].contribution == pytest.approx(order.scores[0], abs=3e-6)
    # Far from the nearest, a vector took nothing away that words did not bring.
    far = {share.arm: share.contribution for share in shares(b, order, found, asking)}
    assert far[Arm.VECTOR] == 0.0
    assert far[Arm.LEXICAL] > 0


def test_a_memory_that_no_arm_ranked_has_no_shares(store: Index, write: Write) -> None:
    """Nothing is made up for it."""
    a = write("a", "Deploys wait.")
    order = folded(Agreed(()), Judged(rows_of(store, a), {}, NOW), frozenset())
    assert shares(a, order, {}, question()) == ()
