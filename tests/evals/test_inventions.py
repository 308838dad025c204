"""What is invented says what it should: paraphrases agree, strangers have nothing to do with it."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memhtml.domain.divergence import Divergence, divergences
from memhtml.domain.statements import read
from memhtml.evals.controls import derive
from memhtml.evals.inventions import AROUND, FILLINGS, KINDS, STATEMENTS, STRANGERS, SYLLABLES, Statement

GAPS = st.fixed_dictionaries(
    {gap: st.sampled_from(given_) for gap, given_ in FILLINGS.items()}
    | {"thing": st.sampled_from([f"belmar {kind}" for kind in KINDS])}
)


def written(text: str, gaps: dict[str, str]) -> str:
    """With its gaps filled."""
    return text.format(**gaps, **{gap.capitalize(): value[:1].upper() + value[1:] for gap, value in gaps.items()})


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.claim[:40])
@settings(max_examples=15)
@given(GAPS)
def test_a_paraphrase_is_right(statement: Statement, gaps: dict[str, str]) -> None:
    """The same denials, numbers and qualifiers as the claim, whatever fills its gaps; and other words."""
    claim = written(statement.claim, gaps)
    assert len(statement.said) == 2
    for said in statement.said:
        text = written(said, gaps)
        assert divergences(claim, text) == frozenset(), text
        assert text != claim
        assert read(text).pairs != read(claim).pairs


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: statement.claim[:40])
@settings(max_examples=15)
@given(GAPS)
def test_a_claim_has_controls(statement: Statement, gaps: dict[str, str]) -> None:
    """Always a denial's; and a number's or a qualifier's where it holds one."""
    claim = written(statement.claim, gaps)
    families = {control.family for control in derive(claim, "").controls}
    assert Divergence.NEGATION in families
    assert Divergence.NUMBER in families or not read(claim).numbers or "{v" not in statement.claim
    assert Divergence.QUALIFIER in families or "{variant}" not in statement.claim


def test_half_of_the_claims_deny_and_most_shapes_differ() -> None:
    """Both directions are in every fixture; no two claims begin or end alike all through."""
    gaps = {gap: given_[0] for gap, given_ in FILLINGS.items()} | {"thing": "belmar gateway"}
    denying = [read(written(statement.claim, gaps)).negations > 0 for statement in STATEMENTS]
    assert 1 / 3 < sum(denying) / len(denying) < 2 / 3
    assert len(STATEMENTS) >= 50
    assert len({statement.claim for statement in STATEMENTS}) == len(STATEMENTS)


def test_every_gap_has_fillings() -> None:
    """Nothing is left open, and nothing is filled that nobody asks for."""
    texts = [*AROUND, *STRANGERS, *(text for one in STATEMENTS for text in (one.claim, *one.said))]
    gaps = {name.lower() for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    assert gaps == FILLINGS.keys() | {"thing"}
    assert all(len(set(given_)) == len(given_) > 1 for given_ in (*FILLINGS.values(), SYLLABLES, KINDS))


def test_strangers_share_no_thing_with_claims() -> None:
    """Their words of content are others: neither the things nor the jobs of the claims come up."""
    gaps = {gap: given_[0] for gap, given_ in FILLINGS.items()} | {"thing": "belmar gateway"}
    things = {word for gap in ("jobs", "part", "place", "event") for word in gaps[gap].split()} - {"a"}
    for text in STRANGERS:
        assert "{thing}" not in text
        assert not things & set(written(text, gaps).lower().split())
