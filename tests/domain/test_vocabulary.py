"""The vocabularies of the format."""

from __future__ import annotations

import pytest

from memhtml.domain.vocabulary import PERSON_RELS, PROVENANCE_RELS, TASK_RELS, Rel, RelClass, rel_class


@pytest.mark.parametrize("rel", list(Rel))
def test_every_rel_is_of_one_class(rel: Rel) -> None:
    """What joins to a person, to a session or two tasks is said; everything else joins memories."""
    named = {RelClass.PERSON: PERSON_RELS, RelClass.PROVENANCE: PROVENANCE_RELS, RelClass.TASK: TASK_RELS}
    assert [kind for kind, rels in named.items() if rel in rels] in ([rel_class(rel)], [])
    assert (rel_class(rel) is RelClass.MEMORY) is not any(rel in rels for rels in named.values())


def test_the_classes_by_example() -> None:
    """One of each."""
    assert rel_class(Rel.ABOUT_PERSON) is RelClass.PERSON
    assert rel_class(Rel.FROM_SESSION) is RelClass.PROVENANCE
    assert rel_class(Rel.SUBTASK_OF) is RelClass.TASK
    assert rel_class(Rel.SUPERSEDES) is RelClass.MEMORY
