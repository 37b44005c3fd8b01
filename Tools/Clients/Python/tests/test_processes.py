"""Forks, pools and executors."""

from __future__ import annotations

import pytest
from harness import EXAMPLES, Bench, child

FORK = """
import os, sys, progressbus
bus = progressbus.default_bus()
job = bus.job("Parent", total=4)
inherited = job.child("Inherited", total=2)
inherited.advance()
assert bus.sync()
for number in range(2):
    if os.fork() == 0:
        # What was inherited is silent here, but children can be begun below it.
        inherited.advance()
        inherited.fail("said by the wrong process")
        assert bus._connection is None
        with job.child(f"Forked {number}", total=1) as mine:
            mine.advance()
        with progressbus.job(f"Job of {number}"):
            pass
        ok = bus.close()
        os._exit(0 if ok else 1)
for _ in range(2):
    assert os.wait()[1] == 0
inherited.advance()
inherited.succeed()
job.succeed()
assert bus.close()
"""

QUIET_FORK = """
import os, sys, threading, progressbus
bus = progressbus.default_bus()
job = bus.job("Parent", total=1)
assert bus.sync()
pid = os.fork()
if pid == 0:
    job.advance()
    job.succeed()
    sys.exit(0 if threading.active_count() == 1 else 3)
assert os.waitpid(pid, 0)[1] == 0
assert bus.sync()
"""


def test_forked_processes_report_children_of_their_own(bench: Bench) -> None:
    bench.run("-c", FORK)
    shown = bench.wait_for_job("Parent", lambda job: job["state"] == "succeeded")
    assert child(shown, "Inherited")["state"] == "succeeded"
    assert child(shown, "Inherited")["completed"] == 2
    for number in range(2):
        assert child(shown, f"Forked {number}")["state"] == "succeeded"
        assert bench.job(f"Job of {number}")["state"] == "succeeded"


def test_forked_process_that_reports_nothing_is_silent(bench: Bench) -> None:
    bench.run("-c", QUIET_FORK)
    shown = bench.wait_for_job("Parent", lambda job: job["state"] == "cancelled")
    assert shown["completed"] == 0


@pytest.mark.parametrize(
    ("example", "title"),
    [("pool.py", "Render the movie"), ("executor.py", "Checksum the disk")],
)
def test_workers_of_a_pool_report_children_of_one_job(
    bench: Bench, example: str, title: str
) -> None:
    bench.run(str(EXAMPLES / example), "6")
    shown = bench.wait_for_job(title, lambda job: job["state"] == "succeeded")
    assert (shown["counts"]["succeeded"], shown["fraction"]) == (6, 1)
    assert {task["completed"] for task in shown["children"]} == {20}
    processes = {task["process"]["pid"] for task in shown["children"]}
    assert shown["process"]["pid"] not in processes


def test_results_of_an_executor_and_of_a_pool_are_counted_by_one_line(bench: Bench) -> None:
    assert bench.run(str(EXAMPLES / "primes.py"), "3") == "783\n783\n"
    for title in ("Count with an executor", "Count with a pool"):
        shown = bench.wait_for_job(title, lambda job: job["state"] == "succeeded")
        assert (shown["completed"], shown["total"], shown["unit"]) == (3, 3, "parts")


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_examples_run_without_a_broker(empty_bench: Bench, example: str) -> None:
    empty_bench.run(str(EXAMPLES / example), "2")


SCARCE = """
import os, resource, sys, time
import progressbus

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
lowest = os.dup(0)
os.close(lowest)
resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + int(sys.argv[1]), hard))
bus = progressbus.Bus()
job = bus.job("Scarce", total=3)
job.child("Over").succeed()
time.sleep(1)
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
job.advance()
job.succeed()
print(bus.close(20))
"""


@pytest.mark.parametrize("free", [0, 1, 3, 6, 9, 12, 14])
def test_begins_where_hardly_a_descriptor_is_left(bench: Bench, free: int) -> None:
    """The wake-up, libzmq's context (which would end the process) and its sockets."""
    process = bench.python("-c", SCARCE, str(free))
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, "True\n"), errors
    warnings = errors.splitlines()
    assert len(set(warnings)) == len(warnings) <= 2, errors
    assert warnings or free >= 12
    shown = bench.wait_for_job("Scarce", lambda job: job["state"] == "succeeded")
    assert shown["counts"]["succeeded"] == 1
