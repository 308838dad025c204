"""What stands next to a memory."""

from __future__ import annotations

from memhtml.domain.vocabulary import Rel
from memhtml.ops.archive import archive
from memhtml.ops.link import link
from memhtml.ops.neighbors import neighbors
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact


def test_neighbors_are_found_from_both_ends_and_after_moves(workspace: Workspace) -> None:
    """A link keeps leading to its target when that is archived."""
    one, two = (write(workspace, fact(f"Fact {number} is here.")).path for number in (1, 2))
    assert neighbors(workspace, one).neighbors == ()
    link(workspace, one, Rel.SUPPORTS, two)
    (out,) = neighbors(workspace, one).neighbors
    (into,) = neighbors(workspace, two).neighbors
    assert (out.rel, out.outgoing, out.path, out.found, out.title) == (Rel.SUPPORTS, True, two, True, "Fact 2 is here.")
    assert (into.outgoing, into.path) == (False, one)
    assert neighbors(workspace, one, rels=(Rel.CONTRADICTS,)).neighbors == ()
    moved = archive(workspace, [two]).memories[0].path
    (after,) = neighbors(workspace, one).neighbors
    assert (after.path, after.linked, after.archived) == (moved, two, True)
