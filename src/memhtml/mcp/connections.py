"""Connections that have not asked anything yet: anybody on this machine can open one, so they get little."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """A connection, of a server that has a class of its own: see `connections`."""

    strangers: dict[Connection, TimerHandle]
    patience: float
    most: int

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in its base
        """Begin to wait for what it asks; of too many that are waited for, the one that came first is closed."""
        super().connection_made(transport)
        self.strangers[self] = self.loop.call_later(self.patience, self.close)
        if len(self.strangers) > self.most:
            next(iter(self.strangers)).close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._met()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Look at what came; who has asked something is no stranger: the guard judges it then."""
        super().handle_events()
        if self.cycle is not None:  # pyright: ignore[reportUnnecessaryComparison] - its base begins with none
            self._met()

    def close(self) -> None:
        """Let go of it."""
        self._met()
        self.transport.close()

    def _met(self) -> None:
        timer = self.strangers.pop(self, None)
        if timer is not None:
            timer.cancel()


def connections(patience: float, most: int) -> type[Connection]:
    """The connections of one server, of which ``most`` may have asked nothing yet, for ``patience`` seconds each."""

    class Own(Connection):
        pass

    Own.strangers, Own.patience, Own.most = {}, patience, most
    return Own
