"""Who a commit is by: the configured git identity, else memhtml itself."""

from __future__ import annotations

from msgspec import Struct

from memhtml.store.git import Call, Git
from memhtml.store.message import one_line

FALLBACK_NAME = "memhtml"
FALLBACK_EMAIL = "memhtml@localhost"
_LONGEST = 200
_FORBIDDEN = str.maketrans("", "", "<>")


class Identity(Struct, frozen=True):
    """A name and an address, fit for a commit's header."""

    name: str = FALLBACK_NAME
    email: str = FALLBACK_EMAIL


class Asking:
    """A look at the configuration that runs while this process does something else."""

    def __init__(self, git: Git) -> None:
        self._environment = git.environment
        self._call: Call = git.start("config", "--null", "--get-regexp", r"^user\.(name|email)$")

    def answer(self) -> Identity:
        """The identity, part by part: ``GIT_AUTHOR_*`` of the environment, the configuration, or the fallback."""
        _, printed, _ = self._call.outcome()
        configured: dict[str, str] = {}
        for pair in printed.decode(errors="replace").split("\0")[:-1]:
            name, _, value = pair.partition("\n")
            configured[name] = value  # git prints the strongest last
        name = self._environment.get("GIT_AUTHOR_NAME") or configured.get("user.name", "")
        email = self._environment.get("GIT_AUTHOR_EMAIL") or configured.get("user.email", "")
        return Identity(_clean(name) or FALLBACK_NAME, _clean(email) or FALLBACK_EMAIL)

    def close(self) -> None:
        """End the look, with its answer or without."""
        self._call.abandon()


def _clean(text: str) -> str:
    return one_line(text.translate(_FORBIDDEN), _LONGEST)
