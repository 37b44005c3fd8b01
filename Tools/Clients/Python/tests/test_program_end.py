"""How a program, a loop or a thread ends, and what is said of tasks that nobody has ended."""

from __future__ import annotations

import pytest
from harness import Bench, child, eventually

from progressbus import Bus
from progressbus._left import PATIENCE
from progressbus.tqdm import tqdm

IMPORTS = """
import io, os, sys, threading, time
import progressbus
from progressbus import tracked
from progressbus.tqdm import tqdm, trange
file = io.StringIO()

def fail(number):
    if number == 3:
        raise ValueError("bad row")
"""

LOOPS = {
    "body": """
for number in trange(9, desc="Job", file=file):
    fail(number)
""",
    "function": """
def work():
    for number in tqdm(range(9), desc="Job", file=file):
        with open(os.devnull):
            try:
                fail(number)
            finally:
                number += 1
work()
""",
    "raised again": """
for number in trange(9, desc="Job", file=file):
    try:
        fail(number)
    except ValueError:
        raise
""",
    "comprehension": "[fail(number) for number in tqdm(range(9), desc='Job', file=file)]",
    "map": "list(map(fail, tqdm(range(9), desc='Job', file=file)))",
    "generator": """
def rows():
    for number in tqdm(range(9), desc="Job", file=file):
        yield number
for number in rows():
    fail(number)
""",
    "tracked": """
for number in tracked(range(9), "Job"):
    fail(number)
""",
    "updated by hand": """
bar = tqdm(total=9, desc="Job", file=file)
for number in range(9):
    fail(number)
    bar.update()
""",
    "job without a block": """
job = progressbus.job("Job", total=9)
for number in range(9):
    fail(number)
    job.advance()
""",
    "thread": """
def work():
    for number in trange(9, desc="Job", file=file):
        fail(number)
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "thread, by hand": """
def work():
    bar = tqdm(total=9, desc="Job", file=file)
    for number in range(9):
        fail(number)
        bar.update()
thread = threading.Thread(target=work)
thread.start()
thread.join()
""",
    "asynchronous": """
import asyncio
from progressbus.tqdm.asyncio import tqdm as bars
async def rows():
    for number in range(9):
        yield number
async def main():
    async for number in bars(rows(), total=9, desc="Job", file=file):
        fail(number)
asyncio.run(main())
""",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_uncaught_exception_fails_the_task_with_its_words(bench: Bench, loop: str) -> None:
    process = bench.python("-c", IMPORTS + LOOPS[loop])
    _, errors = process.communicate()
    assert "ValueError: bad row" in errors
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")
    assert "bad row" in errors.splitlines()[-1], errors  # and nothing is added to it


def test_uncaught_exception_counts_while_the_program_waits_for_its_threads(bench: Bench) -> None:
    program = "threading.Thread(target=time.sleep, args=(60,)).start()"
    process = bench.python("-c", IMPORTS + program + LOOPS["function"])
    try:
        shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
        assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")
    finally:
        process.kill()
        process.communicate()


def test_uncaught_exception_fails_all_bars_that_it_leaves(bench: Bench) -> None:
    loops = """
for _ in trange(3, desc="Finished", file=file):
    break
for epoch in trange(3, desc="Outer", file=file):
    for number in trange(9, desc="Inner", file=file):
        fail(number)
"""
    process = bench.python("-c", IMPORTS + loops)
    process.communicate()
    outer = bench.wait_for_job("Outer", lambda job: job["state"] != "running")
    for task in (outer, child(outer, "Inner")):
        assert (task["state"], task["reason"]) == ("failed", "ValueError: bad row")
    assert bench.wait_for_job("Finished")["state"] == "cancelled"


def test_exception_that_a_block_passes_on_fails_the_loop_in_it(bench: Bench, bus: Bus) -> None:
    with pytest.raises(OSError), bus.job("Job"):
        for _ in tqdm(range(3), desc="Loop", disable=None, file=None, bus=bus):
            raise OSError("gone")
    assert bus.sync()
    assert child(bench.job("Job"), "Loop")["reason"] == "OSError: gone"


def test_what_ends_with_the_program_is_waited_for_while_the_broker_takes_it(bench: Bench) -> None:
    program = """
job = progressbus.job("Job", total=4000)
children = [job.child(f"part {number}") for number in range(4000)]
time.sleep(0.5)
for task in [*children, job]:
    task.succeed()
"""
    process = bench.python("-c", IMPORTS + program)
    process.communicate()
    # A broker that is told nothing of them says that they were cancelled. On a busy machine the
    # last of it may come by the spool, a moment later.
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["displayFraction"]) == ("succeeded", 1)


def test_interrupted_loop_is_cancelled(bench: Bench) -> None:
    loop = "for _ in trange(9, desc='Job', file=file): raise KeyboardInterrupt"
    bench.python("-c", IMPORTS + loop).communicate()
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["reason"]) == ("cancelled", "KeyboardInterrupt")


@pytest.mark.parametrize("leave", ["break", "fail(3)"])
def test_loop_that_is_left_in_a_program_that_goes_on_is_cancelled(bench: Bench, leave: str) -> None:
    loop = f"""
try:
    for number in trange(9, desc="Job", file=file):
        if number == 3:
            {leave}
except ValueError:
    pass
sys.stdin.read()
"""
    process = bench.python("-c", IMPORTS + loop.replace("sys.stdin.read()", "time.sleep(60)"))
    try:
        shown = bench.wait_for_job("Job", lambda job: job["state"] == "cancelled")
        assert shown["reason"] == "the loop was left after 3 of 9"
        assert shown["elapsed"] < PATIENCE
    finally:
        process.kill()
        process.communicate()


def test_end_of_a_loop_says_nothing_of_a_later_exception(bench: Bench) -> None:
    loop = """
def work():
    for number in trange(9, desc="Job", file=file):
        if number == 3:
            break
    raise ValueError("later")
work()
"""
    bench.python("-c", IMPORTS + loop).communicate()
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["reason"]) == ("cancelled", "the loop was left after 3 of 9")


FORGOTTEN = """
reached = progressbus.job("Reached", total=3)
reached.advance(3)
progressbus.job("Counted nothing")
above = progressbus.job("Above", total=400)
for number in range(399):
    above.child("Part", total=2).succeed()
above.child("Last", total=1).advance()
bar = tqdm(total=5, desc="Bar", file=file)
bar.update(5)
"""


def test_good_end_of_a_program_ends_what_is_done_in_words(bench: Bench) -> None:
    process = bench.python("-c", IMPORTS + FORGOTTEN)
    _, errors = process.communicate()
    assert process.returncode == 0
    for title in ("Reached", "Counted nothing", "Above", "Bar"):
        shown = bench.wait_for_job(title, lambda job: job["state"] != "running")
        assert (shown["state"], shown["counts"]["lost"]) == ("succeeded", 0)
    (warning,) = errors.splitlines()
    assert warning.startswith("'Reached', 'Counted nothing', 'Above' and 1 more: taken as succ")


def test_good_end_of_a_program_ends_nothing_that_is_not_done(bench: Bench) -> None:
    unfinished = """
job = progressbus.job("Job", total=1)
job.advance()
job.child("Part", total=3).advance(2)
progressbus.job("Expects more", expected_children=2).child("First").succeed()
progressbus.job("Ended").succeed()
"""
    process = bench.python("-c", IMPORTS + unfinished)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    shown = bench.wait_for_job("Job", lambda job: job["state"] == "cancelled")
    assert "status 0" in shown["reason"]
    assert not shown["needsAttention"]
    assert child(shown, "Part")["state"] == "cancelled"
    assert bench.job("Expects more")["state"] == "cancelled"
    assert bench.job("Ended")["state"] == "succeeded"


@pytest.mark.parametrize(
    ("end", "state", "reason"),
    [
        ("sys.exit(3)", "failed", "exit status 3"),
        ("exit(4)", "failed", "exit status 4"),
        ("sys.exit('no disk')", "failed", "no disk"),
        ("sys.exit(0)", "succeeded", None),
        ("sys.exit()", "succeeded", None),
    ],
)
@pytest.mark.parametrize("block", ["job", "with job"])
def test_status_of_the_program_ends_what_nobody_has_ended(
    bench: Bench, end: str, state: str, reason: str | None, block: str
) -> None:
    begin = 'job = progressbus.job("Job", total=1); job.advance()\n'
    bench.python("-c", f"{IMPORTS}{begin}{block}: {end}" if block != "job" else
                 f"{IMPORTS}{begin}{end}").communicate()  # fmt: skip
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["reason"]) == (state, reason)


def test_process_of_multiprocessing_fails_with_its_exception(bench: Bench) -> None:
    program = """
import multiprocessing
def work():
    job = progressbus.job("Job", total=9)
    raise ValueError("bad row")
process = multiprocessing.get_context("fork").Process(target=work)
process.start()
process.join()
"""
    bench.run("-c", IMPORTS + program)
    shown = bench.wait_for_job("Job", lambda job: job["state"] != "running")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")


def test_dropped_bar_is_no_parent_of_what_comes_later(bench: Bench, bus: Bus) -> None:
    bar = tqdm(total=3, desc="Dropped", bus=bus, disable=None)
    bar.update()
    del bar
    tqdm(total=0, desc="Later", bus=bus, disable=None).close()
    eventually(lambda: bench.job("Dropped").get("state") == "cancelled", "without a sync")
    assert bench.job("Later")["state"] == "succeeded"
