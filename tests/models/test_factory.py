"""One setting, one embedder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.domain.errors import InvalidSettingError, ModelUnavailableError
from memhtml.models.factory import Sources, embedder
from memhtml.models.fakes import AlwaysFailing, HashedWords
from memhtml.models.minilm import STANDARD_SPACE, MiniLM
from memhtml.models.remote import RemoteEmbedder

SERVER = Sources(url="http://127.0.0.1:9/v1", key="sk-secret")


def test_off_is_no_embedder() -> None:
    """Whatever else is configured."""
    assert embedder("off") is None
    assert embedder("off", SERVER) is None


@pytest.mark.parametrize("setting", ["on", STANDARD_SPACE])
def test_the_built_in_model_goes_by_two_names(setting: str) -> None:
    """`on`, and its space, as a store may have recorded it."""
    made = embedder(setting)
    assert isinstance(made, MiniLM)
    assert made.space == STANDARD_SPACE


def test_the_fakes_are_chosen_by_their_space() -> None:
    """In any dimension."""
    hashed, failing = embedder("fake-words@32"), embedder("fake-failing@7")
    assert isinstance(hashed, HashedWords)
    assert hashed.embed(["x"]).shape == (1, 32)
    assert isinstance(failing, AlwaysFailing)
    assert failing.space == "fake-failing@7"


def test_any_other_space_is_a_model_of_the_server() -> None:
    """With the server's URL, nothing sent, and the key nowhere to be seen."""
    made = embedder("nomic-embed-text:v1.5@768", SERVER)
    assert isinstance(made, RemoteEmbedder)
    assert made.space == "nomic-embed-text:v1.5@768"
    assert made.describe().origin == "server http://127.0.0.1:9/v1"
    assert "secret" not in repr(SERVER)


def test_a_server_model_without_a_server_is_refused_with_both_ways_out() -> None:
    """Name the server, or take the built-in model."""
    with pytest.raises(InvalidSettingError, match="no embedding server") as caught:
        embedder("nomic-embed-text@768")
    assert len(caught.value.suggestions) == 2


def test_other_weights_are_taken_by_on_and_refused_by_the_standard_name(tmp_path: Path) -> None:
    """A name that promises the standard vectors never answers with others."""
    file = tmp_path / "model.onnx"
    file.write_bytes(b"others")
    sources = Sources(weights=file, stamps=tmp_path / "stamps")
    made = embedder("on", sources)
    assert made is not None
    assert made.space.startswith("minilm-")
    assert (tmp_path / "stamps").exists()
    with pytest.raises(InvalidSettingError, match="needs its own weights"):
        embedder(STANDARD_SPACE, sources)


def test_a_space_named_by_its_digest_needs_those_weights(tmp_path: Path) -> None:
    """Its name, as recorded, chooses the given file when it is the one, and says so when it is not."""
    file = tmp_path / "model.onnx"
    file.write_bytes(b"others")
    made = embedder("on", Sources(weights=file))
    assert made is not None
    again = embedder(made.space, Sources(weights=file))
    assert isinstance(again, MiniLM)
    assert again.space == made.space
    with pytest.raises(InvalidSettingError, match="needs its own weights"):
        embedder("minilm-000000000000@384", Sources(weights=file))
    with pytest.raises(InvalidSettingError, match="needs its own weights"):
        embedder("minilm-000000000000@384")


def test_missing_weights_are_unavailable(tmp_path: Path) -> None:
    """The setting is right, the file is not there."""
    with pytest.raises(ModelUnavailableError, match="cannot be read"):
        embedder("on", Sources(weights=tmp_path / "gone.onnx"))


@given(st.text(max_size=60))
def test_any_text_is_an_embedder_or_a_refusal(setting: str) -> None:
    """Nothing else is ever raised, and no setting without a server reaches for one."""
    try:
        made = embedder(setting)
    except InvalidSettingError:
        return
    assert not isinstance(made, RemoteEmbedder)
