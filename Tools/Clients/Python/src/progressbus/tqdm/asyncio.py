"""tqdm's asynchronous bars, reported as well: `async for`, `as_completed`, `gather`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tqdm.asyncio import tqdm_asyncio as _tqdm_asyncio

from . import tqdm as _reported

__all__ = ["tarange", "tqdm", "tqdm_asyncio", "trange"]

Item = TypeVar("Item")

if TYPE_CHECKING:
    from typing_extensions import Self

    # The two know different generics; what is reported is the same.
    _Bar = _tqdm_asyncio[Item]
else:

    class _Bar(_reported[Item], _tqdm_asyncio):
        pass


class tqdm_asyncio(_Bar[Item]):
    """A bar of `progressbus.tqdm` that also goes through what is asynchronous."""

    def __aiter__(self) -> Self:
        entry = getattr(self, "_entry", None)
        if entry is not None:
            entry.is_scope = True
        return super().__aiter__()


def tarange(*args: int, **kwargs: Any) -> tqdm_asyncio[int]:
    """As `tqdm(range(...))`, asynchronous too."""
    return tqdm_asyncio(range(*args), **kwargs)


tqdm = tqdm_asyncio
trange = tarange
