"""Who looks while things change: `watch --json` on a host, with the time of each line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from board import Board
from host import Host, Variables


@dataclass
class Sight:
    """A job as it was told at a time of the monotonic clock."""

    when: float
    title: str
    completed: int
    detail: str


class Viewer:
    """Keeps what it was told last of each job; lines are long and many, so each is read once."""

    def __init__(self, host: Host, *options: str, variables: Variables | None = None) -> None:
        words = ("progressbus", "watch", "--json", "--depth", "9", *options)
        self.process = host.start(*words, variables=variables)
        self._jobs: dict[str, dict[str, Any]] = {}
        self._times: dict[str, list[float]] = {"connected": [], "disconnected": []}
        self._sights: list[Sight] = []
        self._left: list[str] = []

    def _read(self) -> None:
        for when, line in self.process.take_lines():
            event = json.loads(line)
            kind, job = event["event"], event.get("job")
            if kind == "job":
                self._jobs[job["id"]] = job
                self._sights.append(Sight(when, job["title"], job["completed"], job["detail"]))
            elif kind == "left":
                self._left.append(job["title"])
                self._jobs.pop(job["id"], None)
            elif kind in self._times:
                self._times[kind].append(when)

    def times(self, event: str, since: float = 0.0) -> list[float]:
        """When it was told `connected` or `disconnected`."""
        self._read()
        return [when for when in self._times[event] if when >= since]

    def sights(self, title: str) -> list[Sight]:
        """All that came of a job."""
        self._read()
        return [sight for sight in self._sights if sight.title == title]

    def board(self) -> Board:
        """All jobs that are still shown, as they came last."""
        self._read()
        return Board(sorted(self._jobs.values(), key=lambda job: job["slot"]))

    def left(self) -> list[str]:
        """The titles of jobs that went from the picture."""
        self._read()
        return self._left

    def end(self) -> None:
        self.process.kill()
