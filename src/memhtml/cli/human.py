"""Answers for a person at a terminal; `rich` is imported here and nowhere else."""

from __future__ import annotations

from memhtml.cli.plain import plain
from memhtml.cli.streams import Streams
from memhtml.ops.encoding import Json, encode


def show(envelope: str, result: object, streams: Streams) -> None:
    """Print ``result`` as its envelope type wants it."""
    del envelope
    streams.write(outline(encode(result)))


def outline(value: Json, depth: int = 0) -> str:
    """Any answer as indented lines."""
    margin = "  " * depth
    if isinstance(value, dict):
        return "\n".join(
            f"{margin}{key}:\n{outline(item, depth + 1)}"
            if isinstance(item, dict | list)
            else f"{margin}{key}: {_word(item)}"
            for key, item in value.items()
        )
    if isinstance(value, list):
        return "\n".join(outline(item, depth) for item in value)
    return margin + _word(value)


def _word(value: Json) -> str:
    return "-" if value is None else plain(str(value))
