"""What workers of pools and executors, and processes that are not forked, know of the task around.

A function that is handed to a pool takes along the task that is open where that happens; what
begins in it, wherever it runs, is a child of that task. A forked process has all of it anyway; one
that is started otherwise is sent the task that is open where it is started.

In `for x in tqdm(pool.imap(f, xs))` the work is handed out before the bar is there. So the name of
the task that this thread begins next is chosen then. The pool's own thread, which sends the work,
looks for a moment whether one is begun; if so, it goes along.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any

from . import _current, _left

if TYPE_CHECKING:
    from ._handover import Parent
    from ._ledger import Ledger
    from ._task import Task

# How long the first work waits for a bar: since the last of it was handed out, and in all.
PAUSE = 0.1
LONGEST = 0.5

_modules = 0


class _Awaited:
    """The task that a thread is expected to begin next."""

    def __init__(self, parent: Parent) -> None:
        self.parent = parent
        self.begun = threading.Event()
        self.is_in_vain = False
        self._first = self.last = time.monotonic()

    def is_begun(self) -> bool:
        """Whether it has begun, within a moment; not by the thread that is to begin it."""
        while not (self.begun.is_set() or self.is_in_vain):
            left = min(self._first + LONGEST, self.last + PAUSE) - time.monotonic()
            self.is_in_vain = left <= 0
            self.begun.wait(max(left, 0))
        return self.begun.is_set()


class _Thread(threading.local):
    awaited: _Awaited | None = None


_thread = _Thread()


class Inside:
    """A function that is called inside a task, in whatever thread or process."""

    __slots__ = ("function", "parent")

    def __init__(self, function: Any, parent: Task | Parent) -> None:
        self.function = function
        self.parent = parent

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        with _current.inside(self.parent):
            try:
                return self.function(*arguments, **named)
            except BaseException as error:
                _left.explain(error)
                raise

    def __reduce__(self) -> tuple[Any, tuple[Any, Task | Parent]]:
        return Inside, (self.function, self.parent)


class _Soon:
    """A function that goes to another process, perhaps inside the task that is expected."""

    __slots__ = ("awaited", "function")

    def __init__(self, function: Any, awaited: _Awaited) -> None:
        self.function = function
        self.awaited = awaited

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if self.awaited.is_begun():
            return Inside, (self.function, self.awaited.parent)
        return _itself, (self.function,)


def _itself(function: Any) -> Any:
    return function


class _Start:
    """Sent along with a process: it begins inside the task."""

    def __init__(self, parent: Task | Parent) -> None:
        self.parent = parent

    def __reduce__(self) -> tuple[Any, tuple[Task | Parent]]:
        return _begin_inside, (self.parent,)


def _begin_inside(parent: Parent) -> None:
    _current.enter(parent)


def next_index(ledger: Ledger) -> int:
    """The number of a new task that has nothing of this process above it: the one that was chosen
    for it, if that was."""
    awaited, _thread.awaited = _thread.awaited, None
    if awaited is None or awaited.parent.task_id.session != ledger.public_id:
        return ledger.next_index()
    awaited.begun.set()
    return awaited.parent.task_id.index


def _await() -> _Awaited:
    from ._bus import default_bus

    awaited, bus = _thread.awaited, default_bus()
    if awaited is None or awaited.is_in_vain or awaited.parent.is_elsewhere():
        awaited = _thread.awaited = _Awaited(bus.promise())
    awaited.last = time.monotonic()
    return awaited


def hand_on() -> None:
    """Has pools, executors and processes do so, as far as the program has loaded their modules."""
    global _modules
    if _modules == len(sys.modules):  # for blocks that are entered in a loop
        return
    _modules = len(sys.modules)
    if "multiprocessing" in sys.modules:
        with suppress(ImportError):  # some systems have no semaphores
            from multiprocessing import pool, process

            names = ("apply_async", "map", "map_async", "starmap", "starmap_async")
            for name in (*names, "imap", "imap_unordered"):
                _replace(pool.Pool, name, _handing)
            _replace(process.BaseProcess, "start", _starting)
    for module, kind in (("process", "ProcessPoolExecutor"), ("thread", "ThreadPoolExecutor")):
        executors = sys.modules.get(f"concurrent.futures.{module}")
        if executors is not None:
            _replace(getattr(executors, kind), "submit", _handing)


def _replace(kind: Any, name: str, by: Callable[[Any], Any]) -> None:
    method = getattr(kind, name)
    if not hasattr(method, "__wrapped__"):
        setattr(kind, name, by(method))


def _handing(method: Any) -> Any:
    # Who calls the others waits for all results, or looks at them one by one without a loop.
    awaits = method.__name__ in ("imap", "imap_unordered", "submit")

    @wraps(method)
    def handed(self: Any, *arguments: Any, **named: Any) -> Any:
        if arguments:
            arguments = (_with_task(self, arguments[0], awaits), *arguments[1:])
        elif "func" in named:
            named["func"] = _with_task(self, named["func"], awaits)
        return method(self, *arguments, **named)

    return handed


def _with_task(pool: Any, function: Any, awaits: bool) -> Any:
    kinds = {kind.__name__ for kind in type(pool).__mro__}
    if "InterpreterPoolExecutor" in kinds:
        return function  # another interpreter need not be able to load this package
    entry = next(_current.around(), None)
    if entry is not None:
        return Inside(function, entry.task)
    if not awaits or not kinds.isdisjoint(("ThreadPool", "ThreadPoolExecutor")):
        return function
    # Who has once shown no bar is not expected to.
    former = getattr(pool, "_progressbus_awaited", None)
    if former is not None and former.is_in_vain:
        return function
    pool._progressbus_awaited = _await()
    return _Soon(function, pool._progressbus_awaited)


def _starting(method: Any) -> Any:
    @wraps(method)
    def start(self: Any) -> None:
        entry = next(_current.around(), None)
        if entry is not None:
            self._progressbus = _Start(entry.task)
        method(self)
        self.__dict__.pop("_progressbus", None)

    return start
