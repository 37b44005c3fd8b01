"""An honest session that measures each way through the broker, again and again.

Control by a probe, reports and updates by another (PROTOCOL.md 8.13), an ending until it is
acknowledged, a marked change until a viewer sees it, and a request about a detached task. Ends
when its standard input does.

probe.py DIRECTORY
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import words
import zmq
from asking import Asking
from wires import REPORT, Socket, Wires, frame, received_update, ref, task_text

from progressbus._generated import progressbus_pb2 as wire

PATIENCE = 10.0
EVERY = 0.05
LOST = wire.SHOWN_STATE_LOST


class Probe:
    """One worker's session and a viewer's socket of updates, on one thread."""

    def __init__(self, directory: str) -> None:
        wires = Wires(directory)
        self._asking = Asking(wires, viewer=False)
        self._reports: Socket = wires.reports()
        self._updates: Socket = wires.updates()
        self._sequence = 0
        self._keyframes = 0
        self._index = 1
        self._marks = 0
        self._script = Asking(wires)
        self._detached: wire.TaskRef | None = None
        self._detached_said = 0

    def begin(self) -> None:
        """Until the broker knows the session, its job and what it follows."""
        self._asking.hello()
        self._until(lambda: self._has_answer("welcome"), PATIENCE)
        self._until(self._take_subscription, PATIENCE)
        job = task_text(ref(1, self._asking.session))
        self._job_topic = f"job/{job}/".encode()
        self._updates.setsockopt(zmq.SUBSCRIBE, self._job_topic)

    def round(self) -> None:
        """Each of the ways once."""
        began = time.monotonic()
        time.sleep(0.01)
        words.sample(words.MACHINE, began + 0.01)
        # The reports socket tells of a new beginning, and so does a welcome.
        self._take_subscription()
        self._timed("a probe over control", self._control_probe)
        self._timed("a probe over reports and updates", self._reports_probe)
        self._timed("a change, until a viewer sees it", self._marked_change)
        self._timed("an ending, until it is acknowledged", self._ending)
        self._timed("a script's request", self._script_request)

    def _timed(self, name: str, exchange: Callable[[], bool]) -> None:
        began = time.monotonic()
        words.sample(name, began, exchange())

    # The ways.

    def _control_probe(self) -> bool:
        number = self._asking.number()
        self._asking.post(PATIENCE, probe=wire.Probe(request=number))
        return self._asking.answer(PATIENCE, "probe", number) is not None

    def _reports_probe(self) -> bool:
        token = int.from_bytes(os.urandom(7), "little") + 1
        topic = f"probe/{token}/".encode()
        self._updates.setsockopt(zmq.SUBSCRIBE, topic)
        try:
            # A beat says that the subscription is known; the next one answers the probe.
            if not self._seen(topic, lambda update: True):
                return False
            return self._report(probe=token) and self._seen(topic, lambda update: True)
        finally:
            self._updates.setsockopt(zmq.UNSUBSCRIBE, topic)

    def _marked_change(self) -> bool:
        self._marks += 1
        mark = f"mark {self._marks}"

        def shows(update: wire.Update) -> bool:
            # Others may work below the job; of them nothing is promised.
            own = [row for row in update.rows if row.task.session == self._asking.session]
            rows = [row for row in own if row.HasField("progress")]
            if any(row.progress.silent or row.progress.state == LOST for row in rows):
                words.complain("an honest job that speaks all the time was shown as silent or lost")
            return any(row.task.index == 1 and row.progress.detail == mark for row in rows)

        sent = self._report(
            detail_index=[1], detail=[mark], amount_index=[1], completed=[self._marks], total=[-1]
        )
        return sent and self._seen(self._job_topic, shows)

    def _ending(self) -> bool:
        self._index += 1
        ending = wire.Ending(
            description=wire.Description(index=self._index, title=f"Honest moment {self._index}"),
            state=wire.STATED_STATE_SUCCEEDED,
            completed=1,
            total=1,
        )
        self._sequence += 1
        sequence = self._sequence
        endings = wire.Endings(sequence=sequence, endings=[ending])
        self._asking.post(PATIENCE, endings=endings)
        return self._until(lambda: self._is_journalled(sequence), PATIENCE)

    def _script_request(self) -> bool:
        request = wire.DetachedRequest(request_id=os.urandom(16))
        if self._detached is None:
            # No word of honesty: whoever has the id of a detached task may speak of it.
            request.begin.title = "Script"
        elif self._detached_said == 20:
            request.end.task.CopyFrom(self._detached)
            request.end.state = wire.STATED_STATE_SUCCEEDED
        else:
            request.advance.task.CopyFrom(self._detached)
            request.advance.by = 1
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            # A request may be repeated: what has the same id is carried out once.
            self._script.post(1.0, detached=request)
            answer = self._script.next(1.0)
            if answer is None or answer.detached.request_id != request.request_id:
                continue
            if answer.detached.code:
                words.complain(f"a script's request was refused: {answer.detached.sentence}")
                self._detached = None
            elif request.HasField("end"):
                self._detached = None
            else:
                self._detached_said = 0 if self._detached is None else self._detached_said + 1
                self._detached = answer.detached.task
            return True
        self._detached = None
        return False

    # What they need.

    def _report(self, patience: float = PATIENCE, **columns: Any) -> bool:
        until = time.monotonic() + patience
        self._sequence += 1
        report = wire.Report(
            credential=self._asking.credential,
            sequence=self._sequence,
            **columns,
        )
        while time.monotonic() < until:
            try:
                self._reports.send(frame(REPORT, report), zmq.DONTWAIT)
                return True
            except zmq.ZMQError:
                self._take_subscription()
                time.sleep(0.001)  # POLLOUT of an XPUB says nothing
        return False

    def _take_subscription(self) -> bool:
        """Whether the broker has begun to listen since the last look; a keyframe answers it."""
        has_begun = False
        while self._reports.poll(0):
            has_begun = self._reports.recv(zmq.DONTWAIT)[:1] == b"\1" or has_begun
        if has_begun:
            self._keyframe()
        return has_begun

    def _keyframe(self) -> None:
        self._keyframes += 1
        job = wire.Description(index=1, title="Honest probe", unit="marks")
        running = wire.StateChange(index=1, state=wire.STATED_STATE_RUNNING)
        self._report(
            1.0, keyframe=self._keyframes, keyframe_last=True, descriptions=[job], states=[running]
        )

    def _has_answer(self, body: str) -> bool:
        answer = self._asking.next(0.01)
        return answer is not None and answer.HasField(body)

    def _is_journalled(self, sequence: int) -> bool:
        answer = self._asking.next(0.5)
        if answer is not None and answer.HasField("welcome"):
            self._keyframe()
        if answer is not None and answer.HasField("refusal"):
            words.complain(f"the probe was refused: {answer.refusal.sentence}")
        return answer is not None and answer.endings_journalled.sequence == sequence

    def _seen(self, topic: bytes, shows: Callable[[wire.Update], bool]) -> bool:
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            if self._updates.poll(int(left * 1000) + 1):
                found = received_update(self._updates.recv_multipart(zmq.DONTWAIT))
                if found is not None and found[0].encode() == topic and shows(found[1]):
                    return True
        return False

    @staticmethod
    def _until(holds: Callable[[], bool], patience: float) -> bool:
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if holds():
                return True
            time.sleep(0.001)  # an XPUB and a DEALER in turn
        return False


def main() -> None:
    stop = threading.Event()
    words.until_told(stop)
    probe = Probe(sys.argv[1])
    probe.begin()
    while not stop.wait(EVERY):
        probe.round()
    words.tell(end=True)


if __name__ == "__main__":
    main()
