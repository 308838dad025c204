"""A table at the end of a TOML file."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memhtml.integrations.parts import Disputed, Table, Unreadable, unspliced
from memhtml.integrations.tables import add, lines, take_out

PART = Table(("mcp_servers", "memhtml"), {"command": "/opt/a b/memhtml", "args": ["serve", "mcp", 'q"\\\x7f\n']})
NOTE = "written by memhtml"

PIECES = (
    'model = "gpt"  # which\n',
    "# only a comment\n",
    "\n",
    "[mcp_servers]\n",
    '[mcp_servers.other]\ncommand = "x"\n',
    "[[profiles]]\n  name = 'a'\n",
    '[ "odd key" . b ]\r\nc = """\n[mcp_servers.memhtml]\n"""\r\n',
    "[tail]\nlist = [\n  1, # one\n]",
)


@given(st.lists(st.sampled_from(PIECES), unique=True), st.sampled_from(["", "\ufeff"]))
def test_a_table_is_added_and_taken_out_without_a_trace(pieces: list[str], mark: str) -> None:
    """Whatever stands there, and whether or not its last line has an end."""
    text = mark + "\n".join(sorted(pieces, key=lambda piece: (piece.lstrip().startswith("["), piece)))
    added = add(text, PART, NOTE)
    before = tomllib.loads(text.removeprefix("\ufeff"))
    before.setdefault("mcp_servers", {})["memhtml"] = PART.value
    assert tomllib.loads(added.text.removeprefix("\ufeff")) == before
    assert added.text.startswith(text)
    assert unspliced(added.text, added.splices) == text
    assert add(added.text, PART, NOTE).splices == ()
    later = added.text + "\n[later]\nx = 1\n"
    assert tomllib.loads(take_out(later, PART, NOTE).removeprefix("\ufeff")) == {
        **tomllib.loads(text.removeprefix("\ufeff")),
        "later": {"x": 1},
    }


def test_the_table_in_full() -> None:
    """As a person would read it."""
    part = Table(("mcp_servers", "memhtml"), {"command": "/opt/memhtml", "args": ["serve", "mcp"]})
    text = 'model = "gpt"\r\n'
    after = add(text, part, NOTE).text
    assert after == (
        'model = "gpt"\r\n\r\n# written by memhtml\r\n[mcp_servers.memhtml]\r\ncommand = "/opt/memhtml"\r\n'
        'args = ["serve", "mcp"]\r\n'
    )
    assert take_out(after + '\r\n[x]\r\ny = "z"\r\n', part, NOTE) == text + '\r\n[x]\r\ny = "z"\r\n'
    assert take_out(text, part, NOTE) == text
    with pytest.raises(TypeError):
        lines(Table(("a",), {"b": 1}), NOTE)


def test_a_table_that_its_host_has_written_anew_is_known_again() -> None:
    """By what it says, not by how."""
    part = Table(("mcp_servers", "memhtml"), {"command": "/opt/memhtml", "args": ["serve", "mcp"]})
    anew = "[a]\nb = 1\n[mcp_servers.memhtml]\n"
    anew += 'args = [\n  "serve",\n  "mcp",\n]\ncommand = \'/opt/memhtml\'\n\n[c]\nd = 2\n'
    assert tomllib.loads(take_out(anew, part, NOTE)) == {"a": {"b": 1}, "c": {"d": 2}}
    noted = add("[a]\nb = 1\n", part, NOTE).text.replace('["serve", "mcp"]', '[\n  "serve",\n  "mcp",\n]')
    assert take_out(noted, part, NOTE) == "[a]\nb = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = {}\n",
        'mcp_servers = { x = { command = "y" } }\n',
        "mcp_servers = 1\n",
        '[mcp_servers.memhtml]\ncommand = "mine"\n',
        "[[mcp_servers]]\nx = 1\n",
    ],
)
def test_what_stands_in_the_way_is_not_written_over(text: str) -> None:
    """And no file is left that its host could not read."""
    with pytest.raises(Disputed):
        add(text, PART, NOTE)


@pytest.mark.parametrize("text", ["a = ", "= 1", "[a", "a = 1\na = 2\n", "\x00", f"[{'.'.join('a' * 3000)}]\n"])
def test_what_is_no_toml_is_refused(text: str) -> None:
    """Its host may read it in another way."""
    for do in (add, take_out):
        with pytest.raises(Unreadable):
            do(text, PART, NOTE)


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace('"serve"', '"served"'),
        lambda text: text + "enabled = false\n",
        lambda text: text + '\n[mcp_servers.memhtml.env]\nA = "b"\n',
        lambda text: text.replace("args =", "# mine\nargs ="),
        lambda _: "[mcp_servers]\nmemhtml = " + '{ command = "/opt/a b/memhtml", args = ["serve"] }\n',
    ],
)
def test_a_table_that_somebody_changed_is_not_taken_out(edit: object) -> None:
    """It is theirs now; a comment in it is a change too."""
    assert callable(edit)
    with pytest.raises(Disputed):
        take_out(edit(add("", PART, NOTE).text), PART, NOTE)
