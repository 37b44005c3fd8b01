"""tqdm's `thread_map` and `process_map` with bars that are reported.

What begins inside a worker is a child of the bar. Processes that are not forked know nothing of it:
there it is a job.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import Context, copy_context
from typing import Any

from tqdm.contrib import concurrent as _concurrent

from ..auto import tqdm as _tqdm

__all__ = ["process_map", "thread_map"]


def thread_map(function: Any, *iterables: Any, **kwargs: Any) -> list[Any]:
    """As `list(map(function, *iterables))` in threads, with a bar."""
    options = {"tqdm_class": _tqdm, **kwargs}
    if not iterables:
        return list(_concurrent.thread_map(function, **options))

    def inside(*arguments: Any) -> Any:
        *own, context = arguments
        return context.run(function, *own)

    return list(_concurrent.thread_map(inside, *iterables, _contexts(), **options))


def process_map(function: Any, *iterables: Any, **kwargs: Any) -> list[Any]:
    """As `list(map(function, *iterables))` in processes, with a bar."""
    options = {"tqdm_class": _tqdm, **kwargs}
    return list(_concurrent.process_map(function, *iterables, **options))


def _contexts() -> Iterator[Context]:
    """Taken where the work is handed out, and that is inside the bar; a thread begins with none."""
    while True:
        yield copy_context()
