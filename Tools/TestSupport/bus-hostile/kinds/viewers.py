"""What viewers ask, subscribe to and do not read (PROTOCOL.md 8.10 to 8.12)."""

from __future__ import annotations

import zmq
from client import Client, Session, ending
from wires import ref, task_text

from progressbus._generated import progressbus_pb2 as wire

VERBS = [
    wire.VERB_UNKNOWN,
    wire.VERB_CANCEL,
    wire.VERB_PAUSE,
    wire.VERB_RESUME,
    wire.VERB_DISMISS,
]
OUTCOMES = [wire.OUTCOME_UNKNOWN, wire.OUTCOME_ACCEPTED, wire.OUTCOME_REFUSED, wire.OUTCOME_GONE]


def _subscribe(client: Client, updates: zmq.Socket[bytes], topic: bytes) -> None:
    updates.setsockopt(zmq.SUBSCRIBE, topic)
    client.sent += 1


def snapshots_never_continued(client: Client) -> None:
    """The first chunk of a great job again and again, over one connection after the other."""
    session = client.session()
    session.begin(range(1, 2))
    session.begin(range(2, 20_000), parent=ref(1))
    topic = f"job/{task_text(ref(1, session.id))}/"
    control = session.control
    for number in client.turns():
        if number % 50 == 49:
            control = client.control()
            session.control = control
        request = wire.SnapshotRequest(request=number + 1, topic=topic, max_rows=1)
        session.say(snapshot=request)
        if number % 500 == 499:
            client.end()
            control = client.control()
            session.control, session._reports = control, None


def snapshots_unread(client: Client) -> None:
    """Whole pages of the board, asked for as fast as it can, and never read."""
    session = client.session(deaf=True, viewer=True)
    for number in client.turns():
        topic = f"board/{number % 20}/"
        session.say(snapshot=wire.SnapshotRequest(request=number + 1, topic=topic))
    client.keep(session.control)


def forged_cursors(client: Client) -> None:
    """Snapshots with cursors that nobody has given out, of topics that exist and that do not."""
    session = client.session(viewer=True)
    topics = ["board/0/", "totals/", "attention/", "board/99999999999/", "nothing/", ""]
    topics += [f"job/{task_text(victim)}/" for victim in client.victims()[:20]]
    for number in client.turns():
        request = wire.SnapshotRequest(
            request=number + 1,
            topic=client.chance.choice(topics),
            cursor=client.bytes(client.chance.randrange(65)),
            max_rows=client.chance.choice([0, 1, (1 << 32) - 1]),
        )
        session.say(snapshot=request)


def random_subscriptions(client: Client) -> None:
    """Subscriptions of random bytes, short and long."""
    updates = client.updates()
    for _ in client.turns():
        _subscribe(client, updates, client.bytes(client.chance.choice([1, 8, 200, 4_000])))


def topics_in_masses(client: Client) -> None:
    """Subscriptions of topics that there could be: blocks of every job, tokens of probes."""
    updates = client.updates()
    for number in client.turns():
        task = task_text(ref(number + 1, client.number()))
        for topic in (f"children/{task}/0/", f"job/{task}/", f"probe/{client.number()}/"):
            _subscribe(client, updates, topic.encode())
        _subscribe(client, updates, f"board/{number}/".encode())
    # The topics stay taken as long as somebody holds them.
    client.keep(updates)


def coming_and_going_subscribers(client: Client) -> None:
    """Subscribes and unsubscribes what honest viewers follow: each asks for a beat to all."""
    updates = client.updates()
    topics = [b"totals/", b"attention/", b"board/0/"]
    topics += [f"job/{task_text(victim)}/".encode() for victim in client.victims()[:20]]
    for number in client.turns():
        topic = topics[number % len(topics)]
        _subscribe(client, updates, topic)
        updates.setsockopt(zmq.UNSUBSCRIBE, topic)
        client.drain(updates)


def deaf_subscriber(client: Client) -> None:
    """Follows everything that changes, reads nothing, and stays."""
    updates = client.updates(RCVHWM=1, RCVBUF=1024)
    topics = ["totals/", "attention/", *(f"board/{page}/" for page in range(20))]
    topics += [f"job/{task_text(victim)}/" for victim in client.victims()]
    for topic in topics:
        _subscribe(client, updates, topic.encode())
    _subscribe(client, updates, b"")
    for _ in client.turns():
        updates.poll(20, zmq.POLLERR)
    client.keep(updates)


def slow_subscriber(client: Client) -> None:
    """The same, and reads one update in 20 ms."""
    updates = client.updates(RCVHWM=1)
    for topic in ("totals/", "attention/", *(f"board/{page}/" for page in range(20))):
        _subscribe(client, updates, topic.encode())
    for _ in client.turns():
        updates.poll(20, zmq.POLLERR)
        if updates.poll(0):
            updates.recv_multipart(zmq.DONTWAIT)


def finds(client: Client) -> None:
    """Looks for prefixes that no id has, of six letters and more, as fast as it can."""
    session = client.session()
    session.begin(range(1, 20_000))
    for number in client.turns():
        text = client.chance.choice(["zzzzzz", "1-0000", "cell:1@x", "key:", "id:", "0", "Hostile"])
        session.say(find=wire.Find(request=number + 1, text=f"{text}{number % 7}"))


def finds_unread(client: Client) -> None:
    """Looks for a key of very many jobs, and does not read what is found."""
    session = client.session(deaf=True)
    session.begin(range(1, 2_000), "Hostile many")
    for number in client.turns():
        session.say(find=wire.Find(request=number + 1, text="key:Hostile many"))
    client.keep(session.control)


def commands_to_nobody(client: Client) -> None:
    """Requests to cancel, pause and dismiss what does not exist."""
    session = client.session(viewer=True)
    for number in client.turns():
        target = ref(client.number(), client.number())
        verb = client.chance.choice(VERBS)
        request = wire.CommandRequest(request=number + 1, verb=verb, target=target, timeout=600_000)
        session.say(command=request)


def commands_unanswered(client: Client) -> None:
    """Commands to own tasks, which wait ten minutes for answers that never come."""
    session = client.session()
    session.begin(range(1, 1_000), cancellable=True, pausable=True)
    asking = client.session(deaf=True, viewer=True)
    for number in client.turns():
        request = wire.CommandRequest(
            request=number + 1,
            verb=client.chance.choice(VERBS[1:4]),
            target=ref(client.chance.randrange(1, 1_000), session.id),
            timeout=600_000,
        )
        asking.say(command=request)


def forged_answers(client: Client) -> None:
    """Answers to deliveries that were made to others, or to nobody."""
    session = client.session()
    for number in client.turns():
        session.say(
            command_answer=wire.CommandAnswer(
                delivery=client.chance.choice([number + 1, client.number()]),
                outcome=client.chance.choice(OUTCOMES),
                text="forged",
            )
        )


def cancelled_and_begun(client: Client) -> None:
    """Children begin below an own task that is being cancelled: the broker asks for each."""
    parent, asking = client.session(), client.session(viewer=True)
    parent.begin(range(1, 2), cancellable=True)
    parent.nap(0.1)
    target = ref(1, parent.id)
    asking.say(
        command=wire.CommandRequest(
            request=1, verb=wire.VERB_CANCEL, target=target, timeout=600_000
        )
    )
    for number in client.turns():
        child = Session(client, control=asking.control)
        child._reports = parent.reports
        child.hello()
        child.begin(range(1, 20), parent=target, cancellable=True)
        if number % 50 == 49:
            parent.end(ending(1, wire.STATED_STATE_CANCELLED))
