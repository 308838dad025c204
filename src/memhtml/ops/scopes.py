"""From arguments to a scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from memhtml.domain.errors import InvalidFlagError
from memhtml.domain.instants import GRAMMAR_HELP, normalised
from memhtml.domain.memory import Entity, Instant
from memhtml.domain.scope import Scope
from memhtml.domain.vocabulary import MemoryType
from memhtml.ops.arguments import Arguments, bind, plain, shown
from memhtml.ops.drafts import entity, facet, facet_text
from memhtml.ops.operation import Operation
from memhtml.ops.rows_finding import SCOPE

_SINGULAR = {"types": "type", "tags": "tag"}
_ROW = Operation("scope", "Which memories", SCOPE, "scopes:scope", "scope", ("",))


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
    return None if text is None else moment("--" + name.replace("_", "-"), text)


def moment(name: str, text: str) -> Instant:
    """The moment that ``text`` writes, normalised; ``name`` is what a message calls it.

    Raises:
        InvalidFlagError: it is outside the grammar.
    """
    found = normalised(text.strip())
    if found is None:
        raise InvalidFlagError(f"{name} says {shown(text)}; {GRAMMAR_HELP}")
    return found


def scope_of(fields: Mapping[str, object]) -> Scope:
    """The scope that a caller's fields describe: ``types``, ``tags`` and the others as the flags are called.

    Raises:
        UsageError: by its class: an unknown field, or a value that does not fit.
    """
    given = {_SINGULAR.get(name, name): value for name, value in fields.items()}
    for name in ("type", "tag"):
        if isinstance(given.get(name), set | frozenset):
            given[name] = sorted(plain(item, name) for item in cast("frozenset[object]", given[name]))
    pair = given.get("facet")
    if isinstance(pair, tuple):
        given["facet"] = _facet(cast("tuple[object, ...]", pair))
    if isinstance(given.get("entity"), Entity):
        given["entity"] = str(given["entity"])
    return scope(bind(_ROW, given, spelling=lambda parameter: parameter.name))


def _facet(pair: tuple[object, ...]) -> str:
    if len(pair) != 2:  # noqa: PLR2004 - a pair
        raise InvalidFlagError(f"facet takes a name and a value, not {len(pair)} things")
    return facet_text(*pair)
