"""A process on a host, with what it prints and when."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any


class Process:
    """Runs until it ends or is killed; its output is gathered meanwhile, line by line."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.words = list(words)
        # What is printed: the time of the monotonic clock, which all hosts share, and the line.
        self.lines: list[tuple[float, str]] = []
        self.complaints: list[str] = []
        self.began = time.monotonic()
        self._ended = 0.0
        self._popen = subprocess.Popen(
            self.words,
            env=dict(environment),
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._readers = [
            self._reader(self._popen.stdout, self._take),
            self._reader(self._popen.stderr, self.complaints.append),
        ]

    def _reader(self, pipe: IO[str] | None, take: Callable[[str], None]) -> threading.Thread:
        def read() -> None:
            for line in pipe or ():
                take(line.rstrip("\n"))

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    def _take(self, line: str) -> None:
        self.lines.append((time.monotonic(), line))

    @property
    def output(self) -> str:
        return "\n".join(line for _, line in self.lines)

    @property
    def errors(self) -> str:
        return "\n".join(self.complaints)

    @property
    def status(self) -> int | None:
        """As shells say it; None while it runs."""
        status = self._popen.poll()
        return None if status is None else 128 - status if status < 0 else status

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return self._ended - self.began

    def events(self) -> list[tuple[float, dict[str, Any]]]:
        """Its lines as JSON, where they are."""
        found = []
        for when, line in list(self.lines):
            with contextlib.suppress(ValueError):
                found.append((when, json.loads(line)))
        return found

    def take_lines(self) -> list[tuple[float, str]]:
        """Those that have come since the last call; they are no part of its output any more."""
        taken, self.lines = self.lines, []
        return taken

    def write(self, line: str) -> None:
        """To its standard input."""
        if self._popen.stdin is not None:
            with contextlib.suppress(OSError, ValueError):
                self._popen.stdin.write(line + "\n")
                self._popen.stdin.flush()

    def close_input(self) -> None:
        if self._popen.stdin is not None:
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    def wait(self, patience: float) -> int | None:
        """Its status; None if it runs still after so many seconds."""
        try:
            self._popen.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        self._ended = self._ended or time.monotonic()
        for reader in self._readers:
            reader.join(2)
        return self.status

    def signal(self, number: int) -> None:
        """To the process itself; nsenter, which waits for it outside of the host, hears nothing."""
        own = self._popen.pid
        with contextlib.suppress(OSError):
            below = Path(f"/proc/{own}/task/{own}/children").read_text().split()
            for pid in below if self.words[0] == "nsenter" else [own]:
                os.kill(int(pid), number)

    def kill(self) -> None:
        if self._popen.poll() is None:
            self.signal(signal.SIGKILL)
            try:
                self._popen.wait(2)
            except subprocess.TimeoutExpired:
                self._popen.kill()
        self.close_input()
        self.wait(5)
