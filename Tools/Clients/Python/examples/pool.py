"""A multiprocessing.Pool whose workers report children of one job.

python examples/pool.py [PARTS]
"""

from __future__ import annotations

import multiprocessing
import sys
import time

import progressbus


def render(work: tuple[progressbus.Task | progressbus.Parent, int]) -> int:
    """One part. A task that was pickled arrives as its `Parent`: children can be begun below it."""
    movie, part = work
    with movie.child(f"Part {part}", total=20, unit="frames") as task:
        for _ in range(20):
            time.sleep(0.005)  # stands for the work
            task.advance()
    return part


def main() -> None:
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    with (
        progressbus.job("Render the movie", total=parts, unit="parts") as movie,
        multiprocessing.Pool(4) as pool,
    ):
        for _ in pool.imap_unordered(render, [(movie, part) for part in range(parts)]):
            pass
        # Leaving the block would end the workers by a signal, before they have left the bus.
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
