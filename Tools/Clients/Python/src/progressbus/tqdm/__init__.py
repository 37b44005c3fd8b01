"""tqdm's bars, reported as well: `from progressbus.tqdm import tqdm, trange`.

The display is tqdm's own. Nothing is added to an iteration or an update: the reporting thread looks
at the bar, once a tick and only while a broker is there. What tqdm has in `tqdm.auto`,
`tqdm.asyncio`, `tqdm.contrib` and `tqdm.contrib.concurrent` is here by the same names.
"""

from __future__ import annotations

import io
import sys
import weakref
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

try:
    from tqdm import tqdm as _tqdm
except ModuleNotFoundError as error:
    sentence = "progressbus.tqdm needs tqdm: pip install tqdm"
    raise ModuleNotFoundError(sentence, name="tqdm") from error

from .. import _current, _left, _workers
from .._bus import Bus, default_bus
from .._process import program_name
from .._state import TaskState
from .._task import Task
from .._tracked import stopped_early

__all__ = ["tqdm", "trange"]

# A pool may be made before any bar; tqdm loads most of these itself.
for module in ("multiprocessing.pool", "concurrent.futures.process", "concurrent.futures.thread"):
    with suppress(ImportError):  # some systems have no semaphores
        import_module(module)
_workers.hand_on()

Item = TypeVar("Item")

if TYPE_CHECKING:
    from typing_extensions import Self

    class _Bar(_tqdm[Item]): ...

else:
    # Type checkers know tqdm as generic, and Python does not.
    class _Bar(_tqdm, Generic[Item]):
        pass


_tqdm_iteration = _tqdm.__iter__
_UNITS = {"it": "items", "B": "bytes"}


class _Nowhere(io.StringIO):
    """The file of a bar that is counted and not shown."""

    def write(self, text: str) -> int:
        return len(text)


