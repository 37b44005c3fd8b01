"""tqdm's `tenumerate`, `tzip` and `tmap` with bars that are reported."""

from __future__ import annotations

from typing import Any

from tqdm import contrib as _contrib

from ..auto import tqdm as _tqdm

__all__ = ["tenumerate", "tmap", "tzip"]


def tenumerate(iterable: Any, *args: Any, **kwargs: Any) -> Any:
    """As `enumerate`, with a bar."""
    return _contrib.tenumerate(iterable, *args, **{"tqdm_class": _tqdm, **kwargs})


def tzip(first: Any, *others: Any, **kwargs: Any) -> Any:
    """As `zip`, with a bar."""
    return _contrib.tzip(first, *others, **{"tqdm_class": _tqdm, **kwargs})


def tmap(function: Any, *sequences: Any, **kwargs: Any) -> Any:
    """As `map`, with a bar."""
    return _contrib.tmap(function, *sequences, **{"tqdm_class": _tqdm, **kwargs})
