"""The token that whoever asks over HTTP must send.

It comes from the environment, or from a file that the first server makes and later ones read, so that a host's
configuration stays right. It is on no command line, which other users see, and not printed, since what a server prints
is often kept in logs.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from memhtml.domain.errors import InvalidSettingError, StorageError, UnsafeFileError
from memhtml.store.plain import require_plain

VARIABLE = "MEMHTML_TOKEN"
FILE = "mcp-token"

_SHAPE = re.compile(r"[A-Za-z0-9._~+/-]{16,512}=*")
_BYTES = 32
_READ = 1_024


class Bearer(Struct, frozen=True):
    """A token, and where a person finds it."""

    token: str
    source: str

    def __repr__(self) -> str:
        """Without the token."""
        return f"Bearer(source={self.source!r})"


def bearer(variables: Mapping[str, str], folder: Path) -> Bearer:
    """The token of ``variables``, else that of the file in ``folder``, which is made when there is none.

    Raises:
        InvalidSettingError: a token is too short to be one, or could not stand in a header.
        UnsafeFileError: something else than a file of this user alone is in its place.
        StorageError: the file cannot be made or read.
    """
    given = variables.get(VARIABLE, "")
    if given:
        return Bearer(_seen(given, VARIABLE), VARIABLE)
    file = folder / FILE
    try:
        if not os.path.lexists(file):
            _make(file)
        return Bearer(_seen(_read(file), str(file)), str(file))
    except OSError as error:
        raise StorageError(
            f"the token cannot be kept in {file}: {error.strerror or type(error).__name__}",
            suggestions=(f"set {VARIABLE} instead",),
        ) from error


def _seen(token: str, where: str) -> str:
    if not _SHAPE.fullmatch(token):
        raise InvalidSettingError(
            f"{where} holds no token: 16 letters, digits and -._~+/ or more",
            suggestions=(f"remove {where}: another is made",)
            if where != VARIABLE
            else (f"unset {VARIABLE}: one is made",),
        )
    return token


def _make(file: Path) -> None:
    """Make the file with all that is to be in it at once, so that of two servers both have the same token."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    whole = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    descriptor = os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(_BYTES))
        with suppress(FileExistsError):  # another server was faster: its token is the one
            os.link(whole, file)
    finally:
        whole.unlink()


def _read(file: Path) -> str:
    require_plain(file, f"remove {file}: another is made")
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as opened:
        seen = os.fstat(opened.fileno())
        if os.name == "posix" and (stat.S_IMODE(seen.st_mode) & 0o077 or seen.st_uid != os.geteuid()):
            raise UnsafeFileError(
                f"{file} is open to other users, or is theirs", suggestions=(f"remove {file}: another is made",)
            )
        return opened.read(_READ).decode("ascii", "replace").strip()
