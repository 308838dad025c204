"""What a person asked: the head of a prompt, and which user records hold none. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from memhtml.store.message import one_line

HEAD_CHARACTERS = 200
"""Of a prompt."""

FIRST_HEAD_CHARACTERS = 500
"""Of the first prompt of a session."""

_LOOKED_AT = 8 * FIRST_HEAD_CHARACTERS  # a head's white space shrinks; more of a text is never looked at
_COMMAND_NAME = re.compile(r"<command-name>\s*(.{1,100}?)\s*</command-name>")
_COMMAND_ARGUMENTS = re.compile(r"<command-args>\s*(.{0,2000}?)\s*</command-args>", re.DOTALL)
# What programs put where a prompt would be.
_MACHINE_MADE = re.compile(
    r"<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|system-reminder|task-notification"
    r"|ide_[a-z_]{1,40}|user-prompt-submit-hook)>"
    r"|Caveat: The messages below were generated"
    r"|\[Request interrupted by user",
)


def head(text: str, longest: int = HEAD_CHARACTERS) -> str:
    r"""The beginning of ``text`` as one line, at most ``longest`` characters; nothing in it that no file can hold.

    >>> head("  Why does\nthe build fail?  ", 14)
    'Why does the…'
    """
    line = " ".join(text.lstrip()[:_LOOKED_AT].split())
    # Nothing in it is to be replaced then, so what is cut off need not be looked at; two more keep the cut as it is.
    return one_line(line[: longest + 2] if line.isprintable() else line, longest)


def prompt(record: Mapping[str, object]) -> str | None:
    """The head of what a person typed in a ``user`` record, at most 500 characters.

    ``None`` where there is none: results of tools, output of commands, reminders, summaries of what went before.

    >>> prompt({"message": {"content": [{"type": "text", "text": "Drain the queue first."}]}})
    'Drain the queue first.'
    >>> prompt({"message": {"content": "<command-name>/model</command-name><command-args>fast</command-args>"}})
    '/model fast'
    >>> prompt({"message": {"content": "<bash-stdout>ok</bash-stdout>"}}) is None
    True
    """
    if record.get("isMeta") is True or record.get("isCompactSummary") is True:
        return None
    for text in texts(content(record)):
        found = _asked(text.lstrip()[:_LOOKED_AT])
        if found:
            return found
    return None


def content(record: Mapping[str, object]) -> object:
    """What the message of ``record`` holds, whatever that is; ``None`` without a message."""
    message = record.get("message")
    return cast("dict[str, object]", message).get("content") if isinstance(message, dict) else None


def blocks(of: object) -> Iterator[Mapping[str, object]]:
    """The blocks in a message's content; what is no block is passed over."""
    if isinstance(of, list):
        for block in cast("list[object]", of):
            if isinstance(block, dict):
                yield cast("dict[str, object]", block)


def texts(of: object) -> Iterator[str]:
    """The texts in a message's content, or in a tool's result, in order."""
    if isinstance(of, str):
        yield of
    for block in blocks(of):
        text = block.get("text")
        if block.get("type") == "text" and isinstance(text, str):
            yield text


def _asked(text: str) -> str | None:
    if _MACHINE_MADE.match(text):
        return None
    command = _COMMAND_NAME.search(text) if text.startswith("<command-") else None
    if command is None:
        return head(text, FIRST_HEAD_CHARACTERS)
    arguments = _COMMAND_ARGUMENTS.search(text)
    return head(f"{command[1]} {arguments[1] if arguments else ''}", FIRST_HEAD_CHARACTERS)
