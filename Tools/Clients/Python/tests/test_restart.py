"""Brokers that are killed, come back, or were never there."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from datetime import datetime

import pytest
import zmq
from harness import Bench, child, eventually

from progressbus import Bus
from progressbus._frames import CLIENT, encoded
from progressbus._generated import progressbus_pb2 as wire

WORKS_TO_THE_END = """
import progressbus, sys, time
bus = progressbus.default_bus()
job = bus.job("Left behind", total=2, unit="files")
print(bus.sync(), flush=True)
sys.stdin.read()
with job.child("Part", detail="its end"):
    job.advance()
job.fail("the machine went away")
"""

IMPORTS = "import time, sys, zmq; from progressbus import default_bus"


def seconds(text: str) -> float:
    """The Unix time of a date as `status --json` writes it."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def test_everything_is_back_after_the_broker_was_killed(bench: Bench) -> None:
    bus = Bus(bench.endpoint)
    job = bus.job("Job", total=10, detail="first")
    part = job.child("Part", total=5)
    early = job.child("Early", share=3)
    job.child("Late", share=3)
    early.succeed()
    ticket = job.ticket("Ticket")
    assert bus.sync()
    before = bench.job("Job")
    bench.kill_broker()
    # Ends and advances while nobody listens.
    part.advance(4)
    part.fail("broke while the broker was away")
    job.detail = "second"
    began = int(time.time())
    late = job.child("New", total=2)
    late.advance()
    time.sleep(1.5)
    bench.start_broker()
    assert bus.sync(15)
    shown = bench.job("Job")
    assert (shown["id"], shown["slot"], shown["detail"]) == (before["id"], before["slot"], "second")
    assert child(shown, "Part")["state"] == "failed"
    assert child(shown, "Early")["state"] == "succeeded"
    assert child(shown, "Late")["state"] == "running"
    assert child(shown, "Ticket")["state"] == "waiting"
    assert child(shown, "New")["completed"] == 1
    assert shown["startedAt"] == before["startedAt"]
    assert child(shown, "Late")["startedAt"] == child(before, "Late")["startedAt"]
    assert child(shown, "Ticket")["startedAt"] is None
    assert began <= seconds(child(shown, "New")["startedAt"]) <= began + 1
    # The place of a child that succeeded may go to one that begins meanwhile.
    for title in ("Part", "Late", "Ticket"):
        assert child(shown, title)["place"] == child(before, title)["place"]
    bus.redeem(ticket).succeed()
    assert bus.close()


def test_broker_without_its_journal_hears_everything_again(bench: Bench) -> None:
    """Acknowledged endings that are still held are repeated after a welcome."""
    bus = Bus(bench.endpoint)
    job = bus.job("Job", total=200)
    for _ in range(150):
        job.child("Short").succeed()
    assert bus.sync()
    assert bench.job("Job")["counts"]["succeeded"] == 150
    bench.kill_broker()
    subprocess.run(["rm", "-r", str(bench.directory / "state")], check=True)
    bench.start_broker()
    assert bus.sync(15)
    assert bench.job("Job")["counts"]["succeeded"] == 150
    assert bench.job("Job")["fraction"] == 0.75
    assert bus.close()


def test_endings_survive_a_broker_that_dies_all_the_time(bench: Bench) -> None:
    bus = Bus(bench.endpoint)
    job = bus.job("Job", total=60)
    for number in range(60):
        if number % 20 == 10:
            bench.kill_broker()
            bench.start_broker()
        with job.child(f"Part {number}", total=1) as part:
            part.advance()
            time.sleep(0.005)  # so that ends fall before, into and after the restarts
    assert bus.sync(15)
    assert bench.job("Job")["counts"]["succeeded"] == 60
    assert bus.close()


def test_broker_that_comes_late_hears_everything(empty_bench: Bench) -> None:
    bus = Bus(empty_bench.endpoint)
    job = bus.job("Job", total=3)
    job.child("Done").succeed()
    assert not bus.sync(0.1)
    empty_bench.start_broker()
    assert eventually(lambda: bus.sync(5), "the broker is found")
    assert child(empty_bench.job("Job"), "Done")["state"] == "succeeded"
    assert bus.close()


def test_endings_wait_in_the_spool_for_the_next_broker(bench: Bench) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WORKS_TO_THE_END],
        env=bench.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    bench.kill_broker()
    began = time.monotonic()
    process.communicate()
    assert process.returncode == 0
    assert time.monotonic() - began < 5
    assert len(list(bench.spool.glob("*.spool"))) == 1
    bench.start_broker()
    shown = bench.wait_for_job("Left behind", lambda job: job["state"] == "failed")
    assert shown["reason"] == "the machine went away"
    part = child(shown, "Part")
    assert (part["state"], part["detail"]) == ("succeeded", "its end")
    eventually(lambda: not list(bench.spool.glob("*.spool")), "the broker has taken the file")


def test_broker_that_stands_still_does_not_hold_up_the_end(bench: Bench) -> None:
    process = bench.python("-c", "import sys; " + WORKS_TO_THE_END.replace("sys.stdin.read()", ""))
    output, errors = process.communicate()
    assert (process.returncode, output) == (0, "True\n"), errors
    bench.signal_broker(signal.SIGSTOP)
    try:
        script = (
            "import progressbus, sys, time; progressbus.job('Stopped').succeed();"
            "import atexit; began = time.monotonic();"
            "progressbus._bus.leave_all(); print(time.monotonic() - began)"
        )
        # Whoever finds the door open and nobody answering waits for the bound and no longer.
        assert float(bench.run("-c", script)) < 1
    finally:
        bench.signal_broker(signal.SIGCONT)


