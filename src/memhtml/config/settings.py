"""The settings: a table, the values read from it, and where each of them came from.

Flags win over the environment, the environment over ``.memhtml/config.toml`` in the store, that over the user's own
file, and that over the default. What is read once stays as it is until the process ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from memhtml.config.environment import home
from memhtml.domain.errors import InvalidSettingError, MemhtmlError, UnsafeFileError
from memhtml.store.plain import require_plain

STORE_FILE = ".memhtml/config.toml"
LONGEST_VALUE = 4096
_SPACE = r"\S+@[1-9][0-9]{0,4}"
_MODEL = r"[a-z][a-z0-9/_-]*:\S+"


class Source(StrEnum):
    """Where a value came from, strongest first."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    STORE = "store"
    USER = "user"
    DEFAULT = "default"


class Shape(StrEnum):
    """What a setting's value is."""

    TEXT = "text"
    FOLDER = "folder"
    SECONDS = "seconds"
    COUNT = "count"


class Setting(Struct, frozen=True):
    """A row of the table.

    Attributes:
        name: as written in a file and after ``config set``.
        shape: what the value is.
        default: used when nothing else says; empty means: not set.
        variable: its environment variable.
        help: one line, without a final stop.
        in_store: a store's own file may set it. That file comes along with a cloned store, so nothing that could send
            a memory elsewhere is among these.
        secret: never shown.
    """

    name: str
    shape: Shape
    default: str
    variable: str
    help: str
    in_store: bool = True
    secret: bool = False


SETTINGS: tuple[Setting, ...] = (
    Setting("root", Shape.FOLDER, "~/memhtml", "MEMHTML_ROOT", "The store's folder", in_store=False),
    Setting(
        "embed",
        Shape.TEXT,
        "on",
        "MEMHTML_EMBED",
        "Vectors: on (the built-in model), off, or the space of another model, as NAME@DIMENSION",
    ),
    Setting(
        "embed_url",
        Shape.TEXT,
        "",
        "MEMHTML_EMBED_URL",
        "Address of an OpenAI-compatible server that embeds, e.g. http://localhost:11434/v1",
        in_store=False,
    ),
    Setting("embed_key", Shape.TEXT, "", "MEMHTML_EMBED_KEY", "Key for that server", in_store=False, secret=True),
    Setting(
        "embed_weights",
        Shape.TEXT,
        "",
        "MEMHTML_EMBED_WEIGHTS",
        "File with other weights for the built-in model",
        in_store=False,
    ),
    Setting(
        "trace_root",
        Shape.FOLDER,
        "~/.claude",
        "MEMHTML_TRACE_ROOT",
        "Where the transcripts of agents lie, below a folder projects or directly",
        in_store=False,
    ),
    Setting(
        "model",
        Shape.TEXT,
        "off",
        "MEMHTML_MODEL",
        "Language model that sleep may ask: off, or PROVIDER:MODEL, e.g. anthropic:claude-haiku-4-5",
        in_store=False,
    ),
    Setting("lock_wait", Shape.SECONDS, "30", "MEMHTML_LOCK_WAIT", "Seconds that a writer waits for another"),
)


class Value(Struct, frozen=True):
    """A setting as resolved: its text, and where that came from (``origin``: the flag, variable or file)."""

    name: str
    value: str
    source: Source
    origin: str


class Fault(Struct, frozen=True):
    """Something wrong in a settings file that was passed over: a sentence, and what to do."""

    file: str
    message: str
    fix: str


class Settings(Struct, frozen=True):
    """Everything configured, read once.

    Attributes:
        values: each with its source, in table order; a secret shows only that it is set.
        ignored: (file, name) of what is unknown to this version, or not allowed where it stands.
        faults: what is wrong in the files, the user's first; only of a forgiving `load`.
    """

    root: Path
    embed: str
    embed_url: str | None
    embed_key: str | None
    embed_weights: Path | None
    trace_root: Path
    model: str
    lock_wait: float
    values: tuple[Value, ...]
    ignored: tuple[tuple[str, str], ...] = ()
    faults: tuple[Fault, ...] = ()


