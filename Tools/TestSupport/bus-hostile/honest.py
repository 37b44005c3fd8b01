"""One process of honest workers, each with a session of its own through the Python client.

They begin, advance and end tasks all the time and keep a ledger of what they have said. What has
been acknowledged is then compared with the board, see board.py. Ends when its standard input does.

honest.py DIRECTORY NAME WORKERS SEED
"""

from __future__ import annotations

import logging
import queue
import random
import sys
import threading
import time
from dataclasses import dataclass, field

import words
from board import Checker

import progressbus

# Unanswered for so long: counted with this time, and as not answered.
PATIENCE = 10.0

SUCCEEDED, FAILED, CANCELLED = 4, 5, 6


@dataclass
class Entry:
    """What the owner of a task has said about it."""

    id: str
    parent: str
    title: str
    total: int
    completed: int = 0
    detail: str = ""
    state: int = 0
    reason: str = ""


@dataclass
class Ledger:
    """A job and all below it."""

    job: str
    ended: float = 0.0
    acknowledged: float = 0.0
    entries: dict[str, Entry] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)


class Worker(threading.Thread):
    """Begins sessions, jobs and tasks, one after the other, and measures `sync`."""

    def __init__(
        self,
        endpoint: str,
        name: str,
        seed: str,
        stop: threading.Event,
        ended: queue.Queue[Ledger],
    ) -> None:
        super().__init__(name=name)
        self._endpoint = endpoint
        self._random = random.Random(seed)
        self._stopped = stop
        self._ended = ended
        self._jobs = 0
        self._open: list[Ledger] = []

    def run(self) -> None:
        # Not all at once, as no programs begin.
        self._pause(2.0)
        while not self._stopped.is_set():
            began = time.monotonic()
            bus = progressbus.Bus(self._endpoint)
            for number in range(self._random.randint(3, 5)):
                if self._stopped.is_set():
                    break
                self._job(bus, began if number == 0 else None)
            if not bus.close(PATIENCE):
                words.complain("a session has left with endings unacknowledged")
            else:
                self._acknowledged()
            self._open.clear()

    def _job(self, bus: progressbus.Bus, session_began: float | None) -> None:
        self._jobs += 1
        count = self._random.randint(2, 5)
        title = f"Honest {self.name} {self._jobs}"
        job = bus.job(title, total=count, unit="parts")
        ledger = Ledger(job.id)
        line = f"{title} has begun"
        job.log(line)
        ledger.lines.add(line)
        entry = self._entry(ledger, job, "", count)
        if session_began is not None:
            self._sync(bus, words.FIRST_WORD, session_began)
        for number in range(count):
            if self._stopped.is_set():
                break
            self._child(bus, ledger, job, f"Part {number + 1}")
        self._end(job, entry, [SUCCEEDED, SUCCEEDED, SUCCEEDED, FAILED, CANCELLED])
        words.tell(said=len(ledger.entries))
        self._open.append(ledger)
        ledger.ended = time.monotonic()
        if self._sync(bus, "a change, until sync says it is there", time.monotonic()):
            self._acknowledged()

    def _child(
        self, bus: progressbus.Bus, ledger: Ledger, parent: progressbus.Task, title: str
    ) -> None:
        total = self._random.randint(2, 12)
        task = parent.child(title, total=total, unit="items")
        entry = self._entry(ledger, task, parent.id, total)
        inner = self._random.random() < 0.3
        for number in range(self._random.randint(1, total)):
            self._pause(0.15)
            entry.completed += 1
            entry.detail = f"item {number + 1}"
            task.advance()
            task.detail = entry.detail
        if inner:
            below = task.child(f"{title}, inner", total=1)
            inner_entry = self._entry(ledger, below, task.id, 1)
            self._pause(0.05)
            self._end(below, inner_entry, [SUCCEEDED])
        self._end(task, entry, [SUCCEEDED] * 8 + [FAILED, CANCELLED])
        if not self._stopped.is_set():
            self._sync(bus, "a change, until sync says it is there", time.monotonic())

    def _entry(self, ledger: Ledger, task: progressbus.Task, parent: str, total: int) -> Entry:
        entry = Entry(task.id, parent, task.title, total)
        ledger.entries[task.id] = entry
        return entry

    def _end(self, task: progressbus.Task, entry: Entry, states: list[int]) -> None:
        entry.state = self._random.choice(states)
        if entry.state == SUCCEEDED:
            task.succeed()
        elif entry.state == FAILED:
            entry.reason = f"failed by plan, {entry.title}"
            task.fail(entry.reason)
        else:
            entry.reason = f"cancelled by plan, {entry.title}"
            task.cancel(entry.reason)

    def _acknowledged(self) -> None:
        for ledger in self._open:
            ledger.acknowledged = time.monotonic()
            words.tell(acknowledged=len(ledger.entries))
            self._ended.put(ledger)
        self._open.clear()

    def _sync(self, bus: progressbus.Bus, name: str, began: float) -> bool:
        is_answered = bus.sync(PATIENCE)
        words.sample(name, began, is_answered)
        return is_answered

    def _pause(self, most: float) -> None:
        self._stopped.wait(self._random.uniform(most / 5, most))


class Complaints(logging.Handler):
    """What the client has to say about the broker."""

    def emit(self, record: logging.LogRecord) -> None:
        words.complain(f"the client says: {record.getMessage()}")


def main() -> None:
    directory, name, workers, seed = sys.argv[1:]
    # Twenty threads and more in one interpreter: 5 ms for each would be a tick for ten of them.
    sys.setswitchinterval(0.0005)
    logging.getLogger("progressbus").addHandler(Complaints())
    stop = threading.Event()
    words.until_told(stop)
    ended: queue.Queue[Ledger] = queue.Queue()
    crew = [
        Worker(f"ipc://{directory}", f"{name}.{number}", f"{seed}/{name}/{number}", stop, ended)
        for number in range(int(workers))
    ]
    checker = Checker(directory, ended)
    checker.start()
    for worker in crew:
        worker.start()
    for worker in crew:
        worker.join()
    checker.finish()
    words.tell(end=True)


if __name__ == "__main__":
    main()
