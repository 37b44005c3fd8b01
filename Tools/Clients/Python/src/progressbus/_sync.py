"""Requests of the program to wait until everything said so far has arrived (PROTOCOL.md 8.6)."""

from __future__ import annotations

import threading
from collections import deque

from ._generated import progressbus_pb2 as wire


class SyncRequest:
    """One request; the program waits for its event."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.number = 0
        self.is_reached = False
        self.is_ok = False


class Syncs:
    """The open requests of a session."""

    def __init__(self) -> None:
        self._waiting: deque[SyncRequest] = deque()
        self._open: dict[int, SyncRequest] = {}
        self._numbers = 0

    @property
    def is_open(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting or self._open)

    def add(self, request: SyncRequest) -> None:
        """Somebody begins to wait."""
        self._numbers += 1
        request.number = self._numbers
        self._waiting.append(request)

    def next(self, sequence: int) -> wire.Sync | None:
        """What to send for the next one, once every report so far has gone."""
        if not self._waiting:
            return None
        return wire.Sync(request=self._waiting[0].number, sequence=sequence)

    def sent(self) -> None:
        """libzmq has taken it."""
        request = self._waiting.popleft()
        self._open[request.number] = request

    def begin_again(self) -> None:
        """After a welcome all that are not answered go again."""
        self._waiting.extendleft(reversed(self._open.values()))
        self._open.clear()

    def reached(self, number: int) -> None:
        """The broker has everything up to the request."""
        request = self._open.get(number)
        if request is not None:
            request.is_reached = True

    def finish(self, endings_settled: bool) -> None:
        """Lets those go on whose reports and endings are all in."""
        if not endings_settled:
            return
        for request in [request for request in self._open.values() if request.is_reached]:
            del self._open[request.number]
            request.is_ok = True
            request.done.set()

    def give_up(self) -> None:
        """The session is over: lets everybody go on."""
        for request in [*self._waiting, *self._open.values()]:
            request.done.set()
