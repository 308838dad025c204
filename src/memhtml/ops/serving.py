"""Operation `serve mcp`: what is served, from where, and to whom. The door starts the server."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from memhtml.domain.errors import InvalidFlagError, MemhtmlError, UnexpectedArgumentError
from memhtml.ops.arguments import shown

if TYPE_CHECKING:
    from memhtml.ops.arguments import Arguments
    from memhtml.workspace.workspace import Workspace

LOCALHOST = "localhost"
HOST = "127.0.0.1"
PORT = 8725
FOLDER = "/mcp"


class Place(Struct, frozen=True):
    """Where a server listens.

    Attributes:
        host: an address of this very machine, which no other one reaches.
        port: 0 is any that is free.
    """

    host: str
    port: int

    @property
    def authority(self) -> str:
        """Host and port, as an address has them: ``127.0.0.1:8725``, ``[::1]:8725``."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def address(self) -> str:
        """What a client is told."""
        return f"http://{self.authority}{FOLDER}"


class Served(Struct, frozen=True):
    """What a server would answer from.

    Attributes:
        root: the store's folder.
        ready: a store is there; without one every call is refused until there is.
        transport: how it is spoken to: ``stdio`` or ``http``.
        address: where; ``None`` on standard input and output.
        scripts: an agent may ask by scripts too.
    """

    root: Path
    ready: bool
    transport: str
    address: str | None = None
    scripts: bool = False


def run(workspace: Workspace, arguments: Arguments) -> Served:
    """The `serve mcp` operation."""
    return served(workspace, place(arguments), scripts=arguments.flag("exec"))


def served(workspace: Workspace, at: Place | None = None, *, scripts: bool = False) -> Served:
    """What a server on this workspace would answer from; a store that is missing, or is none, is no error."""
    try:
        ready = workspace.repository.root.is_dir()
    except MemhtmlError:
        ready = False
    root = workspace.settings.root
    transport, address = ("stdio", None) if at is None else ("http", at.address)
    return Served(root, ready, transport, address, scripts)


def place(arguments: Arguments) -> Place | None:
    """Where to listen, or ``None`` for standard input and output.

    Raises:
        UnexpectedArgumentError: a host or a port, and no word of HTTP.
        InvalidFlagError: another machine could reach the host.
    """
    host, port = arguments.text("host"), arguments.integer("port")
    if arguments.flag("http"):
        return Place(HOST if host is None else loopback(host), PORT if port is None else port)
    if host is not None or port is not None:
        raise UnexpectedArgumentError(
            "--host and --port are for a server over HTTP", suggestions=("memhtml serve mcp --http",)
        )
    return None


def loopback(host: str) -> str:
    """``host`` as an address, seen to be one that only this machine reaches.

    A name is not looked up, since what it stands for is somebody else's to say; ``localhost`` alone is known.

    >>> loopback("localhost"), loopback("127.8.0.1"), loopback("::1")
    ('127.0.0.1', '127.8.0.1', '::1')

    Raises:
        InvalidFlagError: it is any other name or address.
    """
    found = ip_address(HOST) if host == LOCALHOST else _address(host)
    if found is None or not found.is_loopback:
        raise InvalidFlagError(
            f"--host takes an address that only this machine reaches, not {shown(host)}",
            suggestions=(f"use {HOST}, ::1 or {LOCALHOST}", "from another machine, come in through a tunnel of ssh"),
        )
    return str(found)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
    # One with a zone, or with an older address inside, is more than a loopback needs to be.
    strange = isinstance(found, IPv6Address) and (found.scope_id is not None or found.ipv4_mapped is not None)
    return None if strange else found
