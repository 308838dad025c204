"""JSON text of plain values. The standard library's writer costs a short command a millisecond to import."""

from __future__ import annotations

import math
from typing import Any, cast

from msgspec import DecodeError
from msgspec import json as msgspec_json


def json_text(value: object, *, pretty: bool = False) -> str:
    r"""``value``, of plain kinds, as JSON: with as little space as can be, or on lines of its own with two spaces.

    A lone surrogate, which stands for a byte that is no UTF-8, comes out as it is: whoever prints it says what
    becomes of it.

    Raises:
        ValueError: a number is infinite or none, which JSON has no word for.

    >>> json_text({"a": [1, None], "b": "é"})
    '{"a":[1,null],"b":"é"}'
    >>> print(json_text({"a": [1]}, pretty=True))
    {
      "a": [
        1
      ]
    }
    >>> json_text("a\udcff")
    '"a\udcff"'
    """
    _refuse_without_a_word(value)
    try:
        text = msgspec_json.encode(value)
    except UnicodeEncodeError:
        import json  # see above

        return json.dumps(
            value, ensure_ascii=False, indent=2 if pretty else None, separators=None if pretty else (",", ":")
        )
    return (msgspec_json.format(text, indent=2) if pretty else text).decode()


def json_value(text: bytes) -> Any:  # noqa: ANN401 - whatever was written
    r"""What `json_text` wrote, read back from its bytes; lone surrogates too, where they were passed through.

    Raises:
        ValueError: it is no JSON.

    >>> json_value(b'{"a":[1,null]}'), json_value(b'"a\\udcff"')
    ({'a': [1, None]}, 'a\udcff')
    """
    try:
        return msgspec_json.decode(text)
    except (DecodeError, UnicodeDecodeError):
        import json  # see above

        return json.loads(text)


def _refuse_without_a_word(value: object) -> None:
    """Msgspec writes null for what is no number, and so would say that there is none."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not JSON compliant")
    elif isinstance(value, dict):
        for item in cast("dict[str, object]", value).values():
            _refuse_without_a_word(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            _refuse_without_a_word(item)
