"""Where a memory may live, and the algebra of the archive."""

from __future__ import annotations

import re
import unicodedata

from memhtml.domain.errors import InvalidPathError
from memhtml.domain.memory import MemoryPath
from memhtml.domain.surrogates import has_surrogate

PROJECTS = "projects"
ARCHIVE = "archive"
ROOTS = (PROJECTS, "areas", "resources", ARCHIVE)
SUFFIX = ".html"
LONGEST_SEGMENT = 255
"""Bytes of UTF-8 in one segment: what ext4, APFS and NTFS all take."""
LONGEST_PATH = 960
"""Bytes of UTF-8 in a path outside the archive: macOS takes 1024 in all, with the store's root in front."""
MOST_SEGMENTS = 30
"""Folders and the name, in a path outside the archive."""
ARCHIVE_BYTES = len("archive/2026/")
ARCHIVE_SEGMENTS = 2
"""What a path in the archive may have beyond that."""

_ARCHIVE_PREFIX = r"archive/[0-9]{4}/"
_CONTROL = r"[\x00-\x1f\x7f-\x9f]"
_WINDOWS_CHARACTERS = frozenset('<>:"|?*')
_WINDOWS_NAMES = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}
    | {f"{device}{digit}" for device in ("COM", "LPT") for digit in "0123456789¹²³"},
)
# What git refuses as a folder, now or in `git fsck`, also in the spellings that HFS+ and NTFS take for it: the short
# names of NTFS are six letters and a number, or of many alike a few letters of a hash and a longer number.
_GIT_NAMES = frozenset(
    {".git", "git~1", ".gitmodules", ".gitattributes", ".gitignore", ".mailmap"}
    | {f"{name}~{number}" for name in ("gitmod", "gitatt", "gitign", "mailma") for number in range(1, 5)},
)
_SHORT_NAME = r"(?P<letters>[a-z0-9]{0,6})~[1-9][0-9]*"
_SHORT_NAMES = ("gi7eba", "gi7d29", "gi250a", "maba30")
_HFS_IGNORED = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
_PUBLISHED_NAME = "index.html"


def memory_path(text: str) -> MemoryPath:
    """The path that a caller means: one leading slash is taken off, and the rest brought to NFC.

    >>> memory_path("/areas/inbox/drain-first.html")
    'areas/inbox/drain-first.html'

    Raises:
        InvalidPathError: no memory can live there; the message says which rule is broken and what to write.
    """
    path = text.removeprefix("/")
    refusal = path_refusal(path if has_surrogate(path) else unicodedata.normalize("NFC", path))
    if refusal is not None:
        raise InvalidPathError(
            f"{_shown(text)} can be no memory's path: {refusal}",
            suggestions=("write a path like areas/inbox/drain-before-deploy.html",),
        )
    return MemoryPath(unicodedata.normalize("NFC", path))


def is_memory_path(text: str) -> bool:
    """Whether ``text`` is, as it stands, the path of a memory.

    >>> is_memory_path("areas/a.html"), is_memory_path("/areas/a.html"), is_memory_path("areas/../a.html")
    (True, False, False)
    """
    return path_refusal(text) is None


def path_refusal(path: str) -> str | None:
    """Why ``path`` is no memory's path, as half a sentence that says what to do; ``None`` when it is one."""
    if has_surrogate(path):
        return "it holds a lone surrogate, which UTF-8 cannot write; write valid text"
    if not unicodedata.is_normalized("NFC", path):
        return "it is not in Unicode form NFC; normalise it"
    segments = path.split("/")
    if segments[0] not in ROOTS or len(segments) == 1:
        return "it must start with projects/, areas/, resources/ or archive/"
    if not path.endswith(SUFFIX):
        return "it must end with .html"
    if is_generated(path):
        return "index.html is what publish writes into every folder; choose another name"
    return _length_refusal(path, segments) or next(filter(None, map(segment_refusal, segments)), None)


def segment_refusal(segment: str) -> str | None:
    """Why ``segment`` can be no part of a path, on any system that a store may be cloned to; ``None`` when it can.

    >>> segment_refusal("checkout"), segment_refusal("..")
    (None, 'it has a . or .. segment; write the path from the root of the store')
    """
    if has_surrogate(segment):
        return "it holds a lone surrogate, which UTF-8 cannot write; write valid text"
    if not segment:
        return "it has an empty segment; write single slashes"
    if segment in {".", ".."}:
        return "it has a . or .. segment; write the path from the root of the store"
    if len(segment.encode()) > LONGEST_SEGMENT:
        return f"a segment is longer than {LONGEST_SEGMENT} bytes; shorten it"
    return _character_refusal(segment) or _name_refusal(segment)


