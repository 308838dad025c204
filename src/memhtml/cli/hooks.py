"""Hooks of agents' hosts: an answer in time, or silence; never an error."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Timer

from memhtml.cli.door import Doing, perform, run
from memhtml.cli.parser import parse, wants_json
from memhtml.cli.streams import Streams, arguments_of_process, discard, standard
from memhtml.config.environment import environment

HELP = frozenset({"--help", "-h"})
SLOWEST = 20.0
"""Seconds for an event that is not known."""


def run_hook(words: Sequence[str] | None = None) -> int:
    """Do what the hook asks for; 0, whatever comes of it. A person who asks for help or for JSON gets all there is.

    What takes too long is given up where it stands: everything that a hook does may be cut off at any instant.
    """
    from memhtml.ops.hooking import LIMITS

    given = arguments_of_process() if words is None else words
    if wants_json(given) or not HELP.isdisjoint(given):
        return run(words)
    limit = Timer(min((LIMITS[word] for word in given if word in LIMITS), default=SLOWEST), os._exit, (0,))
    limit.daemon = True
    limit.start()
    streams = standard()
    try:
        text = _text(given, streams)
        if text:
            streams.write(text)
    except BaseException:  # noqa: BLE001 - whatever it is, an agent's turn goes on
        discard(streams.stdout)
    finally:
        limit.cancel()
    return 0


def _text(words: Sequence[str], streams: Streams) -> str:
    from memhtml.ops.guide import Document

    call = parse(words)
    if call.operation is None:
        return ""
    result = perform(call.operation, call, Doing(), Streams(streams.stdin, streams.stdout, None), environment())
    return result.text if isinstance(result, Document) else ""
