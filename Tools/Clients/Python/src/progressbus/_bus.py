"""The bus of a process: begins tasks, owns the session and ends it."""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING

from . import _current, _endpoint, _exit, _left, _workers
from ._connection import Connection, WakeUp
from ._generated import progressbus_pb2 as wire
from ._handover import Parent, Ticket
from ._identity import TaskId, task_id, ticket_id
from ._ledger import Ledger
from ._options import Options, set_options
from ._process import program_name, this_process
from ._session import Session
from ._state import TaskState
from ._sync import SyncRequest
from ._task import Task

if TYPE_CHECKING:
    from typing_extensions import Unpack

VERSION = "0.1.0"

# For how long a broker may acknowledge nothing at the end of a process; less where it has been
# welcomed, because the spool keeps then what is not acknowledged. For how long one that goes on
# acknowledging is waited for. And what the file of the spool may take.
AT_EXIT = 0.1
AT_EXIT_UNWELCOMED = 0.25
AT_EXIT_LIMIT = 10.0
SPOOL_AT_EXIT = 3.0
# Seconds between two attempts to start the thread.
START_PAUSE = 0.25

logger = logging.getLogger("progressbus")


class Bus:
    """Begins jobs and reports them, from any thread.

    Nothing here waits for a broker but `sync` and `close`. Without one everything works and
    nothing is sent. A process that is forked has a session of its own as soon as it begins a task;
    what it inherited of its parent's is silent there.
    """

    def __init__(self, endpoint: str | None = None) -> None:
        """`endpoint` is `ipc:///DIRECTORY` or `tcp://HOST:PORT`; without one PROGRESSBUS_ENDPOINT
        decides, or it is the user's own. ValueError for one that is given and wrong."""
        self._is_mute = False
        self._has_objected = False
        self.endpoint = self._chosen(endpoint)
        self._begin_anew()
        _buses.add(self)

    def _begin_anew(self) -> None:
        """A session that nobody has heard of yet. The old one, after a fork, is left alone: its
        sockets belong to the other process."""
        # Reentrant: a signal handler may end a task while its thread is about to begin one.
        self._lock = threading.RLock()
        self._wake = WakeUp()
        self._ledger = Ledger(self._wake)
        self._wake.ledger = self._ledger
        self._connection: Connection | None = None
        self._start_due = 0.0
        self._has_complained = False
        self._is_closed = False

    def _chosen(self, given: str | None) -> _endpoint.Endpoint:
        if given is not None:
            return _endpoint.endpoint(given)
        try:
            return _endpoint.of_environment()
        except ValueError as error:
            logger.warning("PROGRESSBUS_ENDPOINT: %s; nothing is reported", error)
            self._is_mute = True
            return _endpoint.default_endpoint()

    # Tasks.

    def job(self, title: str, inherit: bool = True, **options: Unpack[Options]) -> Task:
        """Begins a job: a task of its own on the board. If this process was started as a part of
        another task, by `progressbus run` or with the environment of a ticket or a parent, it is
        that part, as by `inherited`; not with `inherit=False`, and not on another endpoint than
        that of the environment. In a worker it is a child of the task that was open where the
        worker was started or its work handed out."""
        for entry in _current.around() if inherit else ():
            if entry.task.is_elsewhere() and entry.task._bus is self:
                return entry.task.child(title, **options)
        task = self.inherited(title, **options) if inherit and self._has_inherited() else None
        return task or self.begin(title, options=options)

    def redeem(self, ticket: Ticket | str, title: str = "", **options: Unpack[Options]) -> Task:
        """Begins what a ticket has reserved, under its title unless another is given. ValueError
        for a text that is no ticket."""
        return self.begin(title, redeems=ticket_id(str(ticket)), options=options)

    def inherited(self, title: str = "", **options: Unpack[Options]) -> Task | None:
        """Begins the part of a task that the environment hands to this process; None if it does
        not. A ticket is for one task: it is taken out of the environment, and PROGRESSBUS_PARENT
        then has what comes later, here or in processes started from here, begin below that."""
        with self._lock:
            text = os.environ.pop("PROGRESSBUS_TICKET", "")
            try:
                ticket = ticket_id(text) if text else None
            except ValueError as error:
                logger.warning("PROGRESSBUS_TICKET: %s", error)
                ticket = None
            if ticket is not None:
                task = self.begin(title, redeems=ticket, options=options)
                os.environ["PROGRESSBUS_PARENT"] = task.id
                return task
        parent = self.inherited_parent()
        return None if parent is None else parent.child(title or program_name(), **options)

    def inherited_parent(self) -> Parent | None:
        """The task that PROGRESSBUS_PARENT names, for children of it; None if there is none."""
        text = os.environ.get("PROGRESSBUS_PARENT", "")
        # `progressbus begin` prints it where it cannot reach the bus.
        if text == "none":
            return None
        try:
            return Parent(self, task_id(text)) if text else None
        except ValueError as error:
            if not self._has_objected:
                self._has_objected = True
                logger.warning("PROGRESSBUS_PARENT: %s", error)
            return None

    def _has_inherited(self) -> bool:
        """Whether the environment names a task, and this bus is where that is."""
        if not (os.environ.get("PROGRESSBUS_TICKET") or os.environ.get("PROGRESSBUS_PARENT")):
            return False
        try:
            return self.endpoint == _endpoint.of_environment()
        except ValueError:
            return False

    def begin(
        self,
        title: str,
        parent: TaskState | TaskId | None = None,
        share: int | None = None,
        redeems: TaskId | None = None,
        ticket: bool = False,
        options: Options | None = None,
    ) -> Task:
        """Begins any kind of task; `job`, `child`, `ticket` and `redeem` are what programs call."""
        with self._lock:
            ledger = self._ledger
            is_shown = self._may_begin(parent)
            is_inside = isinstance(parent, TaskState) and parent.ledger is ledger
            index = ledger.next_index() if is_inside else _workers.next_index(ledger)
            state = TaskState(ledger, index, time.monotonic())
            state.title, state.share, state.is_ticket = str(title), share, ticket
            state.ticket_id = redeems
            set_options(state, options or Options())
            if isinstance(parent, TaskId):
                state.parent_id = parent
            elif parent is not None and parent.ledger is ledger:
                state.parent = parent
                state.cancel_asked = parent.cancel_asked
                # What somebody else does is where that is.
                state.host = state.host or ("" if ticket else parent.host)
            elif parent is not None:
                state.parent_id = TaskId(parent.index, parent.ledger.public_id)
            if is_shown:
                state.mark(urgent=ticket)
                self._start()
            else:
                # As if somebody were on the way to look: nobody ever will.
                state.marked = True
        return Task(self, state)

    @property
    def public_id(self) -> int:
        """The session's part of the names of its tasks."""
        return self._ledger.public_id

    def promise(self) -> Parent:
        """A bar that may be begun soon: those who work for it can name it already."""
        with self._lock:
            return Parent(self, TaskId(self._ledger.next_index(), self.public_id), True)

    def _may_begin(self, parent: TaskState | TaskId | None) -> bool:
        if self._is_mute or self._is_closed or self._ledger.full:
            return False
        if isinstance(parent, TaskState) and parent.has_ended:
            logger.warning("what begins below %r is not shown: it has ended before", parent.title)
            return False
        return True

    def _start(self) -> None:
        """Starts the thread with the first task, or with a later one if the system had no room."""
        if self._connection is not None or time.monotonic() < self._start_due:
            return
        client = f"{program_name()}, progressbus for Python {VERSION}"[:200]
        session = Session(self._ledger, this_process(), client)
        connection = Connection(self.endpoint, session, self._wake)
        if connection.start():
            self._connection = connection
            _started.add(self)
            _flush_at_end_of_worker()
        else:
            self._start_due = time.monotonic() + START_PAUSE
            if not self._has_complained:
                self._has_complained = True
                logger.warning("nothing is reported: no thread can be started; trying again")

    def sampled(self, state: TaskState) -> None:
        """A task now has a `sample`: the reporting thread calls it once a tick."""
        state.revision += 1
        state.mark()

    def end(
        self,
        state: TaskState,
        ending: wire.StatedState,
        reason: str,
        at: tuple[float, float] | None = None,
    ) -> None:
        """Ends a task, now or at that time of the monotonic clock and that Unix time; the first
        ending counts."""
        at = at or (time.monotonic(), time.time())
        with self._lock:
            if state.has_ended:
                return
            state.take_sample()
            if state.has_ended:
                return
            state.final_detail, state.final_amounts = state.detail, state.amounts()
            (state.ended, state.ended_at), state.reason = at, reason
            state.state = ending
            if state.ledger is self._ledger and not self._is_mute and not self._is_closed:
                self._start()
        # Jobs and what others wait for go at once; a child that has succeeded waits for the tick.
        state.mark(urgent=state.parent is None or ending != wire.STATED_STATE_SUCCEEDED)

    def pause(self, state: TaskState) -> None:
        """States that a task stands still."""
        with self._lock:
            if state.state == wire.STATED_STATE_RUNNING:
                state.paused_at = time.monotonic()
                state.state = wire.STATED_STATE_PAUSED
        state.mark()

    def resume(self, state: TaskState) -> None:
        """States that it goes on."""
        with self._lock:
            if state.state == wire.STATED_STATE_PAUSED:
                if state.paused_at is not None:
                    state.paused_seconds += time.monotonic() - state.paused_at
                state.paused_at = None
                state.state = wire.STATED_STATE_RUNNING
        state.mark()

    def log(self, state: TaskState, text: str, when: float) -> None:
        """Leaves a line for the next report; the oldest of too many go."""
        connection = self._connection
        if connection is not None and state.ledger is self._ledger:
            state.logged = True
            self._ledger.lines.append((state, text, when))
            state.mark()

    # Waiting.

    def sync(self, timeout: float = 5.0) -> bool:
        """Waits until the broker has everything said so far, endings on its disk; False if that
        took too long, or there is no broker."""
        _left.cancel_all()
        with self._lock:
            connection = self._connection
        if connection is None:
            return not self._ledger.marks
        if not connection.session.was_welcomed and not connection.may_reach_broker():
            return False
        request = SyncRequest()
        connection.sync(request)
        if connection.finished.is_set():
            return False
        request.done.wait(timeout)
        return request.is_ok

    def close(self, timeout: float = 5.0) -> bool:
        """Ends the session; True if a broker has every ending on its disk, False
        where PROGRESSBUS_ENDPOINT is no bus. What has not been ended
        counts as lost. Waits at most `timeout` seconds, and not where no broker has ever been;
        then until what is left is in the spool."""
        return self._close(timeout, timeout)

    def _close(self, patience: float, limit: float) -> bool:
        """Closes once the broker has acknowledged nothing for `patience` seconds, after `limit`
        seconds at the latest."""
        _left.cancel_all()
        with self._lock:
            connection, self._is_closed = self._connection, True
        if connection is None:
            return not self._is_mute and not self._ledger.marks
        has_been_there = connection.session.was_welcomed
        if not has_been_there and not connection.may_reach_broker():
            patience = limit = 0.0
        connection.leave(patience, limit)
        connection.finished.wait(limit + SPOOL_AT_EXIT)
        _started.discard(self)
        return connection.finished.is_set() and connection.is_settled

    def leave_at_exit(self, error: BaseException | None) -> None:
        """What the end of the process does: ends what nobody has ended, and `close` with little
        patience."""
        connection = self._connection
        if connection is None or self._is_closed:
            return
        connection.at_end = lambda tasks: _exit.end_all(tasks, error, self._end_with)
        if connection.session.is_welcomed:
            self._close(AT_EXIT, AT_EXIT_LIMIT)
        elif connection.may_reach_broker():
            self._close(AT_EXIT_UNWELCOMED, AT_EXIT_LIMIT)
        else:
            self._close(0.0, 0.0)

    def _end_with(self, state: TaskState, error: BaseException | None) -> None:
        Task(self, state).end_with(error)


