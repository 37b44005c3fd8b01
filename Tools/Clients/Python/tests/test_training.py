"""The handler for training loops."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from harness import EXAMPLES, Bench, child, eventually

from progressbus import Bus
from progressbus.training import Handler


def trainer(**fields: Any) -> Any:
    usual: dict[str, Any] = {
        "max_epochs": 2,
        "num_training_batches": 4,
        "current_epoch": 0,
        "callback_metrics": {},
        "should_stop": False,
    }
    return SimpleNamespace(**usual | fields)


def test_example_shows_each_epoch_below_the_job(bench: Bench) -> None:
    assert bench.run(str(EXAMPLES / "loop.py"), "3") == "slope 2.94\n"
    shown = bench.wait_for_job("Fit a line", lambda job: job["state"] == "succeeded")
    assert (shown["fraction"], shown["total"]) == (1, 3)
    for number in (1, 2, 3):
        epoch = child(shown, f"Epoch {number}")
        assert (epoch["state"], epoch["completed"], epoch["total"]) == ("succeeded", 40, 40)
        assert epoch["detail"].startswith("loss ")


def test_what_the_trainer_does_not_know_has_no_total(bench: Bench, bus: Bus) -> None:
    endless = trainer(max_epochs=-1, num_training_batches=float("inf"))
    handler = Handler("Endless", bus=bus)
    handler.on_train_start(endless, None)
    handler.on_train_epoch_start(endless, None)
    endless.callback_metrics = {"loss": SimpleNamespace(item=lambda: 0.123456), "name": "x"}
    handler.on_train_batch_end(endless, None, None, None, 0)
    assert bus.sync()
    shown = bench.job("Endless")
    epoch = child(shown, "Epoch 1")
    assert (shown["total"], epoch["total"], epoch["completed"]) == (None, None, 1)
    assert epoch["detail"] == "loss 0.1235, name x"
    handler.on_exception(endless, None, ValueError("not a number"))
    assert bus.sync()
    assert bench.job("Endless")["reason"] == "ValueError: not a number"


def test_cancel_asks_the_trainer_to_stop(bench: Bench, bus: Bus) -> None:
    fit = trainer()
    handler = Handler("Stoppable", bus=bus)
    handler.on_train_start(fit)
    handler.on_train_epoch_start(fit)
    assert bus.sync()
    # The answer comes with the end of the job.
    bench.program("cancel", "Stoppable", "--timeout", "0.2")
    eventually(lambda: fit.should_stop, "the trainer is asked")
    handler.on_train_epoch_end(fit)
    handler.on_train_end(fit)
    assert bus.sync()
    assert bench.job("Stoppable")["state"] == "cancelled"


@pytest.mark.parametrize(
    "call", ["on_train_epoch_start", "on_train_batch_end", "on_train_epoch_end", "on_train_end"]
)
def test_a_call_before_the_start_does_nothing(bus: Bus, call: str) -> None:
    getattr(Handler(bus=bus), call)(trainer())
