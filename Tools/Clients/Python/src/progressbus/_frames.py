"""Frames: eight bytes of header, then one protobuf message (PROTOCOL.md 3)."""

from __future__ import annotations

from google.protobuf.message import DecodeError, Message

from ._generated import progressbus_pb2 as wire
from ._keys import KEY
from ._limits import ATTEMPT, FRAME

MAGIC = b"PBUS"
MAJOR = 1
MINOR = 0
REPORT = 1
CLIENT = 2
BROKER = 3

_HEADER = 8


class BadFrame(Exception):
    """The bytes are no frame of a broker that we can read."""


class WrongMajor(Exception):
    """The broker speaks another major version; its refusal, if the frame holds one, says more."""

    def __init__(self, major: int, sentence: str) -> None:
        super().__init__(
            sentence
            or f"the broker speaks version {major} of the protocol and this package {MAJOR};"
            " install the package that belongs to the broker"
        )


def encoded(kind: int, message: Message) -> bytes:
    """The bytes of a frame."""
    header = MAGIC + bytes((MAJOR, MINOR, kind, 0))
    return header + message.SerializeToString()


def decoded_broker_frame(data: bytes) -> wire.BrokerFrame:
    """Reads what a broker sends over control; raises BadFrame or WrongMajor."""
    if len(data) > FRAME:
        raise BadFrame(f"a frame of {len(data)} bytes; at most {FRAME} are allowed")
    if len(data) < _HEADER or data[:4] != MAGIC:
        raise BadFrame("no frame of ProgressBus: something else listens at this endpoint")
    major, kind = data[4], data[6]
    if major == MAJOR and kind != BROKER:
        raise BadFrame(f"a frame of kind {kind}; brokers send kind {BROKER}")
    frame = wire.BrokerFrame()
    try:
        frame.ParseFromString(data[_HEADER:])
    except DecodeError as error:
        if major != MAJOR:
            raise WrongMajor(major, "") from error
        raise BadFrame(f"a frame that is not protobuf: {error}") from error
    if major != MAJOR:
        # A refusal has the same layout in every major version.
        raise WrongMajor(major, frame.refusal.sentence if frame.HasField("refusal") else "")
    _check(frame)
    return frame


def _check(frame: wire.BrokerFrame) -> None:
    """The limits of what a reporting client acts on."""
    if frame.epoch == 0:
        raise BadFrame("a frame without epoch")
    if frame.next_key and (len(frame.next_key) != KEY or not any(frame.next_key)):
        raise BadFrame("a key that is not 32 bytes, or all are zero")
    places = frame.places
    if not len(places.index) == len(places.place) == len(places.cell):
        raise BadFrame("columns of different lengths in Places")
    if any(index == 0 for index in places.index) or any(
        number > 0x7FFF_FFFF for column in (places.place, places.cell) for number in column
    ):
        raise BadFrame("a number out of range in Places")
    if len(frame.refusal.sentence.encode()) > 1000:
        raise BadFrame("a refusal with too long a sentence")
    if frame.HasField("welcome"):
        welcome = frame.welcome
        if not (1 <= welcome.heartbeat <= 60_000 and 1 <= welcome.tick <= 60_000):
            raise BadFrame("a welcome whose heartbeat or tick is outside 1 to 60000 ms")
    if frame.HasField("binding"):
        binding = frame.binding
        if binding.index == 0 or not (binding.task.index and binding.task.session):
            raise BadFrame("a binding without its tasks")
        if binding.kind == wire.BINDING_KIND_HOLDER and not 1 <= binding.attempt <= ATTEMPT:
            raise BadFrame(f"a holder's binding whose attempt is outside 1 to {ATTEMPT}")
