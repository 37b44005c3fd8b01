"""Which tasks are open around the code that runs: what begins by itself becomes their child."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._task import Task


@dataclass
class Open:
    """A task that is open here, and the one around it."""

    task: Task
    outer: Open | None
    # False: open, but with nothing that shows what happens inside it (a bar updated by hand).
    is_scope: bool = True
    # Left, though it may not have ended yet.
    is_over: bool = False
    thread: int = field(default_factory=get_ident)


_innermost: ContextVar[Open | None] = ContextVar("progressbus_innermost", default=None)


def enter(task: Task, is_scope: bool = True) -> Open:
    """What begins from here on, in this thread or asyncio task, is inside the task."""
    entry = Open(task, next(around(), None), is_scope)
    _innermost.set(entry)
    return entry


def leave(task: Task) -> None:
    """The task is over; those inside it that have been forgotten are skipped."""
    for entry in around():
        if entry.task is task:
            entry.is_over = True
    _innermost.set(next(around(), None))


def around() -> Iterator[Open]:
    """The open tasks around the caller, innermost first."""
    entry = _innermost.get()
    while entry is not None:
        if not (entry.is_over or entry.task.has_ended):
            yield entry
        entry = entry.outer


def current() -> Task | None:
    """The innermost task that is open around the caller."""
    return next((entry.task for entry in around()), None)
