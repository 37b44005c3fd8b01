"""Loops that were left before their end, while it is open whether an exception has left them.

Python closes the iterator of a loop in the same way for `break` and for an exception that passes,
and does not say which. Where an exception arrives further out soon after, its traceback tells: it
names the place from which the iterator was closed.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from opcode import opmap
from types import CodeType, TracebackType
from typing import TYPE_CHECKING

from ._generated import progressbus_pb2 as wire

if TYPE_CHECKING:
    from ._task import Task

# How long an exception may take to get there, in seconds, and how many loops wait for theirs.
PATIENCE = 1.0
LOOPS = 100
# Where the iterator is closed, from the inside out.
FRAMES = 100

_RAISES = (opmap["RAISE_VARARGS"], opmap["RERAISE"])


class _Left:
    """A loop that was left: what it says if nothing else is heard."""

    def __init__(self, task: Task, reason: str) -> None:
        self.task = task
        self.reason = reason
        self.left = time.monotonic()
        self.left_at = time.time()
        self._places = _places()

    def explain(self, error: BaseException) -> None:
        """Ends the task as this exception does, if that is what has left the loop."""
        if self._is_left_by(error.__traceback__):
            self._settle()
            self.task.end_with(error)

    def look(self) -> None:
        """Nobody has said anything: it was left on purpose, or the exception was handled. But a
        program whose exception has been shown may still wait for its threads."""
        if time.monotonic() > self.left + PATIENCE:
            error = last_uncaught()
            if error is not None:
                self.explain(error)
            self.cancel()

    def cancel(self) -> None:
        self._settle()
        state = self.task._state
        self.task._bus.end(
            state, wire.STATED_STATE_CANCELLED, self.reason, at=(self.left, self.left_at)
        )

    def _settle(self) -> None:
        self.task._state.sample = None
        with contextlib.suppress(ValueError):  # another thread was faster, or there are too many
            _waiting.remove(self)

    def _is_left_by(self, traceback: TracebackType | None) -> bool:
        passed: dict[CodeType, set[int]] = {}
        while traceback is not None:
            passed.setdefault(traceback.tb_frame.f_code, set()).add(traceback.tb_lasti)
            traceback = traceback.tb_next
        for code, instruction in self._places:
            if code in passed:
                # An exception that is raised again has the place where it was raised first.
                return instruction in passed[code] or code.co_code[instruction] in _RAISES
        return False


_waiting: deque[_Left] = deque(maxlen=LOOPS)


def leave_early(task: Task, reason: str) -> None:
    """Has the task cancelled soon, with this reason, unless an exception explains it before."""
    left = _Left(task, reason)
    _waiting.append(left)
    state = task._state
    state.take_sample()
    state.sample = left.look  # by the reporting thread, once a tick
    task._bus.sampled(state)


def explain(error: BaseException) -> None:
    """An exception has arrived out here."""
    for left in list(_waiting):
        left.explain(error)


def cancel_all() -> None:
    """Nothing more is to be expected, or somebody waits for what is known now."""
    for left in list(_waiting):
        left.cancel()


def last_uncaught() -> BaseException | None:
    """The exception that the interpreter has shown last, of the main thread."""
    error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    return error if isinstance(error, BaseException) else None


def forget_all() -> None:
    """After a fork: the loops are those of another process."""
    _waiting.clear()


def _places() -> list[tuple[CodeType, int]]:
    places: list[tuple[CodeType, int]] = []
    frame = sys._getframe(1)
    while frame is not None and len(places) < FRAMES:
        places.append((frame.f_code, frame.f_lasti))
        if frame.f_back is None:
            break
        frame = frame.f_back
    return places