def test_what_ended_before_any_broker_is_shown_by_the_first_one(empty_bench: Bench) -> None:
    work = """
with default_bus().job("Early", total=2) as job:
    job.child("Part").succeed()
default_bus().job("Broken").fail("disk full")
default_bus().job("Unfinished", total=3)
"""
    empty_bench.run("-c", IMPORTS + work)
    for directory in (empty_bench.spool.parent, empty_bench.spool):
        assert directory.stat().st_mode & 0o777 == 0o700
    (file,) = empty_bench.spool.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    empty_bench.start_broker()
    shown = empty_bench.wait_for_job("Early", lambda job: job["state"] == "succeeded")
    assert child(shown, "Part")["state"] == "succeeded"
    assert empty_bench.wait_for_job("Broken")["reason"] == "disk full"
    eventually(lambda: not list(empty_bench.spool.iterdir()), "the broker has taken the file")


@pytest.mark.parametrize("place", ["no directory", "open to others", "a link", "nothing ended"])
def test_nothing_is_spooled_where_it_must_not_be(empty_bench: Bench, place: str) -> None:
    bus = empty_bench.spool.parent
    end = "succeed()"
    if place == "no directory":
        bus.write_text("a file")
    elif place == "open to others":
        bus.mkdir(0o755)
        bus.chmod(0o755)
    elif place == "a link":
        (empty_bench.directory / "elsewhere").mkdir(0o700)
        bus.symlink_to(empty_bench.directory / "elsewhere")
    else:
        end = "advance()"
    empty_bench.run("-c", f"{IMPORTS}; default_bus().job('Job', total=2).{end}")
    assert not empty_bench.spool.exists()


def test_fifty_processes_that_live_for_milliseconds_are_all_counted(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", total=50)
    assert bus.sync()
    # The end of a process waits for 250 ms by itself, which is not enough on a machine that is
    # busy with other things: `close` is for those who want to be sure.
    script = (
        "import progressbus, sys; bus = progressbus.default_bus();"
        "bus.inherited('Short').succeed(); sys.exit(not bus.close(timeout=15))"
    )
    waiting = list(range(50))
    running: list[subprocess.Popen[str]] = []
    while waiting or running:
        while waiting and len(running) < 4:
            waiting.pop()
            running.append(bench.python("-c", script, **job.environment({})))
        process = running.pop(0)
        _, errors = process.communicate()
        assert (process.returncode, errors) == (0, "")
    shown = bench.wait_for_job("Job", lambda job: job["counts"]["succeeded"] == 50)
    assert (shown["counts"]["lost"], shown["fraction"]) == (0, 1)


def test_last_words_right_behind_the_hello_are_taken(bench: Bench) -> None:
    """What a process sends that has no time to wait for its welcome (PROTOCOL.md 8.1)."""
    endings = wire.Endings(sequence=1)
    row = endings.endings.add(state=wire.STATED_STATE_SUCCEEDED, total=-1)
    row.description.index, row.description.title = 1, "In a hurry"
    with zmq.Context() as context, context.socket(zmq.DEALER) as control:
        control.setsockopt(zmq.IMMEDIATE, 1)
        control.connect(f"{bench.endpoint}/control")
        for message in (
            wire.ClientFrame(hello=wire.Hello(session=5, client="hurry")),
            wire.ClientFrame(endings=endings),
            wire.ClientFrame(goodbye=wire.Goodbye()),
        ):
            message.credential = bytes(range(16))
            control.send(encoded(CLIENT, message))
        control.close(linger=5000)
    bench.wait_for_job("In a hurry", lambda job: job["state"] == "succeeded")


def test_end_without_a_broker_takes_no_time(empty_bench: Bench) -> None:
    """Compared with processes that import the same and report nothing, in turn."""

    def seconds(script: str) -> float:
        began = time.monotonic()
        empty_bench.run("-c", f"{IMPORTS}; {script}")
        return time.monotonic() - began

    report = (
        "job = default_bus().job('Job', total=9); job.advance(); job.child('Part').succeed();"
        "job.succeed()"
    )
    bare, reporting = [seconds("pass")], [seconds(report)]

    def extra() -> float:
        # The least of each: other things that the machine does only ever add. Where it is so busy
        # that a bare process takes a second, what it adds to one more step is as much longer.
        return (min(reporting) - min(bare)) / max(1, min(bare) / 0.3)

    # One that waits for a broker waits for a tenth of a second, beside what reporting takes.
    noticed = 0.1
    while len(bare) < 5 or (extra() >= noticed / 2 and len(bare) < 25):
        bare.append(seconds("pass"))
        reporting.append(seconds(report))
    assert extra() < noticed, (bare, reporting)


def test_close_without_a_broker_does_not_wait(empty_bench: Bench) -> None:
    bus = Bus(empty_bench.endpoint)
    bus.job("Job").succeed()
    began = time.monotonic()
    assert not bus.close(timeout=30)
    assert time.monotonic() - began < 1


def test_tasks_after_close_are_silent(bench: Bench, bus: Bus) -> None:
    bus.job("Before").succeed()
    assert bus.close()
    late = bus.job("After")
    late.advance()
    late.child("Below").succeed()
    late.succeed()
    assert bus.close()
    assert [job["title"] for job in bench.jobs()] == ["Before"]


def test_directory_that_others_may_enter_is_refused_in_words(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    (bench.directory / "bus").chmod(0o755)
    bus = Bus(bench.endpoint)
    bus.job("Job").succeed()
    eventually(lambda: re.search("others may enter .*chmod 700", caplog.text), "it is said")
    assert not bus.close()
    (bench.directory / "bus").chmod(0o700)
    assert not bench.job("Job")
