"""The progress line."""

from __future__ import annotations

import io

from memhtml.cli.progress import ProgressLine
from memhtml.cli.streams import Streams


class Terminal(io.StringIO):
    """A stream that a person sees."""

    def isatty(self) -> bool:
        """Somebody is there."""
        return True


class Seconds:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """The present."""
        return self.now


def test_nothing_shows_within_a_second_then_the_line_does_and_is_wiped() -> None:
    """Redrawn ten times a second at most."""
    screen, clock = Terminal(), Seconds()
    with ProgressLine(Streams(None, None, screen), clock) as progress:
        progress("embedding", 1, 5000)
        assert screen.getvalue() == ""
        clock.now += 1.0
        progress("embedding", 1200, 5000)
        progress("embedding", 1201, 5000)
        assert screen.getvalue() == "\r\x1b[Kembedding: 1,200 of 5,000"
        clock.now += 0.1
        progress("reading", 7, None)
    assert screen.getvalue().endswith("\r\x1b[Kreading: 7\r\x1b[K")


def test_an_operation_that_tells_nothing_gets_its_seconds_counted() -> None:
    """Until it tells something itself."""
    screen, clock = Terminal(), Seconds()
    with ProgressLine(Streams(None, None, screen), clock) as progress:
        clock.now += 0.9
        progress.tick()
        assert screen.getvalue() == ""
        clock.now += 1.1
        progress.tick()
        assert screen.getvalue() == "\r\x1b[Kworking: 2 s"
        progress("embedding", 1, 2)
        clock.now += 1
        progress.tick()
    assert screen.getvalue() == "\r\x1b[Kworking: 2 s\r\x1b[Kembedding: 1 of 2\r\x1b[K"


def test_a_file_or_a_closed_stream_gets_nothing() -> None:
    """Progress is for people."""
    clock = Seconds()
    for stderr in (io.StringIO(), None):
        with ProgressLine(Streams(None, None, stderr), clock) as progress:
            clock.now += 5
            progress("embedding", 1, 2)
        assert stderr is None or stderr.getvalue() == ""


def test_a_terminal_that_goes_away_stops_nothing() -> None:
    """The operation is what matters."""
    screen, clock = Terminal(), Seconds()
    with ProgressLine(Streams(None, None, screen), clock) as progress:
        clock.now += 2
        screen.close()
        progress("embedding", 1, 2)
        clock.now += 2
        progress("embedding", 2, 2)
