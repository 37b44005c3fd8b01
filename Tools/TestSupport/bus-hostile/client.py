"""What every kind of misbehaviour has at hand: sockets, sessions, and whom it may hurt."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Iterator, Sequence, Sized
from typing import Any

import zmq
from asking import Asking
from wires import CLIENT, FRAME, REPORT, Socket, Wires, field, frame, header, own_process, varint

from progressbus._generated import progressbus_pb2 as wire

# Connections that a kind may leave open behind it; the oldest are closed.
KEPT = 100
# How long the tasks that others have on the board are taken to be there.
SIGHT = 3.0
# How often what has come in is taken, in frames sent.
DRAIN_EVERY = 32
# How many entries a frame may have (PROTOCOL.md 5.1).
ENTRIES = 256


def is_taken(size: int, lists: list[Sized]) -> bool:
    """Whether a broker takes a body of that size with these entries (PROTOCOL.md 5.1)."""
    # With room for header, credential and sequence.
    return size <= FRAME - 100 and sum(map(len, lists)) <= ENTRIES


class Client:
    """One hostile client: a moment of one kind of misbehaviour at a time."""

    def __init__(self, directory: str, chance: random.Random, stop: threading.Event) -> None:
        self.wires = Wires(directory)
        self.directory = directory
        self.chance = chance
        self.sent = 0
        self._stopped = stop
        self._until = 0.0
        self._rate: float | None = None
        self._opened: list[Socket] = []
        self._kept: list[Socket] = []
        self._seen: list[wire.TaskRef] = []
        self._seen_at = 0.0

    def begin(self, seconds: float) -> None:
        """A moment begins."""
        self._until = time.monotonic() + seconds
        # Two of three as fast as it can.
        self._rate = self.chance.choice([None, None, 300.0])

    def end(self) -> None:
        """It is over: what has been opened is closed, but for what was kept."""
        for socket in self._opened:
            socket.close()
        self._opened.clear()
        while len(self._kept) > KEPT:
            self._kept.pop(0).close()

    def going(self) -> bool:
        """Whether the moment lasts."""
        return time.monotonic() < self._until and not self._stopped.is_set()

    def turns(self, most: int = 1 << 40) -> Iterator[int]:
        """0, 1, 2, … as long as the moment lasts."""
        number = 0
        while number < most and self.going():
            yield number
            number += 1

    # Sockets.

    def control(self, **options: int) -> Socket:
        return self._noted(self.wires.control(**options))

    def updates(self, **options: int) -> Socket:
        return self._noted(self.wires.updates(**options))

    def reports(self, **options: int) -> Socket:
        """A socket for reports, once the broker has said that it listens."""
        socket = self._noted(self.wires.reports(**options))
        if socket.poll(1000):
            socket.recv(zmq.DONTWAIT)
        return socket

    def _noted(self, socket: Socket) -> Socket:
        self._opened.append(socket)
        return socket

    def keep(self, *sockets: Socket) -> None:
        """They stay open, unread, behind the moment."""
        for socket in sockets:
            self._opened.remove(socket)
            self._kept.append(socket)

    def close(self, *sockets: Socket) -> None:
        """They are closed now."""
        for socket in sockets:
            self._opened.remove(socket)
            socket.close()

    def post(self, socket: Socket, data: bytes | list[bytes], deaf: bool = False) -> bool:
        """Sends one message as soon as the socket takes it; False if it does not."""
        if self._rate is not None:
            time.sleep(1 / self._rate)
        parts = data if isinstance(data, list) else [data]
        for _ in range(3):
            try:
                socket.send_multipart(parts, zmq.DONTWAIT)
            except zmq.ZMQError:
                if not deaf:
                    self.drain(socket)
                with contextlib.suppress(zmq.ZMQError):
                    # An XPUB says that it can be written to whether it can or not.
                    socket.poll(2, zmq.POLLIN if socket.type == zmq.XPUB else zmq.POLLOUT)
                continue
            self.sent += 1
            if not deaf and self.sent % DRAIN_EVERY == 0:
                self.drain(socket)
            return True
        return False

    @staticmethod
    def drain(socket: Socket) -> None:
        """Takes what has come in and throws it away."""
        with contextlib.suppress(zmq.ZMQError):
            for _ in range(1000):
                socket.recv(zmq.DONTWAIT)

    # Random things.

    def bytes(self, count: int) -> bytes:
        return self.chance.randbytes(count)

    def number(self) -> int:
        """64 bits, not 0."""
        return self.chance.getrandbits(64) or 1

    def session(self, deaf: bool = False, **hello: Any) -> Session:
        """A session of our own that has said hello."""
        session = Session(self, deaf)
        session.hello(**hello)
        return session

    def victims(self) -> list[wire.TaskRef]:
        """Tasks of honest workers, as every viewer may see them; one that nobody has at least."""
        if time.monotonic() - self._seen_at > SIGHT:
            self._seen_at = time.monotonic()
            self._seen = self._look()
        return self._seen or [wire.TaskRef(index=1, session=self.number())]

    def _look(self) -> list[wire.TaskRef]:
        asking = Asking(self.wires, self.control())
        asking.hello()
        jobs = [
            row
            for page in range(2)
            for chunk in asking.snapshot(f"board/{page}/", 1.0) or []
            for row in chunk.rows
            # Detached tasks are not among them: those are anybody's who knows the id.
            if row.description.title.startswith("Honest")
        ]
        # What is below a job has the numbers that follow its own, in the same session.
        return [
            wire.TaskRef(index=row.task.index + next, session=row.task.session)
            for row in jobs
            for next in range(4)
        ]


class Session:
    """A session that says what it likes."""

    def __init__(self, client: Client, deaf: bool = False, control: Socket | None = None) -> None:
        self.client = client
        self.deaf = deaf
        self.id = client.number()
        self.credential = client.bytes(16)
        self.control = client.control() if control is None else control
        self._reports: Socket | None = None
        self.sequence = 0
        self._body: tuple[wire.Report | None, bytes] = (None, b"")

    @property
    def reports(self) -> Socket:
        if self._reports is None:
            self._reports = self.client.reports()
        return self._reports

    def hello(self, session: int = 0, process: wire.Process | None = None, **fields: Any) -> bool:
        hello = wire.Hello(
            session=session or self.id,
            process=own_process() if process is None else process,
            client="hostile",
            **fields,
        )
        return self.say(hello=hello)

    def next(self) -> int:
        """The next sequence."""
        self.sequence += 1
        return self.sequence

    def say(self, **body: Any) -> bool:
        """A frame over control."""
        message = wire.ClientFrame(credential=self.credential, **body)
        return self.client.post(self.control, frame(CLIENT, message), self.deaf)

    def report(self, **columns: Any) -> bool:
        """A frame over reports; several where one would be more than a broker takes."""
        message = wire.Report(credential=self.credential, **columns)
        counted: list[Sized] = [message.descriptions, message.states, message.folds, message.logs]
        lists = {name: column for name, column in columns.items() if isinstance(column, Sequence)}
        if is_taken(message.ByteSize(), counted) or max(map(len, lists.values()), default=0) < 2:
            message.sequence = message.sequence or self.next()
            return self.client.post(self.reports, frame(REPORT, message), self.deaf)
        # What belongs together is equally long, and so are its halves.
        first = {name: column[: len(column) // 2] for name, column in lists.items()}
        second = {name: column[len(column) // 2 :] for name, column in lists.items()}
        ok = self.report(**columns | first)
        return self.client.going() and self.report(**columns | second) and ok

    def repeat(self, body: wire.Report) -> bool:
        """The same columns again as news: protobuf may be joined, so that nothing is encoded."""
        if self._body[0] is not body:
            self._body = (body, body.SerializeToString())
        start = header(REPORT) + field(1, self.credential)
        sequence = b"\x10" + varint(self.next())
        return self.client.post(self.reports, start + sequence + self._body[1], self.deaf)

    def end(self, *endings: wire.Ending, folds: list[wire.Fold] | None = None) -> bool:
        """Endings and folds over control, in as many frames as a broker wants."""
        folds = folds or []
        body = wire.Endings(endings=endings, folds=folds)
        if is_taken(body.ByteSize(), [endings, folds]) or max(len(endings), len(folds)) < 2:
            body.sequence = self.next()
            return self.say(endings=body)
        row, fold = len(endings) // 2, len(folds) // 2
        ok = self.end(*endings[:row], folds=folds[:fold])
        return self.client.going() and self.end(*endings[row:], folds=folds[fold:]) and ok

    def begin(self, indices: range, title: str = "Hostile", **fields: Any) -> bool:
        """Describes tasks, in as many frames as a broker wants."""
        ok = True
        for first in range(indices.start, indices.stop, ENTRIES):
            some = range(first, min(first + ENTRIES, indices.stop))
            descriptions = [wire.Description(index=index, title=title, **fields) for index in some]
            ok = self.report(descriptions=descriptions) and ok
            if not self.client.going():
                break
        return ok

    def nap(self, seconds: float) -> None:
        """Lets the broker hear what has been said."""
        time.sleep(seconds)


def ending(
    index: int, state: wire.StatedState, title: str = "Hostile", **fields: Any
) -> wire.Ending:
    """A final row."""
    description = wire.Description(index=index, title=title)
    return wire.Ending(description=description, state=state, reason="by malice", **fields)
