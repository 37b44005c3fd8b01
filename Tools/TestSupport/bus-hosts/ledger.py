"""What a worker has written down, read from outside of its host."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host import Host, Variables
from process import Process

HERE = Path(__file__).resolve().parent


@dataclass
class Entry:
    """A task as its worker has last said it."""

    title: str
    parent: str | None
    host: str
    state: str
    completed: int | None = None
    total: int | None = None
    reason: str | None = None
    exit: int | None = None
    ended: float = 0.0


@dataclass
class Ledger:
    """All of one worker."""

    name: str
    job: Entry
    children: list[Entry]
    steps: list[tuple[float, float]]
    tickets: dict[str, str]
    is_acknowledged: bool
    # When the job began, by the monotonic clock.
    began: float

    def counts(self) -> Counter[str]:
        """How many children have ended how."""
        return Counter(child.state for child in self.children)

    def durations(self, began: float, ended: float) -> list[float]:
        """Seconds of each step in that time."""
        return [took for when, took in self.steps if began <= when < ended]


def order(name: str, **words: Any) -> list[str]:
    """The command of a worker on a host."""
    return [sys.executable, str(HERE / "worker.py"), name, json.dumps(words)]


def start(host: Host, name: str, variables: Variables, **words: Any) -> Process:
    """A worker on that host."""
    return host.start(*order(name, **words), variables=variables)


def read(host: Host, name: str, parent: str | None = None) -> Ledger | None:
    """What is written so far; the parent is what the environment of the worker says."""
    try:
        written = json.loads(host.path(f"/run/ledger/{name}.json").read_text())
    except (OSError, ValueError):
        return None
    job, *children = (
        Entry(
            title=task["title"],
            parent=task["parent"],
            host=task["host"],
            state=task.get("state", "running"),
            completed=task["completed"],
            total=task["total"],
            reason=task.get("reason") or None,
            ended=task.get("ended", 0.0),
        )
        for task in written["tasks"]
    )
    job.parent = parent
    steps = [(began, took) for began, took in written["steps"]]
    acknowledged, began = written["acknowledged"], written["began"]
    return Ledger(name, job, children, steps, written["tickets"], acknowledged, began)


def stop(host: Host) -> None:
    """Ends all workers on it after their step."""
    host.path("/run/ledger/stop").touch()