def is_archived(path: MemoryPath) -> bool:
    """Whether ``path`` lies in the archive: what the index goes by, not the status in the file.

    >>> is_archived(MemoryPath("archive/2026/areas/a.html")), is_archived(MemoryPath("areas/archive/a.html"))
    (True, False)
    """
    return path.startswith(f"{ARCHIVE}/")


def workspace_of(path: MemoryPath) -> str | None:
    """The workspace that ``path`` belongs to, an archived one by its original place; ``None`` outside ``projects/``.

    >>> workspace_of(MemoryPath("archive/2026/projects/checkout/tasks/a.html"))
    'checkout'
    """
    while (original := original_path(path)) != path:
        path = original
    segments = path.split("/")
    return segments[1] if segments[0] == PROJECTS and len(segments) > 2 else None  # noqa: PLR2004 - a file in a folder


def is_generated(path: str) -> bool:
    """Whether ``publish`` makes the file at ``path``: an ``index.html``, in whatever case, is never a memory.

    >>> is_generated("areas/inbox/index.html"), is_generated("areas/inbox/my-index.html")
    (True, False)
    """
    return path.rpartition("/")[2].casefold() == _PUBLISHED_NAME


def archive_path(path: MemoryPath, year: int) -> MemoryPath:
    """Where ``path`` goes when it is archived in ``year``: the whole original path below the year.

    A path outside the archive always gives a path that a memory may have; one that is in the archive already gives
    one as long as that is short enough.

    >>> archive_path(MemoryPath("areas/inbox/a.html"), 2026)
    'archive/2026/areas/inbox/a.html'

    Raises:
        ValueError: ``year`` has no four digits.
    """
    if not 0 <= year <= 9999:  # noqa: PLR2004 - four digits
        raise ValueError(f"{year} is no year of four digits")
    return MemoryPath(f"{ARCHIVE}/{year:04d}/{path}")


def original_path(path: MemoryPath) -> MemoryPath:
    """Where an archived memory came from: one ``archive/<YYYY>/`` is taken off. Any other path is its own original.

    What lies in the archive by hand, without an original path below the year, is its own original too.

    >>> original_path(MemoryPath("archive/2026/archive/2025/areas/a.html"))
    'archive/2025/areas/a.html'
    >>> original_path(MemoryPath("archive/2026/by-hand.html"))
    'archive/2026/by-hand.html'
    """
    match = re.match(_ARCHIVE_PREFIX, path)
    if match is None or not is_memory_path(path[match.end() :]):
        return path
    return MemoryPath(path[match.end() :])


def _length_refusal(path: str, segments: list[str]) -> str | None:
    archived = segments[0] == ARCHIVE
    most = MOST_SEGMENTS + (ARCHIVE_SEGMENTS if archived else 0)
    longest = LONGEST_PATH + (ARCHIVE_BYTES if archived else 0)
    if len(segments) > most:
        return f"it has {len(segments)} segments, and {most} is the most; use fewer folders"
    if len(path.encode()) > longest:
        return f"it is longer than {longest} bytes; shorten it"
    return None


def _character_refusal(segment: str) -> str | None:
    if "\\" in segment:
        return "it has a backslash; write slashes"
    if not segment.isprintable() and re.search(_CONTROL, segment):
        return "it has a control character; leave it out"
    if not _WINDOWS_CHARACTERS.isdisjoint(segment):
        return 'Windows takes none of < > : " | ? * in a name; leave them out'
    return None


def _name_refusal(segment: str) -> str | None:
    if segment.endswith((".", " ")):
        return "Windows takes no name that ends with a dot or a space; leave it out"
    if segment.partition(".")[0].rstrip(" ").upper() in _WINDOWS_NAMES:
        return f"Windows keeps the name {_shown(segment)} for a device; choose another"
    if _is_gits(segment.translate(_HFS_IGNORED).lower()):
        return "git keeps names like .git and .gitmodules for itself; choose another"
    return None


def _is_gits(name: str) -> bool:
    if name in _GIT_NAMES:
        return True
    short = re.fullmatch(_SHORT_NAME, name) if len(name) == len("gi7eba~1") else None
    return short is not None and any(letters.startswith(short["letters"]) for letters in _SHORT_NAMES)


def _shown(text: str) -> str:
    """``text`` as it may stand in a message: quoted, escaped, of bounded length."""
    shown = text if len(text) <= 120 else f"{text[:117]}..."  # noqa: PLR2004 - about one line
    return ascii(shown) if has_surrogate(shown) else repr(shown)
