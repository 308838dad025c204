"""Question sets asked of real stores: what is measured, and what is left out when vectors fail."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

import pytest

from memhtml.domain.errors import InvalidInputError, ModelUnavailableError
from memhtml.domain.memory import Instant
from memhtml.domain.progress import Progress, silent
from memhtml.evals import quality
from memhtml.evals.measures import mean, measured, spread
from memhtml.evals.quality import (
    ARMS,
    Asking,
    Scores,
    Sought,
    Way,
    ask,
    draft,
    named,
    put,
    score_documents,
    score_store,
)
from memhtml.evals.questions import Document, Question
from memhtml.evals.scratch import scratch
from memhtml.index.embedding import fill
from memhtml.index.index import Index
from memhtml.models.embedder import Embedder, Identity, Space
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.retrieve.answer import Answer, Arm, Request
from memhtml.retrieve.search import search

if TYPE_CHECKING:
    from memhtml.models.embedder import Rows

NOW = Instant("2026-03-01T12:00:00Z")
DRAINS, NEVER, REBOOT = "Checkout drains its queue.", "Checkout never drains its queue.", "Nodes reboot on Sundays."
SHELF = (Document(1, "", "drains", DRAINS), Document(2, "", "never", NEVER), Document(3, "", "reboot", REBOOT))


class Tiring(HashedWords):
    """Works for so many calls, and then no more."""

    def __init__(self, calls: int) -> None:
        super().__init__(64)
        self.left = calls

    def embed(self, texts: Sequence[str]) -> Rows:
        """One row a text.

        Raises:
            ModelUnavailableError: it is tired.
        """
        self.left -= 1
        if self.left < 0:
            raise ModelUnavailableError("tired")
        return super().embed(texts)


def asking(embedder: Embedder | None = None, limit: int = 50, progress: Progress = silent) -> Asking:
    """How the questions of these tests are asked."""
    return Asking(embedder, "no vectors here", limit, NOW, progress)


def question(query: str, *gold: str, line: int = 1, **given: object) -> Question:
    """A question of the store without a name."""
    return Question(line=line, store=str(given.pop("store", "")), id="q", query=query, gold=gold, **given)


def ways(found: Scores) -> list[Way]:
    """The ways that were measured."""
    return [score.way for score in found.scores]


def test_worked_example(environment: dict[str, str]) -> None:
    """Two questions, three ways, literal figures: words cannot tell a fact from its denial, all arms can."""
    asked = [
        question("checkout never drains the queue", "never", controls=("drains",), group="denials"),
        question("when do nodes reboot", "reboot", "drains", group="times"),
    ]
    found = score_documents(SHELF, asked, asking(HashedWords(64)), environment)
    assert (ways(found), found.left_out) == (list(Way), ())
    fused = found.scores[2]
    assert (fused.figures.hit_at_1, fused.figures.mrr, fused.figures.strict) == (1.0, 1.0, 1.0)
    assert [(part.group, part.questions) for part in fused.groups] == [("denials", 1), ("times", 1)]
    assert [part.figures.strict for part in fused.groups] == [1.0, None]
    lexical = found.scores[0]
    assert lexical.figures.recall_at_10 == 0.75
    assert lexical.low.recall_at_10 <= 0.75 <= lexical.high.recall_at_10


def test_figures_are_those_of_the_rankings(environment: dict[str, str]) -> None:
    """Each way's own, asked one at a time in a store with the same documents."""
    asked = [question(text, "drains", controls=("never",)) for text in ("queue of checkout", "Sundays", "drains never")]
    found = score_documents(SHELF, asked, asking(HashedWords(64)), environment)
    with scratch(environment) as made:
        names = put(made, SHELF, NOW, silent)
        made.embed(HashedWords(64))
        for score in found.scores:
            rankings = [
                named(ask(made.index, HashedWords(64), one.query, Sought(score.way, 50, NOW)), names) for one in asked
            ]
            rows = [measured(ranked, ["drains"], ["never"]) for ranked in rankings]
            assert score.figures.mrr == pytest.approx(sum(row.mrr for row in rows) / 3)
            assert score.figures.strict == pytest.approx(sum(row.strict or 0.0 for row in rows) / 3)


def test_a_way_is_its_arms(environment: dict[str, str]) -> None:
    """Words alone find nothing without a common word, vectors alone rank all there is, all arms take both."""
    assert {way: ARMS[way] for way in Way} == {
        Way.LEXICAL: {Arm.LEXICAL},
        Way.VECTOR: {Arm.VECTOR},
        Way.FUSED: None,
    }
    with scratch(environment) as made:
        names = put(made, SHELF, NOW, silent)
        made.embed(HashedWords(64))
        counts = {
            way: len(named(ask(made.index, HashedWords(64), "queue", Sought(way, 50, NOW)), names)) for way in Way
        }
        assert counts == {Way.LEXICAL: 2, Way.VECTOR: 3, Way.FUSED: 3}
        assert len(ask(made.index, HashedWords(64), "queue", Sought(Way.VECTOR, 1, NOW)).hits) == 1


