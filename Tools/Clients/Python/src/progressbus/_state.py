"""One task as its owner knows it: what the program sets, and what of it has been said."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _limits
from ._generated import progressbus_pb2 as wire
from ._identity import TaskId

if TYPE_CHECKING:
    from ._fold import Fold
    from ._ledger import Ledger

logger = logging.getLogger("progressbus")

FINAL = frozenset(
    (wire.STATED_STATE_SUCCEEDED, wire.STATED_STATE_FAILED, wire.STATED_STATE_CANCELLED)
)

Handler = Callable[[], Any]


class TaskState:
    """The fields that the program's threads write and the reporting thread reads.

    No lock: each field is written whole, and `marked` is set after it. The reporting thread takes
    `marked` back before it reads, so that what it misses marks the task again.
    """

    __slots__ = (
        "advanced",
        "background",
        "begun",
        "begun_at",
        "binding",
        "cancel_asked",
        "cancellable",
        "cell",
        "children_begun",
        "completed",
        "consequence",
        "counted",
        "counts_itself",
        "detail",
        "ended",
        "ended_at",
        "ending_taken",
        "expected_children",
        "expected_gap",
        "final_amounts",
        "final_detail",
        "fold",
        "gone",
        "handlers",
        "host",
        "index",
        "is_ticket",
        "kept_failed",
        "kept_succeeded",
        "key",
        "ledger",
        "logged",
        "marked",
        "members",
        "mentioned",
        "parent",
        "parent_id",
        "pausable",
        "pause_asked",
        "paused_at",
        "paused_seconds",
        "place",
        "reason",
        "revision",
        "said_amounts",
        "said_detail",
        "said_revision",
        "said_state",
        "sample",
        "seen",
        "settled",
        "share",
        "spinner",
        "state",
        "ticket_id",
        "tint",
        "title",
        "top",
        "total",
        "total_is_estimate",
        "unit",
        "unsettled",
    )

    def __init__(self, ledger: Ledger, index: int, begun: float) -> None:
        self.ledger = ledger
        self.index = index
        # What links it: a task of this session, one of another, or a ticket; none for a job.
        self.parent: TaskState | None = None
        self.parent_id: TaskId | None = None
        self.ticket_id: TaskId | None = None
        self.is_ticket = False
        # What people read. `revision` counts changes of these.
        self.revision = 1
        self.title = ""
        self.unit = ""
        self.key = ""
        self.share: int | None = None
        self.expected_children: int | None = None
        self.expected_gap: float | None = None
        self.total_is_estimate = False
        self.spinner = False
        self.background = False
        self.tint = ""
        self.cancellable = False
        self.pausable = False
        self.consequence = ""
        self.host = ""
        # What changes while it runs.
        self.completed: float = 0
        self.total: float | None = None
        self.detail = ""
        self.state: wire.StatedState = wire.STATED_STATE_RUNNING
        self.reason = ""
        # Its clock: seconds of the monotonic clock, and the Unix times of begin and end.
        self.begun = begun
        self.begun_at = time.time()
        self.advanced = begun
        self.paused_at: float | None = None
        self.paused_seconds = 0.0
        self.ended: float | None = None
        # What its ending says, whatever is advanced after it.
        self.final_amounts: tuple[int, int] | None = None
        # What `completed` was when it was read last.
        self.counted: float = 0
        self.final_detail = ""
        self.ended_at = 0.0
        # Requests, and who wants to know of them: (verb, handler).
        self.cancel_asked = False
        self.pause_asked = False
        self.handlers: list[tuple[int, Handler]] = []
        # True while the reporting thread has been told to look here, and will.
        self.marked = False
        # Of a task that counts its own rounds: what begins in one of them adds nothing to it.
        self.counts_itself = False
        # Puts the newest numbers into the fields, where something else counts (a bar of tqdm).
        self.sample: Handler | None = None

        # From here on, the reporting thread's own.
        self.said_revision = 0
        self.said_amounts: tuple[int, int] | None = None
        self.said_detail = ""
        self.said_state: wire.StatedState = wire.STATED_STATE_RUNNING
        self.seen: tuple[float, str] = (self.completed, self.detail)
        self.mentioned = False
        self.ending_taken = False
        self.settled = False
        self.logged = False
        # Folded away, forgotten or never taken in: nothing is said about it any more.
        self.gone = False
        self.place = 0
        self.cell = 0
        self.binding: wire.Binding | None = None
        self.top: TaskState = self
        self.children_begun = 0
        self.kept_succeeded: deque[TaskState] | None = None
        self.kept_failed: deque[TaskState] | None = None
        self.fold: Fold | None = None
        # Of a topmost task: its subtree in this session, and how much of it is not acknowledged.
        self.members: dict[int, TaskState] = {}
        self.unsettled = 0

    @property
    def has_ended(self) -> bool:
        """Whether its end has been said."""
        return self.state in FINAL

    def mark(self, urgent: bool = False) -> None:
        """Asks the reporting thread to look here; any thread, never blocks."""
        if not self.marked:
            self.marked = True
            self.ledger.marks.append(self)
        ledger = self.ledger
        if ledger.asleep or (urgent and ledger.alert):
            ledger.wake()

    def take_sample(self) -> None:
        """Puts the newest numbers into the fields, where something else counts."""
        if self.sample is None:
            return
        try:
            self.sample()
        except Exception:
            self.sample = None
            logger.exception("%r is not looked at any more: its numbers cannot be read", self.title)

    def amounts(self) -> tuple[int, int]:
        """Completed and total as a frame has them.

        What is no number, as after `advance(nan)`, would stay so whatever is added to it: it is put
        back to what it was when it was read last.
        """
        if self.final_amounts is not None:
            return self.final_amounts
        if _limits.is_finite(self.completed):
            self.counted = self.completed
        else:
            wrong, self.completed = self.completed, self.counted
            logger.warning("%r: completed was %r; it is %r again", self.title, wrong, self.counted)
        return _limits.whole(self.completed), _limits.whole_total(self.total)

    def clock(self, now: float) -> tuple[int, int, int]:
        """Elapsed, active and since-advance in milliseconds; those of its end once it has ended."""
        until = now if self.ended is None else self.ended
        paused_at, paused = self.paused_at, self.paused_seconds
        if paused_at is not None:
            paused += until - paused_at
        elapsed = until - self.begun
        return (
            _limits.milliseconds(elapsed),
            _limits.milliseconds(elapsed - paused),
            _limits.milliseconds(until - self.advanced),
        )

    def describe(self, into: wire.Description, with_places: bool) -> None:
        """Writes the description, cut to what frames may hold."""
        into.index = self.index
        if self.ticket_id is not None:
            into.ticket.index = self.ticket_id.index
            into.ticket.session = self.ticket_id.session
        elif self.parent is not None:
            into.parent.index = self.parent.index
        elif self.parent_id is not None:
            into.parent.index = self.parent_id.index
            into.parent.session = self.parent_id.session
        into.is_ticket = self.is_ticket
        into.title = _limits.cut(self.title, _limits.TITLE)
        into.unit = _limits.cut(self.unit, _limits.UNIT)
        into.key = _limits.cut(self.key, _limits.KEY)
        if self.share is not None:
            into.share = _limits.whole(self.share, _limits.SHARE)
        if self.expected_children is not None:
            into.expected_children = _limits.whole(self.expected_children)
        into.total_is_estimate = self.total_is_estimate
        into.style = wire.STYLE_SPINNER if self.spinner else wire.STYLE_BAR
        into.background = self.background
        into.tint = _limits.cut(self.tint, _limits.TINT)
        into.cancellable = self.cancellable
        into.pausable = self.pausable
        into.consequence = _limits.cut(self.consequence, _limits.CONSEQUENCE)
        into.host = _limits.cut(self.host, _limits.HOST)
        if self.expected_gap is not None and 0 <= self.expected_gap <= _limits.GAP:
            into.expected_gap = self.expected_gap
        # A ticket is begun by somebody else.
        into.begun = 0.0 if self.is_ticket else max(self.begun_at, 0.0)
        if with_places and self.place:
            into.place = self.place
        if with_places and self.cell:
            into.cell = self.cell

    def write_row(self, into: wire.Ending, now: float) -> None:
        """Writes the whole row, as it is or as it ended."""
        # A new broker that hears of it again would give the place to another child.
        self.describe(into.description, with_places=True)
        into.state = self.state
        into.reason = _limits.cut(self.reason, _limits.REASON)
        into.completed, into.total = self.amounts()
        detail = self.final_detail if self.has_ended else self.detail
        into.detail = _limits.cut(detail, _limits.DETAIL)
        into.clock.elapsed, into.clock.active, into.clock.since_advance = self.clock(now)
        into.time = max(self.ended_at, 0.0) if self.has_ended else 0.0
