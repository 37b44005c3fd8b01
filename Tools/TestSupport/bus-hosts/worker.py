"""A worker on a host: begins, advances and ends tasks, and writes down what it has said.

    worker.py NAME ORDER

It works as long as its order says, or until there is a file `stop` in the ledger's directory. ORDER
is an object of JSON:

    face       "package" or "report"
    title      of its job, which is the part that a ticket or parent in its environment says
    children   how many there are to be; 0: until it is stopped
    units      of each child
    pause      seconds between two steps; a step is one unit of the job and of a child
    total      of the job; left out: none
    clock      seconds by which its clock is ahead
    failEvery  each so-many-th child fails; 0: none
    tickets    the titles of parts for others, written to the ledger as soon as there are any
    patience   seconds that it waits at its end until all is acknowledged
    state      how the job ends
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from pathlib import Path
from typing import Any

from faces import Face, Package, Report

LEDGER = Path("/run/ledger")


class Worker:
    def __init__(self, name: str, order: dict[str, Any]) -> None:
        self._name = name
        self._order = order
        self._tasks: list[dict[str, Any]] = []
        self._job: dict[str, Any] = {}
        # When each step began and how long it took.
        self._steps: list[tuple[float, float]] = []
        self._is_acknowledged = False
        self._began = 0.0

    def run(self) -> None:
        kind = Package if self._order.get("face") == "package" else Report
        title = self._order["title"]
        self._job = self._noted(title, None, None)
        self._began = time.monotonic()
        total = self._order.get("total")
        options: dict[str, Any] = {"unit": "steps"} if kind is Package else {}
        options |= {"total": total} if total else {}
        face: Face = kind(title, self._order.get("clock", 0), **options)
        tickets = {title: face.ticket(title) for title in self._order.get("tickets", [])}
        self._write(tickets=tickets)
        number = 0
        wanted = self._order.get("children", 0)
        while (not wanted or number < wanted) and not self._is_over(face):
            number += 1
            self._child(face, number)
        state = "cancelled" if face.is_cancelled() else self._order.get("state", "succeeded")
        self._end(face, "root", self._job, state, "as asked" if state != "succeeded" else "")
        self._write(tickets=tickets)
        self._is_acknowledged = face.close(self._order.get("patience", 10))
        self._write(tickets=tickets)

    def _noted(self, title: str, parent: str | None, total: int | None) -> dict[str, Any]:
        host = socket.gethostname()
        task = {"title": title, "parent": parent, "total": total, "completed": 0, "host": host}
        self._tasks.append(task)
        return task

    def _is_over(self, face: Face) -> bool:
        return face.is_cancelled() or (LEDGER / "stop").exists()

    def _child(self, face: Face, number: int) -> None:
        units = self._order.get("units", 5)
        title = f"{self._order['title']} {number}"
        every = self._order.get("failEvery", 0)
        is_failing = every and number % every == 0
        task = self._noted(title, self._order["title"], units)
        for unit in range(units):
            began = time.monotonic()
            if not unit:
                face.begin(title, title, total=units, unit="units", share=0)
            _work()
            face.advance(title)
            face.advance("root")
            task["completed"] += 1
            self._job["completed"] += 1
            is_last = unit == units - 1 or (is_failing and unit == units // 2)
            if is_last:
                state = "failed" if is_failing else "succeeded"
                self._end(face, title, task, state, "one of those" if is_failing else "")
            elif self._is_over(face):
                is_last = True
                self._end(face, title, task, "cancelled", "as asked")
            self._steps.append((began, time.monotonic() - began))
            time.sleep(self._order.get("pause", 0.01))
            if is_last:
                return

    def _end(self, face: Face, name: str, task: dict[str, Any], state: str, reason: str) -> None:
        face.end(name, state, reason)
        task.update(state=state, reason=reason, ended=time.monotonic())

    def _write(self, **more: Any) -> None:
        written = {
            "name": self._name,
            "began": self._began,
            "tasks": self._tasks,
            "steps": self._steps,
            "acknowledged": self._is_acknowledged,
            **more,
        }
        part = LEDGER / f".{self._name}"
        part.write_text(json.dumps(written))
        os.replace(part, LEDGER / f"{self._name}.json")


def _work() -> None:
    """Some half a millisecond of a processor, as a step of work takes."""
    sum(number * number for number in range(8_000))


if __name__ == "__main__":
    Worker(sys.argv[1], json.loads(sys.argv[2])).run()
