"""What one step of progress costs with tqdm and rich: a JSON object of figures; see Tools/Benchmarks/bench.

peers.py [--quick]
"""

from __future__ import annotations

import io
import json
import statistics
import sys
import time
from collections.abc import Callable

import rich.console
import rich.progress
import tqdm


def nanoseconds(function: Callable[[], object], steps: int) -> float:
    began = time.perf_counter_ns()
    for _ in range(steps):
        function()
    return (time.perf_counter_ns() - began) / steps


def figure(values: list[float]) -> dict[str, object]:
    return {
        "unit": "ns", "median": statistics.median(values), "least": min(values),
        "greatest": max(values),
    }


def main() -> None:
    steps, rounds = (1_000, 2) if "--quick" in sys.argv else (100_000, 7)
    results: dict[str, list[float]] = {}
    for _ in range(rounds):
        # What they draw goes nowhere: drawing at their own pace is a part of the step.
        with tqdm.tqdm(total=steps, file=io.StringIO()) as bar:
            results.setdefault("tqdm, update()", []).append(nanoseconds(bar.update, steps))
        console = rich.console.Console(file=io.StringIO(), force_terminal=True)
        with rich.progress.Progress(console=console) as progress:
            task = progress.add_task("Measure", total=steps)
            results.setdefault("rich, advance()", []).append(
                nanoseconds(lambda: progress.advance(task), steps)
            )
    print(json.dumps({name: figure(values) for name, values in results.items()}))


if __name__ == "__main__":
    main()
