"""Counts primes with joblib: only the import of `Parallel` was changed, and it got a title.

python examples/primes_joblib.py [PARTS]
"""

from __future__ import annotations

import sys

import progressbus
from progressbus.joblib import Parallel, delayed

PART = 2_000


def primes(part: int) -> int:
    """How many there are in one part; `tracked` begins a child of what `Parallel` has begun."""
    numbers = range(max(part * PART, 2), (part + 1) * PART)
    found = 0
    for number in progressbus.tracked(numbers, f"Part {part}"):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    work = (delayed(primes)(part) for part in range(parts))
    counts = Parallel(n_jobs=2, title="Count primes", total=parts, unit="parts")(work)
    print(sum(counts))


if __name__ == "__main__":
    main()