def setting(name: str) -> Setting:
    """The row called ``name``; ``embed-url`` and ``embed_url`` are the same.

    Raises:
        InvalidSettingError: there is none.
    """
    plain = name.replace("-", "_")
    for row in SETTINGS:
        if row.name == plain:
            return row
    names = ", ".join(row.name for row in SETTINGS)
    raise InvalidSettingError(
        f"there is no setting of that name; there are {names}", suggestions=("memhtml config list",)
    )


def load(
    flags: Mapping[str, str],
    variables: Mapping[str, str],
    user_file: Path,
    working_folder: Path,
    *,
    forgiving: bool = False,
) -> Settings:
    """Read every setting from its strongest source.

    An empty environment variable counts as absent. ``working_folder`` is what a relative root starts from.
    ``forgiving`` is for what mends settings: what is wrong in a file is passed over, and told in ``faults``.

    Raises:
        InvalidSettingError: a value is outside what its setting takes, or a file is no TOML; the source is named.
        UnsafeFileError: the store's file, or its folder, is a link, a device or a FIFO.
    """
    faults: list[Fault] | None = [] if forgiving else None
    user = _heard(user_file, Source.USER, faults)
    outside = (
        (Source.FLAG, {name: (text, f"--{name.replace('_', '-')}") for name, text in flags.items()}),
        (Source.ENVIRONMENT, {row.name: (variables.get(row.variable, ""), row.variable) for row in SETTINGS}),
    )
    of_user = (Source.USER, {name: (text, str(user_file)) for name, text in user.items()})
    root = _folder(_first(setting("root"), (*outside, of_user)), home(variables), working_folder)
    store_file = root / STORE_FILE
    store = _heard(store_file, Source.STORE, faults)
    allowed = {row.name for row in SETTINGS if row.in_store}
    of_store = (Source.STORE, {k: (v, str(store_file)) for k, v in store.items() if k in allowed})
    values = tuple(_first(row, (*outside, of_store, of_user)) for row in SETTINGS)
    texts = {value.name: value for value in values}
    known = {row.name for row in SETTINGS}
    return Settings(
        root=root,
        embed=_embed(texts["embed"]),
        embed_url=_url(texts["embed_url"]),
        embed_key=texts["embed_key"].value or None,
        embed_weights=working_folder / texts["embed_weights"].value if texts["embed_weights"].value else None,
        trace_root=(traces := _folder(texts["trace_root"], home(variables), working_folder)),
        model=_model(texts["model"]),
        lock_wait=_seconds(texts["lock_wait"]),
        values=tuple(_shown(value, {"root": root, "trace_root": traces}) for value in values),
        ignored=(
            *((str(store_file), name) for name in sorted(store) if name not in allowed),
            *((str(user_file), name) for name in sorted(user) if name not in known),
        ),
        faults=tuple(faults or ()),
    )


_Layer = tuple[Source, Mapping[str, tuple[str, str]]]


def _first(row: Setting, layers: tuple[_Layer, ...]) -> Value:
    for source, texts in layers:
        text, origin = texts.get(row.name, ("", ""))
        if text:
            value = Value(row.name, text, source, origin)
            _check_text(value)
            return value
    return Value(row.name, row.default, Source.DEFAULT, "")


def _shown(value: Value, folders: Mapping[str, Path]) -> Value:
    if value.name in folders:
        return Value(value.name, str(folders[value.name]), value.source, value.origin)
    if setting(value.name).secret and value.value:
        return Value(value.name, "(set)", value.source, value.origin)
    return value


def _heard(file: Path, source: Source, faults: list[Fault] | None) -> Mapping[str, str]:
    """What ``file`` says; with ``faults`` without what is wrong in it, which goes there."""
    try:
        table = _read_file(file, source)
    except (InvalidSettingError, UnsafeFileError) as error:
        if faults is None:
            raise
        faults.append(_fault(file, error))
        return {}
    return (
        table
        if faults is None
        else {k: v for k, v in table.items() if _takes(k, Value(k, v, source, str(file)), faults)}
    )


