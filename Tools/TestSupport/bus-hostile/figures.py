"""Numbers as this tool says them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wires import TICK


def rank(values: Sequence[float], share: float) -> float:
    """The value below which that share of all lies; 0 for none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


@dataclass
class Delays:
    """How long one kind of exchange took, in ticks."""

    count: int
    median: float
    p99: float
    worst: float
    unanswered: int

    @classmethod
    def of(cls, seconds: Sequence[float], unanswered: int) -> Delays:
        ticks = [value / TICK for value in seconds]
        return cls(
            len(ticks), rank(ticks, 0.5), rank(ticks, 0.99), max(ticks, default=0.0), unanswered
        )

    def __str__(self) -> str:
        return f"{self.median:7.2f} {self.p99:7.2f} {self.worst:7.2f}"


def mebibytes(count: float) -> str:
    """Bytes as people read them."""
    return f"{count / (1 << 20):.0f} MiB"
