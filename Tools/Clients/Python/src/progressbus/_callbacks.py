"""The thread on which the program's handlers run, so that none of them holds up reporting."""

from __future__ import annotations

import logging
import queue
import threading

from ._state import Handler

logger = logging.getLogger("progressbus")


class Callbacks:
    """Calls handlers one after the other; its thread begins with the first call."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Handler] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, handler: Handler) -> None:
        """Has the handler called soon; from the reporting thread only."""
        self._queue.put(handler)
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name="progressbus-handlers", daemon=True
            )
            try:
                self._thread.start()
            except RuntimeError:  # the interpreter is ending, or there are too many threads
                self._thread = None

    def _run(self) -> None:
        while True:
            handler = self._queue.get()
            try:
                handler()
            except Exception:
                logger.exception("a handler of a request failed")
