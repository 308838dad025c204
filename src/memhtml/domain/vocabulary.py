"""The closed vocabularies of the file format. Each list is written once, here, in the order that help shows."""

from __future__ import annotations

from enum import StrEnum


class MemoryType(StrEnum):
    """What kind of thing a memory is."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    AGENT_INSIGHT = "agent_insight"
    USER_PREFERENCE = "user_preference"
    ERROR_PATTERN = "error_pattern"
    VERDICT = "verdict"
    PRECEDENT = "precedent"
    ARC = "arc"
    TASK = "task"


class Status(StrEnum):
    """Whether a memory is in use."""

    ACTIVE = "active"
    ARCHIVED = "archived"


class TaskStatus(StrEnum):
    """How far a task is."""

    TODO = "todo"
    DOING = "doing"
    BLOCKED = "blocked"
    DONE = "done"


class RelClass(StrEnum):
    """Which kind of thing an edge joins; a class never mixes with another."""

    MEMORY = "memory"
    PERSON = "person"
    PROVENANCE = "provenance"
    TASK = "task"


class Rel(StrEnum):
    """What one memory is to another. In a file, ``_`` is written ``-``."""

    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    CAUSED_BY = "caused_by"
    LEADS_TO = "leads_to"
    PART_OF = "part_of"
    RELATES_TO = "relates_to"
    EXAMPLE_OF = "example_of"
    SUPPORTS = "supports"
    LATERALLY_RELATED = "laterally_related"
    ABOUT_PERSON = "about_person"
    AUTHORED_BY = "authored_by"
    FROM_SESSION = "from_session"
    BLOCKS = "blocks"
    SUBTASK_OF = "subtask_of"


class SessionRel(StrEnum):
    """What a conversation did with a memory."""

    WROTE = "wrote"
    READ = "read"
    CORRECTED = "corrected"
    REINFORCED = "reinforced"


PERSON_RELS = frozenset({Rel.ABOUT_PERSON, Rel.AUTHORED_BY})
PROVENANCE_RELS = frozenset({Rel.FROM_SESSION})
TASK_RELS = frozenset({Rel.BLOCKS, Rel.SUBTASK_OF})


def rel_class(rel: Rel) -> RelClass:
    """The class of ``rel``.

    >>> rel_class(Rel.CAUSED_BY), rel_class(Rel.BLOCKS)
    (<RelClass.MEMORY: 'memory'>, <RelClass.TASK: 'task'>)
    """
    if rel in PERSON_RELS:
        return RelClass.PERSON
    if rel in PROVENANCE_RELS:
        return RelClass.PROVENANCE
    if rel in TASK_RELS:
        return RelClass.TASK
    return RelClass.MEMORY


DEFAULT_CONFIDENCE = 1.0
DEFAULT_IMPORTANCE = 5
LOWEST_IMPORTANCE = 1
HIGHEST_IMPORTANCE = 10
