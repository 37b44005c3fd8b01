"""One session with a broker, as a machine: what came and what time it is in, frames out.

No socket, clock or lock: the connection asks `next_control` and `next_report` for frames, says
whether libzmq took them, and passes on what it has received.
"""

from __future__ import annotations

import enum
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from . import _commands
from ._endings import Endings
from ._frames import CLIENT, MAGIC, BadFrame, WrongMajor, decoded_broker_frame, encoded
from ._generated import progressbus_pb2 as wire
from ._ledger import Ledger
from ._reports import Report, Reports
from ._state import TaskState
from ._sync import Syncs

logger = logging.getLogger("progressbus")

HELLO_INTERVAL = 1.0
BUSY_INTERVAL = 5.0
SENTENCES = 100

# Codes of refusals that a session acts on (PROTOCOL.md 5.2).
_WRONG_MAJOR, _BAD_CREDENTIAL, _SESSION_TAKEN = 2, 8, 9
_NOT_PERMITTED = 16
_TICKET_USED, _BUSY, _STOPPING, _SUPERSEDED = 15, 18, 20, 22

# Kinds of bindings that are answers; one of a newer minor version is none.
_ANSWERS = (wire.BINDING_KIND_HOLDER, wire.BINDING_KIND_CHILD, wire.BINDING_KIND_INERT)


class Control(enum.Enum):
    """Where the conversation with a broker is."""

    AWAY = 0
    GREETING = 1
    WELCOMED = 2


class Leaving(enum.Enum):
    """How far a session is on its way out."""

    NO = 0
    FLUSHING = 1
    SAID_GOODBYE = 2
    DONE = 3


@dataclass
class Outgoing:
    """A control frame, and what to do once libzmq has taken it."""

    frame: bytes
    sent: Callable[[], None]


