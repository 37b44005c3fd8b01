"""A callback for training loops, by their protocol alone: no framework is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ._bus import Bus
from ._task import Task
from ._tracked import begun_here


class Trainer(Protocol):
    """What `Handler` looks at; all of it may be missing."""

    max_epochs: int | None
    num_training_batches: int | float
    current_epoch: int
    # The newest metrics, such as {"loss": 0.12}; values are numbers or have `item()`.
    callback_metrics: Mapping[str, Any]
    # Set where a viewer cancels the job: the trainer stops after the batch.
    should_stop: bool


class Handler:
    """Reports a training as a job, with a child for each epoch and its metrics as detail.

    The methods have the names and arguments that Lightning's Trainer calls; a loop of one's own
    calls the same. With Lightning: `class Reported(progressbus.training.Handler, Callback): pass`.
    """

    def __init__(self, title: str = "Train", bus: Bus | None = None, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._title = title
        self._bus = bus
        self._job: Task | None = None
        self._epoch: Task | None = None

    def on_train_start(self, trainer: Any, *_: Any) -> None:
        self._job = begun_here(self._title, self._bus, {"unit": "epochs"})
        self._job.total = known(getattr(trainer, "max_epochs", None))
        self._job.on_cancel(lambda: setattr(trainer, "should_stop", True))

    def on_train_epoch_start(self, trainer: Any, *_: Any) -> None:
        if self._job is None:
            return
        number = getattr(trainer, "current_epoch", 0) + 1
        # Worth one of the job's epochs.
        self._epoch = self._job.child(f"Epoch {number}", unit="batches")
        self._epoch.total = known(getattr(trainer, "num_training_batches", None))

    def on_train_batch_end(self, trainer: Any, *_: Any) -> None:
        if self._epoch is None:
            return
        self._epoch.advance()
        metrics = getattr(trainer, "callback_metrics", None)
        if metrics:
            self._epoch.detail = ", ".join(f"{name} {short(metrics[name])}" for name in metrics)

    def on_train_epoch_end(self, trainer: Any, *_: Any) -> None:
        if self._epoch is not None:
            self._epoch.succeed()

    def on_train_end(self, trainer: Any, *_: Any) -> None:
        if self._job is not None:
            if self._job.is_cancel_requested:
                self._job.cancel("cancelled by request")
            self._job.succeed()

    def on_exception(self, trainer: Any, module: Any, error: BaseException) -> None:
        for task in (self._epoch, self._job):
            if task is not None:
                task.end_with(error)


def known(number: Any) -> float | None:
    """None where there is no such number: Lightning says -1 or infinity for that."""
    is_known = isinstance(number, int | float) and 0 <= number < float("inf")
    return number if is_known else None


def short(value: Any) -> str:
    """Four digits of a number or of a tensor with one."""
    try:
        return f"{float(value.item() if hasattr(value, 'item') else value):.4g}"
    except (TypeError, ValueError):
        return str(value)
