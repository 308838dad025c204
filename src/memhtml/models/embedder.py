"""What every embedder is: texts go in, unit rows of one named space come out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NewType, Protocol, TypeAlias

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows: TypeAlias = NDArray[np.float32]
    """One row a text, each of length 1."""

Space = NewType("Space", str)
"""``<model>@<dimension>``: vectors of two spaces never meet."""

_SPACE = re.compile(
    r"(?P<model>[^\s@\x00-\x1f\x7f](?:[^\s@\x00-\x1f\x7f]|@(?!\d+\Z)){0,199})@(?P<dimension>[1-9]\d{0,4})"
)


class Identity(Struct, frozen=True):
    """Who made a vector, for `status` and for the record beside the vectors.

    Attributes:
        space: the name that vectors are kept under.
        origin: where they come from, in words: no secrets, no addresses with credentials.
        digest: sha256 of the weights in hex, where the weights are a file of ours to read.
        window: how many tokens the model sees at once, or None where only the server knows.
    """

    space: Space
    origin: str
    digest: str | None = None
    window: int | None = None


class Embedder(Protocol):
    """Makes vectors. Safe to call from several threads; nothing heavy is loaded before the first `embed`."""

    @property
    def space(self) -> Space:
        """The space that `embed` answers in. Cheap."""
        ...

    def describe(self) -> Identity:
        """Who this is. Cheap; raises nothing."""
        ...

    def embed(self, texts: Sequence[str]) -> Rows:
        """One float32 row a text, in the order of ``texts``, each of length 1; no texts give no rows.

        A text's row depends on that text alone, not on its neighbours in the call.

        Raises:
            ModelUnavailableError: package, weights, server or credentials are missing, or the answer is unusable.
        """
        ...


def space_of(model: str, dimension: int) -> Space:
    """The space's name.

    >>> space_of("nomic-embed-text:v1.5", 768)
    'nomic-embed-text:v1.5@768'

    Raises:
        InvalidSettingError: the model's name is empty, over 200 characters or holds white space, or the dimension is
            outside 1 to 99,999.
    """
    space = Space(f"{model}@{dimension}")
    parse_space(space)
    return space


def parse_space(text: str) -> tuple[str, int]:
    """Model and dimension of a space's name; the last ``@`` parts them.

    >>> parse_space("org/model@v2@1024")
    ('org/model@v2', 1024)

    Raises:
        InvalidSettingError: ``text`` is not ``<model>@<dimension>``.
    """
    found = _SPACE.fullmatch(text)
    if found is None:
        raise InvalidSettingError(
            f"an embedding space is written <model>@<dimension>, not {text[:80]!r}",
            suggestions=("name the model and the length of its vectors, e.g. nomic-embed-text@768",),
        )
    return found["model"], int(found["dimension"])
