"""Iterating with progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, TypeVar

from . import _current, _left, _workers
from ._bus import Bus, default_bus
from ._handover import Parent
from ._options import Options
from ._process import program_name
from ._task import Task

if TYPE_CHECKING:
    from typing_extensions import Unpack

Item = TypeVar("Item")


def begun_here(
    title: str, bus: Bus | None, options: Options, parent: Task | Parent | None = None
) -> Task:
    """Begins a task below what is open around the caller, else as a job. It adds nothing to a task
    that counts its own rounds."""
    bus = bus or default_bus()
    parent = parent or _current.current()
    if parent is None:
        return bus.job(title, **options)
    return parent.child(title, share=0 if parent.counts_itself else None, **options)


def tracked(
    iterable: Iterable[Item],
    title: str = "",
    parent: Task | Parent | None = None,
    bus: Bus | None = None,
    **options: Unpack[Options],
) -> Iterator[Item]:
    """The items of `iterable`, one unit of progress each.

    The task begins with the first item asked for: below `parent`, else below the innermost task
    that is open around the caller, else as a job. It succeeds at the end, fails where the iterable
    raises, and is cancelled where the loop is left before, be it by `break` or by an exception:
    Python does not tell the iterator which. `total` is the iterable's length if it has one.
    """
    if "total" not in options and isinstance(iterable, Sized):
        options["total"] = len(iterable)
    task = begun_here(title or program_name(), bus, options, parent)
    state = task._state
    state.counts_itself = True
    _workers.hand_on()
    _current.enter(task)
    try:
        for item in iterable:
            yield item
            state.completed += 1
            if not state.marked:
                state.mark()
    except GeneratorExit:
        _left.leave_early(task, stopped_early(state.completed, state.total))
        raise
    except BaseException as error:
        task.end_with(error)
        raise
    else:
        task.succeed()
    finally:
        _current.leave(task)


def stopped_early(completed: float, total: float | None) -> str:
    """The reason of a loop that was left before its end."""
    of = "" if total is None else f" of {total:g}"
    return f"the loop was left after {completed:g}{of}"
