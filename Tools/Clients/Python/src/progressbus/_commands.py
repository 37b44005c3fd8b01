"""Requests to cancel, pause and resume, and the answers to them (PROTOCOL.md 8.12)."""

from __future__ import annotations

from collections import OrderedDict, deque

from ._callbacks import Call
from ._generated import progressbus_pb2 as wire
from ._ledger import Ledger
from ._state import Handler, TaskState

# Answers that are remembered, so that a delivery that comes twice is carried out once.
REMEMBERED = 1_000
# Requests whose handlers have not all returned; further ones are refused.
UNDER_WAY = 64


class Commands:
    """Carries out deliveries: flags are set here, handlers are left for another thread to call."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._answered: OrderedDict[int, wire.CommandAnswer] = OrderedDict()
        self._answers: deque[wire.CommandAnswer] = deque()
        self.calls: deque[Call] = deque()
        self._under_way: list[Call] = []

    def begin_again(self) -> None:
        """A new epoch: its deliveries are others."""
        self._answered.clear()
        self._answers.clear()

    def next_answer(self) -> wire.CommandAnswer | None:
        """The answer to send next."""
        return self._answers[0] if self._answers else None

    def answer_sent(self) -> None:
        """libzmq has taken it."""
        self._answers.popleft()

    def deliver(self, delivery: wire.CommandDelivery) -> None:
        """Carries out a request, once."""
        answer = self._answered.get(delivery.delivery)
        if answer is None:
            answer = self._carry_out(delivery)
            self._answered[delivery.delivery] = answer
            if len(self._answered) > REMEMBERED:
                self._answered.popitem(last=False)
        if len(self._answers) < REMEMBERED:
            self._answers.append(answer)

    def cancel(self, index: int) -> None:
        """The broker itself asks: somebody else does this task's work now."""
        self._carry_out(wire.CommandDelivery(index=[index], verb=wire.VERB_CANCEL))

    def _carry_out(self, delivery: wire.CommandDelivery) -> wire.CommandAnswer:
        answer = wire.CommandAnswer(delivery=delivery.delivery)
        verb = delivery.verb
        if verb not in (wire.VERB_CANCEL, wire.VERB_PAUSE, wire.VERB_RESUME):
            answer.outcome = wire.OUTCOME_UNSUPPORTED
            answer.text = "this program does not know the request"
            return answer
        tasks = self._ledger.below(list(delivery.index))
        able = [task for task in tasks if _can(task, verb)]
        if not tasks:
            answer.outcome = wire.OUTCOME_GONE
        elif not able:
            answer.outcome = wire.OUTCOME_UNSUPPORTED
            answer.text = "the program has not said that this can be done"
        elif self._is_busy():
            answer.outcome = wire.OUTCOME_REFUSED
            answer.text = "too many requests at a time"
        else:
            answer.outcome = wire.OUTCOME_ACCEPTED
            handlers: list[Handler] = []
            # A child may look at its own flag although only its parent has been stated cancellable.
            for task in tasks if verb == wire.VERB_CANCEL else able:
                handlers += _ask(task, verb)
            if handlers:
                call = Call(handlers)
                self.calls.append(call)
                self._under_way.append(call)
        return answer

    def _is_busy(self) -> bool:
        self._under_way = [call for call in self._under_way if not call.is_done]
        return len(self._under_way) >= UNDER_WAY


def _ask(task: TaskState, verb: wire.Verb) -> list[Handler]:
    """Sets the task's flag; the handlers to be told, none where it was set already."""
    if verb == wire.VERB_CANCEL:
        if task.cancel_asked:
            return []
        task.cancel_asked = True
    else:
        if task.pause_asked == (verb == wire.VERB_PAUSE):
            return []
        task.pause_asked = verb == wire.VERB_PAUSE
    return [handler for wanted, handler in list(task.handlers) if wanted == verb]


def _can(task: TaskState, verb: wire.Verb) -> bool:
    return task.cancellable if verb == wire.VERB_CANCEL else task.pausable
