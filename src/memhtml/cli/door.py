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
from memhtml.ops.encoding import answer as enveloped
from memhtml.ops.encoding import dumps
from memhtml.ops.operation import Operation
from memhtml.ops.running import alarm, exit_status
from memhtml.ops.running import load as load_operation
from memhtml.workspace.workspace import Workspace

DEBUG_VARIABLE = "MEMHTML_DEBUG"
FAILED = 1
SERVE = "serve mcp"


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


class Doing:
    """How far a command line has come, for whoever must say what is done when it is cut short.

    Attributes:
        operation: what it runs, once that is known.
        workspace: what it runs on, once that is open.
        result: what came of it; nothing speaks of it before ``done``.
        done: there is a result.
        answering: some of the answer may be on standard output.
    """

    def __init__(self) -> None:
        self.operation: Operation | None = None
        self.workspace: Workspace | None = None
        self.result: object = None
        self.done = False
        self.answering = False


class Answer(Struct, frozen=True):
    """What is to be printed, and what the process then ends with. ``error`` is what it tells of, if it is one."""

    deliver: Callable[[], None]
    status: int
    error: MemhtmlError | None = None


def run(words: Sequence[str] | None = None) -> int:
    """Run one command line and return the exit status; whatever goes wrong becomes an answer too."""
    streams = standard()
    given = arguments_of_process() if words is None else words
    asked = wants_json(given)
    manner = Manner(asked, asked or not streams.at_terminal(), wants_dense(given))
    variables = environment()
    doing = Doing()
    try:
        try:
            answer = _attempt(given, doing, streams, manner, variables)
        except Exception as error:  # noqa: BLE001 - the door: everything becomes an answer here
            answer = _told(error, doing, streams, manner, variables)
        return _delivered(answer, doing, streams)
    except KeyboardInterrupt as error:
        from memhtml.cli.interruption import undisturbed  # only who is interrupted needs it

        with undisturbed():
            return _interrupted(error, doing, streams, manner, variables)


def _attempt(
    words: Sequence[str], doing: Doing, streams: Streams, manner: Manner, variables: Mapping[str, str]
) -> Answer:
    if streams.stdout is None:  # refused before anything is done, since nobody could learn that it was
        raise StorageError("standard output is closed", suggestions=("open it, or send it to a file",))
    call = parse(words)
    if call.operation is None:
        return Answer(_document(call, streams, manner), 0)
    operation = call.operation
    if operation.name == SERVE and not manner.asked:
        from memhtml.cli.serving import serve  # the one command that answers many times

        return Answer(lambda: None, serve(operation, call, _working_folder(), variables))
    result = perform(operation, call, doing, streams, variables)
    _alarm(result, streams)
    as_json = manner.asked if operation.document else manner.json
    if as_json:
        text = dumps(enveloped(operation.envelope, result), dense=manner.dense)
        return Answer(lambda: streams.write(text), exit_status(result))
    return Answer(lambda: _show(operation, result, streams), exit_status(result))


def _alarm(result: object, streams: Streams) -> None:
    """Say on standard error that an answer is a bad one, also where the answer itself goes to a program."""
    error = alarm(result)
    if error is not None:
        from memhtml.cli.plain import complaint

        streams.complain(complaint(error))


def perform(operation: Operation, call: Call, doing: Doing, streams: Streams, variables: Mapping[str, str]) -> object:
    """Run the operation of a command line on the store that it names.

    Raises:
        MemhtmlError: the call is wrong, or the operation refuses.
    """
    arguments = bind(operation, feed(operation, call.raw, streams))
    forgiving = operation.mends or operation.document
    settings = load(call.settings, variables, user_file(variables), _working_folder(), forgiving=forgiving)
    with (
        ProgressLine(streams) as progress,
        Workspace(settings, variables=variables, progress=progress) as workspace,
    ):
        doing.operation, doing.workspace = operation, workspace
        doing.result = load_operation(operation)(workspace, arguments)
        doing.done = True
        return doing.result


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
    text = dumps(enveloped("document", document), dense=manner.dense) if manner.asked else document.text
    return lambda: streams.write(text)


def _show(operation: Operation, result: object, streams: Streams) -> None:
    from memhtml.ops.guide import Document

    if isinstance(result, Document):
        streams.write(result.text)
        return
    from memhtml.cli.human import show  # a pipe needs no rendering

    show(operation.envelope, result, streams)


def _told(error: BaseException, doing: Doing, streams: Streams, manner: Manner, variables: Mapping[str, str]) -> Answer:
    """An error as an answer; what is committed all the same is named in it."""
    from memhtml.ops.failure import as_error, failure  # only what fails needs it

    if variables.get(DEBUG_VARIABLE):
        _show_trace(error, streams)
    known = as_error(error)
    if doing.workspace is not None or not isinstance(error, Exception):
        from memhtml.ops.kept import cut_short  # only who came so far needs it

        known = cut_short(known, doing.operation, doing.workspace)
    if manner.json and streams.stdout is not None:
        text = dumps(failure(known), dense=manner.dense)
        return Answer(lambda: streams.write(text), known.exit_status, known)
    from memhtml.cli.plain import complaint

    return Answer(lambda: streams.complain(complaint(known)), known.exit_status, known)


def _interrupted(
    error: KeyboardInterrupt, doing: Doing, streams: Streams, manner: Manner, variables: Mapping[str, str]
) -> int:
    from memhtml.ops.failure import as_error  # only what fails needs it

    if not doing.answering:
        return _delivered(_told(error, doing, streams, manner, variables), doing, streams)
    # Standard output holds an answer already, or a part of one: a second would make it no answer at all.
    stands = _stands(doing)
    streams.complain(f"memhtml: interrupted while the answer was written{f'; {stands}' if stands else ''}")
    discard(streams.stdout)
    return as_error(error).exit_status


def _delivered(answer: Answer, doing: Doing, streams: Streams) -> int:
    doing.answering = True
    try:
        answer.deliver()
    except (MemhtmlError, OSError, ValueError) as error:
        discard(streams.stdout)
        return _undelivered(error, answer, doing, streams)
    return answer.status


def _undelivered(error: Exception, answer: Answer, doing: Doing, streams: Streams) -> int:
    """Say what cannot be read on standard output; what is done does not become a failure by that."""
    from memhtml.cli.plain import complaint, plain
    from memhtml.ops.failure import as_error  # only what fails needs it

    gone = isinstance(error, BrokenPipeError)  # whoever reads has seen enough, as `head` does
    stands = _stands(doing)
    reason = "nobody reads it any more" if gone else as_error(error).message
    if answer.error is not None and not gone:
        streams.complain(complaint(answer.error))
    elif answer.error is None and stands is not None:
        streams.complain(f"memhtml: {plain(stands)}; only the answer could not be written: {reason}")
    elif not gone:
        advice = ("send standard output to where there is room for it",)
        streams.complain(complaint(StorageError(f"the answer could not be written: {reason}", suggestions=advice)))
        return FAILED
    return answer.status


def _stands(doing: Doing) -> str | None:
    """What is done whatever becomes of its answer; ``None`` when nothing is."""
    if not doing.done or doing.operation is None or doing.workspace is None:
        return None
    from memhtml.ops.kept import done_without_answer

    try:
        made = doing.workspace.acknowledged()
    except MemhtmlError:
        made = None  # the result is there, so it is done; that git cannot name it now is no more than a pity
    return done_without_answer(doing.operation, doing.result, made)


def _show_trace(error: BaseException, streams: Streams) -> None:
    import traceback  # for the one who looks for a fault

    streams.complain("".join(traceback.format_exception(error)))
