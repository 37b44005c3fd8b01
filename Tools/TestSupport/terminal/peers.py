#!/usr/bin/env python3
"""A progress bar library at work: peers.py tqdm|rich COUNT [HERTZ], until Ctrl-C.

So many bars, each advanced so often (20 times a second), with the library's own refresh settings;
they and the work share one process, as is usual for these libraries.
"""

from __future__ import annotations

import sys
import time

TOTAL = 10_000


def tqdm_bars(count: int):
    from tqdm import tqdm

    bars = [
        tqdm(total=TOTAL, desc=f"task {number + 1:03}", position=number) for number in range(count)
    ]
    return [bar.update for bar in bars]


def rich_bars(count: int):
    from rich.progress import Progress

    progress = Progress()
    tasks = [progress.add_task(f"task {number + 1:03}", total=TOTAL) for number in range(count)]
    progress.start()
    return [lambda step, task=task: progress.advance(task, step) for task in tasks]


def main() -> None:
    library, count = sys.argv[1], int(sys.argv[2])
    period = 1 / float(sys.argv[3] if len(sys.argv) > 3 else 20)
    advance = {"tqdm": tqdm_bars, "rich": rich_bars}[library](count)
    due = time.monotonic()
    while True:
        for step in advance:
            step(1)
        # Who is late does not catch up.
        due = max(due + period, time.monotonic())
        time.sleep(due - time.monotonic() if due > time.monotonic() else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
