"""The reporting thread: it alone owns the sockets of its session."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Collection
from typing import Any, TypeAlias

import zmq

from ._callbacks import Callbacks
from ._endings import INTERVAL
from ._endpoint import Endpoint
from ._handshakes import SEAL, Handshakes, protect
from ._keys import Membership
from ._ledger import Ledger
from ._session import Leaving, Session
from ._spool import spool_file, spool_frames, write_spool
from ._state import TaskState
from ._sync import SyncRequest

logger = logging.getLogger("progressbus")

# What a poll found, by socket or descriptor.
Ready: TypeAlias = dict[Any, int]

# How often it looks for a broker that is not there.
LOOK_FIRST = 0.02
LOOK_LAST = 0.25
# Frames that one pass sends or receives, so that neither direction starves the other.
BURST = 64
# How long to wait for room in the control socket before everything else is looked at again.
CONTROL_FULL = 0.02
# Files that a context, its sockets and their connections need, and some more.
DESCRIPTORS = 12
SPOOL_ATTEMPTS = 3
# Between two: there may be room, or a descriptor, in a moment.
SPOOL_PAUSE = 0.05
# Until a broker that does not let this key in is asked again, in seconds.
REFUSED_FIRST = 2.0
REFUSED_LAST = 30.0
# For a goodbye that nobody will acknowledge in time, in milliseconds.
LINGER_AT_END = 20


class WakeUp:
    """Ends the wait of the reporting thread; safe from any thread, never blocks.

    The thread opens it, so that a program without a descriptor to spare does not notice.
    """

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = None
        self.ledger: Ledger | None = None

    def open(self) -> None:
        """By the reporting thread; OSError where there is no descriptor left."""
        if self._ends is not None:
            return
        ends = os.pipe()
        for descriptor in ends:
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
            fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_NONBLOCK)
        self._ends = ends

    @property
    def reader(self) -> int | None:
        """Readable once it was called; None before it is open."""
        return None if self._ends is None else self._ends[0]

    def __call__(self) -> None:
        if self.ledger is not None:
            self.ledger.asleep = self.ledger.alert = False
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):  # full: it is awake
                os.write(self._ends[1], b"\0")

    def clear(self) -> None:
        if self._ends is not None:
            with contextlib.suppress(BlockingIOError):
                os.read(self._ends[0], 4096)

    def __del__(self) -> None:
        # Not before nobody can call it: the number may already belong to another file then.
        for descriptor in self._ends or ():
            os.close(descriptor)


def require_descriptors(count: int) -> None:
    """OSError unless so many files can be opened now. libzmq 4.3.4 ends its process where a context
    finds no descriptor for its threads; sockets would only fail."""
    taken: list[int] = []
    try:
        for _ in range(count):
            taken.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for descriptor in taken:
            os.close(descriptor)


class Connection:
    """Runs one session on a thread of its own until it has left."""

    def __init__(self, endpoint: Endpoint, session: Session, wake: WakeUp) -> None:
        self.session = session
        self.finished = threading.Event()
        self.is_settled = False
        # Looks at all tasks once, before the session leaves.
        self.at_end: Callable[[Collection[TaskState]], None] | None = None
        self._endpoint = endpoint
        self._wake = wake
        self._syncs: deque[SyncRequest] = deque()
        self._leave_until: float | None = None
        # How long the broker may acknowledge nothing while we leave, and until when at the latest.
        self._patience = 0.0
        self._last_leave = 0.0
        self._frames_acknowledged = 0
        self._callbacks = Callbacks()
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._control: zmq.Socket[bytes] | None = None
        self._reports: zmq.Socket[bytes] | None = None
        self._handshakes: Handshakes | None = None
        self._refused_for = REFUSED_FIRST
        self._refused_until = 0.0
        self._control_is_full = False
        self._look_after = LOOK_FIRST
        self._objection = ""

    def start(self) -> bool:
        """Starts the thread; False where the system or the end of the interpreter forbids it."""
        try:
            threading.Thread(target=self._run, name="progressbus", daemon=True).start()
        except RuntimeError:
            return False
        return True

    def sync(self, request: SyncRequest) -> None:
        """Any thread: asks for a sync."""
        self._syncs.append(request)
        self._wake()

    def leave(self, patience: float, limit: float) -> None:
        """Any thread: flushes and leaves once the broker has acknowledged nothing for `patience`
        seconds, after `limit` seconds at the latest."""
        now = time.monotonic()
        self._patience, self._last_leave = patience, now + max(patience, limit)
        self._leave_until = now + patience
        self._wake()

    def may_reach_broker(self) -> bool:
        """Any thread: whether waiting for acknowledgements makes sense."""
        if self.session.is_welcomed or self.session.has_stopped or self._endpoint.objection():
            return self.session.is_welcomed
        if self._endpoint.answers_at_once:
            return self._endpoint.listens()
        return self._control is not None

    def _run(self) -> None:
        # What the program handles shall interrupt its own calls, not ours.
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            while not self._is_over(time.monotonic()):
                self._pass()
            self._finish()
        except Exception:
            # Nothing that goes wrong here may reach the program.
            logger.exception("reporting has failed and ends; the program goes on without it")
        finally:
            self.session.syncs.give_up()
            while self._syncs:
                self._syncs.popleft().done.set()
            self._close_sockets()
            self.finished.set()

    def _is_over(self, now: float) -> bool:
        session = self.session
        if session.has_stopped:
            return self._leave_until is not None
        if self._leave_until is None:
            return False
        if session.leaving is Leaving.NO:
            session.take_marks(now)
            if self.at_end is not None:
                self.at_end(session.ledger.tasks.values())
                session.take_marks(now)
            session.leaving = Leaving.FLUSHING
        if session.endings.frames_acknowledged != self._frames_acknowledged:
            self._frames_acknowledged = session.endings.frames_acknowledged
            later = min(now + self._patience, self._last_leave)
            self._leave_until = max(self._leave_until, later)
        return session.leaving is Leaving.DONE or now >= self._leave_until

    def _pass(self) -> None:
        now = time.monotonic()
        session = self.session
        session.take_marks(now)
        while self._syncs:
            session.syncs.add(self._syncs.popleft())
        if session.has_stopped:
            self._close_sockets()
            self._wait_without_sockets(LOOK_LAST)
        elif self._control is None and not self._open_sockets():
            self._wait_without_sockets(self._look_after)
            self._look_after = min(self._look_after * 2, LOOK_LAST)
        else:
            self._send(now)
            session.syncs.finish(session.endings.is_settled)
            while session.commands.calls:
                self._callbacks.add(session.commands.calls.popleft())
            ready = self._wait(time.monotonic())
            self._receive(ready)
            self._leave_if_refused()

    # Without a broker.

    def _wait_without_sockets(self, seconds: float) -> None:
        if self._leave_until is not None:
            seconds = min(seconds, max(self._leave_until - time.monotonic(), 0))
        poller = select.poll()
        if self._wake.reader is not None:
            poller.register(self._wake.reader, select.POLLIN)
        poller.poll(seconds * 1000)
        self._wake.clear()

    def _open_sockets(self) -> bool:
        try:
            self._wake.open()
        except OSError as error:
            self._object(f"{error}; trying again")
            return False
        if time.monotonic() < self._refused_until:
            return False
        if self._refused_until:
            self._refused_until = 0.0
            self._endpoint = self._endpoint.current()
        objection = self._endpoint.objection()
        if objection:
            self._object(objection)
            return False
        if not self._endpoint.listens():
            return False
        try:
            require_descriptors(DESCRIPTORS)
            # One of our own: after a fork the inherited ones must not be touched.
            self._context = zmq.Context(io_threads=1)
            self._control = self._connected(zmq.DEALER, self._endpoint.control)
            self._reports = self._connected(zmq.XPUB, self._endpoint.reports)
        except (zmq.ZMQError, OSError) as error:
            self._object(f"{error}; trying again")
            self._close_sockets()
            return False
        return True

    def _leave_if_refused(self) -> None:
        """Where the broker does not let this key in, later perhaps, or another one by then."""
        if self._handshakes is None:
            return
        self._handshakes.hear(self.session.next_key)
        trouble = self._handshakes.trouble() or self.session.not_a_member
        renewed = self._handshakes.renewed()
        if renewed is not None:
            self._connect_anew(renewed)
        if not trouble:
            return
        self._object(f"{trouble}; trying again")
        self._refused_until = time.monotonic() + self._refused_for
        self._refused_for = min(2 * self._refused_for, REFUSED_LAST)
        self._close_sockets()
        self.session.disconnected(time.monotonic())

    def _connect_anew(self, membership: Membership) -> None:
        """To a broker that has another key by now."""
        for socket, address in (
            (self._control, self._endpoint.control),
            (self._reports, self._endpoint.reports),
        ):
            if socket is not None:
                socket.disconnect(address)
                protect(socket, membership)
                socket.connect(address)

    def _object(self, objection: str) -> None:
        """Logs why there is no connection, unless that was said last."""
        if objection != self._objection:
            self._objection = objection
            logger.warning("cannot report: %s", objection)

    def _connected(self, kind: int, address: str) -> zmq.Socket[bytes]:
        if self._context is None:
            raise zmq.ZMQError(errno.EINVAL)
        created: zmq.Socket[bytes] = self._context.socket(kind)
        created.linger = 0
        created.setsockopt(zmq.IMMEDIATE, 1)
        created.setsockopt(zmq.RECONNECT_IVL, 50)
        created.setsockopt(zmq.RECONNECT_IVL_MAX, 500)
        created.setsockopt(zmq.MAXMSGSIZE, (1 << 20) + SEAL)
        if kind == zmq.XPUB:
            created.setsockopt(zmq.XPUB_NODROP, 1)
            created.setsockopt(zmq.SNDHWM, 4)
            created.setsockopt(zmq.RCVHWM, 4)
        if address.startswith("tcp://"):
            # Not the pings of ZMTP: libzmq 4.3.4 may end the process by them (PROTOCOL.md 2.2).
            created.setsockopt(zmq.TCP_KEEPALIVE, 1)
            created.setsockopt(zmq.TCP_KEEPALIVE_IDLE, 1)
            created.setsockopt(zmq.TCP_KEEPALIVE_INTVL, 1)
            created.setsockopt(zmq.TCP_KEEPALIVE_CNT, 3)
            created.setsockopt(zmq.TCP_MAXRT, 5000)
            # The system's own attempts are minutes apart after a while.
            created.setsockopt(zmq.CONNECT_TIMEOUT, 3000)
            created.setsockopt(zmq.IPV6, 1 if "[" in address else 0)
        try:
            membership = self._endpoint.membership
            if membership is not None:
                protect(created, membership)
            if kind == zmq.DEALER and address.startswith("tcp://"):
                self._handshakes = Handshakes(created, address, membership)
            created.connect(address)
        except zmq.ZMQError:
            created.close()
            raise
        return created

    # With one.

    def _send(self, now: float) -> None:
        session = self.session
        if self._reports is not None and session.is_reporting and session.is_tick(now):
            for _ in range(BURST):
                report = session.next_report(now)
                if report is None or not self._sent(self._reports, report.frame):
                    break
                session.report_sent(report)
            session.tick_done(now)
        self._control_is_full = False
        for _ in range(BURST):
            outgoing = session.next_control(now, time.time())
            if outgoing is None or self._control is None:
                return
            if not self._sent(self._control, outgoing.frame):
                self._control_is_full = True
                return
            outgoing.sent()

    @staticmethod
    def _sent(socket: zmq.Socket[bytes], frame: bytes) -> bool:
        try:
            socket.send(frame, zmq.DONTWAIT)
        except zmq.ZMQError as error:
            if error.errno in (zmq.EAGAIN, errno.EINTR, zmq.EHOSTUNREACH):
                return False
            raise
        return True

    def _wait(self, now: float) -> Ready:
        """Waits until there is something to do; says which of our sockets have something.

        Who finds nothing there has let go of the interpreter for it all the same, and a program
        that computes takes it at once and gives it back 5 ms later.
        """
        if self._control is None or self._reports is None or self._wake.reader is None:
            return {}
        session, ledger = self.session, self.session.ledger
        until = session.next_time(now)
        if self._leave_until is not None:
            until = min(until, self._leave_until)
        # An urgent ending wakes the thread, but not more often than it would send endings anyway.
        may_send = session.endings.last_sent + INTERVAL
        ledger.alert = now >= may_send
        if not ledger.alert:
            until = min(until, may_send)
        if self._control_is_full:
            until = max(until, now + CONTROL_FULL)  # POLLOUT ends the wait before
        ledger.asleep = not ledger.sampled and session.reports.is_clean
        poller = zmq.Poller()
        poller.register(self._wake.reader, zmq.POLLIN)
        poller.register(self._reports, zmq.POLLIN)
        if self._handshakes is not None:
            poller.register(self._handshakes.events, zmq.POLLIN)
        poller.register(self._control, zmq.POLLIN | (zmq.POLLOUT if self._control_is_full else 0))
        if ledger.marks and ledger.asleep:
            until = now  # marked after the last look and before anybody could see us sleep
        # Rounded up: a wait that ends a little early would be begun again and again.
        ready = dict(poller.poll(max(-int(-(until - now) * 1000 // 1), 0) if until > now else 0))
        ledger.asleep = ledger.alert = False
        if self._wake.reader in ready:
            self._wake.clear()
        return ready

    def _receive(self, ready: Ready) -> None:
        if self._control is None or self._reports is None:
            return
        now = time.monotonic()
        for socket, take in (
            (self._reports, self.session.subscription),
            (self._control, self.session.control),
        ):
            events = ready.get(socket, 0)
            for _ in range(BURST):
                if not events & zmq.POLLIN:
                    break
                try:
                    take(socket.recv(zmq.DONTWAIT), now)
                except zmq.ZMQError as error:
                    if error.errno in (zmq.EAGAIN, errno.EINTR):
                        break
                    raise
                events = int(socket.getsockopt(zmq.EVENTS))

    # The end.

    def _finish(self) -> None:
        session, now = self.session, time.monotonic()
        if session.leaving is not Leaving.DONE:
            session.take_marks(now)
        self._leave_in_spool(now)
        if session.leaving is not Leaving.DONE:
            # Behind the spool, where the broker finds what this does not say.
            self._say_last_words(now)

    def _leave_in_spool(self, now: float) -> None:
        session = self.session
        self.is_settled = session.endings.is_settled and all(
            task.binding is not None for task in session.ledger.redeemers.values()
        )
        directory = self._endpoint.spool
        if self.is_settled or session.has_stopped or directory is None:
            return
        if self._endpoint.objection():
            return
        content = spool_file(spool_frames(session, now))
        for _ in range(SPOOL_ATTEMPTS):
            is_left = write_spool(directory, session.ledger.public_id, content)
            # Where no broker has ever been one may come, but nobody waits or is warned for it.
            if is_left or not session.was_welcomed:
                return
            time.sleep(SPOOL_PAUSE)
        logger.warning("no broker has the last endings, and they cannot be left in %s", directory)

    def _say_last_words(self, now: float) -> None:
        """What nobody will acknowledge in time may arrive all the same."""
        session = self.session
        if self._control is None or session.has_stopped or not session.has_said_hello:
            return
        self._control.linger = LINGER_AT_END
        # Without a welcome none of it has been sent: behind the hello it is as good as after it.
        frames = [session.goodbye()] if session.is_welcomed else spool_frames(session, now)[1:]
        for frame in frames:
            if not self._sent(self._control, frame):
                return

    def _close_sockets(self) -> None:
        if self._handshakes is not None:
            self._handshakes.close()
            self._handshakes = None
        for socket in (self._control, self._reports):
            if socket is not None:
                socket.close()
        if self._context is not None:
            self._context.term()
        self._context = self._control = self._reports = None