def test_the_bar_is_off(environment: dict[str, str]) -> None:
    """A scorer wants a ranking also where nothing is relevant."""
    with scratch(environment) as made:
        names = put(made, SHELF, NOW, silent)
        made.embed(HashedWords(64))
        answer = ask(made.index, HashedWords(64), "banana bread with nodes", Sought(Way.FUSED, 50, NOW))
        assert set(named(answer, names)) == {"drains", "never", "reboot"}


def test_stores_never_meet(environment: dict[str, str]) -> None:
    """A question is asked of the documents of its own store; stores that no question asks are not made."""
    shelves = [
        Document(1, "a", "x", DRAINS),
        Document(2, "b", "x", REBOOT),
        Document(3, "c", "y", "\x00 would be refused"),
    ]
    asked = [question("queue", "x", store="a"), question("queue", "x", store="b")]
    found = score_documents(shelves, asked, asking(), environment)
    assert found.scores[0].figures.hit_at_1 == 0.5


def test_documents_with_the_same_content_are_all_found_by_one_memory(environment: dict[str, str]) -> None:
    """In the order of the file."""
    copies = [Document(1, "", "first", DRAINS), Document(2, "", "second", DRAINS), Document(3, "", "other", REBOOT)]
    with scratch(environment) as made:
        names = put(made, copies, NOW, silent)
        assert list(names.values()) == [["first", "second"], ["other"]]
    found = score_documents(copies, [question("queue", "second")], asking(), environment)
    assert found.scores[0].figures.mrr == 0.5


def test_no_more_than_the_limit_is_looked_at(environment: dict[str, str]) -> None:
    """Also where a memory is several documents."""
    copies = [Document(number, "", f"d{number}", DRAINS) for number in range(12)]
    asked = [question("queue", "d9"), question("queue", "d10")]
    found = score_documents(copies, asked, asking(limit=10), environment)
    assert (found.scores[0].figures.mrr, found.scores[0].figures.hit_at_10) == (0.05, 0.5)


def test_without_an_embedder_words_alone_are_measured(environment: dict[str, str]) -> None:
    """And why the others are not is said of each."""
    found = score_documents(SHELF, [question("queue", "drains")], asking(), environment)
    assert ways(found) == [Way.LEXICAL]
    assert [(one.way, one.why) for one in found.left_out] == [
        (Way.VECTOR, "no vectors here"),
        (Way.FUSED, "no vectors here"),
    ]


def test_vectors_that_cannot_be_made_leave_their_ways_out(environment: dict[str, str]) -> None:
    """For all stores, with the embedder's own words; it is not asked again."""
    tired = Tiring(0)
    shelves = [Document(1, "a", "x", DRAINS), Document(2, "b", "x", DRAINS)]
    asked = [question("queue", "x", store="a"), question("queue", "x", store="b")]
    found = score_documents(shelves, asked, asking(tired), environment)
    assert (ways(found), tired.left) == ([Way.LEXICAL], -1)
    assert {one.why for one in found.left_out} == {"tired"}
    assert ways(score_documents(SHELF, [question("queue", "never")], asking(AlwaysFailing()), environment)) == [
        Way.LEXICAL
    ]


def test_an_embedder_that_fails_at_a_question_leaves_no_half_score(environment: dict[str, str]) -> None:
    """One call for the documents, two for the first question: at the second one both ways end, words go on."""
    asked = [question("queue", "drains"), question("reboot", "reboot"), question("never", "reboot")]
    found = score_documents(SHELF, asked, asking(Tiring(3)), environment)
    assert ways(found) == [Way.LEXICAL]
    assert found.scores[0].figures.hit_at_1 == pytest.approx(2 / 3)
    assert [(one.way, one.why) for one in found.left_out] == [(Way.VECTOR, "tired"), (Way.FUSED, "tired")]


def test_an_answer_without_its_vectors_is_not_counted(environment: dict[str, str]) -> None:
    """Where it fails between the two ways, neither is a score."""
    found = score_documents(SHELF, [question("queue", "drains")], asking(Tiring(2)), environment)
    assert ways(found) == [Way.LEXICAL]


def test_a_store_that_is_there_is_asked_by_path(environment: dict[str, str]) -> None:
    """With vectors only where nearly all texts have one; what is missing is said."""
    with scratch(environment) as made:
        paths = list(put(made, SHELF, NOW, silent))
        asked = [question("never drains queue", paths[1], controls=(paths[0],))]
        found = score_store(made.index, asked, asking(HashedWords(64)))
        assert ways(found) == [Way.LEXICAL]
        assert found.left_out[0].why == "only 0% of the texts have a vector; `memhtml index embed` makes them"
        fill(made.index, HashedWords(64))
        found = score_store(made.index, asked, asking(HashedWords(64)))
        assert ways(found) == list(Way)
        assert (found.scores[2].figures.hit_at_1, found.scores[2].figures.strict) == (1.0, 1.0)
        told: list[tuple[str, int, int | None]] = []
        words_only = asking(progress=lambda *step: told.append(step))
        assert score_store(made.index, asked, words_only).left_out[0].why == "no vectors here"
        assert told == [("asking", 0, 1)]


