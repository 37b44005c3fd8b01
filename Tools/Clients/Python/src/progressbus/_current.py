"""Which tasks are open around the code that runs: what begins by itself becomes their child."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._handover import Parent
    from ._task import Task


@dataclass
class Open:
    """A task that is open here, and the one around it."""

    task: Task | Parent
    outer: Open | None
    # False: open, but with nothing that shows what happens inside it (a bar updated by hand).
    is_scope: bool = True
    # Left, though it may not have ended yet.
    is_over: bool = False
    thread: int = field(default_factory=get_ident)


_innermost: ContextVar[Open | None] = ContextVar("progressbus_innermost", default=None)


def enter(task: Task | Parent, is_scope: bool = True) -> Open:
    """What begins from here on, in this thread or asyncio task, is inside the task."""
    entry = Open(task, next(around(), None), is_scope)
    _innermost.set(entry)
    return entry


@contextmanager
def inside(task: Task | Parent) -> Iterator[None]:
    """In the block only this task is open."""
    token = _innermost.set(Open(task, None))
    try:
        yield
    finally:
        _innermost.reset(token)


def leave(task: Task) -> None:
    """The task is over; those inside it that have been forgotten are skipped."""
    entry = _innermost.get()
    while entry is not None and entry.task is not task:
        entry = entry.outer
    if entry is not None:
        entry.is_over = True
    entry = _innermost.get()
    while entry is not None and (entry.is_over or entry.task.has_ended):
        entry = entry.outer
    _innermost.set(entry)


def around() -> Iterator[Open]:
    """The open tasks around the caller, innermost first."""
    entry = _innermost.get()
    while entry is not None:
        if not (entry.is_over or entry.task.has_ended):
            yield entry
        entry = entry.outer


def current() -> Task | Parent | None:
    """The innermost task that is open around the caller: in a worker of a pool or executor, and in
    a process that was started inside a task, it may be a `Parent`."""
    return next((entry.task for entry in around()), None)
