"""The handler, with trainers that call it as Lightning, Transformers and ignite do."""

from __future__ import annotations

import math
import runpy
from types import SimpleNamespace
from typing import Any

import pytest
from harness import EXAMPLES, Bench

from progressbus import Bus, training
from progressbus.training import Handler


class Callback:
    """A trainer's own base class: every hook, and each does nothing."""

    state_key = "callback"

    def on_train_start(self, trainer: Any, module: Any) -> None: ...

    def on_validation_end(self, trainer: Any, module: Any) -> None: ...


class Report(Handler, Callback):
    """What a program makes of both."""


class Tensor:
    """A metric on some device: `float` takes it if it has one element."""

    def __init__(self, *values: float) -> None:
        self._values = values

    def __float__(self) -> float:
        if len(self._values) != 1:
            raise RuntimeError("a tensor with several elements cannot be converted to a scalar")
        return self._values[0]


@pytest.fixture(autouse=True)
def _only_the_first_metrics_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "PERIOD", 3600)


def lightning(callback: Any, fails_at: int | None = None, **known: Any) -> None:
    """Two epochs of three batches, called as by Lightning's trainer."""
    trainer = SimpleNamespace(is_global_zero=True, max_epochs=2, num_training_batches=3)
    trainer.current_epoch, trainer.callback_metrics = 0, {}
    vars(trainer).update(known)
    callback.on_train_start(trainer, None)
    try:
        for epoch in range(trainer.current_epoch, 2):
            trainer.current_epoch = epoch
            for batch in range(3):
                if batch == fails_at:
                    raise ValueError("bad row")
                trainer.callback_metrics = {"loss": Tensor(0.1234), "weights": Tensor(1, 2)}
                callback.on_train_batch_end(trainer, None, None, [batch], batch)
            callback.on_validation_end(trainer, None)
    except ValueError as error:
        callback.on_exception(trainer, None, error)
    else:
        callback.on_train_end(trainer, None)


def test_example_is_reported(bench: Bench) -> None:
    assert bench.run(str(EXAMPLES / "training.py"), "20") == "3.00 x + 1.00\n"
    shown = bench.wait_for_job("Fit a line", lambda job: job["state"] == "succeeded")
    assert (shown["completed"], shown["total"], shown["unit"]) == (2000, 2000, "batches")
    assert shown["detail"].startswith("epoch ")
    assert " of 20, loss " in shown["detail"]


def test_trainer_of_lightning_is_counted(bench: Bench, bus: Bus) -> None:
    lightning(Report("Train", bus, tint="green"))
    assert bus.sync()
    shown = bench.job("Train")
    assert (shown["state"], shown["completed"], shown["total"]) == ("succeeded", 6, 6)
    assert shown["detail"] == "epoch 1 of 2, loss 0.123"
    assert (shown["unit"], shown["tint"]) == ("batches", "green")


def test_exception_that_a_trainer_tells_of_fails_the_task(bench: Bench, bus: Bus) -> None:
    lightning(Report("Train", bus), fails_at=1)
    assert bus.sync()
    shown = bench.job("Train")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")


def test_training_without_an_end_has_no_total(bench: Bench, bus: Bus) -> None:
    lightning(Report("Endless", bus), num_training_batches=math.inf, max_epochs=-1)
    assert bus.sync()
    shown = bench.job("Endless")
    assert (shown["completed"], shown["total"]) == (6, None)
    assert shown["detail"].startswith("epoch 1, loss")


def test_training_goes_on_where_it_was(bench: Bench, bus: Bus) -> None:
    lightning(Report("Resumed", bus), current_epoch=1)
    assert bus.sync()
    assert (bench.job("Resumed")["completed"], bench.job("Resumed")["total"]) == (6, 6)


def test_other_processes_of_a_training_report_nothing(bench: Bench, bus: Bus) -> None:
    for fails_at in (None, 1):
        lightning(Report("Other", bus), fails_at, is_global_zero=False)
    assert bench.jobs() == []


def test_trainer_of_transformers_is_counted(bench: Bench, bus: Bus) -> None:
    report = Report("Tune", bus)
    state = SimpleNamespace(is_world_process_zero=True, max_steps=4, num_train_epochs=2)
    state.global_step, state.epoch = 0, None
    report.on_train_begin(None, state, None, model=None)
    for state.global_step in range(1, 5):
        state.epoch = state.global_step / 2
        report.on_step_end(None, state, None, model=None)
        if state.global_step == 3:
            logs = {"loss": 0.5, "learning_rate": 1e-05, "epoch": 1.5, "note": "text"}
            report.on_log(None, state, None, logs=logs, model=None)
    assert bus.sync()
    assert (bench.job("Tune")["state"], bench.job("Tune")["unit"]) == ("running", "steps")
    report.on_train_end(None, state, None, model=None)
    assert bus.sync()
    shown = bench.job("Tune")
    assert (shown["state"], shown["completed"], shown["total"]) == ("succeeded", 4, 4)
    assert shown["detail"] == "epoch 1.5 of 2, loss 0.5, learning_rate 1e-05"


def test_engine_that_fails_raises_as_before_and_fails_the_task(bench: Bench, bus: Bus) -> None:
    engine_type = runpy.run_path(str(EXAMPLES / "training.py"))["Engine"]

    def step(batch: list[float]) -> dict[str, float]:
        return {"loss": 1 / batch[0]}

    engine = engine_type(step)
    engine.state.metrics["accuracy"] = 0.75
    Handler("Engine", bus).attach(engine)
    with pytest.raises(ZeroDivisionError):
        engine.run([[2.0], [0.0]], 1)
    assert bus.sync()
    shown = bench.job("Engine")
    assert (shown["state"], shown["completed"], shown["total"]) == ("failed", 1, 2)
    assert shown["detail"] == "epoch 1 of 1, loss 0.5, accuracy 0.75"
    assert "ZeroDivisionError" in shown["reason"]


def test_training_that_is_begun_anew_cancels_the_one_before(bench: Bench, bus: Bus) -> None:
    report = Report("Again", bus)
    with bus.job("Outer"):
        report.begin(3)
        report.begin(3)
        report.on_train_end()
    assert bus.sync()
    states = [task["state"] for task in bench.job("Outer")["children"]]
    assert states == ["cancelled", "succeeded"]
