"""How an edge is spelled in a file, and which ends it may join."""

from __future__ import annotations

import re
import unicodedata

from memhtml.domain.memory import MemoryPath
from memhtml.domain.vocabulary import MemoryType, Rel, RelClass, rel_class

REL_PREFIX = "memhtml-"

_RELS = {REL_PREFIX + rel.value.replace("_", "-"): rel for rel in Rel}
_SPELLINGS = {rel: spelling for spelling, rel in _RELS.items()}
_FORBIDDEN = r"[\\\x00-\x1f\x7f-\x9f]"
_ESCAPE = r"%([0-9A-Fa-f]{2})"
# What would end the path of an address, or start an escape in it. Everything else of a path may stand as it is.
_ESCAPED = {ord(character): f"%{ord(character):02X}" for character in "%?# "}


def rel_spelling(rel: Rel) -> str:
    """``rel`` as it stands in a ``<link>``.

    >>> rel_spelling(Rel.CAUSED_BY)
    'memhtml-caused-by'
    """
    return _SPELLINGS[rel]


def parse_rel(spelling: str) -> Rel | None:
    """The rel that a ``<link>`` spells so, or ``None``.

    >>> parse_rel("memhtml-caused-by"), parse_rel("memhtml-caused_by")
    (<Rel.CAUSED_BY: 'caused_by'>, None)
    """
    return _RELS.get(spelling)


def href(path: MemoryPath) -> str:
    """``path`` as an address from the root of the store.

    >>> href(MemoryPath("areas/a b.html"))
    '/areas/a%20b.html'
    """
    return "/" + path.translate(_ESCAPED)


def href_target(address: str) -> MemoryPath | None:
    """The path that ``address`` leads to, in NFC; ``None`` unless it starts with one slash and stays in the store.

    Outside the rules are a scheme, a host, ``.`` and ``..``, an empty segment, a query, a fragment, a backslash and
    control characters, also where they are percent-escaped.

    >>> href_target("/areas/a%20b.html"), href_target("/areas/%2e%2e/b.html"), href_target("//host/b.html")
    ('areas/a b.html', None, None)
    """
    if not address.startswith("/") or "?" in address or "#" in address:
        return None
    try:
        path = unicodedata.normalize("NFC", _unescaped(address[1:]))
    except UnicodeError:
        return None
    if any(segment in {"", ".", ".."} for segment in path.split("/")):
        return None
    if re.search(_FORBIDDEN, path):
        return None
    return MemoryPath(path)


def ends_refusal(rel: Rel, source: MemoryType, target: MemoryType) -> str | None:
    """Why ``rel`` may not join memories of these types, as a sentence; ``None`` when it may.

    A rel between memories takes no task at either end, a rel between tasks takes nothing else. What joins a memory to
    a person or to a session takes any.

    >>> ends_refusal(Rel.BLOCKS, MemoryType.TASK, MemoryType.TASK) is None
    True
    """
    tasks = [source, target].count(MemoryType.TASK)
    kind = rel_class(rel)
    if kind is RelClass.MEMORY and tasks:
        return f"{rel.value} joins memories that are no tasks; between two tasks use blocks or subtask_of"
    if kind is RelClass.TASK and tasks < 2:  # noqa: PLR2004 - both ends
        return f"{rel.value} joins two tasks; between other memories use relates_to or another memory rel"
    return None


def _unescaped(address: str) -> str:
    """``address`` with its percent-escapes read as UTF-8; a percent sign that starts none stands for itself.

    Raises:
        UnicodeError: the escapes, or lone surrogates, are no valid UTF-8.
    """
    data = bytearray()
    position = 0
    for match in re.finditer(_ESCAPE, address):
        data += address[position : match.start()].encode()
        data.append(int(match[1], 16))
        position = match.end()
    data += address[position:].encode()
    return data.decode()
