"""Names of spaces."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidSettingError
from memhtml.models.embedder import Identity, Space, parse_space, space_of

names = st.from_regex(re.compile(r"[a-zA-Z0-9./:_-]+(@[a-z][a-z0-9]*)?"), fullmatch=True).filter(
    lambda t: len(t) <= 200
)


@given(names, st.integers(1, 99_999))
def test_a_space_is_read_as_it_was_made(model: str, dimension: int) -> None:
    """Model and dimension come back from the name."""
    assert parse_space(space_of(model, dimension)) == (model, dimension)


def test_spaces_written_out() -> None:
    """A colon, a slash and an @ are part of a model's name; the last @ parts the dimension off."""
    assert space_of("nomic-embed-text:v1.5", 768) == "nomic-embed-text:v1.5@768"
    assert parse_space("org/model@v2@1024") == ("org/model@v2", 1024)
    assert parse_space(f"{'m' * 200}@1") == ("m" * 200, 1)
    assert parse_space("m@99999") == ("m", 99_999)


@pytest.mark.parametrize(
    "text",
    [
        *["", "on", "model", "@384", "model@", "model@0", "model@-1", "model@012", "model@384 ", " model@384"],
        *["mo del@384", "model@1e3", "model@100000", "model@3\n", "model\n@3", "m\x00@3", "@@3", "model@\u0663"],
        *["model@384@", f"{'m' * 201}@1"],
    ],
)
def test_what_is_no_space_is_refused_with_an_example(text: str) -> None:
    """The message says how one is written; the suggestion shows one."""
    with pytest.raises(InvalidSettingError, match="<model>@<dimension>") as caught:
        parse_space(text)
    assert "nomic-embed-text@768" in caught.value.suggestions[0]


@pytest.mark.parametrize(("model", "dimension"), [("", 3), ("a b", 3), ("m", 0), ("m", -1), ("m", 100_000)])
def test_a_space_that_could_not_be_read_is_not_made(model: str, dimension: int) -> None:
    """Making refuses what reading would."""
    with pytest.raises(InvalidSettingError):
        space_of(model, dimension)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text raises anything else."""
    try:
        model, dimension = parse_space(text)
    except InvalidSettingError:
        return
    assert f"{model}@{dimension}" == text


def test_an_identity_needs_only_a_space_and_an_origin() -> None:
    """A server has no digest and no known window."""
    assert Identity(Space("m@3"), "server") == Identity(space=Space("m@3"), origin="server", digest=None, window=None)
