"""What memories name."""

from __future__ import annotations

from msgspec.structs import replace

from memhtml.domain.memory import Entity
from memhtml.ops.entities import entities, entity_memories
from memhtml.ops.write import write
from memhtml.workspace.workspace import Workspace

from .conftest import fact


def test_a_type_is_looked_for_as_it_is_written(workspace: Workspace) -> None:
    """White space around it is no part of it."""
    write(workspace, replace(fact("Found."), entities=(Entity("web service", "x"),)))
    for kind in ("web service", " web \t service "):
        assert [use.memories for use in entities(workspace, kind=kind).entities] == [1]
    assert entities(workspace, kind="web").entities == ()


def test_entities_are_counted_and_lead_to_their_memories(workspace: Workspace) -> None:
    """The most named first; the count is that of the memories listed."""
    checkout, ada = Entity("service", "checkout"), Entity("person", "ada")
    write(workspace, replace(fact("Fact one is here."), entities=(checkout,)))
    write(workspace, replace(fact("Fact two is here."), entities=(checkout, ada)))
    assert [(str(use.entity), use.memories) for use in entities(workspace).entities] == [
        ("service:checkout", 2),
        ("person:ada", 1),
    ]
    assert [str(use.entity) for use in entities(workspace, kind="person").entities] == ["person:ada"]
    found = entity_memories(workspace, checkout)
    assert len(found.memories) == found.entities[0].memories == 2
    nobody = entity_memories(workspace, Entity("person", "nobody"))
    assert (nobody.entities[0].memories, nobody.memories) == (0, ())
