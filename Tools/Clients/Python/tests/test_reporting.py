"""What a program says of its tasks, as the broker shows it."""

from __future__ import annotations

import socket
import threading

import pytest
from harness import Bench, child, eventually

import progressbus
from progressbus import Bus


def test_job_and_children_are_shown_with_their_fraction(bench: Bench, bus: Bus) -> None:
    job = bus.job("Back up", total=4, unit="files", key="nightly", detail="begins")
    scan = job.child("Scan", share=1, total=10)
    job.child("Upload", share=2, total=8, tint="blue", consequence="Half a file stays.")
    scan.advance(5)
    job.completed = 1
    job.detail = "IMG_1.jpg"
    assert bus.sync()
    shown = bench.job("Back up")
    assert (shown["state"], shown["key"], shown["unit"]) == ("running", "nightly", "files")
    assert (shown["completed"], shown["total"], shown["detail"]) == (1, 4, "IMG_1.jpg")
    assert shown["fraction"] == pytest.approx((1 + 0.5) / 4)
    assert child(shown, "Scan")["fraction"] == 0.5
    upload = child(shown, "Upload")
    assert (upload["share"], upload["tint"], upload["consequence"]) == (
        2,
        "blue",
        "Half a file stays.",
    )


def test_what_runs_elsewhere_and_what_is_below_it_is_shown_there(bench: Bench, bus: Bus) -> None:
    job = bus.job("Back up")
    command = job.child("Copy", host="store")
    command.child("IMG_1.jpg").succeed()
    job.child("Scan")
    assert bus.sync()
    shown = bench.job("Back up")
    assert shown["host"] == child(shown, "Scan")["host"] == shown["process"]["host"] != "store"
    copy = child(shown, "Copy")
    assert copy["host"] == child(copy, "IMG_1.jpg")["host"] == "store"


def test_everything_that_changes_is_shown(bench: Bench, bus: Bus) -> None:
    job = bus.job("First")
    assert bus.sync()
    assert bench.job("First")["indeterminate"]
    job.title = "Second"
    job.total = 3
    job.update(unit="rows", total_is_estimate=True, cancellable=True)
    assert bus.sync()
    shown = bench.job("Second")
    assert (shown["total"], shown["unit"], shown["totalIsEstimate"]) == (3, "rows", True)
    assert shown["cancellable"]
    job.total = None
    assert bus.sync()
    assert bench.job("Second")["total"] is None


def test_block_that_is_left_cleanly_succeeds(bench: Bench, bus: Bus) -> None:
    with bus.job("Job", total=1) as job:
        job.advance()
    assert bus.close()
    assert bench.job("Job")["state"] == "succeeded"


def test_exception_fails_the_task_with_its_words(bench: Bench, bus: Bus) -> None:
    with pytest.raises(OSError, match="disk full"), bus.job("Job"):
        raise OSError("disk full")
    assert bus.sync()
    shown = bench.job("Job")
    assert (shown["state"], shown["reason"]) == ("failed", "OSError: disk full")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), progressbus.Cancelled("no more")])
def test_interruption_cancels_the_task(bench: Bench, bus: Bus, error: BaseException) -> None:
    with pytest.raises(type(error)), bus.job("Job"):
        raise error
    assert bus.sync()
    assert bench.job("Job")["state"] == "cancelled"


