"""tqdm's bar for where the program runs, a notebook or not, asynchronous too; reported as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm as _tqdm_auto

from .asyncio import tqdm_asyncio

__all__ = ["tqdm", "trange"]

if TYPE_CHECKING:
    tqdm = tqdm_asyncio
else:

    class tqdm(tqdm_asyncio, _tqdm_auto):
        """A bar of `progressbus.tqdm` as tqdm shows it here."""


def trange(*args: int, **kwargs: Any) -> tqdm[int]:
    """As `tqdm(range(...))`."""
    return tqdm(range(*args), **kwargs)