# All of them begin anew after a fork; those with a session are kept until it has ended, whoever
# has dropped them, for what they have been told must arrive.
_buses: weakref.WeakSet[Bus] = weakref.WeakSet()
_started: set[Bus] = set()
_shared: dict[str, Bus] = {}
_shared_lock = threading.Lock()
_worker_flushes_for = 0


def default_bus() -> Bus:
    """The bus that everything uses that is given none: PROGRESSBUS_ENDPOINT, or the user's own."""
    return bus_at(None)


def bus_at(endpoint: str | None) -> Bus:
    """The one shared bus of this process at an endpoint."""
    with _shared_lock:
        key = endpoint or os.environ.get("PROGRESSBUS_ENDPOINT", "")
        bus = _shared.get(key)
        if bus is None:
            bus = Bus(endpoint)
            # The same one, whether it is named or comes from the environment.
            bus = _shared.setdefault(str(bus.endpoint), bus)
            _shared[key] = bus
        return bus


def leave_all() -> None:
    """Ends the sessions of this process."""
    error = _exit.error_at_exit()
    if error is not None:
        _left.explain(error)
    for bus in list(_started):
        bus.leave_at_exit(error)


def _flush_at_end_of_worker() -> None:
    """Workers of multiprocessing end without atexit, but not without its own finalizers."""
    global _worker_flushes_for
    process = sys.modules.get("multiprocessing.process")
    util = sys.modules.get("multiprocessing.util")
    if process is None or util is None or process.parent_process() is None:
        return
    if _worker_flushes_for != os.getpid():
        _worker_flushes_for = os.getpid()
        util.Finalize(None, leave_all, exitpriority=-1)


def _after_fork() -> None:
    global _shared_lock
    _shared_lock = threading.Lock()
    _started.clear()
    _left.forget_all()
    for bus in list(_buses):
        bus._begin_anew()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(leave_all)
_exit.watch()
