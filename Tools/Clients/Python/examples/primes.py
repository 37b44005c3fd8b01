"""Counts primes with an executor and with a pool; one line around the results reports each.

python examples/primes.py [PARTS]
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

from progressbus import tracked

PART = 2_000


def primes(part: int) -> int:
    """How many there are in one part."""
    found = 0
    for number in range(max(part * PART, 2), (part + 1) * PART):
        found += all(number % divisor for divisor in range(2, int(number**0.5) + 1))
    return found


def main() -> None:
    parts = int(sys.argv[1]) if len(sys.argv) > 1 else 8

    with ProcessPoolExecutor(2) as executor:
        results = executor.map(primes, range(parts))
        print(sum(tracked(results, "Count with an executor", total=parts, unit="parts")))

    with Pool(2) as pool:
        found = pool.imap_unordered(primes, range(parts))
        print(sum(tracked(found, "Count with a pool", total=parts, unit="parts")))


if __name__ == "__main__":
    main()
