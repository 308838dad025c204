"""What was and what is, line by line, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

MOST_LINES = 2_000
MOST_BYTES = 200_000
"""Of one side; longer ones are not compared, which takes time that grows with the product of both."""
MOST_SHOWN = 20_000
"""Characters of the whole."""

_UNENDED = "\\ No newline at the end"


class Difference(Struct, frozen=True):
    """Two texts beside each other.

    Attributes:
        text: a unified diff without its two lines of names; "" when nothing differs, or nothing is shown.
        omitted: why nothing, or not all of it, is shown; "" when all is.
    """

    text: str
    omitted: str = ""


def difference(old: bytes | None, new: bytes | None) -> Difference:
    r"""How ``new`` differs from ``old``; ``None`` is no file.

    Only a line feed ends a line, so that a change of line ends is seen.

    >>> print(difference(b"a\nb\n", b"a\nc\n").text)
    @@ -1,2 +1,2 @@
     a
    -b
    +c
    >>> difference(None, b"\x00"), difference(b"a", b"a")
    (Difference(text='', omitted='no text: 0 and 1 bytes'), Difference(text='', omitted=''))
    """
    before, after = old or b"", new or b""
    sizes = f"{len(before):,} and {len(after):,} bytes"
    if before == after:
        return Difference("")
    if max(len(before), len(after)) > MOST_BYTES or max(before.count(b"\n"), after.count(b"\n")) > MOST_LINES:
        return Difference("", f"too long: {sizes}")
    try:
        lines = _lines(_text(before)), _lines(_text(after))
    except UnicodeDecodeError:
        return Difference("", f"no text: {sizes}")
    return _cut(_unified(*lines))


def _unified(before: list[str], after: list[str]) -> Iterator[str]:
    from difflib import unified_diff

    for number, line in enumerate(unified_diff(before, after, lineterm="")):
        if number > 1:  # the first two are the names of the files
            yield line


def _cut(lines: Iterator[str]) -> Difference:
    shown: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > MOST_SHOWN:
            return Difference("\n".join(shown), "the rest is left out")
        shown.append(line)
    return Difference("\n".join(shown))


def _text(data: bytes) -> str:
    text = data.decode()
    if "\0" in text:
        raise UnicodeDecodeError("utf-8", data, 0, 1, "a null character")
    return text


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n{_UNENDED}"] if last else lines
