"""Whether a broker with keys lets a socket in: sockets themselves say nothing, and libzmq 4.3.4
never tries again after a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import zmq
import zmq.utils.z85

if TYPE_CHECKING:
    from ._keys import Membership

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
    """Hears how the handshakes of one socket end; belongs to the thread of the socket."""

    def __init__(self, socket: zmq.Socket[bytes], membership: Membership) -> None:
        """Before the socket connects."""
        self._socket = socket
        self._membership = membership
        self._failures = 0
        self.events = socket.get_monitor_socket(_EVENTS)

    def close(self) -> None:
        """Before the socket is closed: a context waits for what is open."""
        self._socket.disable_monitor()
        self.events.close(linger=0)

    def trouble(self) -> str:
        """Why the broker is not reached, as a sentence; empty while it may be."""
        # Imports asyncio, which takes longer than all of this package: only where keys are.
        from zmq.utils.monitor import recv_monitor_message

        while self.events.poll(0):
            event = recv_monitor_message(self.events)["event"]
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._failures = 0
            elif event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                return (
                    f"the bus {self._membership.bus} does not let this key in: it was revoked,"
                    " or has expired; ask an admin for an invitation, and join anew"
                )
            elif event & _FAILED:
                self._failures += 1
        if self._failures < PATIENCE:
            return ""
        return (
            f"what answers at {self._membership.address} is not the broker of the bus"
            f" {self._membership.bus}: it has another key, or none"
        )
