"""joblib's `Parallel`, reported: `from progressbus.joblib import Parallel, delayed`.

Whatever else `joblib` has is here by the same name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import joblib
from joblib import delayed

from . import _left
from ._bus import Bus
from ._process import program_name
from ._task import Task
from ._tracked import begun_here, stopped_early
from ._workers import Inside

__all__ = ["Parallel", "delayed"]


class Parallel(joblib.Parallel):  # type: ignore[misc]  # joblib has no types
    """joblib's `Parallel`, each call of which is also a task that counts what is done.

    It takes what joblib's takes, and `title`, `unit`, `bus` and, for a generator, `total`: without
    it the total is known when the last item has been handed out. What begins in a worker, of any
    backend, is a child that adds nothing to the fraction. The task ends with the call, or with the
    generator that the call returns: it succeeds at the end, fails where that raises, and is
    cancelled where the generator is dropped before.
    """

    def __init__(
        self,
        *arguments: Any,
        title: str = "",
        total: float | None = None,
        unit: str = "",
        bus: Bus | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*arguments, **named)
        self._title, self._total, self._unit, self._bus = title, total, unit, bus
        self._task: Task | None = None

    def __call__(self, iterable: Iterable[Any]) -> Any:
        title, total = self._title or program_name(), self._total
        is_sized = hasattr(iterable, "__len__")
        if is_sized:
            total = len(iterable)  # type: ignore[arg-type]
        task = begun_here(title, self._bus, {"total": total, "unit": self._unit})
        task._state.counts_itself = True
        self._task = task
        calls: Iterable[Any] = _inside(task, iterable)
        if is_sized:
            calls = list(calls)  # `verbose` says how many there are
        if self.return_generator:
            results = self._handed_out(task, calls)
            next(results)
            return results
        with task:
            found = super().__call__(calls)
            # The callback of the last batch may come later than its results.
            task.completed = len(found)
        return found

    def _handed_out(self, task: Task, calls: Iterable[Any]) -> Iterator[Any]:
        number = 0
        try:
            results = super().__call__(calls)
            yield  # to nobody: the work begins with the call, as joblib's does
            for result in results:
                number += 1
                yield result
        except GeneratorExit:
            _left.leave_early(task, stopped_early(task.completed, task.total))
            raise
        except BaseException as error:
            task.end_with(error)
            raise
        task.completed = number
        task.succeed()

    def print_progress(self) -> None:
        """What joblib calls, by any thread, whenever some of the work has been done."""
        super().print_progress()
        if self._task is not None:
            self._task.completed = self.n_completed_tasks


def _inside(task: Task, calls: Iterable[Any]) -> Iterator[Any]:
    """The calls that `delayed` has made, inside the task; counts them for its total."""
    number = 0
    for function, arguments, named in calls:
        number += 1
        yield Inside(function, task), arguments, named
    task.total = number


def __getattr__(name: str) -> Any:
    """All else, so that one import is all that a program changes."""
    return getattr(joblib, name)
