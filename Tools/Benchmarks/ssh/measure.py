"""What looking at another machine costs; see Tools/Benchmarks/measure-ssh."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from machine import Machine

import progressbus

PROGRAM = os.environ["PROGRESSBUS_PROGRAM"]
RUNS = 5
PATIENCE = 10.0
TOGETHER = 25


class Viewer:
    """`watch --json`, and when it has said that a task has failed."""

    def __init__(self, *options: str) -> None:
        self.failed: dict[str, float] = {}
        self.first = threading.Event()
        self._process = subprocess.Popen(
            [PROGRAM, "watch", "--json", *options], stdout=subprocess.PIPE
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            now = time.monotonic()
            self.first.set()
            self._take(json.loads(line), now)

    def _take(self, told: dict[str, object], now: float) -> None:
        """Tasks may stand in others, whatever they are called."""
        if told.get("state") == "failed" and isinstance(told.get("id"), str):
            self.failed.setdefault(str(told["id"]), now)
        for value in told.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    self._take(one, now)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def seen_after(viewers: dict[str, Viewer], endpoint: str, count: int) -> None:
    """Fails jobs one after the other and prints when each viewer has seen it."""
    bus = progressbus.Bus(endpoint)
    said: dict[str, float] = {}
    for first in range(0, count, TOGETHER):
        # Jobs of their own: a line has all that is below the job which it is about. Begun before
        # the first of them fails: what is published of a beginning would delay a failure after it.
        names = range(first, min(first + TOGETHER, count))
        tasks = [bus.job(f"Measured {number}") for number in names]
        bus.sync(PATIENCE)
        time.sleep(0.2)
        for task in tasks:
            time.sleep(0.06)
            said[task.id] = time.monotonic()
            task.fail("as planned")
            until = time.monotonic() + PATIENCE
            while any(task.id not in one.failed for one in viewers.values()):
                if time.monotonic() > until:
                    sys.exit("a failure was not seen within ten seconds")
                # Not oftener: the threads that read what the viewers say take turns with this one.
                time.sleep(0.02)
        # A viewer of hundreds of jobs needs some milliseconds for each picture.
        subprocess.run([PROGRAM, "dismiss", "--failed"], check=True, stdout=subprocess.DEVNULL)
    bus.close(PATIENCE)
    delays_of = {n: [one.failed[id] - said[id] for id in said] for n, one in viewers.items()}
    if len(viewers) == 2:
        near, far = viewers.values()
        later = [far.failed[id] - near.failed[id] for id in said]
        delays_of["through ssh, later than beside it"] = later
    for name, delays in delays_of.items():
        delays.sort()
        middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
        print(f"{name}: a failure is seen after {ms(middle)}, 99 of 100 within {ms(late)}")


def took(*command: str) -> float:
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def first_line(*options: str) -> float:
    began = time.monotonic()
    viewer = Viewer(*options)
    if not viewer.first.wait(PATIENCE):
        sys.exit("watch --on says nothing")
    passed = time.monotonic() - began
    viewer.end()
    return passed


def starts() -> None:
    """In turns, so that a slow moment of the machine is everybody's."""
    figures: dict[str, list[float]] = {}
    for _ in range(RUNS):
        for name, seconds in (
            ("ssh far true", took("ssh", "far", "true")),
            ("status", took(PROGRAM, "status")),
            ("status --on far", took(PROGRAM, "status", "--on", "far")),
            ("watch --on far, first line", first_line("--on", "far")),
        ):
            figures.setdefault(name, []).append(seconds)
    for name, all_seconds in figures.items():
        print(f"{name}: {ms(statistics.median(all_seconds))}, worst {ms(max(all_seconds))}")


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    directory = Path(tempfile.mkdtemp(prefix="pbssh", dir="/tmp"))
    endpoint = f"ipc://{directory}/bus"
    os.environ.update(PROGRESSBUS_ENDPOINT=endpoint, PROGRESSBUS_STATE=f"{directory}/state")
    machine = Machine(directory, endpoint)
    broker = subprocess.Popen([PROGRAM, "broker"], stderr=subprocess.DEVNULL)
    try:
        while not (directory / "bus" / "control").exists():
            time.sleep(0.02)
        os.environ["PATH"] = f"{machine.programs}:{os.environ['PATH']}"
        starts()
        near, far = Viewer(), Viewer("--on", "far")
        for viewer in (near, far):
            viewer.first.wait(PATIENCE)
        seen_after({"beside the broker": near, "through ssh": far}, endpoint, count)
        near.end()
        seen_after({"through ssh, the only viewer": far}, endpoint, count)
        far.end()
    finally:
        broker.terminate()
        broker.wait()
        machine.end()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
