"""What an operation is: the row from which parser, help, manifest, reference pages and tests are made."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """What a parameter takes; every door coerces by it, once, in ``ops.arguments``."""

    TEXT = "text"
    PATH = "path"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    INSTANT = "instant"


class Reads(StrEnum):
    """Where a command line may take a parameter's text from, beside the line itself."""

    LINE = "line"
    STDIN = "stdin"
    FILE = "file"


class Parameter(Struct, frozen=True):
    """One argument of an operation.

    Attributes:
        name: snake_case; the flag is the same with dashes.
        help: one line, without a final stop.
        positional: given by place, not by flag.
        required: the call is refused without it.
        repeatable: may be given several times; a positional one takes all that is left.
        choices: for ``CHOICE``, in the order that help shows.
        default: what the operation uses when it is not given; for help and the manifest as well as for the call.
        low: least value of a number, inclusive.
        high: greatest value of a number, inclusive.
        shown: what stands for the value in help; made from the name when empty.
        joined: a positional one that takes all words that are left, as one text.
        reads: ``STDIN``: a lone dash stands for standard input; ``FILE``: the value names a file, or is a dash.
    """

    name: str
    kind: Kind
    help: str
    positional: bool = False
    required: bool = False
    repeatable: bool = False
    choices: tuple[str, ...] = ()
    default: str | int | float | None = None
    low: float | None = None
    high: float | None = None
    shown: str = ""
    joined: bool = False
    reads: Reads = Reads.LINE

    @property
    def flag(self) -> str:
        """The name as a command line writes it: ``--as-of``, or ``QUERY`` for a positional one."""
        return self.placeholder if self.positional else "--" + self.name.replace("_", "-")

    @property
    def placeholder(self) -> str:
        """What stands for the value in help: ``QUERY``, ``N``, ``a|b``."""
        if self.shown:
            return self.shown
        if self.kind is Kind.INTEGER:
            return "N"
        return self.name.upper().replace("_", "-")


class Operation(Struct, frozen=True):
    """One thing that memhtml does, for every door.

    Attributes:
        name: as typed, e.g. ``task add``.
        summary: one line, what it does for the caller, without a final stop.
        parameters: positional ones first, in their order.
        runs: ``module:function`` below ``memhtml.ops``; imported when the operation runs, not before.
        envelope: type name of the answer; append-only.
        examples: command lines that work on a fresh store after the ones before them in ``PREPARATION``.
        notes: what a caller must know beyond the summary, as paragraphs.
        mutates: it may change the store.
        destructive: it previews unless ``yes`` is given.
        needs_store: it is refused where no store is.
        piped: the parameter that takes standard input when no parameter that could read it is given.
        document: its answer is a text to read or to redirect, printed as it is unless JSON is asked for.
        mends: it works where a settings file is broken, with defaults: it needs none, says what is wrong, or mends it.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    runs: str
    envelope: str
    examples: tuple[str, ...]
    notes: tuple[str, ...] = ()
    mutates: bool = False
    destructive: bool = False
    needs_store: bool = True
    piped: str = ""
    document: bool = False
    mends: bool = False
