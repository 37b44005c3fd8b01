"""rich's progress bars, reported as well: `from progressbus.rich import Progress, track`.

The display is rich's own, and whatever else `rich.progress` has is here by the same name. Nothing
is added to an advance: the reporting thread looks at the bars, once a tick and only while a broker
is there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from operator import length_hint
from types import FunctionType
from typing import Any, TypeVar, cast

import rich.progress as _rich
from rich.errors import MarkupError
from rich.text import Text

from . import _current, _left, _workers
from ._bus import Bus
from ._generated import progressbus_pb2 as wire
from ._process import program_name
from ._tracked import begun_here, stopped_early

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])

# Seconds that a bar has to be full before its task ends: its total may be about to grow.
PATIENCE = 1.0


class _Bar:
    """A bar of rich and its task on the bus."""

    def __init__(self, bar: _rich.Task, progress: Progress) -> None:
        self.bar = bar
        # What is being handled already is not what this bar ends with.
        self._handled_before = sys.exc_info()[1]
        self._full: tuple[float, float] | None = None
        self._ended_full = False
        self._is_left = False
        self._description = bar.description
        outside = progress.outside if progress.outside and not progress.outside.has_ended else None
        parent = _current.current() or outside
        self.task = begun_here(_title(bar) or program_name(), progress.bus, {}, parent)
        state = self.task._state
        state.counts_itself = True
        state.unit = progress.unit
        state.sample = self._look
        self._look()
        self.task._bus.sampled(state)

    def _look(self) -> None:
        """Copies the bar's numbers and words into the task, and ends what has long been full."""
        state, bar = self.task._state, self.bar
        state.completed, state.total = bar.completed, bar.total
        if bar.description != self._description:
            self._description = bar.description
            self.task.title = _title(bar) or self.task.title
        if not bar.finished:
            self._full = None
        elif self._full is None:
            self._full = time.monotonic(), time.time()
        elif time.monotonic() > self._full[0] + PATIENCE:
            at, self._full = self._full, None
            self._ended_full = True
            self.task._bus.end(state, wire.STATED_STATE_SUCCEEDED, "", at)

    @property
    def is_over(self) -> bool:
        """Whether the task has ended, or is about to."""
        return self._is_left or self.task.has_ended

    @property
    def has_grown(self) -> bool:
        """Whether the bar has more to do since the task ended because it was full."""
        return self._ended_full and not self.bar.finished

    def end(self, error: BaseException | None) -> None:
        """Ends the task: succeeded if the bar is full, else as the exception says."""
        if error is self._handled_before:
            error = None
        if error is not None:
            _left.explain(error)
        if not self._is_left:
            self.task.end_with(None if self.bar.finished else error)

    def leave_early(self) -> None:
        """The loop over its items was left, perhaps by an exception that is on its way."""
        if self.bar.finished:
            self.task.succeed()
        else:
            self._is_left = True
            _left.leave_early(self.task, self._left_after())

    def remove(self, error: BaseException | None) -> None:
        """The bar is taken off the display; one with more to do has not succeeded."""
        has_more = not self.bar.finished and self.bar.total is not None
        if error is None and has_more and not self._is_left:
            self.task.cancel("the bar was removed: " + self._left_after())
        else:
            self.end(error)

    def _left_after(self) -> str:
        return stopped_early(self.bar.completed, self.bar.total)


class Progress(_rich.Progress):
    """rich's `Progress`, each bar of which is also a task. Any thread may use it.

    It takes what rich's takes, and `bus`. A bar is a child of the task that is open where it is
    added, or else where its `Progress` was made; without one it is a job. The task ends when the
    bar has been full for a second, and with `stop_task`, `stop` and the end of the `with` block,
    failed if an exception leaves that. A bar that is reset then is another task. With
    `disable=True` nothing is reported.
    """

    def __init__(
        self, *columns: str | _rich.ProgressColumn, bus: Bus | None = None, **options: Any
    ) -> None:
        super().__init__(*columns, **options)
        self.bus = bus
        self.outside = _current.current()
        sizes = _rich.DownloadColumn, _rich.FileSizeColumn, _rich.TransferSpeedColumn
        self.unit = "bytes" if any(isinstance(column, sizes) for column in self.columns) else ""
        self._bars: dict[_rich.TaskID, _Bar] = {}

    def add_task(self, description: str, *args: Any, **options: Any) -> _rich.TaskID:
        task_id = super().add_task(description, *args, **options)
        if not self.disable:
            self._bars[task_id] = _Bar(self._tasks[task_id], self)
        return task_id

    def update(self, task_id: _rich.TaskID, **options: Any) -> None:
        super().update(task_id, **options)
        bar = self._bars.get(task_id)
        if bar is not None and bar.has_grown:
            self._bars[task_id] = _Bar(bar.bar, self)

    def reset(self, task_id: _rich.TaskID, **options: Any) -> None:
        super().reset(task_id, **options)
        bar = self._bars.get(task_id)
        if bar is not None and bar.is_over:
            self._bars[task_id] = _Bar(bar.bar, self)

    def stop_task(self, task_id: _rich.TaskID) -> None:
        super().stop_task(task_id)
        bar = self._bars.get(task_id)
        if bar is not None:
            bar.end(sys.exc_info()[1])

    def remove_task(self, task_id: _rich.TaskID) -> None:
        super().remove_task(task_id)
        bar = self._bars.pop(task_id, None)
        if bar is not None:
            bar.remove(sys.exc_info()[1])

    def stop(self) -> None:
        """Stops the display, as the end of the `with` block does, and ends the tasks."""
        super().stop()
        for bar in list(self._bars.values()):
            bar.end(sys.exc_info()[1])

    def track(
        self,
        sequence: Iterable[Item],
        total: float | None = None,
        completed: int = 0,
        task_id: _rich.TaskID | None = None,
        description: str = "Working...",
        update_period: float = 0.1,
    ) -> Iterator[Item]:
        """As rich's; what begins in the loop is a child, and adds nothing to the bar's fraction."""
        is_own = task_id is None
        if total is None:
            total = float(length_hint(sequence)) or None
        if task_id is None:
            task_id = self.add_task(description, total=total, completed=completed)
        items = super().track(sequence, total, completed, task_id, description, update_period)
        bar = self._bars.get(task_id)
        if bar is None:
            yield from items
            return
        _workers.hand_on()
        _current.enter(bar.task)
        try:
            yield from items
        except GeneratorExit:
            bar.leave_early()
            raise
        except BaseException as error:
            bar.end(error)
            raise
        else:
            if is_own:
                bar.end(None)
        finally:
            _current.leave(bar.task)


def _title(bar: _rich.Task) -> str:
    """The description without its colours."""
    try:
        return Text.from_markup(bar.description).plain.strip()
    except MarkupError:
        return bar.description.strip()


def _reported(function: Function) -> Function:
    """rich's own function, showing its bar in a `Progress` of this module."""
    original = cast(FunctionType, function)
    names = {**original.__globals__, "Progress": Progress}
    copy = FunctionType(original.__code__, names, original.__name__, original.__defaults__)
    copy.__kwdefaults__, copy.__doc__ = original.__kwdefaults__, original.__doc__
    return cast(Function, copy)


track = _reported(_rich.track)
open = _reported(_rich.open)
wrap_file = _reported(_rich.wrap_file)


def __getattr__(name: str) -> Any:
    """Columns and all else, so that one import is all that a program changes."""
    return getattr(_rich, name)
