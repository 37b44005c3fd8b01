"""What the end of the program, or of a thread, says of tasks that nobody has ended."""

from __future__ import annotations

import builtins
import logging
import sys
import threading
from collections.abc import Callable, Collection
from typing import Any, NoReturn

from . import _current, _left
from ._fold import share
from ._generated import progressbus_pb2 as wire
from ._state import TaskState
from ._task import Task

logger = logging.getLogger("progressbus")

# Titles that one warning names.
_NAMED = 3

_status: Any = None


def error_at_exit() -> BaseException | None:
    """The exception that ends this process, SystemExit with what `sys.exit` was given included;
    None for a good end. Python does not tell who raises SystemExit in another way."""
    handled = sys.exc_info()[1]
    if handled is not None:  # a process of multiprocessing
        return handled
    last = _left.last_uncaught()
    if last is not None and _has_reached_the_top(last):
        return last
    return SystemExit(_status) if _status else None


def _has_reached_the_top(error: BaseException) -> bool:
    """Not one that an interactive shell or a toolkit has shown before it went on."""
    if hasattr(sys, "ps1") or error.__traceback__ is None:
        return False
    frame = error.__traceback__.tb_frame
    return frame.f_code.co_name == "<module>" or frame.f_globals.get("__name__") == "runpy"


def end_all(
    tasks: Collection[TaskState],
    error: BaseException | None,
    end: Callable[[TaskState, BaseException | None], None],
) -> None:
    """Ends what is left: by `error`, or as succeeded where all is done. What is not done stays as
    it is, and so does all above it: the broker cancels it, or takes it for lost if the program
    failed."""
    shares: dict[TaskState, int] = {}
    for task in tasks:
        if task.parent is not None and task.state == wire.STATED_STATE_SUCCEEDED:
            shares[task.parent] = shares.get(task.parent, 0) + share(task)
    unfinished: set[TaskState] = set()
    forgotten: list[str] = []
    # Parents begin before their children.
    for task in sorted(tasks, key=lambda task: task.index, reverse=True):
        if task.has_ended or task.is_ticket:
            continue
        task.take_sample()
        if error is None and (task in unfinished or not _is_done(task, shares.get(task, 0))):
            if task.parent is not None:
                unfinished.add(task.parent)
            continue
        end(task, error)
        if task.parent is not None and task.state == wire.STATED_STATE_SUCCEEDED:
            shares[task.parent] = shares.get(task.parent, 0) + share(task)
        if error is None and not task.counts_itself:  # nobody has to close a bar
            forgotten.append(task.title)
    if forgotten:
        _warn(forgotten[::-1])


def _is_done(task: TaskState, shares: int) -> bool:
    if task.children_begun < (task.expected_children or 0):
        return False
    if task.total is None:
        return True
    folded = 0 if task.fold is None else task.fold.weighted >> 50
    return task.completed + shares + folded >= task.total


def _warn(titles: list[str]) -> None:
    named = ", ".join(repr(title) for title in titles[:_NAMED])
    more = f" and {len(titles) - _NAMED} more" if len(titles) > _NAMED else ""
    logger.warning(
        "%s%s: taken as succeeded, as the program has come to a good end and all is done; say so"
        " by succeed() or a with block.",
        named,
        more,
    )


def watch() -> None:
    """Notes what this process and its threads end with."""
    exit_before, hook_before = sys.exit, threading.excepthook

    def exit(status: Any = None, /) -> NoReturn:
        _note(status)
        exit_before(status)

    def excepthook(arguments: Any, /) -> None:
        if arguments.exc_value is not None:
            _arrived(arguments.exc_value)
        hook_before(arguments)

    sys.exit = exit
    threading.excepthook = excepthook
    # `exit` and `quit`, which are there where the module site is.
    quitter: Any = type(getattr(builtins, "exit", None))
    if quitter.__name__ == "Quitter":
        quit_before = quitter.__call__

        def quit(self: Any, code: Any = None) -> NoReturn:
            _note(code)
            quit_before(self, code)
            raise SystemExit(code)  # never reached: it has been raised

        quitter.__call__ = quit


def _note(status: Any) -> None:
    global _status
    if threading.current_thread() is threading.main_thread():
        _status = status


def _arrived(error: BaseException) -> None:
    """An exception leaves this thread: what is open around it ends with it."""
    _left.explain(error)
    for entry in list(_current.around()):
        if isinstance(entry.task, Task) and entry.thread == threading.get_ident():
            entry.task.end_with(error)
