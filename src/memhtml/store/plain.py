"""Whether something in a store is what it seems: nothing that a store brings along may lead out of it, or block."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memhtml.domain.errors import UnsafeFileError

_KINDS = {
    stat.S_IFLNK: "a symbolic link, and links are never followed",
    stat.S_IFIFO: "a FIFO, and only a plain file is opened",
    stat.S_IFSOCK: "a socket, and only a plain file is opened",
}


def is_reparse_point(seen: os.stat_result) -> bool:
    """Whether it is a junction, which Windows shows neither as a link nor as a folder."""
    return bool(getattr(seen, "st_reparse_tag", 0))


def require_plain(path: Path, *advice: str) -> None:
    """Refuse to open ``path`` when it is anything but a file or a folder itself; nothing at all is fine.

    A folder passes, since opening one as a file fails by itself and does no harm. ``advice`` is what to do.

    Raises:
        UnsafeFileError: a symbolic link, a device, a socket or a FIFO is there.
    """
    try:
        seen = path.lstat()
    except (OSError, ValueError):  # whoever opens it gets the same error, and says it better
        return
    if is_reparse_point(seen) or not (stat.S_ISREG(seen.st_mode) or stat.S_ISDIR(seen.st_mode)):
        kind = stat.S_IFLNK if is_reparse_point(seen) else stat.S_IFMT(seen.st_mode)
        what = _KINDS.get(kind, "a device, and only a plain file is opened")
        raise UnsafeFileError(f"{path} is {what}", suggestions=advice or (f"remove {path}",))
