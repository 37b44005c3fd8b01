"""Requests about detached tasks (PROTOCOL.md 8.15)."""

from __future__ import annotations

from client import Client, Session
from wires import LARGEST

from progressbus._generated import progressbus_pb2 as wire


def detached_in_masses(client: Client) -> None:
    """Detached jobs begin as fast as they are taken, and nobody ever ends them."""
    session = Session(client)
    for number in client.turns():
        request = wire.DetachedRequest(request_id=client.bytes(16))
        request.begin.title = f"Hostile detached {number}"
        if number % 2:
            request.begin.expect_every = 1
        session.say(detached=request)


def detached_repeated(client: Client) -> None:
    """One id with ever other contents, and requests without an operation."""
    session = Session(client)
    identity = client.bytes(16)
    for number in client.turns():
        request = wire.DetachedRequest(request_id=identity)
        if number % 3 == 0:
            request.begin.title = f"Hostile {number}"
        elif number % 3 == 1:
            request.advance.task.CopyFrom(client.chance.choice(client.victims()))
            request.advance.by = LARGEST
        session.say(detached=request)


def detached_of_others(client: Client) -> None:
    """Updates, advances and ends tasks of honest sessions as if they were detached."""
    session = Session(client)
    for number in client.turns():
        victim = client.chance.choice(client.victims())
        request = wire.DetachedRequest(request_id=client.bytes(16))
        if number % 3 == 0:
            request.update.task.CopyFrom(victim)
            request.update.completed, request.update.title = LARGEST, "Hostile"
        elif number % 3 == 1:
            request.advance.task.CopyFrom(victim)
            request.advance.by = LARGEST
        else:
            request.end.task.CopyFrom(victim)
            request.end.state = wire.STATED_STATE_FAILED
        session.say(detached=request)


def detached_below_nothing(client: Client) -> None:
    """Begins below parents that are not there, by prefixes, keys and numbers."""
    session = Session(client)
    for number in client.turns():
        request = wire.DetachedRequest(request_id=client.bytes(16))
        request.begin.title = "Hostile"
        request.begin.parent = client.chance.choice(["zzzzzz", "key:none", "id:1-0", "99999999"])
        request.begin.parent += str(number)
        session.say(detached=request)
