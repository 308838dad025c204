"""A block of lines in a file of Markdown, between two marks, put at its end and taken out."""

from __future__ import annotations

import re

from memhtml.integrations.parts import Added, Block, Disputed, Splice, spliced

BEGIN = "<!-- memhtml:begin"
END = "<!-- memhtml:end -->"


def add(text: str, part: Block, note: str) -> Added:
    r"""Put the block at the end, after an empty line; ``note`` stands in the mark before it.

    >>> add("# Mine", Block("Theirs."), "why").text
    '# Mine\n\n<!-- memhtml:begin: why -->\nTheirs.\n<!-- memhtml:end -->\n'

    Raises:
        Disputed: another block of these marks is there.
    """
    if re.search(_pattern(part, note), text):
        return Added(text)
    _require_none(text)
    end = "\r\n" if "\r\n" in text else "\n"
    body = text.removeprefix("\ufeff")
    glue = "" if not body else end if body.endswith("\n") else end * 2
    splice = Splice(len(text), glue + end.join((*_lines(part, note), "")))
    return Added(spliced(text, splice), (splice,))


def take_out(text: str, part: Block, note: str) -> str:
    """``text`` without the block; the same text when it is not there any more.

    Raises:
        Disputed: what is there is not what was put there.
    """
    rest = re.sub(r"(?:(?<=\n)\r?\n)?" + _pattern(part, note) + r"(?:\r?\n|\Z)", "", text, count=1)
    _require_none(rest)
    return rest


def _lines(part: Block, note: str) -> tuple[str, ...]:
    return (f"{BEGIN}: {note} -->", *part.text.split("\n"), END)


def _pattern(part: Block, note: str) -> str:
    return r"\r?\n".join(map(re.escape, _lines(part, note)))


def _require_none(text: str) -> None:
    if BEGIN in text or END in text:
        raise Disputed("what stands between the marks memhtml:begin and memhtml:end says something else")
