"""Frames and sockets as a program in any language would make them (PROTOCOL.md 2 and 3).

Nothing here is of the Python client but the generated messages, so that what is said is up to us.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

import zmq
from google.protobuf.message import DecodeError, Message

from progressbus._generated import progressbus_pb2 as wire

Socket: TypeAlias = "zmq.Socket[bytes]"
Context: TypeAlias = "zmq.Context[zmq.Socket[bytes]]"

MAGIC = b"PBUS"
REPORT, CLIENT, BROKER, UPDATE = 1, 2, 3, 4
FRAME = 1 << 16
TICK = 0.05
LARGEST = (1 << 63) - 1
SHARE = 1 << 48


def header(kind: int, major: int = 1) -> bytes:
    """The eight bytes in front of a message."""
    return MAGIC + bytes((major, 0, kind, 0))


def frame(kind: int, message: Message) -> bytes:
    """The bytes of a frame."""
    return header(kind) + message.SerializeToString()


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def field(number: int, content: bytes) -> bytes:
    """A field with a length: a text, a sub-message, a packed column."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def received_update(parts: list[bytes]) -> tuple[str, wire.Update] | None:
    """Topic and update; None for what is none."""
    if len(parts) != 2 or parts[1][:4] != MAGIC:
        return None
    update = wire.Update()
    try:
        update.ParseFromString(parts[1][8:])
    except DecodeError:
        return None
    return parts[0].decode(errors="replace"), update


def received_answer(data: bytes) -> wire.BrokerFrame | None:
    """What the broker says over control; None for what is no frame."""
    answer = wire.BrokerFrame()
    try:
        answer.ParseFromString(data[8:])
    except DecodeError:
        return None
    return answer


def ref(index: int, session: int = 0) -> wire.TaskRef:
    """The name of a task; without a session one of the sender's own."""
    return wire.TaskRef(index=index, session=session)


def task_text(task: wire.TaskRef) -> str:
    """The name of a task as topics have it (PROTOCOL.md 6)."""
    return f"{_digits(task.index, 36)}-{_digits(task.session, 32).zfill(13)}"


def _digits(number: int, base: int) -> str:
    written = ""
    while number:
        number, digit = divmod(number, base)
        written = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + written
    return written


def own_process() -> wire.Process:
    """This process as its hello describes it, so that a broker on Linux may watch it."""
    stat = Path("/proc/self/stat")
    fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else []
    boot = Path("/proc/sys/kernel/random/boot_id")
    process = wire.Process(host="here", pid=os.getpid(), command="hostile")
    if fields and boot.exists():
        process.boot_id = boot.read_text().strip()
        process.pid_namespace = os.readlink("/proc/self/ns/pid")
        process.start_time = int(fields[19])
    return process


class Wires:
    """The sockets of one program to the broker in one directory."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.context: Context = zmq.Context()
        self.context.set(zmq.MAX_SOCKETS, 4_000)

    def address(self, name: str) -> str:
        return f"ipc://{self.directory}/{name}"

    def open(self, kind: int, name: str, **options: int) -> Socket:
        """A socket with the options of PROTOCOL.md 2.2, unless others are given."""
        socket = self.context.socket(kind)
        socket.linger = 0
        socket.setsockopt(zmq.IMMEDIATE, 1)
        if kind == zmq.XPUB:
            socket.setsockopt(zmq.XPUB_NODROP, 1)
            socket.setsockopt(zmq.SNDHWM, 4)
            socket.setsockopt(zmq.RCVHWM, 4)
        if kind == zmq.SUB:
            socket.setsockopt(zmq.SNDHWM, 0)
        for option, value in options.items():
            socket.setsockopt(getattr(zmq, option), value)
        socket.connect(self.address(name))
        return socket

    def control(self, **options: int) -> Socket:
        return self.open(zmq.DEALER, "control", **options)

    def reports(self, **options: int) -> Socket:
        return self.open(zmq.XPUB, "reports", **options)

    def updates(self, **options: int) -> Socket:
        return self.open(zmq.SUB, "updates", **options)
