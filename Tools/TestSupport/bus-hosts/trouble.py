"""What keeps a scenario from being played, which is no word about the bus."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


class Trouble(Exception):
    """A sentence that says what is not as it has to be."""


def eventually(what: str, look: Callable[[], Found | None], patience: float = 20.0) -> Found:
    """What is looked for, once it is there."""
    until = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > until:
            raise Trouble(f"within {patience:.0f} s there was not: {what}")
        time.sleep(0.05)
