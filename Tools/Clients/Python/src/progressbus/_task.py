"""Tasks as programs use them."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _current, _left, _workers
from ._generated import progressbus_pb2 as wire
from ._handover import Ticket, environment_with, restored_parent
from ._identity import TaskId
from ._options import Options, number, set_options, text
from ._reports import log_line
from ._state import Handler, TaskState

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._bus import Bus

# How often a paused task looks whether it may go on: about a tick.
_PAUSE_LOOK = 0.05


class Cancelled(Exception):
    """Somebody has asked to stop the work; raised by `Task.check`."""


class Task:
    """A piece of work that is reported. Any thread may use it; nothing here blocks or raises but
    `check`, and nothing is an error after the end.

    As a context manager it ends by itself: succeeded, failed with the exception as reason, or
    cancelled after `Cancelled`, `asyncio.CancelledError` or KeyboardInterrupt.
    """

    __slots__ = ("_bus", "_state")

    def __init__(self, bus: Bus, state: TaskState) -> None:
        self._bus = bus
        self._state = state

    # Progress.

    def advance(self, amount: int = 1) -> None:
        """Adds to `completed`. An addition without a lock: where several threads advance the same
        task on a Python without GIL, give each its own child."""
        state = self._state
        state.completed += amount
        if not state.marked:
            state.mark()

    @property
    def completed(self) -> float:
        """How many units are done; may be set."""
        return self._state.completed

    @completed.setter
    def completed(self, value: float) -> None:
        self._state.completed = number("completed", value) or 0
        self._state.mark()

    @property
    def total(self) -> float | None:
        """How many units there are; None: not known. May be set."""
        return self._state.total

    @total.setter
    def total(self, value: float | None) -> None:
        self._state.total = number("total", value)
        self._state.mark()

    @property
    def detail(self) -> str:
        """What it is doing, one line; may be set, costs what `advance` costs."""
        return self._state.detail

    @detail.setter
    def detail(self, value: str) -> None:
        self._state.detail = text(value)
        self._state.mark()

    @property
    def title(self) -> str:
        """What people read; may be set."""
        return self._state.title

    @title.setter
    def title(self, value: str) -> None:
        value = text(value)
        if value != self._state.title:
            self._state.title = value
            self._redescribed()

    def update(self, **options: Unpack[Options]) -> None:
        """Sets anything that a task may be begun with, but its title and its place in the tree."""
        set_options(self._state, options)
        self._redescribed()

    def log(self, line: str) -> None:
        """Says a line about the task, shown beside the tree; not acknowledged."""
        self._bus.log(self._state, *log_line(line))

    # The end.

    def succeed(self) -> None:
        """Ends it: done. The first ending counts."""
        self._end(wire.STATED_STATE_SUCCEEDED, "")

    def fail(self, reason: str = "") -> None:
        """Ends it: failed, with a sentence that says why."""
        self._end(wire.STATED_STATE_FAILED, reason)

    def cancel(self, reason: str = "") -> None:
        """Ends it: stopped on purpose."""
        self._end(wire.STATED_STATE_CANCELLED, reason)

    @property
    def has_ended(self) -> bool:
        """Whether one of these has been said."""
        return self._state.has_ended

    def end_with(self, error: BaseException | None) -> None:
        """Ends it as a `with` block that is left with this exception does."""
        if error is None or (isinstance(error, SystemExit) and error.code in (None, 0)):
            self.succeed()
        elif isinstance(error, Cancelled | KeyboardInterrupt | GeneratorExit) or (
            _is_cancelled_by_asyncio(error)
        ):
            self.cancel(str(error) or type(error).__name__)
        elif isinstance(error, SystemExit):
            is_number = isinstance(error.code, int)
            self.fail(f"exit status {error.code}" if is_number else str(error.code))
        else:
            self.fail(f"{type(error).__name__}: {error}".removesuffix(": "))

    def _end(self, state: wire.StatedState, reason: str) -> None:
        self._bus.end(self._state, state, reason)

    def __enter__(self) -> Self:
        _workers.hand_on()
        _current.enter(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None:
            _left.explain(error)
        self.end_with(error)
        _current.leave(self)

    # Below it.

    def child(self, title: str, share: int | None = None, **options: Unpack[Options]) -> Task:
        """Begins a part of it, worth `share` of its units: 1 if left out.

        In a process forked since the task began, and in one that it was pickled to, the child
        belongs to that process, and only there to this task.
        """
        return self._bus.begin(title, parent=self._state, share=share, options=options)

    def ticket(self, title: str, share: int | None = None, **options: Unpack[Options]) -> Ticket:
        """Reserves a child for another process to begin: see `Ticket`."""
        task = self._bus.begin(title, parent=self._state, share=share, options=options, ticket=True)
        return Ticket(task.task_id.ticket, str(self._bus.endpoint))

    @property
    def id(self) -> str:
        """The name by which commands and other processes find it, such as `2s-028q5cu4qnjff`."""
        return str(self.task_id)

    @property
    def task_id(self) -> TaskId:
        return TaskId(self._state.index, self._state.ledger.public_id)

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for processes that each begin a child of it; `base` or this process's
        own is extended."""
        return environment_with(base, self._bus.endpoint, PROGRESSBUS_PARENT=self.id)

    @property
    def counts_itself(self) -> bool:
        """Whether what begins by itself inside it adds nothing to it: it counts its own rounds."""
        return self._state.counts_itself

    def is_elsewhere(self) -> bool:
        """Whether it belongs to another process, from which this one was forked."""
        return self._state.ledger is not self._bus._ledger

    def __reduce__(self) -> tuple[Any, tuple[str, str, bool]]:
        # Another process cannot speak for the task, but it can begin children of it.
        return restored_parent, (str(self._bus.endpoint), self.id, self.counts_itself)

    # Requests.

    def check(self) -> None:
        """Raises `Cancelled` if somebody has asked to stop; waits while the task is paused.

        The first call states that the task is cancellable. It costs as little as `advance`.
        """
        state = self._state
        if not state.cancellable:
            self.update(cancellable=True)
        if state.pause_asked:
            self._stand_still()
        if state.cancel_asked:
            raise Cancelled("cancelled by request")

    def _stand_still(self) -> None:
        self.pause()
        while self._state.pause_asked and not self._state.cancel_asked:
            time.sleep(_PAUSE_LOOK)  # people pause for seconds: nothing is gained by an event
        self.resume()

    def pause(self) -> None:
        """Says that the work stands still."""
        self._bus.pause(self._state)

    def resume(self) -> None:
        """Says that it goes on."""
        self._bus.resume(self._state)

    @property
    def is_cancel_requested(self) -> bool:
        """Whether somebody has asked to stop it."""
        return self._state.cancel_asked

    def on_cancel(self, handler: Handler) -> None:
        """Has `handler` called once, on a thread of this package, when it is to stop; at once if
        that has been asked. States that the task is cancellable."""
        self._handle(wire.VERB_CANCEL, handler)
        self.update(cancellable=True)

    def on_pause(self, handler: Handler) -> None:
        """The same for pause; `pause()` says that the work stands still. States it as pausable."""
        self._handle(wire.VERB_PAUSE, handler)
        self.update(pausable=True)

    def on_resume(self, handler: Handler) -> None:
        """The same for resume; `resume()` says that it goes on."""
        self._handle(wire.VERB_RESUME, handler)
        self.update(pausable=True)

    def _handle(self, verb: wire.Verb, handler: Handler) -> None:
        state = self._state
        if verb == wire.VERB_CANCEL and state.cancel_asked:
            handler()
            return
        state.handlers.append((int(verb), handler))

    def _redescribed(self) -> None:
        self._state.revision += 1
        self._state.mark()

    def _ipython_display_(self) -> None:
        """What a notebook calls for the last line of a cell."""
        from .jupyter import show

        show(self)

    def __repr__(self) -> str:
        return f"<Task {self.id} {self.title!r}>"


def _is_cancelled_by_asyncio(error: BaseException) -> bool:
    # Importing asyncio takes longer than all of this package.
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and isinstance(error, asyncio.CancelledError)
