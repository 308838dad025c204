"""A block of lines in a file of Markdown, between two marks, put at its end and taken out."""

from __future__ import annotations

import re

from memhtml.integrations.parts import Added, Block, Disputed, Splice, spliced

BEGIN = "<!-- memhtml:begin"
END = "<!-- memhtml:end -->"

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<rest>.*)")


def add(text: str, part: Block, note: str) -> Added:
    r"""Put the block at the end, after an empty line; ``note`` stands in the mark before it.

    >>> add("# Mine", Block("Theirs."), "why").text
    '# Mine\n\n<!-- memhtml:begin: why -->\nTheirs.\n<!-- memhtml:end -->\n'

    Raises:
        Disputed: another block of these marks is there, or what is put at the end would be code or a comment.
    """
    if re.search(_pattern(part, note), text):
        return Added(text)
    _require_none(text)
    if _open_at_end(text):
        raise Disputed("it ends within a block of code, or a comment, that is not closed")
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
    found = re.search(f"{BEGIN}|{END}", text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise Disputed(f"what stands between the marks memhtml:begin and memhtml:end says something else (line {line})")


def _open_at_end(text: str) -> bool:
    """Whether a fence of code, or a comment outside of one, is open where ``text`` ends."""
    fence = ""
    outside: list[str] = []
    for line in text.removeprefix("\ufeff").splitlines():
        found = _FENCE.match(line)
        if fence:
            if found is not None and found["fence"].startswith(fence) and not found["rest"].strip():
                fence = ""
        elif found is not None and not (found["fence"][0] == "`" and "`" in found["rest"]):
            fence = found["fence"]
        else:
            outside.append(line)
    return bool(fence) or "<!--" in "\n".join(outside).rpartition("-->")[2]
