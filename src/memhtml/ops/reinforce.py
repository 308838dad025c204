"""Operation `reinforce`: whether memories helped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidFlagError
from memhtml.domain.memory import Instant, MemoryPath
from memhtml.ops.arguments import shown
from memhtml.ops.resolve import where
from memhtml.workspace.notice import Notice

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace


class Reinforcement(Struct, frozen=True):
    """What is known of one memory's use after the call.

    Attributes:
        counted: it was counted; one within the 15 minutes before was the one that counts otherwise.
        outcome: from -1 to 1.
    """

    path: MemoryPath
    counted: bool
    opens: int
    reinforcements: int
    outcome: float
    last_reinforced: Instant | None


class Reinforced(Struct, frozen=True):
    """In the order asked."""

    memories: tuple[Reinforcement, ...]
    warnings: tuple[Notice, ...]


def run(workspace: Workspace, arguments: Arguments) -> Reinforced:
    """The `reinforce` operation."""
    return reinforce(workspace, arguments.texts("path"), outcome=arguments.number("outcome") or 0.0)


def reinforce(workspace: Workspace, paths: Sequence[str], *, outcome: float = 1.0) -> Reinforced:
    """Count that the memories at ``paths`` were of use, and move their outcome towards ``outcome``.

    Raises:
        PathNotFoundError: there is no such memory; nothing is counted then.
        InvalidFlagError: ``outcome`` is outside -1 to 1.
    """
    if not -1 <= outcome <= 1:
        raise InvalidFlagError(f"outcome takes a number from -1 to 1, not {shown(outcome)}")
    warnings = workspace.catch_up()
    now = workspace.clock.now()
    places = [where(workspace, path).path for path in paths]
    counted = {path: workspace.index.state.reinforce(path, outcome, now) is not None for path in dict.fromkeys(places)}
    with workspace.index.reading() as view:
        known = view.state(list(counted))
    return Reinforced(
        tuple(
            Reinforcement(
                path=path,
                counted=counted[path],
                opens=known[path].opens,
                reinforcements=known[path].reinforcements,
                outcome=known[path].outcome,
                last_reinforced=known[path].last_reinforced,
            )
            for path in counted
        ),
        warnings,
    )
