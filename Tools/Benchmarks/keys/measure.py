"""What keys cost; see Tools/Benchmarks/measure-keys."""

from __future__ import annotations

import os
import random
import secrets
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import zmq
import zmq.utils.z85
from progressbus import _keys
from progressbus._frames import CLIENT, REPORT, encoded
from progressbus._generated import progressbus_pb2 as wire
from progressbus._handshakes import protect

PROGRAM = os.environ["PROGRESSBUS_PROGRAM"]
RUNS = 5
SENDERS = 100
SECONDS = 2.0
# What sessions may come over one process and connection is no matter here.
LIMITS = ("sessions=5000", "sessions-per-process=5000", "connections-per-process=20000")


class Broker:
    """A broker at an address, and how its clients get in."""

    def __init__(self, name: str, directory: Path) -> None:
        self.name = name
        port = random.randrange(20_000, 32_000)
        self.control = f"tcp://127.0.0.1:{port}"
        self.reports = f"tcp://127.0.0.1:{port + 2}"
        self.endpoint = self.control
        if name == "ipc":
            bus = directory / "bus"
            self.endpoint = f"ipc://{bus}"
            self.control, self.reports = (
                f"{self.endpoint}/control",
                f"{self.endpoint}/reports",
            )
        options = ["--allow-local-tcp"] if name == "tcp" else []
        os.environ["XDG_CONFIG_HOME"] = str(directory)
        self.log = directory / f"{name}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(
                        PROGRAM,
                        "broker",
                        "--endpoint",
                        self.endpoint,
                        "--bus",
                        "measured",
                    ),
                    *(word for limit in LIMITS for word in ("--limit", limit)),
                    *options,
                ],
                env=os.environ | {"PROGRESSBUS_STATE": str(directory / "state")},
                stdout=log,
                stderr=log,
            )
        while "listening" not in self.log.read_text():
            if self.process.poll() is not None:
                sys.exit(self.log.read_text())
            time.sleep(0.02)
        self.membership = _keys.read("measured") if name == "keys" else None

    def socket(
        self, context: zmq.Context[zmq.Socket[bytes]], kind: int, address: str
    ) -> zmq.Socket[bytes]:
        created = context.socket(kind)
        created.linger = 0
        created.setsockopt(zmq.IMMEDIATE, 1)
        if self.membership:
            protect(created, self.membership)
        created.connect(address)
        return created

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def connecting(broker: Broker, count: int) -> float:
    """Seconds until so many sessions are welcomed, each with a connection of its own."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    context.max_sockets = count + 10
    began = time.monotonic()
    poller = zmq.Poller()
    unsaid: dict[zmq.Socket[bytes], bytes] = {}
    for _ in range(count):
        hello = wire.ClientFrame(credential=secrets.token_bytes(16))
        hello.hello.session = secrets.randbits(63) + 1
        control = broker.socket(context, zmq.DEALER, broker.control)
        unsaid[control] = encoded(CLIENT, hello)
        poller.register(control, zmq.POLLOUT)
    welcomed = 0
    while welcomed < count:
        for socket, event in poller.poll(100):
            if event & zmq.POLLOUT and socket in unsaid:
                socket.send(unsaid.pop(socket), zmq.DONTWAIT)
                poller.modify(socket, zmq.POLLIN)
            elif event & zmq.POLLIN:
                socket.recv()
                poller.unregister(socket)
                welcomed += 1
        if time.monotonic() - began > 120:
            sys.exit(
                f"{broker.name}: {welcomed} of {count} were welcomed within two minutes"
            )
    took = time.monotonic() - began
    context.destroy(linger=0)
    return took


def frame() -> bytes:
    """A report of two amounts, as a worker sends every tick."""
    report = wire.Report(credential=secrets.token_bytes(16), sequence=1)
    report.amount_index.extend((1, 2))
    report.completed.extend((1_000_000, 2_000_000))
    report.total.extend((3_000_000, 4_000_000))
    return encoded(REPORT, report)


def flooding(
    open_socket: Callable[[zmq.Context[zmq.Socket[bytes]]], zmq.Socket[bytes]],
) -> int:
    """Frames a second that are taken from a hundred connections which send all they can."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    senders = [open_socket(context) for _ in range(SENDERS)]
    for sender in senders:
        sender.poll(10_000)
        sender.recv()  # the subscription
    sent, data = 0, frame()
    began = time.monotonic()
    while time.monotonic() - began < SECONDS:
        for sender in senders:
            for _ in range(20):
                try:
                    sender.send(data, zmq.DONTWAIT)
                    sent += 1
                except zmq.Again:
                    break
    took = time.monotonic() - began
    context.destroy(linger=0)
    return round(sent / took)


def publisher(
    context: zmq.Context[zmq.Socket[bytes]],
    address: str,
    membership: _keys.Membership | None,
) -> zmq.Socket[bytes]:
    created = context.socket(zmq.XPUB)
    created.linger = 0
    created.setsockopt(zmq.XPUB_NODROP, 1)
    created.setsockopt(zmq.SNDHWM, 4)
    if membership:
        protect(created, membership)
    created.connect(address)
    return created


def raw(membership: _keys.Membership | None) -> int:
    """The same with libzmq alone at the other end, which throws them away."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context(io_threads=2)
    sink = context.socket(zmq.SUB)
    sink.setsockopt(zmq.SUBSCRIBE, b"PBUS")
    sink.setsockopt(zmq.RCVHWM, 4)
    guest = membership
    if membership:
        public, secret = zmq.curve_keypair()
        sink.setsockopt(zmq.CURVE_SERVER, 1)
        sink.setsockopt(zmq.CURVE_SECRETKEY, secret)
        guest = _keys.Membership(
            "raw",
            "",
            zmq.utils.z85.decode(public),
            membership.public,
            membership.secret,
        )
    port = sink.bind_to_random_port("tcp://127.0.0.1")
    is_over = threading.Event()

    def drain() -> None:
        while not is_over.is_set():
            if sink.poll(50):
                for _ in range(1000):
                    try:
                        sink.recv(zmq.DONTWAIT)
                    except zmq.Again:
                        break

    thread = threading.Thread(target=drain)
    thread.start()
    rate = flooding(lambda other: publisher(other, f"tcp://127.0.0.1:{port}", guest))
    is_over.set()
    thread.join()
    sink.close(linger=0)
    context.term()
    return rate


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    directory = Path(tempfile.mkdtemp(prefix="pb-keys-"))
    results: dict[str, list[float]] = {}
    try:
        for run in range(RUNS):
            for name in ("keys", "tcp", "ipc"):
                place = directory / f"{run}-{name}"
                place.mkdir()
                broker = Broker(name, place)
                took = connecting(broker, count)
                results.setdefault(f"{count} sessions welcomed, {name}, s", []).append(
                    took
                )
                rate = flooding(
                    lambda context, broker=broker: publisher(
                        context, broker.reports, broker.membership
                    )
                )
                results.setdefault(f"frames/s taken by a broker, {name}", []).append(
                    rate
                )
                membership = broker.membership
                broker.end()
                if name != "ipc":
                    results.setdefault(
                        f"frames/s taken by libzmq alone, {name}", []
                    ).append(raw(membership))
    finally:
        shutil.rmtree(directory)
    for what, values in results.items():
        print(
            f"{what:45} median {statistics.median(values):10.2f}  worst of {len(values)}"
            f" {(max if what.endswith('s') and 'sessions' in what else min)(values):10.2f}"
        )


main()
