"""Fits a line with an engine like that of ignite; a handler reports it.

python examples/training.py [EPOCHS]
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from progressbus.training import Handler

Batch = list[tuple[float, float]]


class Engine:
    """A training loop that calls handlers of its events."""

    def __init__(self, step: Callable[[Batch], float]) -> None:
        self.state = SimpleNamespace(iteration=0, epoch=0, output=None, metrics={})
        self._step = step
        self._handlers: defaultdict[str, list[Callable[..., Any]]] = defaultdict(list)

    def add_event_handler(self, event: str, handler: Callable[..., Any]) -> None:
        self._handlers[event].append(handler)

    def _fire(self, event: str, *arguments: object) -> None:
        for handler in self._handlers[event]:
            handler(self, *arguments)

    def run(self, batches: list[Batch], epochs: int) -> None:
        self.state.max_epochs, self.state.epoch_length = epochs, len(batches)
        try:
            self._fire("STARTED")
            for self.state.epoch in range(1, epochs + 1):
                for batch in batches:
                    self.state.output = self._step(batch)
                    self.state.iteration += 1
                    self._fire("ITERATION_COMPLETED")
        except Exception as error:
            self._fire("EXCEPTION_RAISED", error)
        else:
            self._fire("COMPLETED")


class Line:
    """y = slope * x + start, fitted by gradient descent."""

    slope = start = 0.0

    def fit(self, batch: Batch) -> float:
        """One step; the mean squared error before it."""
        errors = [(x, self.slope * x + self.start - y) for x, y in batch]
        self.slope -= 0.1 * sum(2 * error * x for x, error in errors) / len(batch)
        self.start -= 0.1 * sum(2 * error for _, error in errors) / len(batch)
        return sum(error * error for _, error in errors) / len(batch)


def main() -> None:
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    numbers = [random.random() for _ in range(64 * 100)]
    points = [(x, 3 * x + 1) for x in numbers]
    batches = [points[first : first + 64] for first in range(0, len(points), 64)]
    line = Line()
    engine = Engine(line.fit)
    Handler("Fit a line").attach(engine)
    engine.run(batches, epochs)
    print(f"{line.slope:.2f} x + {line.start:.2f}")


if __name__ == "__main__":
    main()
