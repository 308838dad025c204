"""Text from standard input and from files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from memhtml.cli.intake import feed
from memhtml.cli.streams import Streams
from memhtml.domain.errors import InvalidInputError, UnexpectedArgumentError
from memhtml.ops.operation import Kind, Operation, Parameter, Reads

ROW = Operation(
    name="demo",
    summary="Nothing that runs",
    parameters=(
        Parameter("claim", Kind.TEXT, "text", positional=True, reads=Reads.STDIN),
        Parameter("body", Kind.TEXT, "text", reads=Reads.STDIN),
        Parameter("title", Kind.TEXT, "text"),
        Parameter("lines", Kind.TEXT, "text", reads=Reads.FILE),
    ),
    runs="nowhere:run",
    envelope="demo",
    examples=("memhtml demo",),
    piped="body",
)


class Terminal(io.TextIOWrapper):
    """A stream that a person sits at."""

    def isatty(self) -> bool:
        """Somebody is there."""
        return True


def fed(raw: dict[str, object], stdin: bytes = b"piped", *, person: bool = False) -> dict[str, object]:
    """What the operation would get."""
    kind = Terminal if person else io.TextIOWrapper
    return feed(ROW, raw, Streams(kind(io.BytesIO(stdin)), None, None))


def test_a_lone_dash_stands_for_standard_input() -> None:
    """By place and by flag; a dash in a parameter that does not read stays a dash."""
    assert fed({"claim": "-"}) == {"claim": "piped"}
    assert fed({"body": ["-"], "title": ["-"]}) == {"body": "piped", "title": ["-"]}


def test_a_pipe_feeds_the_body_when_nothing_else_could_be_read() -> None:
    """And is left alone as soon as one is given, so that no call waits for input that it does not need."""
    assert fed({}) == {"body": "piped"}
    assert fed({"title": ["t"]}) == {"title": ["t"], "body": "piped"}
    assert fed({"claim": "c"}) == {"claim": "c"}


def test_a_terminal_is_never_waited_for() -> None:
    """A person who gave no text gets an error, not a silent prompt."""
    assert fed({}, person=True) == {}


def test_standard_input_can_be_read_once() -> None:
    """Two dashes are refused before anything is read."""
    with pytest.raises(UnexpectedArgumentError, match="only one of CLAIM and --body can be standard input"):
        fed({"claim": "-", "body": ["-"]})


def test_a_file_is_named_and_its_text_is_passed_on(tmp_path: Path) -> None:
    """A dash names standard input there too."""
    file = tmp_path / "lines.jsonl"
    file.write_bytes(b'{"op":"write"}\r\n')
    assert fed({"lines": [str(file)]}) == {"lines": '{"op":"write"}\n'}
    assert fed({"lines": "-"}) == {"lines": "piped"}


@pytest.mark.parametrize("name", ["absent.jsonl", "a\0b", "", "x" * 5000])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says why."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=r"--lines .* cannot be read: "):
        fed({"lines": [name]})


def test_a_file_that_is_no_utf8_is_refused_by_its_name(tmp_path: Path) -> None:
    """As standard input is."""
    file = tmp_path / "latin.jsonl"
    file.write_bytes(b"\xe9")
    with pytest.raises(InvalidInputError, match=r"latin\.jsonl' is not UTF-8"):
        fed({"lines": [str(file)]})
