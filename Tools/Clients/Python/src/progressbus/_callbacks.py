"""The thread on which the program's handlers run, so that none of them holds up reporting."""

from __future__ import annotations

import logging
import queue
import threading

from ._state import Handler

logger = logging.getLogger("progressbus")


class Call:
    """The handlers of one request."""

    def __init__(self, handlers: list[Handler]) -> None:
        self.handlers = handlers
        # Set by the handlers' thread, read by the reporting thread.
        self.is_done = False

    def run(self) -> None:
        """Calls each of them, whatever becomes of those before it."""
        for handler in self.handlers:
            try:
                handler()
            except Exception:
                logger.exception("a handler of a request failed")
        self.is_done = True


class Callbacks:
    """Calls handlers one after the other; its thread begins with the first call."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Call] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def add(self, call: Call) -> None:
        """Has the handlers called soon; from the reporting thread only."""
        self._queue.put(call)
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
            self._queue.get().run()
