"""Tasks that another process begins: tickets, parents, the environment."""

from __future__ import annotations

import pickle
import signal
import sys
from typing import Any

import pytest
from harness import Bench, child, eventually

from progressbus import Bus, Parent, Ticket

HOLDER = """
import sys, progressbus
bus = progressbus.default_bus()
with bus.inherited("", total=4, unit="files") as task:
    task.advance(3)
    with task.child("Inside"):
        pass
    print(bus.sync(), flush=True)
    if "die" in sys.argv:
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)
    task.advance()
"""

NESTED = """
import os, subprocess, sys, progressbus
bus = progressbus.default_bus()
with bus.inherited("Outer") as task:
    assert "PROGRESSBUS_TICKET" not in os.environ
    if "inner" not in sys.argv:
        subprocess.run([sys.executable, "-c", open(sys.argv[1]).read(), sys.argv[1], "inner"],
                       check=True)
"""


def test_ticket_is_begun_by_a_process_that_inherits_it(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    ticket = job.ticket("Upload", share=2)
    assert bus.sync()
    assert child(bench.job("Job"), "Upload")["state"] == "waiting"
    bench.run("-c", HOLDER, **ticket.environment({}))
    job.succeed()
    assert bus.close()
    shown = bench.wait_for_job("Job", lambda job: job["state"] == "succeeded")
    upload = child(shown, "Upload")
    assert (upload["state"], upload["completed"], upload["share"]) == ("succeeded", 4, 2)
    assert child(upload, "Inside")["state"] == "succeeded"


def test_ticket_of_a_killed_holder_is_another_attempt(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    ticket = job.ticket("Upload")
    holder = bench.python("-c", HOLDER, "die", **ticket.environment({}))
    holder.communicate()
    assert holder.returncode == -signal.SIGKILL
    lost = bench.wait_for_job("Job", lambda job: child(job, "Upload")["state"] == "lost")
    assert child(lost, "Upload")["completed"] == 3
    with Bus(bench.endpoint).redeem(Ticket(ticket.text, bench.endpoint), total=4) as again:
        again.advance(4)
    shown = bench.wait_for_job("Job", lambda job: child(job, "Upload")["state"] == "succeeded")
    assert child(shown, "Upload")["attempt"] == 2


def test_ticket_outlives_its_issuer_and_the_broker(bench: Bench, bus: Bus) -> None:
    """Its row is acknowledged, and so in the journal, before `close` returns."""
    ticket = bus.job("Job").ticket("Later")
    assert bus.close()
    bench.kill_broker()
    bench.start_broker()
    shown = bench.wait_for_job("Job", lambda job: bool(job["children"]))
    assert child(shown, "Later")["state"] == "waiting"
    with Bus(bench.endpoint).redeem(ticket):
        pass
    bench.wait_for_job("Job", lambda job: child(job, "Later")["state"] == "succeeded")


def test_used_ticket_is_refused_in_words(
    bench: Bench, bus: Bus, caplog: pytest.LogCaptureFixture
) -> None:
    job = bus.job("Job")
    ticket = job.ticket("Upload")
    for _ in range(2):
        with bus.redeem(ticket, "Once"):
            pass
        assert bus.sync()
    eventually(lambda: "'Once' cannot be used: The task of ticket" in caplog.text, "it is told")
    assert bus.sync()
    assert len(caplog.messages) == 1
    assert bench.job("Job")["counts"]["succeeded"] == 1


def test_program_begun_by_the_holder_is_below_it(bench: Bench, bus: Bus) -> None:
    script = bench.directory / "nested.py"
    script.write_text(NESTED)
    job = bus.job("Job")
    ticket = job.ticket("Ticket")
    bench.run(str(script), str(script), **ticket.environment({}))
    job.succeed()
    assert bus.close()
    shown = bench.wait_for_job("Job", lambda job: job["counts"]["succeeded"] == 2)
    assert child(child(shown, "Outer"), "Outer")["state"] == "succeeded"


def test_parent_in_the_environment_takes_any_number_of_children(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job", total=3)
    processes = [bench.python("-c", HOLDER, **job.environment({})) for _ in range(3)]
    for process in processes:
        output, errors = process.communicate()
        assert (process.returncode, output) == (0, "True\n"), errors
    shown = bench.wait_for_job("Job", lambda job: job["fraction"] == 1)
    assert shown["counts"]["succeeded"] == 6


JOBS = """
import progressbus, subprocess, sys
with progressbus.job("First", total=1) as job:
    job.advance()
with progressbus.job("Second"):
    if "inner" not in sys.argv:
        subprocess.run([sys.executable, "-c", sys.argv[1], sys.argv[1], "inner"], check=True)
for _ in progressbus.tracked("ab", "Tracked"):
    pass
with progressbus.job(" ".join(["Apart"] + sys.argv[2:]), inherit=False):
    pass
"""


def titles(task: dict[str, Any]) -> list[str]:
    return sorted(below["title"] for below in task["children"])


def test_jobs_under_run_are_parts_of_its_task(bench: Bench) -> None:
    run = bench.program("run", "--title", "Run", "--", sys.executable, "-c", JOBS, JOBS, "inner")
    assert run.returncode == 0, run.stderr
    shown = bench.wait_for_job("Run", lambda job: job["state"] == "succeeded")
    assert titles(shown) == ["First", "Second", "Tracked"]
    assert {task["state"] for task in shown["children"]} == {"succeeded"}
    assert sorted(job["title"] for job in bench.jobs()) == ["Apart inner", "Run"]


def test_first_job_redeems_the_ticket_and_others_are_below_it(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    bench.run("-c", JOBS, JOBS, **job.ticket("Ticket").environment({}))
    job.succeed()
    assert bus.close()
    shown = bench.wait_for_job("Job", lambda job: job["state"] == "succeeded")
    assert titles(shown) == ["First"]
    assert child(shown, "First")["attempt"] == 1
    # Those of the process, and those of the one that it has started.
    assert titles(child(shown, "First")) == ["First", "Second", "Second", "Tracked", "Tracked"]
    assert sorted(job["title"] for job in bench.jobs()) == ["Apart", "Apart inner", "Job"]


def test_environment_of_another_endpoint_hands_nothing_to_a_job(
    bench: Bench, bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROGRESSBUS_PARENT", "1-028q5cu4qnjff")
    monkeypatch.setenv("PROGRESSBUS_ENDPOINT", "ipc:///tmp/another-bus")
    bus.job("Job").succeed()
    assert bus.sync()
    assert bench.job("Job")["state"] == "succeeded"


def test_wrong_ticket_is_an_error_in_words(bus: Bus) -> None:
    with pytest.raises(ValueError, match="pbt1-"):
        bus.redeem("nonsense")
    with pytest.raises(ValueError, match="is no task id"):
        bus.redeem("pbt1-1-short")


def test_wrong_environment_is_logged_and_does_no_harm(
    bus: Bus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PROGRESSBUS_TICKET", "nonsense")
    assert bus.inherited() is None
    monkeypatch.setenv("PROGRESSBUS_PARENT", "nonsense")
    assert bus.inherited() is None
    monkeypatch.setenv("PROGRESSBUS_ENDPOINT", str(bus.endpoint))
    for _ in range(3):
        bus.job("Job")
    assert "PROGRESSBUS_TICKET" in caplog.text
    assert caplog.text.count("PROGRESSBUS_PARENT") == 1


def test_parent_that_a_script_could_not_begin_is_none(
    bus: Bus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """`progressbus begin` prints it where it cannot reach the bus."""
    monkeypatch.setenv("PROGRESSBUS_PARENT", "none")
    assert bus.inherited_parent() is None
    assert bus.inherited("Job") is None
    assert not caplog.text


def test_pickled_task_is_a_parent(bench: Bench, bus: Bus) -> None:
    job = bus.job("Job")
    parent = pickle.loads(pickle.dumps(job))
    assert isinstance(parent, Parent)
    assert parent.id == job.id
    with parent.child("Part"):
        pass
    shown = bench.wait_for_job("Job", lambda job: job["counts"]["succeeded"] == 1)
    assert child(shown, "Part")["state"] == "succeeded"
    assert str(pickle.loads(pickle.dumps(job.ticket("T")))).startswith("pbt1-")
