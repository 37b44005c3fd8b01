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
    for number in range(count):
        # A job of its own: a line has all that is below the job which it is about.
        task = bus.job(f"Measured {number}")
        time.sleep(0.06)
        said[task.id] = time.monotonic()
        task.fail("as planned")
        until = time.monotonic() + PATIENCE
        while any(task.id not in one.failed for one in viewers.values()):
            if time.monotonic() > until:
                sys.exit("a failure was not seen within ten seconds")
            time.sleep(0.001)
    bus.close(PATIENCE)
    near, far = viewers.values()
    for name, delays in (
        *((name, [one.failed[id] - said[id] for id in said]) for name, one in viewers.items()),
        ("through ssh, later than beside it", [far.failed[id] - near.failed[id] for id in said]),
    ):
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
        viewers = {"beside the broker": Viewer(), "through ssh": Viewer("--on", "far")}
        for viewer in viewers.values():
            viewer.first.wait(PATIENCE)
        seen_after(viewers, endpoint, count)
        for viewer in viewers.values():
            viewer.end()
    finally:
        broker.terminate()
        broker.wait()
        machine.end()
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
