"""Bytes that are no frames, messages that are no messages, peers that are no peers."""

from __future__ import annotations

import contextlib
import json
import select
import socket as sockets
import struct
import time
from pathlib import Path

import zmq
from client import Client, ending
from wires import CLIENT, FRAME, MAGIC, REPORT, field, frame, header

from progressbus._generated import progressbus_pb2 as wire

VECTORS = Path(__file__).resolve().parents[4] / "Protocol/vectors"
# The most of one message of too many parts: what libzmq has of it, it keeps until the last.
MOST_PARTS = 32 << 20


def _vectors() -> list[bytes]:
    frames = []
    for path in sorted(VECTORS.glob("*/*.json")):
        parts = json.loads(path.read_text()).get("frame")
        if isinstance(parts, list):
            whole = b"".join(
                bytes.fromhex(part)
                if isinstance(part, str)
                else bytes.fromhex(part["hex"]) * min(part["times"], 100_000)
                for part in parts
            )
            frames.append(whole)
    return frames


def mutated_vectors(client: Client) -> None:
    """Frames of the vectors with bytes changed, cut, joined and repeated, over both sockets."""
    sources = _vectors()
    control, reports = client.control(), client.reports()
    for _ in client.turns():
        data = bytearray(client.chance.choice(sources))
        for _ in range(client.chance.randrange(4)):
            place = client.chance.randrange(len(data) + 1)
            if client.chance.random() < 0.5 and place < len(data):
                data[place] = client.chance.randrange(256)
            elif client.chance.random() < 0.5:
                del data[place:]
            else:
                data[place:place] = client.chance.choice(sources)[:200]
        client.post(control, bytes(data))
        client.post(reports, MAGIC + bytes(data[4:]))


def odd_headers(client: Client) -> None:
    """Empty messages, headers alone, wrong magic, majors and kinds."""
    control, reports = client.control(), client.reports()
    body = wire.ClientFrame(credential=client.bytes(16)).SerializeToString()
    frames = [b"", b"P", MAGIC, header(CLIENT), b"XBUS" + header(CLIENT)[4:] + body]
    frames += [header(kind) + body for kind in (0, 1, 3, 4, 255)]
    frames += [header(CLIENT, major) + body for major in (0, 2, 255)]
    for number in client.turns():
        data = frames[number % len(frames)]
        client.post(control, data)
        client.post(reports, MAGIC + data[4:])


def many_parts(client: Client) -> None:
    """Messages of 2 to 1,000 parts, each of them a frame."""
    control, reports = client.control(), client.reports()
    message = wire.ClientFrame(credential=client.bytes(16), heartbeat=wire.Heartbeat(sequence=1))
    part = frame(CLIENT, message)
    for _ in client.turns():
        parts = [part] * client.chance.choice([2, 3, 16, 17, 1_000])
        client.post(control, parts)
        client.post(reports, parts)


def greatest_frames(client: Client) -> None:
    """Frames of exactly the greatest size, of one byte more, and of many times that."""
    session = client.session()
    for number in client.turns():
        size = client.chance.choice([FRAME - 8, FRAME - 7, 4 * FRAME])
        # An unknown field as large as it must be.
        unknown = field(127, bytes(size - 5))
        client.post(session.control, header(CLIENT) + unknown)
        client.post(session.reports, header(REPORT) + unknown)
        if number % 10 == 9:
            client.end()
            session = client.session()


def _length(count: int) -> bytes:
    return bytes((count & 0x7F | 0x80, count >> 7 & 0x7F | 0x80, count >> 14))