def test_first_ending_counts(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    job.fail("broken")
    job.succeed()
    job.advance()
    assert bus.sync()
    assert (bench.job("Job")["state"], bench.job("Job")["completed"]) == ("failed", 0)


def test_what_has_not_ended_is_lost_when_the_session_closes(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", total=2)
    job.child("Done").succeed()
    assert bus.close()
    shown = bench.wait_for_job("Job", lambda job: job["state"] == "lost")
    assert child(shown, "Done")["state"] == "succeeded"


def test_too_long_and_broken_texts_are_cut_and_shown(bench: Bench, bus: Bus) -> None:
    job = bus.job("ä" * 300, unit="u" * 99, detail="d" * 999, total=float("nan"))
    job.advance(-5)
    bus.job("\udcff broken \x1b[31m")
    job.fail("r" * 9999)
    assert bus.sync()
    shown = bench.job("ä" * 100)
    assert (len(shown["unit"]), len(shown["detail"]), len(shown["reason"])) == (50, 500, 500)
    assert (shown["completed"], shown["total"]) == (0, None)
    assert bench.job("? broken  [31m")


@pytest.mark.parametrize("amount", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_not_added_and_what_follows_counts(
    bench: Bench, bus: Bus, caplog: pytest.LogCaptureFixture, amount: float
) -> None:
    job = bus.job("Job", total=9)
    job.advance(2)
    assert bus.sync()
    job.advance(amount)  # type: ignore[arg-type]  # as from a division of numpy
    assert bus.sync()
    job.advance(3)
    assert bus.sync()
    assert bench.job("Job")["completed"] == 5
    assert "'Job': completed was" in caplog.text


def test_unknown_option_is_an_error_in_words(bus: Bus) -> None:
    with pytest.raises(TypeError, match=r"'titel'.*cancellable"):
        bus.job("Job", titel="x")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "text", ["http://x", "ipc://relative", "tcp://x:99999", "ipc:///" + "x" * 99]
)
def test_wrong_endpoint_is_an_error_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"endpoint|too long"):
        Bus(text)


def test_many_short_children_are_all_counted(bench: Bench, bus: Bus) -> None:
    job = bus.job("Many", total=20_000)
    for number in range(20_000):
        task = job.child("part", unit="rows", total=2)
        task.advance(2 if number % 100 else 1)
        if number % 100:
            task.succeed()
        else:
            task.fail("odd")
    assert bus.sync(60)
    held = len(bus._ledger.tasks)
    shown = bench.job("Many")
    assert (shown["counts"]["succeeded"], shown["counts"]["failed"]) == (19_800, 200)
    assert shown["fraction"] == pytest.approx((19_800 + 200 * 0.5) / 20_000)
    # The rows that are kept, the job, and nothing for each of the others.
    assert held <= 100 + 200 + 1
    job.succeed()
    assert bus.close()
    assert not bus._ledger.tasks


def test_children_from_many_threads_are_all_counted(bench: Bench, bus: Bus) -> None:
    job = bus.job("Threads", total=400)

    def work() -> None:
        for _ in range(50):
            with job.child("part", total=10) as task:
                for _ in range(10):
                    task.advance()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bus.sync()
    shown = bench.job("Threads")
    assert shown["counts"]["succeeded"] == 400
    assert shown["fraction"] == 1


def test_log_lines_are_shown(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", key="logged")
    assert bus.sync()
    with bench.following("logged") as events:
        job.log("a line that somebody said")
        said = next(event for event in events if event["event"] == "log")
    assert said["text"] == "a line that somebody said"


def test_lines_from_many_threads_do_not_disturb_reporting(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")

    def talk() -> None:
        for number in range(3000):
            job.log(f"line {number}")

    threads = [threading.Thread(target=talk) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    job.succeed()
    assert bus.close()
    assert bench.job("Job")["state"] == "succeeded"


def test_wrong_values_are_errors_of_the_caller(bench: Bench, bus: Bus) -> None:
    with pytest.raises(TypeError, match="total of a task is a number"):
        bus.job("Job", total="many")  # type: ignore[arg-type]
    job = bus.job("Job", total=2)
    with pytest.raises(TypeError, match="completed of a task is a number"):
        job.completed = [1]  # type: ignore[assignment]
    job.detail = None  # type: ignore[assignment]
    job.completed = 1.9
    assert bus.sync()
    assert (bench.job("Job")["completed"], bench.job("Job")["detail"]) == (1, "")


def test_bus_that_was_dropped_has_its_say_at_the_end(bench: Bench) -> None:
    script = (
        "import progressbus; bus = progressbus.Bus(); job = bus.job('Dropped'); bus.sync(15);"
        "job.succeed(); del bus, job"
    )
    bench.run("-c", script)
    assert bench.wait_for_job("Dropped")["state"] == "succeeded"


def test_signal_handler_may_end_a_task_at_any_moment(bench: Bench) -> None:
    script = """
import os, signal, progressbus
job = progressbus.job("Interrupted")
signal.signal(signal.SIGALRM, lambda *_: job.child("Handled").succeed())
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
for _ in range(5000):
    job.child("Part").succeed()
signal.setitimer(signal.ITIMER_REAL, 0)
job.succeed()
assert progressbus.default_bus().close(20)
"""
    bench.run("-c", script)
    counts = bench.wait_for_job("Interrupted", lambda job: job["state"] == "succeeded")["counts"]
    assert counts["succeeded"] > 5000


def test_broker_over_tcp_is_reported_to(empty_bench: Bench) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    empty_bench.endpoint = f"tcp://localhost:{port}"
    bus = Bus(empty_bench.endpoint)
    with bus.job("Job") as job:
        assert not bus.sync(0.1)
        empty_bench.start_broker("--allow-local-tcp")
        job.advance()
        assert eventually(lambda: bus.sync(5), "the broker is found")
    assert bus.close()
    assert empty_bench.job("Job")["state"] == "succeeded"


def test_quiet_task_is_not_lost(bench: Bench, bus: Bus) -> None:
    """Heartbeats: three of them missing would show the session as silent."""
    bus.job("Quiet", expected_gap=1000)
    assert bus.sync()
    connection = bus._connection
    assert connection is not None
    before = connection.session._last_sent
    eventually(lambda: connection.session._last_sent > before + 0.5, "a heartbeat was sent")
    assert not bench.job("Quiet")["silent"]
