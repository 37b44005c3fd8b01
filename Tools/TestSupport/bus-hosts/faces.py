"""The ways in which a worker reports: by the Python package, or through `progressbus report`."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from typing import Any, Protocol


class Face(Protocol):
    """What a worker says; the names of tasks are its own, `root` is its job."""

    def begin(self, name: str, title: str, **options: Any) -> None: ...
    def advance(self, name: str) -> None: ...
    def end(self, name: str, state: str, reason: str) -> None: ...
    def ticket(self, title: str) -> str: ...
    def is_cancelled(self) -> bool: ...
    def close(self, patience: float) -> bool: ...


class Package:
    """The Python package."""

    def __init__(self, title: str, clock: int, **options: Any) -> None:
        # libfaketime makes threads of Python stand still at times; all that the package asks of the
        # clock is this function.
        true = time.time
        time.time = lambda: true() + clock
        import progressbus

        self._bus = progressbus.Bus()
        self._job = self._bus.job(title, cancellable=True, **options)
        self._tasks = {"root": self._job}

    def begin(self, name: str, title: str, **options: Any) -> None:
        self._tasks[name] = self._job.child(title, **options)

    def advance(self, name: str) -> None:
        self._tasks[name].advance()

    def end(self, name: str, state: str, reason: str) -> None:
        task = self._tasks.pop(name)
        if state == "succeeded":
            task.succeed()
        elif state == "failed":
            task.fail(reason)
        else:
            task.cancel(reason)

    def ticket(self, title: str) -> str:
        return str(self._job.ticket(title, share=0))

    def is_cancelled(self) -> bool:
        return self._job.is_cancel_requested

    def close(self, patience: float) -> bool:
        """Whether all endings are acknowledged."""
        until = time.monotonic() + patience
        while not (is_there := self._bus.sync(2.0)) and time.monotonic() < until:
            pass
        return self._bus.close(5.0) and is_there


class Report:
    """`progressbus report`, which speaks through the library for Swift."""

    def __init__(self, title: str, clock: int, **options: Any) -> None:
        # The program has the clock of its host.
        self._process = subprocess.Popen(
            ["progressbus", "report", "--title", title, "--cancellable"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._events: list[dict[str, Any]] = []
        self._has_news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        if options:
            self._say(op="update", id="root", **options)

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            with self._has_news:
                self._events.append(json.loads(line))
                self._has_news.notify_all()

    def _say(self, **words: Any) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps(words) + "\n")
            self._process.stdin.flush()

    def _await(self, event: str, patience: float) -> dict[str, Any]:
        def found() -> dict[str, Any] | None:
            return next((one for one in self._events if one["event"] == event), None)

        with self._has_news:
            self._has_news.wait_for(lambda: found() is not None, patience)
            answer = found()
            if answer is None:
                return {"ok": False}
            self._events.remove(answer)
            return answer

    def begin(self, name: str, title: str, **options: Any) -> None:
        self._say(op="begin", id=name, parent="root", title=title, **options)

    def advance(self, name: str) -> None:
        self._say(op="advance", id=name)

    def end(self, name: str, state: str, reason: str) -> None:
        self._say(op="end", id=name, state=state, **({"reason": reason} if reason else {}))

    def ticket(self, title: str) -> str:
        self._say(op="ticket", id=title, title=title, share=0)
        return str(self._await("ticket", 10).get("ticket", ""))

    def is_cancelled(self) -> bool:
        return any(one["event"] == "cancel" for one in self._events)

    def close(self, patience: float) -> bool:
        """Whether all endings are acknowledged."""
        until = time.monotonic() + patience
        is_there = False
        while not is_there and time.monotonic() < until:
            self._say(op="sync")
            is_there = self._await("synced", 6).get("ok", True)
        if self._process.stdin is not None:
            self._process.stdin.close()
        return self._process.wait(20) == 0 and is_there
