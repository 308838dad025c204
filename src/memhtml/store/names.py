"""Which paths memhtml writes, and names that two systems take for one."""

from __future__ import annotations

import re
import sys
import unicodedata

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.paths import ROOTS, is_memory_path
from memhtml.store.layout import PENDING, SIDECAR

_HOUSE_FILES = frozenset(
    {
        "README.html",
        ".gitignore",
        ".gitattributes",
        "index.html",
        "sitemap.xml",
        ".memhtml/config.toml",
        SIDECAR,
        PENDING,
    },
)
_REPORT = r"\.memhtml/sleep/[A-Za-z0-9][A-Za-z0-9._-]*\.html"


def refuse_foreign(path: str) -> None:
    """See that ``path`` is a memory's, or one of the few other files that memhtml makes.

    Raises:
        InvalidPathError: it is neither, or this process would give it another name on the disk.
    """
    if not path.isascii() and sys.getfilesystemencoding() != "utf-8":
        raise InvalidPathError(
            f"{path[:200]!a} cannot be written under this locale, which is not UTF-8",
            suggestions=("set PYTHONUTF8=1, or a UTF-8 locale",),
        )
    if is_memory_path(path) or path in _HOUSE_FILES or re.fullmatch(_REPORT, path) or _is_listing(path):
        return
    raise InvalidPathError(f"{path[:200]!a} is no path that memhtml writes")


def twin_key(name: str) -> str:
    """Equal for names that a system without case, or with its own Unicode form, takes for one.

    >>> twin_key("Straße.html") == twin_key("STRASSE.html")
    True
    """
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _is_listing(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if name != "index.html":
        return False
    return folder in ROOTS or is_memory_path(f"{folder}/a.html")