def _takes(name: str, value: Value, faults: list[Fault]) -> bool:
    row = next((row for row in SETTINGS if row.name == name), None)
    try:
        if row is not None and value.value:
            _check(row, value)
    except InvalidSettingError as error:
        faults.append(_fault(Path(value.origin), error))
        return False
    return True


def _fault(file: Path, error: MemhtmlError) -> Fault:
    return Fault(str(file), error.message, "; or ".join(error.suggestions))


def _mending(value: Value) -> tuple[str, ...]:
    """How to get rid of a value that cannot be."""
    if value.source in {Source.STORE, Source.USER}:
        user = " --user" if value.source is Source.USER else ""
        return (f"memhtml config unset {value.name}{user}", f"edit {value.origin}")
    return ("memhtml config list",)


def _read_file(file: Path, source: Source) -> Mapping[str, str]:
    if source is Source.STORE:  # a person's own file may be a link, but a clone's would lead out of it
        require_plain(file.parent, "put a real folder there")
        require_plain(file, f"remove {file}")
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise InvalidSettingError(
            f"{file} cannot be read ({type(error).__name__})",
            suggestions=(f"see to it that {file} is a file of yours",),
        ) from error
    return parse_file(data, str(file))


def parse_file(data: bytes, name: str) -> Mapping[str, str]:
    """The settings in a file's bytes, as text; tables and lists in it are left alone.

    Raises:
        InvalidSettingError: it is no TOML; ``name`` is what the message calls the file.
    """
    import tomllib  # most stores have no such file

    try:
        table = tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise InvalidSettingError(
            f"{name} is no valid TOML: {reason}",
            suggestions=(f"edit {name}", "take the file away: every setting has a default"),
        ) from error
    return {key: _scalar(value) for key, value in table.items() if isinstance(value, str | int | float)}


def _scalar(value: str | float) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _check_text(value: Value) -> None:
    text = value.value
    if "\0" in text or "\n" in text or len(text) > LONGEST_VALUE:
        raise InvalidSettingError(
            f"{value.name} ({value.origin}) is no line of at most {LONGEST_VALUE} characters",
            suggestions=_mending(value),
        )


def _folder(value: Value, user_home: Path, working_folder: Path) -> Path:
    text = value.value
    if text == "~" or text.startswith(("~/", "~\\")):
        return user_home / text[2:]
    return working_folder / text


def _embed(value: Value) -> str:
    if value.value in {"on", "off"} or re.fullmatch(_SPACE, value.value):
        return value.value
    raise InvalidSettingError(
        f"embed ({value.origin}) takes on, off, or a space as NAME@DIMENSION",
        suggestions=("memhtml config set embed on", *_mending(value)),
    )


def _model(value: Value) -> str:
    if value.value == "off" or re.fullmatch(_MODEL, value.value):
        return value.value
    raise InvalidSettingError(
        f"model ({value.origin}) takes off, or a language model as PROVIDER:MODEL", suggestions=_mending(value)
    )


def _url(value: Value) -> str | None:
    if not value.value:
        return None
    if value.value.startswith(("http://", "https://")):
        return value.value.rstrip("/")
    raise InvalidSettingError(
        f"embed_url ({value.origin}) takes an address that begins with http:// or https://", suggestions=_mending(value)
    )


def _seconds(value: Value) -> float:
    try:
        seconds = float(value.value)
    except ValueError:
        seconds = -1.0
    if 0 <= seconds <= 3600:  # noqa: PLR2004 - an hour
        return seconds
    raise InvalidSettingError(
        f"{value.name} ({value.origin}) takes a number of seconds from 0 to 3600", suggestions=_mending(value)
    )


def check(row: Setting, text: str) -> None:
    """Refuse a value that ``load`` would refuse later.

    Raises:
        InvalidSettingError: ``row`` does not take ``text``.
    """
    _check(row, Value(row.name, text, Source.FLAG, "config set"))


def _check(row: Setting, value: Value) -> None:
    _check_text(value)
    if row.name == "embed":
        _embed(value)
    elif row.name == "embed_url":
        _url(value)
    elif row.name == "model":
        _model(value)
    elif row.shape is Shape.SECONDS:
        _seconds(value)
