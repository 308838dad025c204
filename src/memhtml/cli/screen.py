"""A person's terminal: the only module that imports `rich`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from memhtml.cli.plain import plain

NARROWEST = 40


class Screen:
    """Writes what memories hold as text: control characters are shown, markup and emoji names are left alone."""

    def __init__(self, stream: TextIO, width: int | None = None) -> None:
        self._console = Console(file=stream, markup=False, emoji=False, highlight=False, width=width)

    @property
    def width(self) -> int:
        """Columns."""
        return max(self._console.width, NARROWEST)

    def say(self, *parts: str | tuple[str, str]) -> None:
        """One line; a part may be (text, style)."""
        self._console.print(_text(parts), soft_wrap=True)

    def prose(self, text: str, *, indent: int = 0, found: Sequence[str] = ()) -> None:
        """A text wrapped to the width, the words ``found`` in it marked, whatever their case."""
        body = _text([text])
        if found:
            body.highlight_words(found, style="bold yellow", case_sensitive=False)
        for line in body.wrap(self._console, self.width - indent):
            self._console.print(Text(" " * indent).append_text(line), soft_wrap=True)

    def gap(self) -> None:
        """An empty line."""
        self._console.print()

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str | None]]) -> None:
        """A table, nothing for no rows; the last column takes the room that is left, and every cell stays whole."""
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, head in enumerate(heads):
            table.add_column(head, overflow="fold", ratio=1 if place == len(heads) - 1 else None)
        for row in rows:
            table.add_row(*(_text([cell or ""]) for cell in row))
        if table.row_count:
            self._console.print(table)


def _text(parts: Sequence[str | tuple[str, str]]) -> Text:
    text = Text()
    for part in parts:
        words, style = part if isinstance(part, tuple) else (part, "")
        text.append(plain(words), style=style)
    return text
