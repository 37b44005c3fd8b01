"""What one step of progress costs: this package, its tqdm, and tqdm itself, in turn.

Tools/Clients/Python/measure [STEPS]
"""

from __future__ import annotations

import gc
import io
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import tqdm as original

import progressbus
from progressbus.tqdm import tqdm as reported

sys.path.insert(0, str(Path(__file__).parent / "tests"))
from harness import Bench, new_bench

ROUNDS = 9


def loop(items: Iterable[int]) -> float:
    """Nanoseconds for each item of a loop that does nothing."""
    count = 0
    began = time.perf_counter_ns()
    for _ in items:
        count += 1
    return (time.perf_counter_ns() - began) / count


def calls(function: Callable[[], object], steps: int) -> float:
    """Nanoseconds for each call."""
    numbers = range(steps)
    began = time.perf_counter_ns()
    for _ in numbers:
        function()
    return (time.perf_counter_ns() - began) / steps


def measure(bus: progressbus.Bus, steps: int) -> dict[str, list[float]]:
    """All of them once in each round, so that a machine that slows down does so for all."""
    results: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        results.setdefault(name, []).append(value)

    for _ in range(ROUNDS):
        gc.collect()
        note("loop that does nothing", loop(range(steps)))
        note("loop over tqdm", loop(original.tqdm(range(steps), file=io.StringIO())))
        note("loop over our tqdm", loop(reported(range(steps), file=io.StringIO(), bus=bus)))
        note("loop over tracked", loop(progressbus.tracked(range(steps), "Tracked", bus=bus)))
        with original.tqdm(total=steps, file=io.StringIO()) as bar:
            note("update() of tqdm", calls(bar.update, steps))
        with reported(total=steps, file=io.StringIO(), bus=bus) as ours:
            note("update() of our tqdm", calls(ours.update, steps))
        with bus.job("Advanced", total=steps) as job:
            note("advance()", calls(job.advance, steps))
    return results


def show(title: str, results: dict[str, list[float]]) -> None:
    print(f"{title}: nanoseconds, median (least to greatest) of {ROUNDS} rounds")
    for name, values in results.items():
        least, greatest = min(values), max(values)
        print(f"  {name:24} {statistics.median(values):6.0f}  ({least:.0f} to {greatest:.0f})")


def run(bench: Bench, steps: int, title: str) -> None:
    bus = progressbus.Bus(bench.endpoint)
    show(title, measure(bus, steps))
    bus.close()


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with new_bench() as bench:
        run(bench, steps, "without a broker")
        bench.start_broker()
        run(bench, steps, "with a broker")


if __name__ == "__main__":
    main()
