"""Awaiting several things at once, with progress."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from ._bus import Bus
from ._handover import Parent
from ._options import Options
from ._task import Task
from ._tracked import begun_here

if TYPE_CHECKING:
    from typing_extensions import Unpack

Result = TypeVar("Result")


@overload
async def gather(
    title: str,
    *awaitables: Awaitable[Result],
    return_exceptions: Literal[False] = False,
    parent: Task | Parent | None = None,
    bus: Bus | None = None,
    **options: Unpack[Options],
) -> list[Result]: ...


@overload
async def gather(
    title: str,
    *awaitables: Awaitable[Result],
    return_exceptions: bool,
    parent: Task | Parent | None = None,
    bus: Bus | None = None,
    **options: Unpack[Options],
) -> list[Result | BaseException]: ...


async def gather(
    title: str,
    *awaitables: Awaitable[Result],
    return_exceptions: bool = False,
    parent: Task | Parent | None = None,
    bus: Bus | None = None,
    **options: Unpack[Options],
) -> list[Result] | list[Result | BaseException]:
    """Awaits all of them as `asyncio.gather` does, one unit of progress each.

    The task begins when this is awaited: below `parent`, else below the innermost task that is open
    around the caller, else as a job. What the awaitables begin is below it. It ends with what
    `asyncio.gather` returns or raises, and is cancelled when this is. With `return_exceptions` its
    detail says how many have failed.
    """
    # Importing it takes longer than all of this package.
    import asyncio

    unique = dict.fromkeys(awaitables)
    options.setdefault("total", len(unique))
    with begun_here(title, bus, options, parent) as task:
        task._state.counts_itself = True
        # In here, so that they take along what is open.
        futures = {each: asyncio.ensure_future(each) for each in unique}
        for future in futures.values():
            future.add_done_callback(lambda _: task.advance())
        results = await asyncio.gather(
            *(futures[each] for each in awaitables), return_exceptions=return_exceptions
        )
        failed = sum(isinstance(result, BaseException) for result in results)
        if failed and return_exceptions:
            task.detail = f"{failed} failed"
        return results
