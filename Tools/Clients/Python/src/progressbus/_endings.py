"""Endings, tickets and folds: sent over control until they are acknowledged (PROTOCOL.md 8.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from ._fold import Fold, frames
from ._generated import progressbus_pb2 as wire
from ._ledger import Ledger
from ._state import TaskState

# So many rows and folds fit into a frame however long their texts are.
ROWS = 16
FOLDS = 5
OPEN_FRAMES = 16
# Between two frames, where something does not wait for a tick.
INTERVAL = 0.005


@dataclass
class _Frame:
    """What an `Endings` holds that is not acknowledged yet."""

    tasks: list[TaskState] = field(default_factory=list)
    folds: list[tuple[Fold, int, int]] = field(default_factory=list)


class Endings:
    """Which endings and folds are due, and which wait for their acknowledgement."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._due: dict[TaskState, None] = {}
        self._open: dict[int, _Frame] = {}
        self._next: tuple[wire.Endings, _Frame] | None = None
        self.last_sent = 0.0
        self.is_urgent = False
        self.frames_acknowledged = 0

    def take_ended(self) -> None:
        """Takes over what has ended and which tickets were made, after the ledger has looked."""
        # A report may be lost with a broker, and a ticket may be redeemed before the next keyframe.
        for ticket in self._ledger.new_tickets:
            self._due[ticket] = None
            self.is_urgent = True
        self._ledger.new_tickets.clear()
        while self._ledger.ended:
            task = self._ledger.ended.popleft()
            self._due[task] = None
            # Others show what failed at once, and a worker may leave right after its own task.
            if task.parent is None or task.state != wire.STATED_STATE_SUCCEEDED:
                self.is_urgent = True

    @property
    def is_due(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._due or self._ledger.changed_folds) and len(self._open) < OPEN_FRAMES

    @property
    def is_settled(self) -> bool:
        """Whether everything is on disk."""
        return not (self._due or self._ledger.changed_folds or self._open)

    def next_time(self, tick: float) -> float:
        """When the next frame may go: soon if it is urgent, else a tick after the last one. Not
        with the next report: while there are reports, that is always still to come."""
        return self.last_sent + (INTERVAL if self.is_urgent else tick)

    def next(self, now: float) -> wire.Endings:
        """A frame with what is due."""
        message = wire.Endings(sequence=self._ledger.next_sequence())
        frame = _Frame()
        for task in list(islice(self._due, ROWS)):
            # Folded since: its numbers are in the fold.
            if task.gone:
                del self._due[task]
                continue
            task.write_row(message.endings.add(), now)
            frame.tasks.append(task)
        for fold in next(iter(frames(islice(self._ledger.changed_folds, FOLDS), FOLDS)), []):
            fold.write(message.folds.add())
            frame.folds.append((fold, fold.revision, fold.position))
        self._next = (message, frame)
        return message

    def sent(self, now: float) -> None:
        """libzmq has taken the frame that `next` gave."""
        if self._next is None:
            return
        message, frame = self._next
        self._next = None
        self.last_sent = now
        for task in frame.tasks:
            task.mentioned = True
            self._due.pop(task, None)
        for fold, _, _ in frame.folds:
            self._ledger.changed_folds.pop(fold, None)
        self._open[message.sequence] = frame
        self.is_urgent = self.is_urgent and bool(self._due)

    def acknowledged(self, sequence: int) -> None:
        """A frame is on disk; a number that is not open means nothing."""
        frame = self._open.pop(sequence, None)
        if frame is None:
            return
        self.frames_acknowledged += 1
        tops = set()
        for task in frame.tasks:
            # A ticket is stated in every keyframe, as long as the session lives.
            if not (task.gone or task.is_ticket):
                self._ledger.settle(task)
                tops.add(task.top)
        for fold, revision, position in frame.folds:
            self._ledger.settle_fold(fold, revision, position)
            tops.add(fold.parent.top)
        self._ledger.forget_settled(tops)

    def begin_again(self) -> None:
        """A new conversation: all that is kept is due again, in new frames."""
        for frame in self._open.values():
            self._due.update(dict.fromkeys(task for task in frame.tasks if not task.gone))
            for fold, _, _ in frame.folds:
                self._ledger.changed_folds[fold] = None
        self._open.clear()
        self._due.update(dict.fromkeys(self._ledger.unsettle_all()))
        self.is_urgent = self.is_due

    def unsettled(self) -> list[TaskState]:
        """Ended tasks that are not on disk."""
        tasks = dict(self._due)
        for frame in self._open.values():
            tasks.update(dict.fromkeys(frame.tasks))
        return [task for task in tasks if not task.gone]

    def unsettled_folds(self) -> list[Fold]:
        """Folds that are not on disk."""
        folds = dict(self._ledger.changed_folds)
        for frame in self._open.values():
            folds.update({fold: None for fold, _, _ in frame.folds})
        return list(folds)