def full_columns(client: Client) -> None:
    """Whole frames of packed numbers, of tiny sub-messages, of nested groups and unknown fields."""
    session = client.session()
    credential = b"\x0a\x10" + session.credential
    size = FRAME - 100
    contents = [
        b"\x52" + _length(size) + b"\x01" * size,
        b"\xa2\x01\x00" * (size // 3),
        b"\xaa\x01\x00" * (size // 3),
        b"\xb2\x01\x00" * (size // 3),
        b"\xf8\x07\x01" * (size // 3),
        b"\xfb\x07" * (size // 2),
    ]
    for number in client.turns():
        content = contents[number % len(contents)]
        sequence = bytes((0x10, number % 127 + 1))
        client.post(session.reports, header(REPORT) + credential + sequence + content)
        # The same as endings over control.
        client.post(
            session.control, header(CLIENT) + credential + b"\x22" + _length(len(content)) + content
        )


def coming_and_going(client: Client) -> None:
    """Connections that open and close, with a word or without one."""
    for number in client.turns():
        control = client.control()
        if number % 2:
            client.post(control, frame(CLIENT, wire.ClientFrame(credential=client.bytes(16))))
        if number % 3 == 0:
            client.close(client.updates())
        client.close(control)


def silent_connections(client: Client) -> None:
    """Some hundred connections that never say a word, not even libzmq's first."""
    held = []
    try:
        for number in client.turns(300):
            held.append(_connected(client, ("control", "reports", "updates")[number % 3]))
            client.sent += 1
        while client.going():
            time.sleep(0.05)
    finally:
        for peer in held:
            peer.close()


def strange_languages(client: Client) -> None:
    """Peers that speak anything but ZMTP, or half of it."""
    for number in client.turns():
        with contextlib.suppress(OSError), _connected(client, "control") as peer:
            peer.send(
                (_GREETING + client.bytes(200), b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 9)[number % 3]
            )
            client.sent += 1


def wrong_sockets(client: Client) -> None:
    """Sockets of kinds that do not belong there, and that send all the same."""
    wrong = ((zmq.REQ, "control"), (zmq.DEALER, "reports"), (zmq.PUB, "updates"),
             (zmq.PUSH, "control"), (zmq.PAIR, "reports"))  # fmt: skip
    for number in client.turns():
        kind, name = wrong[number % len(wrong)]
        socket = client._noted(client.wires.open(kind, name))
        client.post(socket, header(CLIENT) + client.bytes(50))
        client.close(socket)


def unread_answers(client: Client) -> None:
    """Asks for answers over one connection that never reads any, and stays."""
    session = client.session(deaf=True)
    control = session.control
    for number in client.turns():
        session.say(probe=wire.Probe(request=number + 1))
        session.end(ending(number + 1, wire.STATED_STATE_SUCCEEDED))
    client.keep(control)


def messages_without_end(client: Client) -> None:
    """By hand: one message of ever more parts, which libzmq keeps until the last one comes."""
    name, kind = client.chance.choice([("control", b"DEALER"), ("reports", b"PUB")])
    with contextlib.suppress(OSError), _connected(client, name) as peer:
        _shake_hands(peer, kind)
        part = header(REPORT) + bytes(60_000)
        more = b"\x03" + struct.pack(">Q", len(part)) + part
        sent = 0
        while client.going() and sent < MOST_PARTS:
            if not select.select([], [peer], [], 0.05)[1]:
                continue
            sent += peer.send(more)
            client.sent += 1
        while client.going():
            time.sleep(0.02)


def claimed_lengths(client: Client) -> None:
    """By hand: messages that claim to be of 2^62 bytes, and commands nobody knows."""
    for number in client.turns():
        with contextlib.suppress(OSError), _connected(client, "control") as peer:
            _shake_hands(peer, b"DEALER")
            claims = (1 << 62, (1 << 64) - 1, FRAME + 1, FRAME)
            peer.send(b"\x02" + struct.pack(">Q", claims[number % 4]) + bytes(1_000))
            peer.send(b"\x04\x05\x04PING")
            client.sent += 2


_GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31)


def _connected(client: Client, name: str) -> sockets.socket:
    peer = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    peer.settimeout(0.5)
    try:
        peer.connect(f"{client.directory}/{name}")
    except OSError:
        peer.close()
        raise
    return peer


def _shake_hands(peer: sockets.socket, kind: bytes) -> None:
    """ZMTP 3.0: greeting and READY, from both sides."""
    properties = b"\x0bSocket-Type" + struct.pack(">I", len(kind)) + kind
    if kind == b"DEALER":
        properties += b"\x08Identity" + bytes(4)
    ready = b"\x05READY" + properties
    peer.sendall(_GREETING)
    peer.sendall(b"\x04" + bytes((len(ready),)) + ready)
    received = b""
    while len(received) < len(_GREETING) + 10:
        data = peer.recv(4096)
        if not data:
            return
        received += data
