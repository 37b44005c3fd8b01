"""The tasks of one session: which there are, which have changed, which are folded or forgotten."""

from __future__ import annotations

import itertools
import logging
from collections import deque
from collections.abc import Callable, Iterator

from ._fold import Fold
from ._generated import progressbus_pb2 as wire
from ._identity import TaskId, new_credential, new_public_id
from ._state import TaskState

# Ended children that stay rows of their own below one parent; older ones are folded.
KEPT_SUCCEEDED = 100
KEPT_FAILED = 1_000
# Tasks that a session holds: what begins beyond them is not shown.
TASKS = 100_000
LOG_LINES = 1_000

logger = logging.getLogger("progressbus")


class Ledger:
    """What a session knows of its tasks. Only the reporting thread calls it, but for `marks`,
    `lines`, `asleep`, `alert`, `wake`, `full` and `next_index`, which any thread may use."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self.credential = new_credential()
        self.public_id = new_public_id()
        self.wake = wake
        # True while the reporting thread sleeps until it is woken: by any mark, by an urgent one.
        self.asleep = False
        self.alert = False
        self.marks: deque[TaskState] = deque()
        # Lines that were said: task, text and Unix time. The oldest of too many go.
        self.lines: deque[tuple[TaskState, str, float]] = deque(maxlen=LOG_LINES)
        self.tasks: dict[int, TaskState] = {}
        self.changed: dict[TaskState, None] = {}
        self.sampled: dict[TaskState, None] = {}
        self.ended: deque[TaskState] = deque()
        self.changed_folds: dict[Fold, None] = {}
        self.redeemers: dict[int, TaskState] = {}
        self.new_redeemers: list[TaskState] = []
        self.new_tickets: list[TaskState] = []
        self._indices = itertools.count(1)
        self._sequences = itertools.count(1)
        self._complained = False

    def next_index(self) -> int:
        """The number of a new task."""
        return next(self._indices)

    def next_sequence(self) -> int:
        """The version of a new frame of statements."""
        return next(self._sequences)

    @property
    def full(self) -> bool:
        """Whether the session holds as many tasks as it may; says so once."""
        if len(self.tasks) + len(self.marks) < TASKS:
            return False
        if not self._complained:
            self._complained = True
            logger.warning(
                "more than %d tasks that have not been acknowledged or folded; further ones are not"
                " shown. End some, or report one task and its completed instead.",
                TASKS,
            )
        return True

    def take_marks(self, now: float) -> None:
        """Looks at every task that was marked."""
        for task in list(self.sampled):
            task.take_sample()
            if task.marked or task.has_ended:
                continue
            self._look(task, now)
        # Only what is there now: what is marked meanwhile has its turn at the next tick.
        for _ in range(len(self.marks)):
            task = self.marks.popleft()
            task.marked = False
            if task.gone:
                continue
            if task.index not in self.tasks and not self._adopt(task):
                continue
            if not task.has_ended:
                if task.sample is not None:
                    self.sampled[task] = None
                self._look(task, now)
            elif not task.ending_taken:
                self._end(task, now)

    def _adopt(self, task: TaskState) -> bool:
        parent = task.parent
        if parent is not None:
            if parent.gone:
                task.gone = True
                return False
            parent.children_begun += 1
            task.top = parent.top
            # The request came between its begin and now.
            task.cancel_asked = task.cancel_asked or parent.cancel_asked
        self.tasks[task.index] = task
        task.top.members[task.index] = task
        task.top.unsettled += 1
        if task.ticket_id is not None:
            self.redeemers[task.index] = task
            self.new_redeemers.append(task)
        if task.is_ticket:
            self.new_tickets.append(task)
        return True

    def _look(self, task: TaskState, now: float) -> None:
        """Notes whether there is something to say, and the time of an advance."""
        if self._has_advanced(task):
            self._advance(task, now)
        if (
            task.said_revision != task.revision
            or task.said_state != task.state
            or task.said_amounts != task.amounts()
            or task.said_detail != task.detail
        ):
            self.changed[task] = None

    @staticmethod
    def _has_advanced(task: TaskState) -> bool:
        seen = (task.completed, task.detail)
        if task.seen == seen:
            return False
        task.seen = seen
        return True

    @staticmethod
    def _advance(task: TaskState, now: float) -> None:
        above: TaskState | None = task
        while above is not None:
            above.advanced = now
            above = above.parent

    def _end(self, task: TaskState, now: float) -> None:
        task.ending_taken = True
        if self._has_advanced(task):
            self._advance(task, min(now, task.ended or now))
        elif task.parent is not None:
            self._advance(task.parent, now)
        self.changed.pop(task, None)
        self.sampled.pop(task, None)
        if self._keeps(task):
            self.ended.append(task)

    def _keeps(self, task: TaskState) -> bool:
        """Folds what has become too much below its parent; False if that was the task itself."""
        parent = task.parent
        if parent is None or task.children_begun or task.logged or task.ticket_id or task.is_ticket:
            return True
        # A fold names no host.
        if task.host:
            return True
        if task.state == wire.STATED_STATE_SUCCEEDED:
            kept, limit = parent.kept_succeeded, KEPT_SUCCEEDED
            if kept is None:
                kept = parent.kept_succeeded = deque()
        else:
            kept, limit = parent.kept_failed, KEPT_FAILED
            if kept is None:
                kept = parent.kept_failed = deque()
        if len(kept) >= limit:
            # What nobody has heard of yet costs nothing to fold.
            if not task.mentioned:
                return not self._fold(task, parent)
            oldest = kept[0]
            # A child may have begun below it since it ended, by another thread.
            if not oldest.children_begun and not self._fold(oldest, parent):
                return True
            kept.popleft()
        kept.append(task)
        return True

    def _fold(self, task: TaskState, parent: TaskState) -> bool:
        if parent.fold is None:
            parent.fold = Fold(parent)
        fold = parent.fold
        if not fold.takes(task):
            return False
        if fold.is_settled:
            task.top.unsettled += 1
        fold.add(task)
        self.changed_folds[fold] = None
        self.settle(task)
        self._drop(task)
        return True

    def settle(self, task: TaskState) -> None:
        """Its ending is on disk, or in a fold."""
        if not task.settled:
            task.settled = True
            task.top.unsettled -= 1

    def settle_fold(self, fold: Fold, revision: int, position: int) -> None:
        """What a fold said at `revision` is on disk."""
        was_settled = fold.is_settled
        fold.acknowledged(revision, position)
        if fold.is_settled and not was_settled:
            fold.parent.top.unsettled -= 1

    def unsettle_all(self) -> Iterator[TaskState]:
        """Ended tasks that a new broker shall hear of again, although an old one had them."""
        for task in self.tasks.values():
            if task.ending_taken and task.settled:
                task.settled = False
                task.top.unsettled += 1
                yield task

    def forget_settled(self, tops: set[TaskState]) -> None:
        """Forgets those jobs of which everything has ended and is on disk."""
        for top in tops:
            if top.unsettled or top.gone or (top.ticket_id and top.binding is None):
                continue
            for task in list(top.members.values()):
                self._drop(task)

    def _drop(self, task: TaskState) -> None:
        task.gone = True
        self.tasks.pop(task.index, None)
        task.top.members.pop(task.index, None)
        self.changed.pop(task, None)
        self.redeemers.pop(task.index, None)

    def below(self, indices: list[int]) -> list[TaskState]:
        """The unfinished tasks with these numbers and everything unfinished below them."""
        wanted = set(indices)
        found = []
        for task in list(self.tasks.values()):
            above: TaskState | None = task
            while above is not None and above.index not in wanted:
                above = above.parent
            if above is not None and not task.has_ended and not task.is_ticket:
                found.append(task)
        return found

    def id_of(self, task: TaskState) -> TaskId:
        """The name under which anybody can speak of the task."""
        return TaskId(task.index, self.public_id)
