"""A training loop of one's own that calls a handler as Lightning's Trainer does.

It fits a line through points, by gradient descent: python examples/loop.py [EPOCHS]
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping

from progressbus.training import Handler


class LineFit:
    """What the handler looks at, beside the work."""

    def __init__(self, epochs: int) -> None:
        self.max_epochs: int | None = epochs
        self.num_training_batches: int | float = 40
        self.current_epoch = 0
        self.callback_metrics: Mapping[str, float] = {}
        self.should_stop = False
        self.slope = 0.0

    def fit(self, handler: Handler) -> None:
        dice = random.Random(1)
        handler.on_train_start(self)
        try:
            for epoch in range(self.max_epochs or 0):
                self.current_epoch = epoch
                handler.on_train_epoch_start(self)
                for _ in range(int(self.num_training_batches)):
                    x = dice.uniform(-1, 1)
                    error = self.slope * x - 3 * x
                    self.slope -= 0.1 * error * x
                    self.callback_metrics = {"loss": error * error}
                    handler.on_train_batch_end(self)
                    if self.should_stop:
                        break
                handler.on_train_epoch_end(self)
                if self.should_stop:
                    break
        except BaseException as error:
            handler.on_exception(self, None, error)
            raise
        handler.on_train_end(self)


def main() -> None:
    fit = LineFit(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    fit.fit(Handler("Fit a line"))
    print(f"slope {fit.slope:.2f}")


if __name__ == "__main__":
    main()
