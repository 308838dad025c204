"""From a setting to an embedder or a language model. The only place that knows them all."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError
from memhtml.models.embedder import Embedder, Space, parse_space
from memhtml.models.language import LanguageModel

STANDARD: Final = "on"
OFF: Final = "off"


class Sources(Struct, frozen=True):
    """What an embedder may need besides its name. The caller reads settings and secrets; nothing here does.

    Attributes:
        weights: another ``model.onnx`` for the built-in embedder.
        stamps: a folder of this user for notes on weights that were already hashed; None hashes every time.
        url: the server's, up to and without ``/embeddings``.
        key: the server's API key.
    """

    weights: Path | None = None
    stamps: Path | None = None
    url: str | None = None
    key: str | None = None

    def __repr__(self) -> str:
        """Without the key."""
        return f"Sources(weights={self.weights!r}, stamps={self.stamps!r}, url={self.url!r})"


def embedder(setting: str, sources: Sources | None = None) -> Embedder | None:
    """The embedder that ``setting`` names, or None for ``off``. Loads nothing and sends nothing.

    ``on`` is the built-in model, with other weights where ``sources`` gives them; so is its space by name, which then
    must be the one that those weights make. ``fake-words@N`` and ``fake-failing@N`` are the two fakes.
    Any other ``<model>@<dimension>`` is a model of the server at ``sources.url``.

    >>> embedder("off") is None, embedder("fake-words@64").space
    (True, 'fake-words@64')

    Raises:
        InvalidSettingError: the setting is none of these, or names a server's model and no URL is given.
        ModelUnavailableError: ``sources.weights`` is needed and cannot be read.
    """
    from memhtml.models import fakes, minilm  # `off` pays for none of them

    given = sources or Sources()
    if setting == OFF:
        return None
    if setting in {STANDARD, minilm.STANDARD_SPACE} or minilm.OTHER_SPACE.fullmatch(setting):
        chosen = minilm.MiniLM(file=given.weights, stamps=given.stamps)
        if setting not in {STANDARD, chosen.space}:
            raise InvalidSettingError(
                f"{setting} needs its own weights, and those at hand make {chosen.space}",
                suggestions=(f"use {STANDARD}, or {chosen.space}", f"set the weights to the file of {setting}"),
            )
        return chosen
    model, dimension = parse_space(setting)
    if model == fakes.HASHED:
        return fakes.HashedWords(dimension)
    if model == fakes.FAILING:
        return fakes.AlwaysFailing(dimension)
    return _remote(setting, given)


def language_model(setting: str) -> LanguageModel | None:
    """The language model that ``setting`` names as ``provider:model``, or None for ``off``. Sends nothing.

    >>> language_model("off") is None
    True

    Raises:
        ModelUnavailableError: the package for it is not installed, its key is missing, or nobody knows it.
    """
    if setting == OFF:
        return None
    from memhtml.models.language_remote import RemoteModel  # and with it a second of imports

    return RemoteModel(setting)


def _remote(setting: str, given: Sources) -> Embedder:
    if given.url is None:
        raise InvalidSettingError(
            f"{setting} is no built-in model, and no embedding server is configured",
            suggestions=(
                f"use {STANDARD} for the built-in model, or {OFF}",
                "give the server's URL, e.g. http://localhost:11434/v1 for Ollama",
            ),
        )
    from memhtml.models.remote import RemoteEmbedder, Server  # the HTTP stack, where it is used

    return RemoteEmbedder(Space(setting), Server(given.url, given.key))
