"""What the bus shows, and how it differs from what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from host import Host, Variables
from ledger import Entry, Ledger

Task: TypeAlias = "dict[str, Any]"


class Board:
    """What `status --json` prints, or the jobs of a viewer."""

    def __init__(self, jobs: list[Task]) -> None:
        self.jobs = jobs
        self._titles = {task["id"]: task["title"] for task in self.tasks()}

    def tasks(self) -> Iterator[Task]:
        """All, parents first."""
        waiting = list(reversed(self.jobs))
        while waiting:
            task = waiting.pop()
            yield task
            waiting.extend(reversed(task["children"]))

    def find(self, title: str) -> Task | None:
        """The last that has the title: of a job that came again there are two."""
        return next((task for task in self.tasks() if task["title"] == title), None)

    def difference(self, entry: Entry) -> str:
        """A sentence where the task is not shown as its owner says; empty where it is."""
        task = self.find(entry.title)
        if task is None:
            return f"{entry.title} is not on the board"
        process = task["process"] or {}
        pairs: list[tuple[str, Any, Any]] = [
            ("state", entry.state, task["state"]),
            ("parent", entry.parent, self._titles.get(task["parent"])),
            ("host", entry.host, process.get("host", "")),
        ]
        if entry.completed is not None:
            pairs.append(("completed", entry.completed, task["completed"]))
        if entry.total is not None:
            pairs.append(("total", entry.total, task["total"]))
        if entry.reason is not None:
            pairs.append(("reason", entry.reason, task["reason"]))
        if entry.exit:
            # The task's own process has ended well: of its command speaks the reason.
            said = f"exit status {entry.exit}"
            pairs.append(("reason", said, (task["reason"] or "")[: len(said)]))
        words = [
            f"its {name} is {shown!r} instead of {said!r}"
            for name, said, shown in pairs
            if said != shown
        ]
        return f"{entry.title}: {', '.join(words)}" if words else ""

    def differences(self, ledger: Ledger) -> list[str]:
        """A sentence for all of a worker that is not shown as it says, to the last unit."""
        wrong = [self.difference(ledger.job)]
        job = self.find(ledger.job.title)
        if job is None:
            return wrong
        said, shown = ledger.counts(), job["counts"]
        # What others have taken of it by tickets is no child of this worker.
        others = [child for child in job["children"] if child["title"] in ledger.tickets]
        for state in ("running", "succeeded", "failed", "cancelled", "lost"):
            below = sum(_with_all_below(child, state) for child in others)
            if said[state] != shown[state] - below:
                number = shown[state] - below
                wrong.append(f"{ledger.job.title}: {number} are {state} instead of {said[state]}")
        units = sum(child.completed or 0 for child in ledger.children)
        sums = next((one for one in job["sums"] if one["unit"] == "units"), {"completed": 0})
        foreign = sum(_units(child) for child in others)
        if sums["completed"] - foreign != units:
            number = sums["completed"] - foreign
            wrong.append(f"{ledger.job.title}: {number} units below it instead of {units}")
        entries = {child.title: child for child in ledger.children}
        for child in job["children"]:
            if child["title"] in ledger.tickets:
                continue
            if child["title"] not in entries:
                wrong.append(f"{ledger.job.title}: nobody has begun {child['title']!r}")
            else:
                wrong.append(self.difference(entries[child["title"]]))
        return [sentence for sentence in wrong if sentence]


def _with_all_below(task: Task, state: str) -> int:
    return int(task["state"] == state) + int(task["counts"][state])


def _units(task: Task) -> int:
    below = sum(one["completed"] for one in task["sums"] if one["unit"] == "units")
    return int(below + (task["completed"] if task["unit"] == "units" else 0))


def status(
    host: Host, *options: str, patience: float = 30, variables: Variables | None = None
) -> tuple[Board | None, float, str]:
    """What the bus shows on a host, how long the answer took, and what was wrong."""
    words = ("progressbus", "status", "--json", *options)
    asked = host.run(*words, patience=patience, variables=variables)
    if asked.status != 0:
        return None, asked.seconds, asked.errors or f"status {asked.status}"
    return Board(json.loads(asked.output)["jobs"]), asked.seconds, ""
