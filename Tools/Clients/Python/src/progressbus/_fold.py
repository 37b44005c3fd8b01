"""What is left of children that were folded away below one parent (PROTOCOL.md 7.4)."""

from __future__ import annotations

from collections.abc import Iterable

from . import _limits
from ._generated import progressbus_pb2 as wire
from ._state import TaskState

# What the folds of one frame name at most: what does not fit beside them goes into the next one.
REMOVED = 4_096


class Fold:
    """Sums over the folded children of one task; absolute numbers."""

    __slots__ = (
        "cancelled",
        "failed",
        "parent",
        "removed",
        "removed_before",
        "revision",
        "settled_revision",
        "share",
        "succeeded",
        "sums",
        "weighted",
    )

    def __init__(self, parent: TaskState) -> None:
        self.parent = parent
        self.revision = 0
        self.settled_revision = 0
        self.succeeded = 0
        self.failed = 0
        self.cancelled = 0
        self.share = 0
        # The sum of share times fraction, in units of 2^-50.
        self.weighted = 0
        self.sums: dict[str, list[int]] = {}
        # Folded indices that others know of, without those that an acknowledgement covers.
        self.removed: list[int] = []
        self.removed_before = 0

    @property
    def is_settled(self) -> bool:
        """Whether all of it is on disk."""
        return self.revision == self.settled_revision

    def takes(self, child: TaskState) -> bool:
        """Whether there is room for one more."""
        if self.share + share(child) > _limits.INTEGER:
            return False
        return not child.mentioned or len(self.removed) < REMOVED

    def add(self, child: TaskState) -> None:
        """Adds an ended child without children of its own."""
        completed, total = child.amounts()
        if child.state == wire.STATED_STATE_SUCCEEDED:
            self.succeeded += 1
        elif child.state == wire.STATED_STATE_FAILED:
            self.failed += 1
        else:
            self.cancelled += 1
        self.share += share(child)
        succeeded = child.state == wire.STATED_STATE_SUCCEEDED
        self.weighted += share(child) * fraction(completed, total, succeeded)
        unit = _limits.cut(child.unit, _limits.UNIT)
        # With more units the amounts have nothing in common, and nobody is told any further one.
        if unit and (unit in self.sums or len(self.sums) < _limits.UNIT_SUMS):
            sums = self.sums.setdefault(unit, [0, 0])
            sums[0] = min(sums[0] + completed, _limits.INTEGER)
            sums[1] = min(sums[1] + max(completed, total), _limits.INTEGER)
        if child.mentioned:
            self.removed.append(child.index)
        self.revision += 1

    def write(self, into: wire.Fold) -> None:
        """Writes it into a frame."""
        into.parent.index = self.parent.index
        into.succeeded = self.succeeded
        into.failed = self.failed
        into.cancelled = self.cancelled
        into.share = self.share
        into.weighted_high = self.weighted >> 64
        into.weighted_low = self.weighted & ((1 << 64) - 1)
        for unit, (completed, total) in self.sums.items():
            into.sums.add(unit=unit, completed=completed, total=total)
        into.removed.extend(self.removed)

    @property
    def position(self) -> int:
        """How many indices it has ever named."""
        return self.removed_before + len(self.removed)

    def acknowledged(self, revision: int, position: int) -> None:
        """What was said at `revision`, up to `position` among the indices, is on disk."""
        self.settled_revision = max(self.settled_revision, revision)
        if position > self.removed_before:
            del self.removed[: position - self.removed_before]
            self.removed_before = position


def frames(folds: Iterable[Fold], most: int) -> list[list[Fold]]:
    """The folds, at most so many to a frame and no more than it may name as removed."""
    found: list[list[Fold]] = []
    room = 0
    for fold in folds:
        if not found or len(found[-1]) == most or len(fold.removed) > room:
            found.append([])
            room = REMOVED
        found[-1].append(fold)
        room -= len(fold.removed)
    return found


def share(child: TaskState) -> int:
    """How many of its parent's units a child is worth."""
    if child.share is None:
        return 0 if child.background else 1
    return _limits.whole(child.share, _limits.SHARE)


def fraction(completed: int, total: int, succeeded: bool) -> int:
    """The fraction of a task without children in units of 2^-50, halves up, from 0 to 1."""
    one = 1 << 50
    if succeeded or total == 0:
        return one
    if total < 0:
        return 0
    return min((2 * completed * one + total) // (2 * total), one)
