"""Plays the bridges of very many hosts: what they say, without what they hear.

A process of its own. Each host has a page with some jobs, whose counts are those of a thousand tasks;
each second it says its beat, and that its first job has got on. What it says leaves over a few
connections, one to each server.
"""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from multiprocessing.synchronize import Event

from progressbus._frames import encoded
from progressbus._generated import progressbus_pb2 as wire

FLEET = 5
SLOTS = 64
FIRST_PAGE = 63
TASKS = 1_000
FIRST = 0x1000


class Connection:
    """To one server: what is published, and an answer to what it asks."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.sendall(b'CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n')
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        for line in self._socket.makefile("rb"):
            if line.startswith(b"PING"):
                self._socket.sendall(b"PONG\r\n")
            elif line.startswith(b"-ERR"):
                raise SystemExit(f"NATS says {line!r}")

    def publish(self, subject: str, payload: bytes) -> None:
        head = f"PUB {subject} {len(payload)}\r\n".encode()
        self._socket.sendall(head + payload + b"\r\n")


class Host:
    def __init__(self, number: int, jobs: int, bus: str, connection: Connection) -> None:
        self._number, self._bus, self._connection = number, bus, connection
        self._broker = FIRST + number
        self._page = FIRST_PAGE + number
        self._life = int(time.time() * 1_000)
        self._sequence = 0
        self._rows = [self._row(place, jobs) for place in range(jobs)]

    def _row(self, place: int, jobs: int) -> wire.Row:
        row = wire.Row()
        row.task.index, row.task.session = place + 1, self._broker << 16
        about = row.description
        about.slot = self._page * SLOTS + place + 1
        about.title = about.key = f"job {place} of host {self._number}"
        about.unit, about.attempt, about.cancellable = "files", 1, True
        about.process.pid, about.process.host = 1_000 + place, f"played-{self._number}"
        progress = row.progress
        progress.state = wire.SHOWN_STATE_RUNNING
        progress.begun = progress.advanced = time.time()
        progress.total = progress.counts.running = TASKS // jobs
        return row

    def say_all(self) -> None:
        self._publish(f"pb1.{self._bus}.page.{self._page}", self._record())
        for row in self._rows:
            self._say(row)

    def say_beat(self) -> None:
        self._publish(f"pb1.{self._bus}.beat.{self._broker:016x}", self._record())

    def advance(self, detail: str = "") -> None:
        row = self._rows[0]
        row.progress.completed = min(row.progress.completed + 1, row.progress.total)
        row.progress.fraction = row.progress.completed / row.progress.total
        row.progress.advanced, row.progress.detail = time.time(), detail
        self._say(row)

    def _say(self, row: wire.Row) -> None:
        self._sequence += 1
        row.sequence = self._sequence
        record = self._record()
        record.row.CopyFrom(row)
        subject = f"pb1.{self._bus}.slot.{self._broker:016x}.{row.description.slot}"
        self._publish(subject, record)

    def _record(self) -> wire.FleetRecord:
        record = wire.FleetRecord()
        record.broker, record.life, record.sequence = self._broker, self._life, self._sequence
        record.host, record.time = f"played-{self._number}", time.time()
        return record

    def _publish(self, subject: str, record: wire.FleetRecord) -> None:
        self._connection.publish(subject, encoded(FLEET, record))


def _play(ports: list[int], bus: str, count: int, jobs: int, ready: Event, end: Event) -> None:
    connections = [Connection(port) for port in ports]
    hosts = [Host(n, jobs, bus, connections[n % len(ports)]) for n in range(1, count + 1)]
    for host in hosts:
        host.say_all()
        # What is stored is not acknowledged here: slower than the servers can write.
        time.sleep(0.002)
    ready.set()
    second = time.monotonic()
    while not end.is_set():
        for place, host in enumerate(hosts):
            due = second + place / count
            if (rest := due - time.monotonic()) > 0:
                time.sleep(rest)
            # The first one says when it has said it.
            host.advance(f"{time.time():.4f}" if place == 0 else "")
            host.say_beat()
        second += 1


class PlayedHosts:
    """Their numbers are from 1; the first pages are of whoever is measured."""

    def __init__(self, ports: list[int], bus: str, count: int, jobs: int) -> None:
        self._ready, self._end = multiprocessing.Event(), multiprocessing.Event()
        self._process = multiprocessing.Process(
            target=_play, args=(ports, bus, count, jobs, self._ready, self._end)
        )
        self._process.start()
        while not self._ready.wait(1):
            if not self._process.is_alive():
                raise SystemExit("the played hosts have ended; their error is above")

    def end(self) -> None:
        self._end.set()
        self._process.join(5)
        self._process.kill()
