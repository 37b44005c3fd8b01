"""`gather`: what `asyncio.gather` does, counted."""

from __future__ import annotations

import asyncio
import io

import pytest
from harness import EXAMPLES, Bench, child

import progressbus
from progressbus import Bus
from progressbus.tqdm import tqdm


async def number(value: int) -> int:
    await asyncio.sleep(0.001 * (5 - value))
    return value


async def failing(words: str) -> int:
    raise ValueError(words)


def test_example_shows_each_page_below_the_counted_task(bench: Bench) -> None:
    assert bench.run(str(EXAMPLES / "gather.py"), "5") == "35000 bytes\n"
    shown = bench.wait_for_job("Fetch", lambda job: job["state"] == "succeeded")
    assert (shown["completed"], shown["total"], shown["unit"]) == (5, 5, "pages")
    pages = sorted((task["title"], task["completed"]) for task in shown["children"])
    assert pages == [(f"page-{n}", 1000) for n in range(5)]


def test_results_come_in_order_and_each_is_counted(bench: Bench, bus: Bus) -> None:
    numbers = progressbus.gather("Numbers", *map(number, range(5)), bus=bus)
    assert asyncio.run(numbers) == [0, 1, 2, 3, 4]
    assert asyncio.run(progressbus.gather("Nothing", bus=bus)) == []
    assert bus.sync()
    assert (bench.job("Numbers")["state"], bench.job("Numbers")["completed"]) == ("succeeded", 5)
    assert bench.job("Nothing")["state"] == "succeeded"


def test_the_same_awaitable_twice_is_awaited_and_counted_once(bench: Bench, bus: Bus) -> None:
    async def main() -> list[int]:
        same, future = number(1), asyncio.ensure_future(number(2))
        return await progressbus.gather("Same", same, same, future, bus=bus)

    assert asyncio.run(main()) == [1, 1, 2]
    assert bus.sync()
    assert (bench.job("Same")["completed"], bench.job("Same")["total"]) == (2, 2)


def test_first_exception_is_raised_and_the_others_go_on(bench: Bench, bus: Bus) -> None:
    async def main() -> int:
        other = asyncio.ensure_future(number(3))
        with pytest.raises(ValueError, match="bad page"):
            await progressbus.gather("Fails", failing("bad page"), other, bus=bus)
        assert not other.done()
        return await other

    assert asyncio.run(main()) == 3
    assert bus.sync()
    shown = bench.job("Fails")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad page")


def test_returned_exceptions_are_counted_and_said(bench: Bench, bus: Bus) -> None:
    async def main() -> list[int | BaseException]:
        return await progressbus.gather(
            "Returns", number(1), failing("x"), failing("y"), return_exceptions=True, bus=bus
        )

    one, *errors = asyncio.run(main())
    assert (one, [str(error) for error in errors]) == (1, ["x", "y"])
    assert bus.sync()
    shown = bench.job("Returns")
    assert (shown["state"], shown["completed"], shown["detail"]) == ("succeeded", 3, "2 failed")


def test_cancelling_it_cancels_what_it_awaits(bench: Bench, bus: Bus) -> None:
    async def main() -> None:
        began = asyncio.Event()
        was_cancelled = False

        async def endless() -> None:
            nonlocal was_cancelled
            began.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                was_cancelled = True
                raise

        gathering = asyncio.ensure_future(progressbus.gather("Stops", endless(), bus=bus))
        await began.wait()
        gathering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gathering
        assert was_cancelled

    asyncio.run(main())
    assert bus.sync()
    assert bench.job("Stops")["state"] == "cancelled"


def test_nested_ones_are_below_their_own(bench: Bench, bus: Bus) -> None:
    async def group(name: str) -> None:
        await progressbus.gather(f"Group {name}", work(name), number(1), bus=bus)

    async def work(name: str) -> None:
        for _ in tqdm(range(2), desc=f"Bar {name}", bus=bus, file=io.StringIO()):
            await asyncio.sleep(0)

    async def main() -> None:
        with bus.job("Outer", total=1):
            await progressbus.gather("Groups", group("a"), group("b"), bus=bus)
        assert progressbus.current() is None

    asyncio.run(main())
    assert bus.sync()
    assert bench.job("Outer")["fraction"] == 1
    groups = child(bench.job("Outer"), "Groups")
    assert sorted(task["title"] for task in groups["children"]) == ["Group a", "Group b"]
    for name in "ab":
        inner = child(groups, f"Group {name}")["children"]
        assert [task["title"] for task in inner] == [f"Bar {name}"]


def test_asyncio_is_loaded_only_where_it_is_used(bench: Bench) -> None:
    optional = "{'asyncio', 'tqdm', 'rich', 'joblib', 'IPython'} & set(sys.modules)"
    assert bench.run("-c", f"import sys, progressbus; print({optional})") == "set()\n"