class tqdm(_Bar[Item]):
    """A bar of tqdm that is also a task.

    It takes what tqdm takes, and `bus`. A bar inside the loop or the `with` block of another one is
    a child of it and adds nothing to its fraction, for the outer bar counts its own rounds. With
    `disable=True` nothing is reported; with `disable=None`, tqdm's way to show nothing unless on a
    terminal, the bar is reported whether it is shown or not.
    """

    @overload
    def __init__(
        self, iterable: Iterable[Item], *args: Any, bus: Bus | None = None, **kwargs: Any
    ) -> None: ...

    @overload
    def __init__(
        self: tqdm[NoReturn],
        iterable: None = None,
        *args: Any,
        bus: Bus | None = None,
        **kwargs: Any,
    ) -> None: ...

    def __init__(self, *args: Any, bus: Bus | None = None, **kwargs: Any) -> None:
        if kwargs.get("disable", False) is None:
            kwargs["disable"] = False
            if not _is_terminal(kwargs.get("file") or sys.stderr):
                kwargs["file"] = _Nowhere()
        super().__init__(*args, **kwargs)
        self._task: Task | None = None
        if self.disable:
            return
        # What is being handled already is not what this bar ends with.
        self._handled_before = sys.exc_info()[1]
        self._task = _begun(self, bus, has_position=kwargs.get("position") is not None)
        self._entry = _current.enter(self._task, is_scope=False)

    def __iter__(self) -> Iterator[Item]:
        if self._task is None:
            return super().__iter__()
        self._entry.is_scope = True
        # Those of notebooks and whoever has put another one in its place go on with theirs.
        if getattr(super().__iter__, "__func__", None) is not _tqdm_iteration:
            return super().__iter__()
        return self._items()

    def _items(self) -> Iterator[Item]:
        """What tqdm does in its own `__iter__`, in fewer steps: what reporting costs a loop is
        spared here."""
        bar: Any = self  # type checkers know neither its clock nor that it has filled in the rest
        interval = bar.mininterval
        shown, shown_n = bar.last_print_t, bar.last_print_n
        first = bar.start_t + bar.delay
        due = max(shown + interval, first)
        n, time = bar.n, bar._time
        try:
            for item in self.iterable:
                yield item
                n += 1
                # The last is tqdm's word for it: a sum may be rounded, and `update` counts what it
                # is given even if it takes the time for not yet come.
                if (
                    n - shown_n >= bar.miniters
                    and (now := time()) >= due
                    and now - shown >= interval
                ):
                    self.update(n - shown_n)
                    shown, shown_n = bar.last_print_t, bar.last_print_n
                    due = max(shown + interval, first)
        finally:
            self.n = n
            self.close()

    def __enter__(self) -> Self:
        if self._task is not None:
            self._entry.is_scope = True
        return super().__enter__()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if exc_value is not None:
            self._end(exc_value)
        super().__exit__(exc_type, exc_value, traceback)

    def close(self) -> None:
        """Closes the bar and ends its task: succeeded, or as the exception that is on its way."""
        super().close()
        error = sys.exc_info()[1]
        if isinstance(error, (StopIteration, StopAsyncIteration)):
            # How a loop over an asynchronous bar comes to its end.
            error = None
        self._end(None if error is getattr(self, "_handled_before", None) else error)

    def __del__(self) -> None:
        task = getattr(self, "_task", None)
        if task is not None and not task.has_ended and not self._is_complete:
            self._leave_early(task, "the bar was dropped: ")
        super().__del__()

    def _leave_early(self, task: Task, what: str = "") -> None:
        self._task = None
        self._entry.is_over = True
        _left.leave_early(task, what + stopped_early(self.n, self.total))

    @property
    def _is_complete(self) -> bool:
        return self.total is not None and self.n >= self.total

    def _end(self, error: BaseException | None) -> None:
        task = getattr(self, "_task", None)
        if task is None or task.has_ended:
            return
        if isinstance(error, GeneratorExit):
            # `break` in the last round, and before it.
            if self._is_complete:
                task.succeed()
            else:
                self._leave_early(task)
        else:
            if error is not None:
                _left.explain(error)
            task.end_with(error)
        _current.leave(task)


def trange(*args: int, **kwargs: Any) -> tqdm[int]:
    """As `tqdm(range(...))`."""
    return tqdm(range(*args), **kwargs)


def _is_terminal(file: object) -> bool:
    is_terminal = getattr(file, "isatty", None)
    # What cannot say is shown, as by tqdm.
    return is_terminal is None or bool(is_terminal())


def _begun(bar: tqdm[Any], bus: Bus | None, has_position: bool) -> Task:
    bus = bus or default_bus()
    title = _title(bar) or program_name()
    share: int | None = None
    parent = None
    for entry in _current.around():
        # Bars that were given positions and are updated by hand stand beside each other.
        if entry.is_scope or not has_position:
            parent = entry.task
            break
    if parent is not None:
        share = 0 if parent.counts_itself else None
        task = parent.child(title, share=share)
    else:
        # The title may change with every round; the job stays the same one.
        task = bus.job(title, key=title)
    state = task._state
    state.counts_itself = True
    state.unit = _UNITS.get(bar.unit, bar.unit)
    state.sample = _sampler(state, weakref.ref(bar), title)
    state.sample()
    bus.sampled(state)
    return task


def _title(bar: tqdm[Any]) -> str:
    return str(bar.desc or "").strip().removesuffix(":").strip()


def _sampler(state: TaskState, reference: weakref.ref[tqdm[Any]], first_title: str) -> Any:
    """What copies the bar's numbers and words into the task."""

    def sample() -> None:
        bar = reference()
        if bar is None:
            return
        state.completed, state.total = bar.n, bar.total
        state.detail = str(bar.postfix or "")
        title = _title(bar) or first_title
        if title != state.title:
            state.title = title
            state.revision += 1

    return sample
