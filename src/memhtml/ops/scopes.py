"""From arguments to a scope."""

from __future__ import annotations

from memhtml.domain.errors import InvalidFlagError
from memhtml.domain.instants import GRAMMAR_HELP, normalised
from memhtml.domain.memory import Instant
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.arguments import Arguments, shown
from memhtml.ops.drafts import entity, facet


def scope(arguments: Arguments) -> Scope:
    """What the caller wants looked at.

    Raises:
        InvalidFlagError: an entity, a facet or an instant is not written as it should be.
    """
    named_entity, named_facet = arguments.text("entity"), arguments.text("facet")
    wanted = None if named_facet is None else facet(named_facet)
    return Scope(
        types=frozenset(MemoryType(text) for text in arguments.texts("type")),
        workspace=arguments.text("workspace"),
        tags=arguments.texts("tag"),
        entity=None if named_entity is None else entity(named_entity),
        facet=None if wanted is None else (wanted.name, wanted.value),
        archived=arguments.flag("archived"),
        as_of=instant(arguments, "as_of"),
    )


def instant(arguments: Arguments, name: str) -> Instant | None:
    """The moment that an argument names, normalised.

    Raises:
        InvalidFlagError: it is outside the grammar.
    """
    text = arguments.text(name)
    if text is None:
        return None
    found = normalised(text.strip())
    if found is None:
        raise InvalidFlagError(f"--{name.replace('_', '-')} says {shown(text)}; {GRAMMAR_HELP}")
    return found
