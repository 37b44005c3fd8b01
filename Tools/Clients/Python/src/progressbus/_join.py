"""Becoming a member of a bus that has keys (PROTOCOL.md 8.16)."""

from __future__ import annotations

import getpass
import os
import re
import secrets
import socket
import time

import zmq
import zmq.utils.z85

from ._frames import CLIENT, BadFrame, decoded_broker_frame, encoded
from ._generated import progressbus_pb2 as wire
from ._handshakes import Handshakes, protect
from ._keys import Invitation, Membership, invitation, is_name, path_of, prepare, write

VARIABLE = "PROGRESSBUS_INVITATION"
_ROLES = {
    wire.ROLE_VIEWER: "viewer",
    wire.ROLE_REPORTER: "reporter",
    wire.ROLE_CONTROLLER: "controller",
    wire.ROLE_ADMIN: "admin",
}
# Seconds between two requests, which have no effect but the first one's.
_AGAIN = 1.0


def join(
    token: str | None = None,
    *,
    bus: str | None = None,
    member: str | None = None,
    replace: bool = False,
    timeout: float = 10.0,
) -> str:
    """Becomes a member of a bus by an invitation; returns the name that is its endpoint then.

    The key pair is made here, and only its public half is sent. It is kept in
    `~/.config/progressbus/buses/NAME`, which nobody else may read.

    token: the invitation; by default the environment variable PROGRESSBUS_INVITATION.
    bus: what to call the bus here; by default as whoever invites calls it.
    member: what the bus is to call this user; by default `user@host`.
    replace: whether to take the place of a bus of this name that was joined before.
    timeout: seconds to wait for the broker.

    Raises ValueError for what is no invitation and for a name that is taken, PermissionError where
    the broker says no, TimeoutError without an answer, OSError where the key cannot be kept.
    """
    token = os.environ.get(VARIABLE, "") if token is None else token
    if not token:
        raise ValueError(f"there is no invitation: set {VARIABLE}, or say token=")
    invited = invitation(token)
    name = invited.bus if bus is None else bus
    if not is_name(name):
        raise ValueError(f"{name!r} is no name of a bus: letters, digits and . _ -")
    if not replace and os.path.lexists(path_of(name)):
        raise ValueError(f"there is a bus {name} already: say bus=, or replace=True")
    prepare(name)
    wish = member or re.sub(r"[^A-Za-z0-9._@-]", "-", f"{_user()}@{socket.gethostname()}")[:64]
    public, secret = zmq.curve_keypair()
    keys = zmq.utils.z85.decode(public), zmq.utils.z85.decode(secret)
    frame = _ask(invited, keys[0], wish, timeout)
    answer = frame.access
    if answer.code:
        raise PermissionError(answer.sentence)
    role = _ROLES.get(answer.member.role, "unknown")
    write(
        Membership(
            *(name, invited.address, invited.server, *keys, answer.member.name, role),
            next_server=frame.next_key or None,
        )
    )
    return name


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"


def _ask(invited: Invitation, key: bytes, wish: str, timeout: float) -> wire.BrokerFrame:
    """Says it again and again until there is an answer."""
    public = zmq.utils.z85.decode(zmq.curve_public(zmq.utils.z85.encode(invited.secret)))
    guest = Membership(invited.bus, invited.address, invited.server, public, invited.secret)
    request = wire.ClientFrame(credential=secrets.token_bytes(16))
    request.access.request = 1
    request.access.join.key = key
    request.access.join.name = wish
    frame = encoded(CLIENT, request)
    with zmq.Context(io_threads=1) as context, context.socket(zmq.DEALER) as control:
        control.linger = 0
        control.setsockopt(zmq.IMMEDIATE, 1)
        control.setsockopt(zmq.IPV6, 1 if "[" in invited.address else 0)
        protect(control, guest)
        handshakes = Handshakes(control, invited.address, guest)
        try:
            control.connect(invited.address)
            until, due = time.monotonic() + timeout, 0.0
            while time.monotonic() < until:
                trouble = handshakes.trouble()
                if trouble:
                    raise PermissionError(trouble)
                if time.monotonic() >= due:
                    try:
                        control.send(frame, zmq.DONTWAIT)
                        due = time.monotonic() + _AGAIN
                    except zmq.Again:
                        pass
                if control.poll(20):
                    answer = _answer(control.recv())
                    if answer is not None:
                        return answer
        finally:
            handshakes.close()
    raise TimeoutError(f"no answer from {invited.address}: is the broker running, and reachable?")


def _answer(data: bytes) -> wire.BrokerFrame | None:
    try:
        frame = decoded_broker_frame(data)
    except BadFrame:
        return None
    if frame.HasField("refusal"):
        raise PermissionError(frame.refusal.sentence)
    return frame if frame.HasField("access") and frame.access.request == 1 else None
