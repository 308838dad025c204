"""One line of a settings file set or dropped, every other line left as its author wrote it."""

from __future__ import annotations

import json
import re

from memhtml.config.settings import parse_file
from memhtml.domain.errors import InvalidSettingError

_TABLE = re.compile(r"^\s*\[", re.MULTILINE)


def with_value(data: bytes, name: str, value: str | None, file: str) -> bytes:
    """``data`` with the top-level key ``name`` set to ``value``; dropped when that is ``None``.

    Unchanged bytes when the file says so already. ``file`` is what messages call it.

    Raises:
        InvalidSettingError: the file is no TOML, or says it in a way that one line cannot change.
    """
    before = dict(parse_file(data, file))
    if before.get(name) == value:
        return data
    text = data.decode("utf-8-sig")
    table = _TABLE.search(text)
    head, tail = (text, "") if table is None else (text[: table.start()], text[table.start() :])
    line = "" if value is None else f"{name} = {_basic_string(value)}\n"
    pattern = re.compile(rf"^[ \t]*{re.escape(name)}[ \t]*=[^\n]*(?:\n|\Z)", re.MULTILINE)
    edited, count = pattern.subn(lambda _: line, head, count=1)
    if not count:
        edited = head + ("\n" if head and not head.endswith("\n") else "") + line
    after = (edited + tail).encode()
    wanted = {key: text for key, text in before.items() if key != name} | ({} if value is None else {name: value})
    try:
        understood = dict(parse_file(after, file)) == wanted
    except InvalidSettingError:
        understood = False
    if not understood:
        raise InvalidSettingError(f"{file} says {name} in more than one line", suggestions=(f"edit {file} by hand",))
    return after


def _basic_string(value: str) -> str:
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