def test_progress_rises_to_the_whole(environment: dict[str, str]) -> None:
    """Questions are counted once, however many ways they are asked."""
    told: list[tuple[str, int, int | None]] = []
    asked = [question("queue", "drains"), question("reboot", "reboot")]
    score_documents(SHELF, asked, asking(HashedWords(64), progress=lambda *step: told.append(step)), environment)
    assert told == [
        ("writing", 0, 3),
        ("embedding", 0, 3),
        ("embedding", 3, 3),
        ("asking", 0, 2),
        ("asking", 1, 2),
    ]
    told.clear()
    score_documents(SHELF, asked, asking(progress=lambda *step: told.append(step)), environment)
    assert told == [("writing", 0, 3), ("asking", 0, 2), ("asking", 1, 2)]


def test_a_document_that_can_be_no_memory_is_named_by_its_line(environment: dict[str, str]) -> None:
    """All of them are, and none is written."""
    bad = [*SHELF, Document(7, "", "n", "A \x00."), Document(9, "", "m", "B \x00.")]
    with scratch(environment) as made:
        with pytest.raises(InvalidInputError, match=r"the documents, line 7: .*NUL.*; line 9: .*NUL") as caught:
            put(made, bad, NOW, silent)
        assert caught.value.suggestions == ("correct the text, or leave the document out",)
        with made.index.reading() as view:
            assert view.total == 0


@pytest.mark.parametrize(
    ("text", "claim", "body"),
    [
        ("Drain first. Then deploy.  Then rest.", "Drain first.", "Then deploy.  Then rest."),
        ("One line\nanother line", "One line", "another line"),
        (" Only this ", "Only this", None),
        ("Why? Because!", "Why?", "Because!"),
        ("v1.2 is out", "v1.2 is out", None),
    ],
)
def test_a_text_becomes_a_memory(text: str, claim: str, body: str | None) -> None:
    """First sentence, rest, date; the title is its beginning, on one line."""
    found = draft(text, NOW)
    assert (found.claim, found.body, found.event_at) == (claim, body, NOW)
    assert draft("a\n " + "b" * 100, None).title == "a " + "b" * 77


def test_a_date_decides_where_nothing_else_does(environment: dict[str, str]) -> None:
    """Two states of one thing: the later document comes first, whatever the order of the file."""
    early, late = Instant("2026-01-01T00:00:00Z"), Instant("2026-02-01T00:00:00Z")
    for first, second in ((early, late), (late, early)):
        shelf = [
            Document(1, "", "a", "The retry limit of checkout is 3.", first),
            Document(2, "", "b", "The retry limit of checkout is 5.", second),
        ]
        right = "a" if first == late else "b"
        asked = [question("what is the retry limit of checkout?", right)]
        found = score_documents(shelf, asked, asking(HashedWords(64)), environment)
        assert found.scores[2].figures.hit_at_1 == 1.0


def test_a_question_is_asked_when_it_says_and_else_now(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real search is listened to: what depends on the instant decides too little to be seen in an order."""
    instants: list[Instant] = []

    def listening(index: Index, embedder: Embedder | None, request: Request, now: Instant) -> Answer:
        instants.append(now)
        return search(index, embedder, request, now)

    monkeypatch.setattr(quality, "search", listening)
    asked = [question("queue", "drains"), question("queue", "drains", now=Instant("2027-03-01"))]
    score_documents(SHELF, asked, asking(), environment)
    assert instants == [NOW, "2027-03-01"]


def test_intervals_are_drawn_by_store_and_by_one_seed(environment: dict[str, str]) -> None:
    """Of five stores, one of which is asked three times."""
    stores = ["a", "b", "b", "b", "c", "d", "e"]
    shelves = [Document(line, store, "x", DRAINS) for line, store in enumerate("abcde", 1)]
    queries = ["queue", "drains", "nodes", "racks", "queue", "nodes", "queue"]
    asked = [question(query, "x", store=store) for query, store in zip(queries, stores, strict=True)]
    score = score_documents(shelves, asked, asking(), environment).scores[0]
    rows = [
        (store, measured(["x"] if query in DRAINS else [], ["x"])) for query, store in zip(queries, stores, strict=True)
    ]
    assert score.figures == mean([figures for _, figures in rows])
    assert (score.low, score.high) == spread(rows, lambda: Random(7))


def test_groups_are_told_only_where_there_are_several(environment: dict[str, str]) -> None:
    """In the order of their names, each with its own means."""
    asked = [question("queue", "drains", group="b"), question("queue", "reboot", group="a")]
    found = score_documents(SHELF, asked, asking(), environment)
    parts = [(part.group, part.questions, part.figures.hit_at_5) for part in found.scores[0].groups]
    assert parts == [("a", 1, 0.0), ("b", 1, 1.0)]
    assert score_documents(SHELF, asked[:1], asking(), environment).scores[0].groups == ()


def test_a_tired_embedder_is_an_embedder() -> None:
    """The fake of these tests keeps the protocol."""
    tired: Embedder = Tiring(1)
    assert tired.space == Space("fake-words@64")
    assert isinstance(tired.describe(), Identity)
