"""Numbers as this tool says them, and how the speed of workers is judged."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import Ledger
from verdict import Verdict

# The median of a step may be that much longer, and so many seconds are no matter: the machine,
# which others use too, is no better.
RATIO = 1.5
LITTLE = 0.001
# A call that waited for the network would take seconds.
LONGEST = 0.5


def rank(values: Sequence[float], share: float) -> float:
    """The value below which that share of all lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def seconds(values: Sequence[float]) -> str:
    """The median, the 99th of 100, the worst, and how many they are."""
    ranks = ", ".join(f"{name} {rank(values, share):.2f} s" for name, share in (
        ("p50", 0.5), ("p99", 0.99), ("worst", 1.0)
    ))  # fmt: skip
    return f"{ranks} of {len(values)}"


def lateness(said: list[float], seen: list[tuple[float, int]]) -> list[float]:
    """How long after each change it, or a later one, was seen."""
    late = []
    for number, when in enumerate(said, 1):
        found = next((at for at, completed in seen if completed >= number), None)
        if found is not None:
            late.append(max(0.0, found - when))
    return late


def judge_pace(
    verdict: Verdict,
    ledger: Ledger,
    good: tuple[float, float],
    bad: tuple[float, float],
    what: str,
) -> None:
    """A worker's steps on a bad link beside those on a good one: no step may wait for the link."""
    before, during = ledger.durations(*good), ledger.durations(*bad)
    if not verdict.holds(before and during, f"{ledger.name} has made no steps {what}"):
        return
    usual, now = rank(before, 0.5), rank(during, 0.5)
    ratio = now / usual
    slow = max(during)
    verdict.figure(
        f"{ledger.name}: a step {what}",
        f"{ratio:.2f} of one before (p50 {now * 1000:.2f} ms, "
        f"p99 {rank(during, 0.99) * 1000:.1f} ms, longest {slow * 1000:.0f} ms; "
        f"before {max(before) * 1000:.0f} ms)",
    )
    verdict.holds(
        ratio <= RATIO or now - usual <= LITTLE,
        f"{ledger.name}: {what} the median step takes {ratio:.2f} of one before",
    )
    verdict.holds(
        slow <= max(LONGEST, 3 * max(before)),
        f"{ledger.name}: {what} a step took {slow:.1f} s, and {max(before):.1f} s at most before",
    )
