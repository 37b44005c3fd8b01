"""Workers whose clock is ten minutes from that of the broker's machine."""

from __future__ import annotations

import datetime
import random
import time
from pathlib import Path

import pytest
from harness import Bench

FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)

# Not time.sleep, which does not work with libfaketime.
SCRIPT = """
import select, progressbus
with progressbus.Bus().job("Far", total=40) as job:
    for _ in range(20):
        job.advance()
        select.select([], [], [], 0.1)
    print("half", flush=True)
    select.select([], [], [], 600)
"""


@pytest.mark.skipif(FAKETIME is None, reason="there is no libfaketime on this machine")
@pytest.mark.parametrize("ahead", [600, -600])
def test_durations_are_sane_though_clocks_differ(empty_bench: Bench, ahead: int) -> None:
    empty_bench.endpoint = f"tcp://127.0.0.1:{random.randrange(20_000, 32_000)}"
    empty_bench.start_broker("--allow-local-tcp")
    began = time.time()
    worker = empty_bench.python(
        "-c",
        SCRIPT,
        LD_PRELOAD=str(FAKETIME),
        FAKETIME=f"{ahead:+d}s",
        FAKETIME_DONT_FAKE_MONOTONIC="1",
    )
    try:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "half\n"
        job = empty_bench.wait_for_job("Far", lambda job: job["completed"] == 20)
        passed = time.time() - began
        assert 1 < job["elapsed"] < passed + 3
        assert 1 < job["active"] < passed + 3
        assert 0 <= job["secondsSinceAdvance"] < passed
        assert 1 < job["rate"] < 11
        assert job["secondsLeft"] is None or job["secondsLeft"] < 30
        started = datetime.datetime.fromisoformat(job["startedAt"].replace("Z", "+00:00"))
        assert abs(started.timestamp() - began) < passed + 3
    finally:
        worker.kill()
        worker.communicate()
