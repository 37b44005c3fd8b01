"""A ProcessPoolExecutor whose workers, begun with `spawn`, report children of one job.

python examples/executor.py [PARTS]
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import progressbus


def checksum(job: progressbus.Task | progressbus.Parent, part: int) -> int:
    """One part; `tracked` begins a child of what it is given."""
    total = 0
    for number in progressbus.tracked(range(20), title=f"Part {part}", parent=job):
        time.sleep(0.002)  # stands for the work
        total += number
    return total


def main() -> None:
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    context = multiprocessing.get_context("spawn")
    with (
        progressbus.job("Checksum the disk", total=parts, unit="parts") as job,
        ProcessPoolExecutor(max_workers=2, mp_context=context) as executor,
    ):
        results = [executor.submit(checksum, job, part) for part in range(parts)]
        for result in results:
            result.result()


if __name__ == "__main__":
    main()
