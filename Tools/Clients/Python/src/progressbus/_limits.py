"""What a frame may hold (PROTOCOL.md 5.1): everything is cut and held to it before it is sent."""

from __future__ import annotations

import math

# A frame of the broker; ours have 65,536 bytes at most.
FRAME = 1_048_576
TITLE = 200
DETAIL = 500
REASON = 500
UNIT = 50
KEY = 200
TINT = 20
CONSEQUENCE = 500
LOG_TEXT = 1000
HOST = 255
COMMAND = 500
NAMESPACE = 100
CLIENT = 200
ANSWER = 500

SHARE = 1 << 48
ATTEMPT = 10_000
UNIT_SUMS = 16
FOLD_COUNT = 1 << 40
GAP = 1_000_000_000.0
MILLISECONDS = 1 << 53
INTEGER = (1 << 63) - 1


def cut(text: object, limit: int) -> str:
    """The text, cut at the end of a character where its UTF-8 has more bytes than `limit`."""
    # Half a surrogate pair, as in file names that are not UTF-8, has no UTF-8 of its own.
    encoded = str(text).encode("utf-8", "replace")
    return encoded[:limit].decode("utf-8", "ignore")


def whole(value: object, high: int = INTEGER) -> int:
    """The number as an integer from 0 to `high`; 0 for what is no number."""
    if isinstance(value, int):
        return min(max(value, 0), high)
    try:
        number = float(value)  # type: ignore[arg-type]  # the except says what cannot be
    except (TypeError, ValueError, OverflowError):
        return 0
    if math.isnan(number):
        return 0
    return int(min(max(number, 0), high)) if number < high else high


def is_finite(value: object) -> bool:
    """Whether it is a number and not infinite; so are integers of any size."""
    try:
        return math.isfinite(value)  # type: ignore[arg-type]  # the except says what cannot be
    except (TypeError, ValueError):
        return False
    except OverflowError:
        return True


def whole_total(value: object) -> int:
    """A total as frames have it: -1 where there is none, fractions rounded up so that all fit."""
    if value is None:
        return -1
    if isinstance(value, float):
        return whole(math.ceil(value)) if math.isfinite(value) else -1
    return whole(value)


def milliseconds(seconds: float) -> int:
    """A span of a clock as frames have it."""
    return whole(seconds * 1000, MILLISECONDS)
