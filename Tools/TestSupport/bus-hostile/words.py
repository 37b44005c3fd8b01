"""What the processes of this tool tell the one that has started them: a JSON object a line."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

# How late a sleep of 10 ms ends: what is no broker's doing is seen in it. No promise.
MACHINE = "the machine alone: a sleep ends late by"

# From the beginning of a session to the answer to its first sync. It waits for two answers, one
# after the other, so that it may be late by what two frames may be.
FIRST_WORD = "a new session's first word"

_lock = threading.Lock()


def tell(**words: Any) -> None:
    """Any thread: writes one line to standard output."""
    line = json.dumps(words)
    with _lock:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def sample(name: str, began: float, answered: bool = True) -> None:
    """How long something took that began then and has just been seen."""
    tell(sample=name, began=began, seconds=time.monotonic() - began, answered=answered)


def complain(sentence: str) -> None:
    """Something happened to an honest client that must not."""
    tell(complaint=sentence)


def until_told(stop: threading.Event) -> None:
    """Sets the event when whoever has started us closes our standard input, or is gone."""

    def wait() -> None:
        sys.stdin.read()
        stop.set()

    threading.Thread(target=wait, daemon=True).start()
