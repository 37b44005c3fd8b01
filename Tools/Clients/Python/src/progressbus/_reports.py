"""What goes over the reports socket: a frame with the changes of a tick, and keyframes."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from itertools import islice

from . import _limits
from ._fold import frames
from ._frames import REPORT, encoded
from ._generated import progressbus_pb2 as wire
from ._ledger import LOG_LINES, Ledger
from ._state import TaskState

# So many tasks, folds and lines fit into a frame however long their texts are.
TASKS = 24
FOLDS = 5
LINES = 20


@dataclass
class _Said:
    """What a frame says of one task."""

    task: TaskState
    revision: int
    amounts: tuple[int, int]
    detail: str
    state: wire.StatedState


@dataclass
class Report:
    """A frame that is ready, and what it has said once it is sent."""

    frame: bytes
    sequence: int
    is_chunk: bool = False
    is_last_chunk: bool = False
    said: list[_Said] = field(default_factory=list)
    lines: int = 0


class Reports:
    """Builds reports. A report that could not be sent leaves everything marked as changed."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.keyframe_wanted = False
        self.last_sequence = 0
        self._lines: deque[tuple[TaskState, str, float]] = deque(maxlen=LOG_LINES)
        self._keyframes = 0
        self._chunks: deque[Report] = deque()

    @property
    def is_clean(self) -> bool:
        """Whether everything has been said."""
        return not (self._chunks or self.keyframe_wanted or self._ledger.changed or self._lines)

    def take_lines(self) -> None:
        """Takes over the lines that the program has said; other threads add to the ledger's."""
        for _ in range(len(self._ledger.lines)):
            self._lines.append(self._ledger.lines.popleft())

    def begin_keyframe(self) -> None:
        """A broker has welcomed the session: everything is to be said."""
        self._chunks.clear()
        self.keyframe_wanted = True

    def stop(self) -> None:
        """Nobody listens; the next one who does gets a keyframe."""
        self._chunks.clear()
        self.keyframe_wanted = False

    def next(self, now: float) -> Report | None:
        """The next frame to send; the same again if `sent` is not called."""
        if self.keyframe_wanted:
            self.keyframe_wanted = False
            self._make_keyframe(now)
        if self._chunks:
            return self._chunks[0]
        if self._ledger.changed or self._lines:
            return self._make_change(now)
        return None

    def sent(self, report: Report) -> None:
        """libzmq has taken the frame."""
        self.last_sequence = report.sequence
        if report.is_chunk:
            self._chunks.popleft()
        for said in report.said:
            task = said.task
            task.said_revision = said.revision
            task.said_amounts = said.amounts
            task.said_detail = said.detail
            task.said_state = said.state
            if (
                said.revision == task.revision
                and said.amounts == task.amounts()
                and said.detail == task.detail
                and said.state == task.state
            ):
                self._ledger.changed.pop(task, None)
        for _ in range(min(report.lines, len(self._lines))):
            self._lines.popleft()

    def _make_change(self, now: float) -> Report:
        message = self._begin()
        report = Report(b"", message.sequence)
        for task in list(islice(self._ledger.changed, TASKS)):
            report.said.append(_state(message, task, now, whole=False))
        for task, text, when in islice(self._lines, LINES):
            line = message.logs.add(text=text, time=when)
            line.task.index = task.index
            report.lines += 1
        report.frame = encoded(REPORT, message)
        return report

    def _make_keyframe(self, now: float) -> None:
        self._keyframes += 1
        tasks = [task for task in self._ledger.tasks.values() if not task.settled]
        folds = frames(
            (task.fold for task in self._ledger.tasks.values() if task.fold is not None), FOLDS
        )
        count = max(-(-len(tasks) // TASKS), len(folds), 1)
        for number in range(count):
            message = self._begin()
            message.keyframe = self._keyframes
            message.keyframe_chunk = number
            message.keyframe_last = number == count - 1
            report = Report(b"", message.sequence, True, message.keyframe_last)
            for task in tasks[number * TASKS : (number + 1) * TASKS]:
                report.said.append(_state(message, task, now, whole=True))
            for fold in folds[number] if number < len(folds) else ():
                fold.write(message.folds.add())
            report.frame = encoded(REPORT, message)
            self._chunks.append(report)

    def _begin(self) -> wire.Report:
        return wire.Report(
            credential=self._ledger.credential, sequence=self._ledger.next_sequence()
        )


def _state(message: wire.Report, task: TaskState, now: float, whole: bool) -> _Said:
    """Writes what has changed of a task, or everything, into the columns."""
    # Revision before fields and fields once: what changes meanwhile marks the task again.
    said = _Said(task, task.revision, task.amounts(), task.detail, task.state)
    # From here on: a chunk may wait while its tasks end.
    task.mentioned = True
    begins = whole or task.said_revision == 0
    if begins or said.revision != task.said_revision:
        task.describe(message.descriptions.add(), with_places=whole)
    if task.is_ticket:
        return said
    if begins or said.amounts != task.said_amounts:
        message.amount_index.append(task.index)
        message.completed.append(said.amounts[0])
        message.total.append(said.amounts[1])
    if said.detail != task.said_detail or (whole and said.detail):
        message.detail_index.append(task.index)
        message.detail.append(_limits.cut(said.detail, _limits.DETAIL))
    if task.has_ended:
        return said
    if whole or said.state != task.said_state:
        message.states.add(index=task.index, state=said.state)
    if begins or said.revision != task.said_revision or said.state != task.said_state:
        message.clock_index.append(task.index)
        for column, value in zip(
            (message.elapsed, message.active, message.since_advance), task.clock(now), strict=True
        ):
            column.append(value)
    return said


def log_line(text: str) -> tuple[str, float]:
    """A line as frames have it, and when it was said."""
    return _limits.cut(text, _limits.LOG_TEXT), time.time()
