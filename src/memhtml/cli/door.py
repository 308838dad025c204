"""The command line: parse, run one operation, print. No rule of memhtml lives here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from memhtml.cli.intake import feed
from memhtml.cli.parser import Call, parse, wants_dense, wants_json
from memhtml.cli.progress import ProgressLine
from memhtml.cli.streams import Streams, arguments_of_process, discard, standard
from memhtml.config.environment import environment, user_file
from memhtml.config.settings import load
from memhtml.domain.errors import MemhtmlError, StorageError
from memhtml.ops.arguments import bind
from memhtml.ops.encoding import answer, dumps
from memhtml.ops.failure import as_error, failure
from memhtml.ops.operation import Operation
from memhtml.ops.running import exit_status
from memhtml.ops.running import load as load_operation
from memhtml.workspace.workspace import Workspace

DEBUG_VARIABLE = "MEMHTML_DEBUG"
FAILED = 1


class Manner(Struct, frozen=True):
    """How the answer is wanted.

    Attributes:
        asked: JSON was asked for by a flag.
        json: JSON it is: asked for, or nobody is at a terminal.
        dense: on one line, without nulls.
    """

    asked: bool
    json: bool
    dense: bool


def run(words: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit status; whatever goes wrong becomes an answer too."""
    streams = standard()
    given = arguments_of_process() if words is None else words
    asked = wants_json(given)
    manner = Manner(asked, asked or not streams.at_terminal(), wants_dense(given))
    variables = environment()
    try:
        deliver, status = _attempt(given, streams, manner, variables)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the door: everything becomes an answer here
        if variables.get(DEBUG_VARIABLE):
            _show_trace(error, streams)
        deliver, status = _complaint(as_error(error), streams, manner)
    return _delivered(deliver, status, streams)


def _attempt(
    words: Sequence[str], streams: Streams, manner: Manner, variables: Mapping[str, str]
) -> tuple[Callable[[], None], int]:
    if streams.stdout is None:  # refused before anything is done, since nobody could learn that it was
        raise StorageError("standard output is closed", suggestions=("open it, or send it to a file",))
    call = parse(words)
    if call.operation is None:
        return _document(call, streams, manner), 0
    operation = call.operation
    result = _result(operation, call, streams, variables)
    as_json = manner.asked if operation.document else manner.json
    if as_json:
        text = dumps(answer(operation.envelope, result), dense=manner.dense)
        return (lambda: streams.write(text)), exit_status(result)
    return (lambda: _show(operation, result, streams)), exit_status(result)


def _result(operation: Operation, call: Call, streams: Streams, variables: Mapping[str, str]) -> object:
    arguments = bind(operation, feed(operation, call.raw, streams))
    forgiving = operation.mends or operation.document
    settings = load(call.settings, variables, user_file(variables), _working_folder(), forgiving=forgiving)
    with (
        ProgressLine(streams) as progress,
        Workspace(settings, variables=variables, progress=progress) as workspace,
    ):
        return load_operation(operation)(workspace, arguments)


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it was removed under us: only a relative root cannot be found then
        return Path()


def _document(call: Call, streams: Streams, manner: Manner) -> Callable[[], None]:
    """Help and the version: text, since that is what both a person and a script expect of them."""
    from memhtml.domain.version import VERSION
    from memhtml.ops.guide import Document, guide

    document = Document(f"memhtml {VERSION}") if call.version else guide(call.topic)
    text = dumps(answer("document", document), dense=manner.dense) if manner.asked else document.text
    return lambda: streams.write(text)


def _show(operation: Operation, result: object, streams: Streams) -> None:
    from memhtml.ops.guide import Document

    if isinstance(result, Document):
        streams.write(result.text)
        return
    from memhtml.cli.human import show  # a pipe needs no rendering

    show(operation.envelope, result, streams)


def _complaint(error: MemhtmlError, streams: Streams, manner: Manner) -> tuple[Callable[[], None], int]:
    if manner.json and streams.stdout is not None:
        text = dumps(failure(error), dense=manner.dense)
        return (lambda: streams.write(text)), error.exit_status
    from memhtml.cli.plain import complaint

    return (lambda: streams.complain(complaint(error))), error.exit_status


def _delivered(deliver: Callable[[], None], status: int, streams: Streams) -> int:
    try:
        deliver()
    except BrokenPipeError:  # whoever reads has seen enough, as `head` does
        discard(streams.stdout)
    except (MemhtmlError, OSError, ValueError) as error:
        from memhtml.cli.plain import complaint

        streams.complain(complaint(as_error(error)))
        discard(streams.stdout)
        return FAILED
    return status


def _show_trace(error: BaseException, streams: Streams) -> None:
    import traceback  # for the one who looks for a fault

    streams.complain("".join(traceback.format_exception(error)))
