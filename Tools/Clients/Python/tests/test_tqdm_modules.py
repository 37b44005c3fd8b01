"""The other modules of tqdm: what a program gets that changes its import of one of them."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from multiprocessing import get_context
from typing import Any

import pytest
from harness import Bench

from progressbus import Bus
from progressbus.tqdm import asyncio as reported_asyncio
from progressbus.tqdm import auto, contrib
from progressbus.tqdm.contrib.concurrent import process_map, thread_map


async def rows(count: int, error: Exception | None = None) -> AsyncIterator[int]:
    for number in range(count):
        await asyncio.sleep(0)
        yield number
    if error is not None:
        raise error


def squared(number: int) -> int:
    return number * number


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("bad row")
    return number


def test_automatic_bar_is_a_job(bench: Bench, bus: Bus) -> None:
    file = io.StringIO()
    assert list(auto.tqdm("abc", desc="Auto", bus=bus, file=file)) == ["a", "b", "c"]
    assert sum(auto.trange(4, desc="Range", bus=bus, file=file)) == 6
    assert bus.sync()
    assert (bench.job("Auto")["state"], bench.job("Auto")["completed"]) == ("succeeded", 3)
    assert (bench.job("Range")["state"], bench.job("Range")["completed"]) == ("succeeded", 4)
    assert "Auto: 100%" in file.getvalue()


def test_asynchronous_loop_succeeds_at_its_end(bench: Bench, bus: Bus) -> None:
    async def main() -> list[tuple[int, str]]:
        file = io.StringIO()
        found = []
        async for outer in auto.tqdm(rows(3), desc="Outer", total=3, bus=bus, file=file):
            for inner in reported_asyncio.tqdm("ab", desc="Inner", bus=bus, file=file):
                found.append((outer, inner))
            async for _ in reported_asyncio.trange(2, desc="Range", bus=bus, file=file):
                pass
        return found

    assert asyncio.run(main()) == [(number, letter) for number in range(3) for letter in "ab"]
    assert bus.sync()
    outer = bench.job("Outer")
    assert (outer["state"], outer["completed"], outer["total"]) == ("succeeded", 3, 3)
    assert {task["state"] for task in outer["children"]} == {"succeeded"}
    assert len(outer["children"]) == 6


def test_asynchronous_loop_fails_as_its_source(bench: Bench, bus: Bus) -> None:
    async def main() -> None:
        source = rows(2, OSError("gone"))
        async for _ in auto.tqdm(source, desc="Fails", bus=bus, file=io.StringIO()):
            pass

    with pytest.raises(OSError, match="gone"):
        asyncio.run(main())
    assert bus.sync()
    assert (bench.job("Fails")["state"], bench.job("Fails")["reason"]) == (
        "failed",
        "OSError: gone",
    )


def test_gather_and_as_completed(bench: Bench, bus: Bus) -> None:
    async def one(number: int) -> int:
        await asyncio.sleep(0.001 * (5 - number))
        return number

    async def main() -> tuple[list[int], set[int]]:
        file = io.StringIO()
        words: dict[str, Any] = {"bus": bus, "file": file}
        all_of_them = await auto.tqdm.gather(*map(one, range(5)), desc="Gather", **words)
        each = auto.tqdm.as_completed([one(n) for n in range(4)], desc="Completed", **words)
        return all_of_them, {await future for future in each}

    assert asyncio.run(main()) == ([0, 1, 2, 3, 4], {0, 1, 2, 3})
    assert bus.sync()
    assert (bench.job("Gather")["state"], bench.job("Gather")["completed"]) == ("succeeded", 5)
    assert (bench.job("Completed")["state"], bench.job("Completed")["total"]) == ("succeeded", 4)


def test_enumerate_zip_and_map(bench: Bench, bus: Bus) -> None:
    words: dict[str, Any] = {"bus": bus, "file": io.StringIO()}
    assert list(contrib.tenumerate("ab", desc="Enumerate", **words)) == [(0, "a"), (1, "b")]
    assert list(contrib.tzip("ab", "cd", desc="Zip", **words)) == [("a", "c"), ("b", "d")]
    assert list(contrib.tmap(squared, [2, 3], desc="Map", **words)) == [4, 9]
    assert bus.sync()
    assert {job["title"]: job["completed"] for job in bench.jobs()} == {
        "Enumerate": 2,
        "Zip": 2,
        "Map": 2,
    }


@pytest.mark.parametrize("run", [thread_map, process_map])
def test_map_of_many_workers(bench: Bench, bus: Bus, run: Callable[..., list[int]]) -> None:
    words: dict[str, Any] = {"max_workers": 2, "bus": bus, "file": io.StringIO()}
    assert run(squared, range(20), desc="Squares", **words) == [n * n for n in range(20)]
    with pytest.raises(ValueError, match="bad row"):
        run(failing, range(4), desc="Failing", **words)
    assert bus.sync()
    squares = bench.job("Squares")
    assert (squares["state"], squares["completed"], squares["total"]) == ("succeeded", 20, 20)
    assert bench.job("Failing")["state"] == "failed"
    assert len(bench.jobs()) == 2


def nested(number: int) -> int:
    return sum(auto.tqdm(range(number), desc=f"Inner {number}", file=io.StringIO()))


@pytest.mark.parametrize("run", [thread_map, process_map])
def test_bars_of_workers_are_below_the_bar(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, run: Callable[..., list[int]]
) -> None:
    monkeypatch.setenv("PROGRESSBUS_ENDPOINT", bench.endpoint)
    context = {"mp_context": get_context("fork")} if run is process_map else {}
    file = io.StringIO()
    bus = Bus(bench.endpoint)
    assert run(nested, [2, 3], max_workers=2, desc="Outer", bus=bus, file=file, **context) == [1, 3]
    assert bus.sync()
    shown = bench.wait_for_job("Outer", lambda job: len(job["children"]) == 2)
    assert sorted(task["title"] for task in shown["children"]) == ["Inner 2", "Inner 3"]
    assert len(bench.jobs()) == 1
    bus.close(1)
