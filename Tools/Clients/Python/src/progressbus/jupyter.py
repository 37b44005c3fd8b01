"""Shows a task in the output of a notebook's cell, as HTML that is replaced while it runs.

No widgets, no script; IPython is loaded by the notebook. What is shown is what this process knows:
what its workers report by themselves is on the board of `progressbus watch`.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from contextlib import suppress
from typing import Any

from . import _picture
from ._task import Task

# Seconds between two looks.
PERIOD = 0.25

logger = logging.getLogger("progressbus")


def show(task: Task) -> None:
    """Shows the task, and keeps that up to date until it has ended; returns at once.

    A job that is the last line of a cell is shown like this without it. Where there is no notebook
    one text is printed. Any thread may call it, and any number of times.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if hasattr(shell, "kernel"):
        _View(task, shell).start()
    else:
        print(_picture.text(_picture.rows(task._state)))


class _View:
    """One place where a task is shown."""

    def __init__(self, task: Task, shell: Any) -> None:
        self._task = task
        self._shell = shell
        self._lock = threading.Lock()
        self._fraction: float | None = None
        self._shown: dict[str, str] = {}
        self._display: Any = None

    def start(self) -> None:
        self.refresh()
        # Whatever a cell has done is shown when it ends, and saved with the notebook.
        self._shell.events.register("post_run_cell", self.refresh)
        with suppress(RuntimeError):  # the system has no room for a thread
            threading.Thread(target=self._follow, name="progressbus-cell", daemon=True).start()

    def _follow(self) -> None:
        while not self._task.has_ended:
            time.sleep(PERIOD)
            self.refresh()
        self._shell.events.unregister("post_run_cell", self.refresh)

    def refresh(self, *_: object) -> None:
        """Shows what has changed, by any thread."""
        with self._lock:
            try:
                self._refresh()
            except Exception:
                logger.exception("%r cannot be shown", self._task.title)

    def _refresh(self) -> None:
        rows = _picture.rows(self._task._state, self._fraction)
        self._fraction = rows[0].fraction
        bundle = {"text/plain": _picture.text(rows), "text/html": _picture.html(rows)}
        if bundle == self._shown:
            return
        self._shown = bundle
        if self._display is None:
            from IPython.display import display

            self._display = display(  # type: ignore[no-untyped-call]
                bundle, raw=True, display_id=True
            )
        else:
            self._display.update(bundle, raw=True)
