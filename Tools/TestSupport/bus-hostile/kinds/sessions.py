"""Hellos, goodbyes and heartbeats that no honest program would say (PROTOCOL.md 8.1, 8.2, 8.9)."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from client import Client, Session, ending
from wires import CLIENT, REPORT, frame, own_process, ref

from progressbus._generated import progressbus_pb2 as wire


def hellos_over_one_connection(client: Client) -> None:
    """Session after session over one connection, none of them ever heard of again."""
    control = client.control()
    for number in client.turns():
        session = Session(client, control=control)
        session.hello(viewer=number % 3 == 0)


def hellos_over_many_connections(client: Client) -> None:
    """A connection for each session, some hundred at a time."""
    for _ in client.turns(300):
        session = client.session(deaf=True)
        session.say(heartbeat=wire.Heartbeat())


def repeated_hello(client: Client) -> None:
    """One session with 100,000 tasks says hello again and again, for the places of all of them."""
    session = client.session()
    session.begin(range(1, 2))
    session.begin(range(2, 100_000), parent=ref(1))
    for _ in client.turns():
        session.hello()


def repeated_hello_unread(client: Client) -> None:
    """The same with fewer tasks, and what is answered is never read."""
    session = client.session(deaf=True)
    session.begin(range(1, 20_000))
    for _ in client.turns():
        session.hello()
    client.keep(session.control)


def stolen_names(client: Client) -> None:
    """Hellos with the public ids of honest sessions, and credentials of a wrong length."""
    session = client.session()
    for number in client.turns():
        victim = client.chance.choice(client.victims())
        session.credential = client.bytes(16 if number % 4 else client.chance.randrange(40))
        session.hello(session=victim.session)
        session.report(amount_index=[victim.index], completed=[7], total=[7])


def borrowed_processes(client: Client) -> None:
    """Hellos in the name of other processes: of honest workers, of process 1, of none."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for number in client.turns():
        process = own_process()
        process.pid = client.chance.choice([*pids, 0, 1, (1 << 31) - 1, 1 << 40, -1])
        with contextlib.suppress(OSError, IndexError, ValueError):
            stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            process.start_time = int(stat[19])
        session = Session(client)
        session.hello(process=process)
        session.report(descriptions=[wire.Description(index=1, title="Hostile, borrowed")])
        if number % 2:
            client.close(session.control, session.reports)


def goodbye_and_back(client: Client) -> None:
    """Hello, tasks, goodbye with what is left unfinished, and again with the same name."""
    control, reports = client.control(), client.reports()
    first = Session(client, control=control)
    for number in client.turns():
        session = Session(client, control=control)
        session._reports = reports
        if number % 2:
            session.id, session.credential = first.id, first.credential
        session.hello()
        session.begin(range(1, 50), key="hostile")
        session.end(ending(1, wire.STATED_STATE_FAILED))
        session.say(goodbye=wire.Goodbye(sequence=session.sequence))


def leaving_without_a_word(client: Client) -> None:
    """Sessions with tasks whose connections just close: what is lost stays until dismissed."""
    for _ in client.turns():
        session = client.session()
        session.begin(range(1, 40))
        session.end(ending(41, wire.STATED_STATE_FAILED))
        client.close(session.control, session.reports)


def goodbyes_that_wait(client: Client) -> None:
    """Goodbyes and syncs for reports that will never come."""
    session = client.session()
    for number in client.turns():
        if number % 100 == 99:
            session = Session(client, control=session.control)
            session.hello()
        far = (1 << 64) - 1 - number
        session.say(sync=wire.Sync(request=number + 1, sequence=far))
        if number % 10 == 0:
            session.say(goodbye=wire.Goodbye(sequence=far))


def syncs_without_end(client: Client) -> None:
    """Millions of open requests of one session."""
    session = client.session(deaf=True)
    session.begin(range(1, 2))
    for number in client.turns():
        session.say(sync=wire.Sync(request=number + 1, sequence=1 << 63))


def heartbeats_of_nobody(client: Client) -> None:
    """Heartbeats of unknown sessions over both sockets, each with a credential of its own."""
    control, reports = client.control(), client.reports()
    beat = wire.Heartbeat(sequence=1)
    for _ in client.turns():
        credential = client.bytes(16)
        message = wire.Report(credential=credential, sequence=1)
        client.post(reports, frame(REPORT, message))
        client.post(control, frame(CLIENT, wire.ClientFrame(credential=credential, heartbeat=beat)))


def unknown_sessions(client: Client) -> None:
    """Everything but a hello from sessions that nobody knows: each is answered by Who."""
    control = client.control()
    for number in client.turns():
        session = Session(client, control=control)
        session.say(
            endings=wire.Endings(sequence=1, endings=[ending(1, wire.STATED_STATE_SUCCEEDED)])
        )
        session.say(snapshot=wire.SnapshotRequest(request=number + 1, topic="board/0/"))
        session.say(goodbye=wire.Goodbye(sequence=1))
