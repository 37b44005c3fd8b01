"""tqdm's `thread_map` and `process_map` with bars that are reported.

What begins inside a worker is a child of the bar.
"""

from __future__ import annotations

from typing import Any

from tqdm.contrib import concurrent as _concurrent

from ..auto import tqdm as _tqdm

__all__ = ["process_map", "thread_map"]


def thread_map(function: Any, *iterables: Any, **kwargs: Any) -> list[Any]:
    """As `list(map(function, *iterables))` in threads, with a bar."""
    options = {"tqdm_class": _tqdm, **kwargs}
    return list(_concurrent.thread_map(function, *iterables, **options))


def process_map(function: Any, *iterables: Any, **kwargs: Any) -> list[Any]:
    """As `list(map(function, *iterables))` in processes, with a bar."""
    options = {"tqdm_class": _tqdm, **kwargs}
    return list(_concurrent.process_map(function, *iterables, **options))
