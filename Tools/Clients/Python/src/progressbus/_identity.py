"""Names of tasks and tickets as text (PROTOCOL.md 6)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TICKET_PREFIX = "pbt1-"
_SESSION_DIGITS = 13
_BITS = 64


@dataclass(frozen=True)
class TaskId:
    """A task: its number within a session, and that session's public id."""

    index: int
    session: int

    def __str__(self) -> str:
        return f"{_written(self.index, 36)}-{_written(self.session, 32).zfill(_SESSION_DIGITS)}"

    @property
    def ticket(self) -> str:
        """The text of a ticket for this task."""
        return f"{_TICKET_PREFIX}{self}"


def task_id(text: str) -> TaskId:
    """Reads a task id; ValueError says what is wrong with the text."""
    index, separator, session = text.strip().partition("-")
    if not separator or len(session) != _SESSION_DIGITS:
        raise ValueError(
            f"{text!r} is no task id: it has the form INDEX-SESSION, as 2s-028q5cu4qnjff"
        )
    identity = TaskId(_read(index, 36, text), _read(session, 32, text))
    if not (0 < identity.index < 1 << _BITS and 0 < identity.session < 1 << _BITS):
        raise ValueError(f"{text!r} is no task id: a number in it is 0 or too great")
    return identity


def ticket_id(text: str) -> TaskId:
    """Reads a ticket; ValueError says what is wrong with the text."""
    text = text.strip()
    if not text.startswith(_TICKET_PREFIX):
        raise ValueError(f"{text!r} is no ticket: it has to begin with {_TICKET_PREFIX}")
    return task_id(text.removeprefix(_TICKET_PREFIX))


def new_public_id() -> int:
    """A random session id, not 0."""
    return secrets.randbelow((1 << _BITS) - 1) + 1


def new_credential() -> bytes:
    """What proves that a frame is from its session; never shown or logged."""
    return secrets.token_bytes(16)


def _written(number: int, base: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, base)
        digits = _DIGITS[digit] + digits
    return digits


def _read(digits: str, base: int, text: str) -> int:
    allowed = _DIGITS[:base]
    if not digits or digits.strip(allowed) or (base == 36 and digits[0] == "0"):
        raise ValueError(f"{text!r} is no task id: {digits!r} is no number in base {base}")
    return int(digits, base)
