"""The processes of a run: started here, heard here, ended here."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from record import Record

HERE = Path(__file__).resolve().parent


class Member:
    """A Python program beside this file, which ends when its standard input does."""

    def __init__(self, record: Record, script: str, *arguments: str, nice: int = 0) -> None:
        self.name = " ".join((script.removesuffix(".py"), *arguments[1:2]))
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PROGRESSBUS_")
        }
        self._record = record
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / script), *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if nice:
            os.setpriority(os.PRIO_PROCESS, self._process.pid, nice)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._record.take(line)

    def ask_to_end(self) -> None:
        """Closes its standard input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def end(self, patience: float) -> str:
        """A sentence if it does not end in that time, or badly."""
        until = time.monotonic() + patience
        try:
            status = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            return f"{self.name} did not end within {patience:.0f} s"
        self._listener.join(max(1.0, until - time.monotonic()))
        return f"{self.name} ended with status {status}" if status else ""

    def kill(self) -> None:
        """In any case."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


class Crew:
    """Several of them."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._members: list[Member] = []

    def add(self, script: str, *arguments: str, nice: int = 0) -> None:
        self._members.append(Member(self._record, script, *arguments, nice=nice))

    def end(self, patience: float) -> list[str]:
        """Asks all to end; a sentence for each that does not."""
        for member in self._members:
            member.ask_to_end()
        until = time.monotonic() + patience
        sentences = [member.end(max(0.1, until - time.monotonic())) for member in self._members]
        self._members.clear()
        return [sentence for sentence in sentences if sentence]

    def kill(self) -> None:
        for member in self._members:
            member.kill()
