"""Compares what honest workers have said with what the board shows of it."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

import words
from asking import Asking
from wires import Wires, task_text

from progressbus._generated import progressbus_pb2 as wire

if TYPE_CHECKING:
    from honest import Entry, Ledger

PATIENCE = 40.0
AGAIN = 0.25
STATES = ("waiting", "running", "paused", "cancelling", "succeeded", "failed", "cancelled", "lost")


class Checker(threading.Thread):
    """Looks at each job once it has ended and all of it has been acknowledged.

    Each row must say what its owner has said, and there must be no others: whatever a hostile
    client has said about the job is found here.
    """

    def __init__(self, directory: str, ended: queue.Queue[Ledger]) -> None:
        super().__init__(daemon=True)
        self._wires = Wires(directory)
        self._asking: Asking | None = None
        self._ended = ended
        self._waiting: list[tuple[float, float, Ledger]] = []
        self._is_closed = threading.Event()

    def finish(self) -> None:
        """Waits until all have been looked at."""
        self._is_closed.set()
        self.join(60)
        if self.is_alive():
            words.complain("what has ended could not be compared with the board within a minute")

    def run(self) -> None:
        self._asking = Asking(self._wires)
        self._asking.hello()
        while not (self._is_closed.is_set() and not self._waiting and self._ended.empty()):
            self._take()
            self._asking.keep_alive()
            now = time.monotonic()
            due = [look for look in self._waiting if look[0] <= now]
            self._waiting = [look for look in self._waiting if look[0] > now]
            for _, until, ledger in due:
                wrong = self._wrong(self._asking, ledger)
                if wrong and time.monotonic() < until:
                    self._waiting.append((time.monotonic() + AGAIN, until, ledger))
                    continue
                words.tell(shown=max(0, len(ledger.entries) - len(wrong)), wrong=wrong[:5])
                self._dismiss(self._asking, ledger)

    def _take(self) -> None:
        try:
            ledger = self._ended.get(timeout=0.1)
            while True:
                self._waiting.append((0.0, time.monotonic() + PATIENCE, ledger))
                ledger = self._ended.get_nowait()
        except queue.Empty:
            pass

    def _wrong(self, asking: Asking, ledger: Ledger) -> list[str]:
        """A sentence for each task that is not shown as said, or that nobody has begun."""
        name = ledger.entries[ledger.job].title
        chunks = asking.snapshot(f"job/{ledger.job}/", 3.0)
        if chunks is None:
            return [f"{name}: its snapshot is not answered"] * len(ledger.entries)
        rows = {task_text(row.task): row for chunk in chunks for row in chunk.rows}
        if ledger.job not in rows:
            age = time.monotonic() - ledger.ended
            state = STATES[ledger.entries[ledger.job].state]
            sentence = f"{name}: {ledger.job}, {state} {age:.0f} s ago, is not on the board"
            return [sentence] * len(ledger.entries)
        own = {entry.id: rows.pop(entry.id, None) for entry in ledger.entries.values()}
        # Anybody may work below a task (PROTOCOL.md 8.7); nobody may speak in its owner's name.
        guests = [row for row in rows.values() if row.task.session != session_of(ledger.job)]
        wrong = []
        for entry in ledger.entries.values():
            row = own[entry.id]
            sentence = "it is not on the board"
            if row is not None:
                sentence = difference(entry, row, awaits=bool(guests))
            if sentence:
                wrong.append(f"{name}, {entry.title}: {sentence}")
        wrong += [
            f"{name}: nobody honest has begun {row.description.title!r}"
            for row in rows.values()
            if row not in guests
        ]
        if not wrong and not guests:
            wrong = self._wrong_counts(ledger, chunks) or self._foreign_lines(asking, ledger)
        return wrong

    def _wrong_counts(self, ledger: Ledger, chunks: list[wire.SnapshotChunk]) -> list[str]:
        """Folds have no rows: they are seen in what the job says of all below it."""
        said = Counter(entry.state for entry in ledger.entries.values() if entry.parent)
        for row in (row for chunk in chunks for row in chunk.rows):
            counts = row.progress.counts
            shown = (counts.succeeded, counts.failed, counts.cancelled)
            others = counts.waiting + counts.running + counts.lost + row.progress.children_left_out
            if task_text(row.task) == ledger.job and (
                others or shown != (said[4], said[5], said[6])
            ):
                entry = ledger.entries[ledger.job]
                return [
                    f"{entry.title}: below it there are {str(counts).split()}, said {dict(said)}"
                ]
        return []

    def _foreign_lines(self, asking: Asking, ledger: Ledger) -> list[str]:
        chunks = asking.snapshot(f"log/{ledger.job}/", 3.0) or []
        lines = {line.text for chunk in chunks for line in chunk.logs}
        return [f"a line that nobody has said: {line!r}" for line in lines - ledger.lines]

    def _dismiss(self, asking: Asking, ledger: Ledger) -> None:
        """As a person would: what has failed would stay, up to a thousand of them."""
        if ledger.entries[ledger.job].state != 5:
            return
        index = ledger.job.partition("-")[0]
        target = wire.TaskRef(index=int(index, 36), session=session_of(ledger.job))
        request = wire.CommandRequest(
            request=asking.number(), verb=wire.VERB_DISMISS, target=target
        )
        asking.post(command=request)


def session_of(job: str) -> int:
    """The session in the name of a task."""
    return int(job.partition("-")[2], 32)


def difference(entry: Entry, row: wire.Row, awaits: bool) -> str:
    """What the row says otherwise than the owner; empty if nothing.

    With `awaits` others have begun something below the job: what succeeded waits for that, and says
    so.
    """
    description, progress = row.description, row.progress
    parent = task_text(description.parent) if description.HasField("parent") else ""
    state = STATES[min(progress.state, 7)]
    if awaits and state == "running" and progress.note.startswith("waiting for "):
        state = STATES[4]
    pairs = (
        ("state", STATES[entry.state], state),
        ("reason", entry.reason, progress.reason),
        ("completed", entry.completed, progress.completed),
        ("total", entry.total, progress.total),
        ("detail", entry.detail, progress.detail),
        ("title", entry.title, description.title),
        ("parent", entry.parent, parent),
    )
    return ", ".join(
        f"{name} is {shown!r} instead of {said!r}" for name, said, shown in pairs if said != shown
    )
