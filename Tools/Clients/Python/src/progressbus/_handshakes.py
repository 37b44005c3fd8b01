"""Whether a broker with keys lets a socket in: sockets themselves say nothing, and libzmq 4.3.4
never tries again after a refusal."""

from __future__ import annotations

import contextlib
import struct
from dataclasses import replace

import zmq
import zmq.utils.z85

from ._keys import KEY, Membership, change

# A broker that is about to end, or has just begun, breaks off a handshake or two.
PATIENCE = 3
# CURVE makes messages longer.
SEAL = 64

_FAILED = zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
_EVENTS = _FAILED | zmq.EVENT_HANDSHAKE_FAILED_AUTH | zmq.EVENT_HANDSHAKE_SUCCEEDED


def protect(socket: zmq.Socket[bytes], membership: Membership) -> None:
    """Gives a socket the keys, before it connects."""
    socket.setsockopt(zmq.CURVE_SERVERKEY, zmq.utils.z85.encode(membership.server))
    socket.setsockopt(zmq.CURVE_PUBLICKEY, zmq.utils.z85.encode(membership.public))
    socket.setsockopt(zmq.CURVE_SECRETKEY, zmq.utils.z85.encode(membership.secret))


class Handshakes:
    """Hears how the handshakes of one socket end; belongs to the thread of the socket.

    Also follows the broker from one key to the next, which it says while both are known.
    """

    def __init__(
        self, socket: zmq.Socket[bytes], address: str, membership: Membership | None
    ) -> None:
        """Before the socket connects; without a membership the broker is to have no keys."""
        self._socket = socket
        self._address = address
        self._membership = membership
        self._failures = 0
        self._is_next_tried = False
        self.events = socket.get_monitor_socket(_EVENTS)

    def close(self) -> None:
        """Before the socket is closed: a context waits for what is open."""
        self._socket.disable_monitor()
        self.events.close(linger=0)

    def trouble(self) -> str:
        """Why the broker is not reached, as a sentence; empty while it may be."""
        while self.events.poll(0):
            # Not by `zmq.utils.monitor`: it imports asyncio, which takes longer than this package.
            event, _ = struct.unpack("=HI", self.events.recv_multipart()[0])
            if self._membership is None:
                if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                    return (
                        f"what answers at {self._address} is no broker, or one that speaks with"
                        " members alone; name the bus instead of its address if you have joined"
                        " it, else ask an admin for an invitation, and join"
                    )
            elif event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._failures = 0
                self._keep_tried()
            elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                return (
                    f"the bus {self._membership.bus} does not let this key in: it was revoked,"
                    " or has expired; ask an admin for an invitation, and join anew"
                )
            elif event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                self._failures = PATIENCE  # no peer, or one without keys: libzmq does not try again
            elif event & _FAILED:
                self._failures += 1
        if self._membership is None or self._failures < PATIENCE or self._next is not None:
            return ""
        return (
            f"what answers at {self._address} is not the broker of the bus"
            f" {self._membership.bus}: it has another key, or none; if its key was renewed while"
            " this member was away, ask an admin for an invitation, and join anew"
        )

    def renewed(self) -> Membership | None:
        """With what to connect anew, where the broker may have its next key by now."""
        renewed = self._next
        if self._failures < PATIENCE or renewed is None:
            return None
        self._failures, self._is_next_tried, self._membership = 0, True, renewed
        return renewed

    @property
    def _next(self) -> Membership | None:
        if self._membership is None or self._is_next_tried:
            return None
        return self._membership.renewed

    def hear(self, next_key: bytes) -> None:
        """Keeps the key that the broker will have next, where it says one."""
        known = self._membership
        if known is None or next_key in (known.server, known.next_server):
            return
        if len(next_key) != KEY:
            return
        self._membership = replace(known, next_server=next_key)

        def changed(kept: Membership) -> Membership:
            is_same = (kept.address, kept.server) == (known.address, known.server)
            return replace(kept, next_server=next_key) if is_same else kept

        # Where the file cannot be written this process knows it all the same.
        with contextlib.suppress(OSError, ValueError):
            change(known.bus, changed)

    def _keep_tried(self) -> None:
        """The broker has proved that the next key is its own by now."""
        if self._membership is None or not self._is_next_tried:
            return
        self._is_next_tried = False
        server = self._membership.server

        def changed(kept: Membership) -> Membership:
            return (kept.renewed or kept) if kept.next_server == server else kept

        with contextlib.suppress(OSError, ValueError):
            change(self._membership.bus, changed)