class Session:
    """The newest statements of one session, and its conversation with the broker."""

    def __init__(self, ledger: Ledger, process: wire.Process, client: str) -> None:
        self.ledger = ledger
        self.reports = Reports(ledger)
        self.endings = Endings(ledger)
        self.commands = _commands.Commands(ledger)
        self.syncs = Syncs()
        self.process = process
        self.client = client
        self._control = Control.AWAY
        self.was_welcomed = False
        self.is_subscribed = False
        self.has_stopped = False
        # Why the broker takes nothing of this user, as a sentence.
        self.not_a_member = ""
        # The key that the broker will have next, where it has said so.
        self.next_key = b""
        self.leaving = Leaving.NO
        self._epoch = 0
        self._tick = 0.05
        self._heartbeat = 0.9
        self._hello_due = 0.0
        self._last_hello = 0.0
        self._next_tick = 0.0
        self._last_sent = 0.0
        self._redeems: deque[TaskState] = deque()
        self._sentences: set[str] = set()

    # What came.

    def take_marks(self, now: float) -> None:
        """Takes in what the program has changed."""
        self.ledger.take_marks(now)
        self.reports.take_lines()
        self.endings.take_ended()
        self._redeems.extend(self.ledger.new_redeemers)
        self.ledger.new_redeemers.clear()

    def subscription(self, message: bytes, now: float) -> None:
        """A message of the reports socket: a broker has begun or ceased to listen."""
        if message[1:] != MAGIC:
            return
        if message[:1] == b"\x01":
            self.is_subscribed = True
            # The keyframe of this conversation may have waited for it, or a hello is under way.
            is_owed = self.is_welcomed and self.reports.keyframe_wanted
            if not is_owed and self._control is not Control.GREETING:
                self._end_conversation(now)
        else:
            self.is_subscribed = False
            # The control connection goes as well, if it has not yet: hello is not for that one.
            self._end_conversation(now + HELLO_INTERVAL)

    def disconnected(self, now: float) -> None:
        """Its sockets have been closed; others may follow."""
        self.not_a_member = ""
        self.is_subscribed = False
        self._end_conversation(now)

    @property
    def is_welcomed(self) -> bool:
        """Whether the conversation has begun."""
        return self._control is Control.WELCOMED

    @property
    def is_reporting(self) -> bool:
        """Reports go out in a conversation only, as soon as somebody listens to them."""
        return self.is_welcomed and self.is_subscribed

    def _end_conversation(self, hello_due: float) -> None:
        self._control = Control.AWAY
        self._hello_due = hello_due
        self.reports.stop()

    def control(self, data: bytes, now: float) -> None:
        """A frame of the control socket."""
        try:
            frame = decoded_broker_frame(data)
        except WrongMajor as error:
            self._stop(str(error))
            return
        except BadFrame as error:
            self._say(f"ignoring what the broker sent: {error}")
            return
        self.next_key = frame.next_key or self.next_key
        body = frame.WhichOneof("body")
        if body == "welcome":
            self._welcome(frame.epoch, frame.welcome, now)
        elif body == "who":
            # While a hello is under way its welcome follows; else at most one hello in a tick.
            if self._control is not Control.GREETING:
                self._end_conversation(max(now, self._last_hello + self._tick))
        elif body == "refusal":
            self._refusal(frame.refusal, now)
        elif frame.epoch == self._epoch:
            self._answer(body, frame, now)

    def _welcome(self, epoch: int, welcome: wire.Welcome, now: float) -> None:
        """Every welcome begins a new conversation."""
        if epoch != self._epoch:
            self.commands.begin_again()
        self._epoch = epoch
        self._control = Control.WELCOMED
        self.was_welcomed = True
        self._tick = welcome.tick / 1000
        self._heartbeat = welcome.heartbeat / 1000 * 0.9
        self.reports.begin_keyframe()
        self._next_tick = now
        self.endings.begin_again()
        self.syncs.begin_again()
        self._redeems = deque(self.ledger.redeemers.values())
        if self.leaving is Leaving.SAID_GOODBYE:
            self.leaving = Leaving.FLUSHING

    def _answer(self, body: str | None, frame: wire.BrokerFrame, now: float) -> None:
        if body == "endings_journalled":
            self.endings.acknowledged(frame.endings_journalled.sequence)
        elif body == "sync_reached":
            self.syncs.reached(frame.sync_reached.request)
        elif body == "binding":
            self._bind(frame.binding)
        elif body == "places":
            places = frame.places
            for index, place, cell in zip(places.index, places.place, places.cell, strict=True):
                task = self.ledger.tasks.get(index)
                if task is not None:
                    task.place, task.cell = place, cell
        elif body == "goodbye_accepted":
            if self.leaving is Leaving.SAID_GOODBYE:
                self.leaving = Leaving.DONE
        elif body == "command":
            self.commands.deliver(frame.command)

    def _bind(self, binding: wire.Binding) -> None:
        task = self.ledger.redeemers.get(binding.index)
        if task is None or binding.kind not in _ANSWERS:
            return
        if binding.kind == wire.BINDING_KIND_INERT:
            self._say_useless(task, "")
        task.binding = binding
        self.ledger.forget_settled({task.top})

    def _say_useless(self, task: TaskState, sentence: str) -> None:
        """A ticket is refused. Only the broker knows why: its words come in the refusal, as a rule
        before the binding, and nothing is added to them."""
        start = f"the ticket for {task.title or 'this process'!r} cannot be used: "
        if sentence or not any(said.startswith(start) for said in self._sentences):
            words = "this attempt is shown nowhere. Make a new ticket for new work."
            self._say(start + (sentence or words))

    def _refusal(self, refusal: wire.Refusal, now: float) -> None:
        redeemer = self.ledger.redeemers.get(refusal.index)
        if refusal.code == _TICKET_USED and redeemer is not None:
            self._say_useless(redeemer, refusal.sentence)
        else:
            self._say(f"the broker refused something: {refusal.sentence or f'code {refusal.code}'}")
        if refusal.code == _SUPERSEDED and redeemer is not None:
            self.commands.cancel(refusal.index)
        if refusal.code == _NOT_PERMITTED and not refusal.request and not refusal.index:
            self.not_a_member = refusal.sentence
        if refusal.code in (_WRONG_MAJOR, _BAD_CREDENTIAL, _SESSION_TAKEN):
            self._stop(f"this process reports no more: {refusal.sentence}")
        elif refusal.code in (_BUSY, _STOPPING) and not self.is_welcomed:
            self._control = Control.AWAY
            self._hello_due = now + BUSY_INTERVAL

    def _say(self, sentence: str) -> None:
        """Logs a sentence, once."""
        if sentence not in self._sentences and len(self._sentences) < SENTENCES:
            self._sentences.add(sentence)
            logger.warning("%s", sentence)

    def _stop(self, sentence: str) -> None:
        self._say(sentence)
        self.has_stopped = True

    # What goes.

    def next_control(self, now: float, wall: float = 0.0) -> Outgoing | None:
        """The next frame for the control socket, if there is one now.

        `wall` is the time of day in Unix seconds; 0 where it is not known.
        """
        if self.has_stopped or self.leaving is Leaving.DONE:
            return None
        if not self.is_welcomed:
            if now < self._hello_due:
                return None
            hello = wire.Hello(
                session=self.ledger.public_id,
                process=self.process,
                client=self.client,
                time=wall,
            )
            return self._outgoing(now, hello=hello, sent=lambda: self._said_hello(now))
        answer = self.commands.next_answer()
        if answer is not None:
            return self._outgoing(now, command_answer=answer, sent=self.commands.answer_sent)
        if self._redeems:
            return self._outgoing(
                now, redeem=redemption(self._redeems[0]), sent=self._redeems.popleft
            )
        if self.endings.is_due and now >= self._endings_time():
            endings = self.endings.next(now)
            return self._outgoing(now, endings=endings, sent=lambda: self.endings.sent(now))
        if self.is_reporting and self.reports.is_clean:
            sync = self.syncs.next(self.reports.last_sequence)
            if sync is not None:
                return self._outgoing(now, sync=sync, sent=self.syncs.sent)
        if self.leaving is Leaving.FLUSHING and self.has_said_everything:
            goodbye = wire.Goodbye(sequence=self.reports.last_sequence)
            return self._outgoing(now, goodbye=goodbye, sent=self._said_goodbye)
        if now >= self._last_sent + self._heartbeat:
            heartbeat = wire.Heartbeat(sequence=self.reports.last_sequence)
            return self._outgoing(now, heartbeat=heartbeat)
        return None

    def _outgoing(
        self,
        now: float,
        sent: Callable[[], object] | None = None,
        hello: wire.Hello | None = None,
        command_answer: wire.CommandAnswer | None = None,
        redeem: wire.Redeem | None = None,
        endings: wire.Endings | None = None,
        sync: wire.Sync | None = None,
        goodbye: wire.Goodbye | None = None,
        heartbeat: wire.Heartbeat | None = None,
    ) -> Outgoing:
        message = wire.ClientFrame(
            credential=self.ledger.credential,
            hello=hello,
            command_answer=command_answer,
            redeem=redeem,
            endings=endings,
            sync=sync,
            goodbye=goodbye,
            heartbeat=heartbeat,
        )

        def after() -> None:
            self._last_sent = now
            if sent is not None:
                sent()

        return Outgoing(encoded(CLIENT, message), after)

    def goodbye(self) -> bytes:
        """A last word that is said whatever has not been acknowledged."""
        goodbye = wire.Goodbye(sequence=self.reports.last_sequence)
        return self._outgoing(0.0, goodbye=goodbye).frame

    @property
    def has_said_hello(self) -> bool:
        """Whether the broker has a hello, or will have read one before anything else."""
        return self._control is not Control.AWAY

    def _said_hello(self, now: float) -> None:
        self._control = Control.GREETING
        self._last_hello = now
        self._hello_due = now + HELLO_INTERVAL

    def _said_goodbye(self) -> None:
        self.leaving = Leaving.SAID_GOODBYE

    def _endings_time(self) -> float:
        hurries = self.leaving is not Leaving.NO or self.syncs.is_open
        return self.endings.next_time(0.0 if hurries else self._tick)

    def next_report(self, now: float) -> Report | None:
        """The next frame for the reports socket, if it is time for one."""
        if not self.is_reporting or self.has_stopped or self.leaving is Leaving.DONE:
            return None
        return self.reports.next(now)

    def is_tick(self, now: float) -> bool:
        """Whether it is time to report; `tick_done` says that it has been done."""
        hurries = self.leaving is not Leaving.NO or self.syncs.is_open
        return now >= self._next_tick or (hurries and not self.reports.is_clean)

    def tick_done(self, now: float) -> None:
        """Reports have gone, as far as the socket took them."""
        self._next_tick = now + self._tick

    def report_sent(self, report: Report) -> None:
        """libzmq has taken the frame."""
        self.reports.sent(report)

    @property
    def has_said_everything(self) -> bool:
        """Whether nothing is left to be sent or acknowledged."""
        if not self.endings.is_settled or self._redeems or self.ledger.marks:
            return False
        if any(task.binding is None for task in self.ledger.redeemers.values()):
            return False
        return self.reports.is_clean or not (self.is_subscribed or self.ledger.changed)

    def next_time(self, now: float) -> float:
        """When there will be something to do, if nothing happens before."""
        times = [self._last_sent + self._heartbeat if self.is_welcomed else self._hello_due]
        if self.is_welcomed and self.endings.is_due:
            times.append(self._endings_time())
        if self.is_reporting and (not self.reports.is_clean or self.ledger.sampled):
            times.append(self._next_tick)
        return min(times)


def redemption(task: TaskState) -> wire.Redeem:
    """What redeems the ticket of a task."""
    redeem = wire.Redeem(index=task.index)
    if task.ticket_id is not None:
        redeem.ticket.index = task.ticket_id.index
        redeem.ticket.session = task.ticket_id.session
    if task.binding is not None:
        redeem.known.CopyFrom(task.binding)
    return redeem
