"""Queries of a probe: in other words or another order, and with all that tells the target from its twins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.stopwords import STOP_WORDS
from memhtml.domain.terms import fold
from memhtml.evals.grammar.sentence import LONGEST
from memhtml.evals.inventions import FILLINGS, STATEMENTS, Statement
from memhtml.evals.probes import Style, query

CLAIM = "The beta worker never keeps failed jobs for 30 days after a deploy."


def test_each_style_is_typed_in_its_own_way() -> None:
    """Phrases in another order, a question, words of content alone."""
    asked = {style: query(CLAIM, Divergence.NEGATION, style, 0) for style in Style}
    assert asked == {
        Style.REORDERED: "after deploy for 30 days failed jobs never keeps beta worker",
        Style.QUESTION: "why does the beta worker never keep failed jobs for 30 days after a deploy?",
        Style.KEYWORDS: "never keeps failed jobs 30 days deploy beta worker",
    }


@pytest.mark.parametrize(
    ("claim", "family", "style", "forms"),
    [
        ("We cannot restart the old worker.", "negation", "keywords", ["old worker cannot restart"] * 2),
        ("We can't restart the old worker.", "number", "reordered", ["old worker cannot restart"] * 2),
        ("The worker won't retry jobs.", "negation", "keywords", ["not retry jobs worker"] * 2),
        ("It's Ada who doesn't wait for them.", "negation", "keywords", ["not wait ada"] * 2),
        ("Never deploy on Fridays.", "negation", "keywords", ["never deploy fridays"] * 2),
        ("Never deploy on Fridays.", "qualifier", "keywords", ["fridays never deploy"] * 2),
        ("The pool keeps 3 s of logs.", "number", "keywords", ["3 s logs pool keeps"] * 2),
        ("Jobs wait 15 s in the beta pool.", "qualifier", "keywords", ["beta pool jobs wait 15 s"] * 2),
        (
            "The worker sends reports to the archive.",
            "number",
            "keywords",
            ["sends reports archive worker", "reports archive worker sends", "archive worker sends reports"],
        ),
        (
            "The worker sends reports to the archive.",
            "number",
            "reordered",
            ["to archive reports sends worker", "to archive worker sends reports"] * 2,
        ),
        ("Never deploy on Fridays.", "number", "question", ["should we never deploy on Fridays?"]),
        (
            "Never deploy on Fridays.",
            "qualifier",
            "question",
            ["when should we never deploy on Fridays?", "must we never deploy on Fridays?"],
        ),
    ],
)
def test_queries_worked_out(claim: str, family: str, style: str, forms: list[str]) -> None:
    """A denial goes with what it denies, a unit with its number; turns go round."""
    asked = [query(claim, Divergence(family), Style(style), turn) for turn in range(len(forms))]
    assert asked == forms


def test_what_a_query_is_about_comes_first() -> None:
    """In keywords, which can begin anywhere."""
    assert query(CLAIM, Divergence.NUMBER, Style.KEYWORDS, 0) == "30 days deploy beta worker never keeps failed jobs"
    first = query(CLAIM, Divergence.QUALIFIER, Style.KEYWORDS, 0)
    assert first == "beta worker deploy 30 days failed jobs never keeps"


def test_turns_change_the_form() -> None:
    """A claim can be asked for in more than one way."""
    for style in (Style.REORDERED, Style.QUESTION):
        assert len({query(CLAIM, Divergence.NEGATION, style, turn) for turn in range(6)}) > 1


@pytest.mark.parametrize("style", Style)
@pytest.mark.parametrize("claim", ["", "Thanks!", "Jobs?", "not"])
def test_what_says_nothing_is_not_asked_for(claim: str, style: Style) -> None:
    """There are no two phrases to reorder, and no verb to ask for."""
    assert query(claim, Divergence.NEGATION, style, 0) is None


def test_a_question_is_made_of_the_sentence_that_decides() -> None:
    """The first one that holds all of it; where none does, there is no question."""
    assert query("It waits. It never retries.", Divergence.NEGATION, Style.QUESTION, 0) == "why does it never retry?"
    assert query("It never waits. It keeps 3 jobs.", Divergence.NEGATION, Style.QUESTION, 0) is None


def test_a_copy_is_no_query() -> None:
    """Not even where another order is the same one."""
    assert query("Use use", Divergence.NEGATION, Style.REORDERED, 0) is None


def test_a_page_is_not_asked_for() -> None:
    """A claim may be long, but nobody types a page."""
    long = f"{CLAIM} " * (LONGEST // (len(CLAIM) + 1))
    for style in Style:
        assert query(long, Divergence.NUMBER, style, 0) is not None
        assert query(long + CLAIM, Divergence.NUMBER, style, 0) is None


def test_units_stay_with_their_numbers() -> None:
    """Even those that are function words elsewhere."""
    assert query("The timeout of the API is 30 s.", Divergence.NUMBER, Style.KEYWORDS, 0) == "30 s timeout api"


GAPS = {gap: st.sampled_from(given_) for gap, given_ in FILLINGS.items()} | {"thing": st.just("belmar gateway")}


@given(st.sampled_from(STATEMENTS), st.fixed_dictionaries(GAPS), st.integers(0, 20), st.sampled_from(list(Divergence)))
def test_a_query_agrees_with_its_claim_and_is_no_copy(
    statement: Statement, gaps: dict[str, str], turn: int, family: Divergence
) -> None:
    """For all that is invented, in every style: nothing that decides is missing, and the order or the words differ."""
    capital = {gap.capitalize(): text[:1].upper() + text[1:] for gap, text in gaps.items()}
    claim = statement.claim.format(**gaps, **capital)
    claim = claim[:1].upper() + claim[1:]
    for style in Style:
        asked = query(claim, family, style, turn)
        assert asked is not None, (style, claim)
        assert divergences(claim, asked) == frozenset()
        assert fold(asked).rstrip("?") != fold(claim).rstrip(".")
        if style is Style.KEYWORDS:
            assert asked == asked.lower()
            assert not {"the", "of", "is", "does"} & set(asked.split()) & STOP_WORDS
