"""What one scenario has come to: sentences for what did not hold, and figures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence


class Verdict:
    def __init__(self, name: str) -> None:
        self.name = name
        self.wrong: list[str] = []
        self.known: list[str] = []
        self.figures: list[tuple[str, str]] = []

    def knows(self, defect: str, found: Sequence[str]) -> None:
        """What is wrong by a known defect of the program: it is told, and does not count."""
        if found:
            self.known.append(f"{defect}: {'; '.join(found[:3])}")

    def figure(self, what: str, value: str) -> None:
        self.figures.append((what, value))

    def holds(self, is_so: object, otherwise: str) -> bool:
        """A sentence unless it is so."""
        if not is_so:
            self.wrong.append(otherwise)
        return bool(is_so)

    def becomes(self, look: Callable[[], Sequence[str]], patience: float) -> bool:
        """What is wrong at first may become right within so many seconds; what is left is kept."""
        until = time.monotonic() + patience
        while left := look():
            if time.monotonic() > until:
                self.wrong += left[:8]
                if len(left) > 8:
                    self.wrong.append(f"… and {len(left) - 8} more of these")
                return False
            time.sleep(0.2)
        return True
