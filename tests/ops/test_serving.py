"""What would be served."""

from __future__ import annotations

from pathlib import Path

import pytest

from memhtml import Store
from memhtml.config.settings import load
from memhtml.domain.errors import InvalidFlagError, UnexpectedArgumentError
from memhtml.ops.arguments import bind
from memhtml.ops.commands import operation
from memhtml.ops.serving import Place, loopback, place, served
from memhtml.workspace.workspace import Workspace


def test_it_says_whether_a_store_is_there(root: Path, environment: dict[str, str]) -> None:
    """Before there is one, and after; none is made by asking."""
    settings = load({"root": str(root)}, environment, root.parent / "none.toml", root.parent)
    with Workspace(settings, variables=environment) as workspace:
        assert served(workspace).ready is False
        assert not root.exists()
        Store.init(root, embed="off").close()
        assert served(workspace).ready is True
        assert (served(workspace).root, served(workspace).transport) == (root, "stdio")


def placed(**given: object) -> Place | None:
    """Where a command line with these arguments listens."""
    row = operation("serve mcp")
    assert row is not None
    return place(bind(row, given))


def test_it_listens_only_when_it_is_told_to() -> None:
    """By default at one port of the loopback, so that a host's configuration stays right."""
    assert placed() is None
    assert placed(http=True) == Place("127.0.0.1", 8725)
    assert placed(http=True, host="::1", port="0") == Place("::1", 0)
    assert Place("::1", 81).address == "http://[::1]:81/mcp"


@pytest.mark.parametrize("given", [{"host": "127.0.0.1"}, {"port": 0}, {"port": 81}])
def test_a_place_without_http_is_refused(given: dict[str, object]) -> None:
    """Whoever says it waits for a server that would not be there."""
    with pytest.raises(UnexpectedArgumentError):
        placed(**given)


FOREIGN = (
    *("", "*", "0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "126.255.255.255", "169.254.1.1", "fe80::1"),  # noqa: S104 - refused
    *("127.1", "0177.0.0.1", "::ffff:127.0.0.1", "::1%1", "127.0.0.1/8", "\u0661\u0662\u0667.0.0.1"),
    *("localhost.example", "example.org"),
)


@pytest.mark.parametrize("host", FOREIGN)
def test_what_another_machine_could_reach_is_refused(host: str) -> None:
    """And what is written so that readers could differ on it."""
    with pytest.raises(InvalidFlagError):
        loopback(host)


@pytest.mark.parametrize(
    ("host", "address"), [("localhost", "127.0.0.1"), ("127.255.0.9", "127.255.0.9"), ("[::1]", "::1")]
)
def test_the_loopback_is_taken(host: str, address: str) -> None:
    """All of it, and its name."""
    assert loopback(host) == address
