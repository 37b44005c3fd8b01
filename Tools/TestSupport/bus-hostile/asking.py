"""A session that asks over control and waits for the answer."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import zmq
from wires import CLIENT, Socket, Wires, frame, own_process, received_answer

from progressbus._generated import progressbus_pb2 as wire


class Asking:
    """A viewer, or any session, that asks over control and waits for the answer."""

    def __init__(self, wires: Wires, control: Socket | None = None, viewer: bool = True) -> None:
        self.socket = wires.control() if control is None else control
        self.credential = os.urandom(16)
        self.session = int.from_bytes(os.urandom(8), "little") or 1
        self.viewer = viewer
        self._request = 0
        self._spoken = 0.0

    def post(self, patience: float = 5.0, **body: Any) -> bool:
        """Sends; False if the socket takes nothing so long."""
        message = wire.ClientFrame(credential=self.credential, **body)
        try:
            self.socket.sndtimeo = int(patience * 1000)
            self.socket.send(frame(CLIENT, message))
        except zmq.ZMQError:
            return False
        self._spoken = time.monotonic()
        return True

    def hello(self) -> None:
        """Says who it is."""
        self.post(
            hello=wire.Hello(
                session=self.session, process=own_process(), client="hostile", viewer=self.viewer
            )
        )

    def keep_alive(self, sequence: int = 0) -> None:
        """Heartbeats where nothing has been said for a while; takes what lies there."""
        if time.monotonic() - self._spoken > 0.8:
            self.post(heartbeat=wire.Heartbeat(sequence=sequence))
        while self.next(0) is not None:
            pass

    def number(self) -> int:
        """The number of the next request."""
        self._request += 1
        return self._request

    def next(self, patience: float) -> wire.BrokerFrame | None:
        """The next answer, if one comes in that time; says hello again where that is wanted."""
        with contextlib.suppress(zmq.ZMQError):
            if self.socket.poll(int(patience * 1000)):
                answer = received_answer(self.socket.recv(zmq.DONTWAIT))
                if answer is not None and answer.HasField("who"):
                    self.hello()
                return answer
        return None

    def answer(self, patience: float, body: str, request: int) -> wire.BrokerFrame | None:
        """The answer of that kind, or the refusal, to a request; None if it does not come."""
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            answer = self.next(left)
            if answer is None:
                continue
            for kind in (body, "refusal"):
                if answer.HasField(kind) and getattr(answer, kind).request == request:
                    return answer
            if answer.HasField("who"):
                return None
        return None

    def snapshot(self, topic: str, patience: float = 5.0) -> list[wire.SnapshotChunk] | None:
        """All chunks of a topic; None if they do not come."""
        chunks: list[wire.SnapshotChunk] = []
        cursor = b""
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            number = self.number()
            asked = wire.SnapshotRequest(request=number, topic=topic, cursor=cursor)
            if not self.post(left, snapshot=asked):
                return None
            answer = self.answer(left, "snapshot", number)
            if answer is None:
                continue
            if answer.HasField("refusal"):
                return None
            chunks.append(answer.snapshot)
            if answer.snapshot.last:
                return chunks
            cursor = answer.snapshot.cursor
        return None
