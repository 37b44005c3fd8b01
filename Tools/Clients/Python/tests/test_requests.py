"""Cancel, pause and resume, sent by the program `progressbus`."""

from __future__ import annotations

import threading

import pytest
from harness import PATIENCE, Bench, eventually

import progressbus
from progressbus import Bus


def test_check_raises_once_the_job_is_cancelled(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", key="nightly", cancellable=True)
    part = job.child("Part")
    part.check()
    assert bus.sync()
    answer = bench.program("cancel", "nightly", "--yes")
    assert answer.returncode == 0, answer
    eventually(lambda: part.is_cancel_requested, "the request arrives at the child")
    assert bench.job("Job")["state"] == "cancelling"
    with pytest.raises(progressbus.Cancelled), job, part:
        part.check()
    assert bus.sync()
    shown = bench.job("Job")
    assert shown["state"] == "cancelled"
    assert shown["children"][0]["state"] == "cancelled"


def test_request_that_nobody_can_carry_out_is_refused(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", key="deaf")
    assert bus.sync()
    assert bench.program("cancel", "deaf", "--yes").returncode == 77
    assert not job.is_cancel_requested
    assert bench.job("Job")["state"] == "running"


def test_first_check_states_that_a_task_is_cancellable(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    assert bus.sync()
    assert not bench.job("Job")["cancellable"]
    job.check()
    assert bus.sync()
    assert bench.job("Job")["cancellable"]


def test_handlers_are_called_once_each(bench: Bench, bus: Bus) -> None:
    called: list[str] = []
    job = bus.job("Job", key="handled")
    job.on_pause(lambda: called.append("pause"))
    job.on_resume(lambda: called.append("resume"))
    job.on_cancel(lambda: called.append("cancel"))
    assert bus.sync()
    for verb in ("pause", "resume", "cancel"):
        assert bench.program(verb, "handled").returncode == 0
        eventually(lambda verb=verb: verb in called, f"{verb} is handled")  # type: ignore[misc]
    # A second request finds that everything has been done.
    assert bench.program("cancel", "handled", "--yes").returncode == 0
    assert called == ["pause", "resume", "cancel"]
    job.on_cancel(lambda: called.append("late"))
    assert called[-1] == "late"


def test_handler_that_fails_does_not_stop_reporting(bench: Bench, bus: Bus) -> None:
    def fails() -> None:
        raise ValueError("no")

    called = threading.Event()
    job = bus.job("Job", key="fails")
    job.on_cancel(fails)
    job.on_cancel(called.set)
    assert bus.sync()
    assert bench.program("cancel", "fails").returncode == 0
    assert called.wait(PATIENCE)
    job.cancel()
    assert bus.sync()
    assert bench.job("Job")["state"] == "cancelled"


def test_check_stands_still_while_paused(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", key="pausable", pausable=True)
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.01):
            job.check()
            job.advance()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert bus.sync()
        assert bench.program("pause", "pausable").returncode == 0
        held = bench.wait_for_job("Job", lambda job: job["state"] == "paused")["completed"]
        assert bus.sync()
        assert job.completed == held
        assert bench.program("resume", "pausable").returncode == 0
        bench.wait_for_job("Job", lambda job: job["state"] == "running" and job["completed"] > held)
    finally:
        stop.set()
        worker.join(PATIENCE)


def test_child_begun_below_a_cancelled_task_is_told_at_once(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", key="late", cancellable=True)
    assert bus.sync()
    assert bench.program("cancel", "late").returncode == 0
    eventually(lambda: job.is_cancel_requested, "the request arrives")
    with pytest.raises(progressbus.Cancelled):
        job.child("Late").check()
