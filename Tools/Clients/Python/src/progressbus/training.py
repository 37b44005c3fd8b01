"""Reports a training: a handler for PyTorch's trainers, by what they call; none is imported.

Lightning and Transformers take a callback that is one of theirs as well:

    class Report(progressbus.training.Handler, lightning.pytorch.Callback): ...
    Trainer(callbacks=[Report("Train")])

ignite, and what else has `add_event_handler` and `state`: `Handler("Train").attach(engine)`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ._bus import Bus
from ._options import Options
from ._task import Task
from ._tracked import begun_here

if TYPE_CHECKING:
    from typing_extensions import Unpack

# Seconds between two looks at the metrics: to read one may be to wait for a GPU.
PERIOD = 0.5


class Handler:
    """Begins a task with a training, counts its batches or steps, and ends with it.

    The detail says `epoch 2 of 5, loss 0.123`. Of a distributed training the first process reports.
    An exception fails the task where the trainer tells of it; with Transformers the end of the
    program does. For one training at a time, on one thread.
    """

    def __init__(self, title: str = "Train", bus: Bus | None = None, **options: Unpack[Options]):
        self.task: Task | None = None
        self._title, self._bus, self._options = title, bus, options
        self._metrics_due = 0.0

    def begin(self, total: float | None, unit: str = "batches", completed: float = 0) -> None:
        """A training begins; one before it that has not ended is cancelled."""
        if self.task is not None:
            self.task.cancel("another training has begun")
        options: Options = {"total": total, "unit": unit, **self._options}
        self.task = begun_here(self._title, self._bus, options)
        self.task.completed, self._metrics_due = completed, 0.0

    def say(self, epoch: float, epochs: float | None, metrics: Mapping[str, Any]) -> None:
        """Shows those of the metrics that `float` takes; twice a second at most."""
        if self.task is None or time.monotonic() < self._metrics_due:
            return
        self._metrics_due = time.monotonic() + PERIOD
        words = f"epoch {round(epoch, 2):g}" + (f" of {epochs:g}" if epochs else "")
        for name, value in metrics.items():
            with suppress(TypeError, ValueError, RuntimeError):  # a text, a whole tensor
                words += f", {name} {float(value):.3g}"
        self.task.detail = words

    # Lightning. What is begun in no process but the first is nothing in the others.

    def on_train_start(self, trainer: Any, module: Any) -> None:
        if trainer.is_global_zero:
            epochs, batches = _known(trainer.max_epochs), _known(trainer.num_training_batches)
            done = trainer.current_epoch * (batches or 0)
            self.begin(epochs * batches if epochs and batches else None, completed=done)

    def on_train_batch_end(self, trainer: Any, *_: Any, **__: Any) -> None:
        if self.task is not None:
            self.task.advance()
            epochs = _known(trainer.max_epochs)
            self.say(trainer.current_epoch + 1, epochs, trainer.callback_metrics)

    def on_exception(self, trainer: Any, module: Any, exception: BaseException) -> None:
        if self.task is not None:
            self.task.end_with(exception)

    def on_train_end(self, *_: Any, **__: Any) -> None:
        """Of all three."""
        if self.task is not None:
            self.task.succeed()

    # Transformers.

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.is_world_process_zero:
            self.begin(_known(state.max_steps), "steps", state.global_step)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if self.task is not None:
            self.task.completed = state.global_step

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        metrics = {name: value for name, value in (logs or {}).items() if name != "epoch"}
        self.say(state.epoch or 0, _known(state.num_train_epochs), metrics)

    # ignite.

    def attach(self, engine: Any) -> None:
        """Has an engine call it."""
        engine.add_event_handler("STARTED", self._started)
        engine.add_event_handler("ITERATION_COMPLETED", self._iterated)
        engine.add_event_handler("COMPLETED", self.on_train_end)
        engine.add_event_handler("EXCEPTION_RAISED", self._raised)

    def _started(self, engine: Any) -> None:
        epochs, batches = _known(engine.state.max_epochs), _known(engine.state.epoch_length)
        self.begin(epochs * batches if epochs and batches else None)

    def _iterated(self, engine: Any) -> None:
        state = engine.state
        if self.task is not None:
            self.task.completed = state.iteration
        output = state.output if isinstance(state.output, Mapping) else {"loss": state.output}
        self.say(state.epoch, _known(state.max_epochs), {**output, **state.metrics})

    def _raised(self, engine: Any, error: BaseException) -> None:
        self.on_exception(engine, None, error)
        raise error  # as an engine does that has no handler for it


def _known(number: Any) -> float | None:
    """Trainers say None, -1 or infinity where they do not know."""
    return number if number is not None and 0 < number < math.inf else None
