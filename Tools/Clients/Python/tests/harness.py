"""Real brokers in real processes, each with a bus of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

REPOSITORY = Path(__file__).resolve().parents[4]
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROGRAM = os.environ.get("PROGRESSBUS_PROGRAM", str(REPOSITORY / ".build/debug/progressbus"))

# A machine that is busy with other tests is slow; what does come, comes far sooner.
PATIENCE = 15.0

Value = TypeVar("Value")


def eventually(look: Callable[[], Value], what: str, patience: float = PATIENCE) -> Value:
    """Looks until it finds something that is true, and returns it."""
    until = time.monotonic() + patience
    while True:
        value = look()
        if value:
            return value
        assert time.monotonic() < until, f"not within {patience} s: {what}; last seen: {value!r}"
        time.sleep(0.02)  # the broker is another process: there is nothing to wait for but time


class Bench:
    """A bus in a directory of its own, with or without its broker."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.endpoint = f"ipc://{directory}/bus"
        self.spool = directory / "bus/spool"
        self._broker: subprocess.Popen[bytes] | None = None
        self._log = directory / "broker.log"

    @property
    def environment(self) -> dict[str, str]:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PROGRESSBUS_")
        }
        environment["PROGRESSBUS_ENDPOINT"] = self.endpoint
        environment["PROGRESSBUS_STATE"] = str(self.directory / "state")
        return environment

    def start_broker(self, *arguments: str) -> None:
        assert self._broker is None
        with self._log.open("ab") as log:
            self._broker = subprocess.Popen(
                [PROGRAM, "broker", "--linger", "600", *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        eventually(self._answers, f"the broker {PROGRAM} listens")

    def _answers(self) -> bool:
        assert self._broker is not None
        assert self._broker.poll() is None, f"the broker has ended: {self._log.read_text()}"
        return self.program("status", "--json").returncode == 0

    def signal_broker(self, number: signal.Signals) -> None:
        assert self._broker is not None
        self._broker.send_signal(number)

    def kill_broker(self, by: signal.Signals = signal.SIGKILL) -> None:
        broker, self._broker = self._broker, None
        if broker is not None:
            broker.send_signal(by)
            broker.wait(PATIENCE)

    def program(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PROGRAM, *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def python(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *arguments],
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **environment: str) -> str:
        """Runs Python to its end, which must be good, and returns what it printed."""
        process = self.python(*arguments, **environment)
        output, errors = process.communicate(timeout=4 * PATIENCE)
        assert process.returncode == 0, errors
        return output

    @contextmanager
    def following(self, job: str) -> Iterator[Iterator[dict[str, Any]]]:
        """The events that a viewer of the job gets, from when it has been connected."""
        watch = subprocess.Popen(
            [PROGRAM, "watch", job, "--json"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        # What never comes ends the test, not the patience of whoever runs it.
        guard = threading.Timer(PATIENCE, watch.kill)
        guard.start()
        try:
            assert watch.stdout is not None
            events = (json.loads(line) for line in watch.stdout)
            next(event for event in events if event["event"] == "job")
            yield events
        finally:
            guard.cancel()
            watch.kill()
            watch.wait(PATIENCE)

    def jobs(self) -> list[dict[str, Any]]:
        status = self.program("status", "--json")
        return list(json.loads(status.stdout)["jobs"]) if status.returncode == 0 else []

    def job(self, title: str) -> dict[str, Any]:
        """The job with this title; empty if there is none."""
        return next((job for job in self.jobs() if job["title"] == title), {})

    def wait_for_job(
        self, title: str, condition: Callable[[dict[str, Any]], bool] = lambda job: True
    ) -> dict[str, Any]:
        """The job once it is as it shall be."""
        last: dict[str, Any] = {}

        def look() -> bool:
            last.clear()
            last.update(self.job(title))
            return bool(last) and condition(last)

        until = time.monotonic() + PATIENCE
        while not look():
            assert time.monotonic() < until, (
                f"{title!r} is not as it shall be: {outline([last] if last else self.jobs())}"
            )
            time.sleep(0.02)  # the broker is another process: there is nothing to wait for but time
        return last


def outline(tasks: list[dict[str, Any]], depth: int = 0) -> str:
    """What a failure shows of a tree."""
    lines = ""
    for task in tasks[:10]:
        words = [str(task[name]) for name in ("state", "fraction", "completed", "total", "reason")]
        counts = {state: count for state, count in task["counts"].items() if count}
        lines += f"\n{'  ' * depth}{task['title']}: {' '.join(words)} {counts}"
        lines += outline(task["children"], depth + 1)
    return lines + (f"\n{'  ' * depth}…" if len(tasks) > 10 else "")


@contextmanager
def new_bench() -> Iterator[Bench]:
    # Short: the path of a socket has at most 103 bytes.
    directory = Path(tempfile.mkdtemp(prefix="pbpy", dir="/tmp"))
    bench = Bench(directory)
    try:
        yield bench
    finally:
        bench.kill_broker()
        shutil.rmtree(directory, ignore_errors=True)


def child(job: dict[str, Any], title: str) -> dict[str, Any]:
    """The child of this title; empty if there is none."""
    return next((child for child in job["children"] if child["title"] == title), {})
