"""Things that memories name, written ``type:name``."""

from __future__ import annotations

from memhtml.domain.memory import Entity


def parse_entity(text: str) -> Entity | None:
    """The entity that ``text`` names, split at the first colon; ``None`` when a half is missing or blank.

    White space around the halves is no part of them, and runs of it inside count as one space.

    >>> parse_entity("service:checkout-api"), parse_entity("url:https://a.example/"), parse_entity("checkout")
    (Entity(type='service', name='checkout-api'), Entity(type='url', name='https://a.example/'), None)
    """
    kind, colon, name = (" ".join(part.split()) for part in text.partition(":"))
    if not (kind and colon and name):
        return None
    return Entity(kind, name)
