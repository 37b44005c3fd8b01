"""A broker of our own, and what it takes of the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 20.0
# Seconds that ended jobs stay on the board: what is not shown as said by then never will be.
LINGER = 60


@dataclass
class Reading:
    """What the broker holds at a time of the monotonic clock; sizes in bytes."""

    time: float
    memory: int
    descriptors: int
    disk: int


def program(root: Path) -> Path | None:
    """PROGRESSBUS_PROGRAM, the release build, or the debug build."""
    named = os.environ.get("PROGRESSBUS_PROGRAM")
    candidates = [Path(named)] if named else [
        root / ".build" / build / "progressbus" for build in ("release", "debug")
    ]  # fmt: skip
    return next((path for path in candidates if os.access(path, os.X_OK)), None)


class Broker:
    """Runs in a directory with state and log beside it."""

    def __init__(self, program: Path, directory: Path) -> None:
        self.endpoint = directory / "bus"
        self._state = directory / "state"
        self._log = directory / "broker.log"
        self.readings: list[Reading] = []
        self._is_over = threading.Event()
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("PROGRESSBUS_")
        }
        # A backtrace of a debug build takes minutes.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    program,
                    "broker",
                    *("--endpoint", f"ipc://{self.endpoint}", "--state", self._state),
                    *("--linger", str(LINGER)),
                    # Should nobody be left who ends it.
                    *("--idle-exit", "60"),
                ],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait_until_it_listens(self) -> bool:
        """False if it does not."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self.process.poll() is None:
            with socket.socket(socket.AF_UNIX) as peer:
                try:
                    peer.connect(str(self.endpoint / "control"))
                except OSError:
                    time.sleep(0.02)
                    continue
            threading.Thread(target=self._read, daemon=True).start()
            return True
        return False

    @property
    def memory(self) -> int:
        """What it holds now."""
        return self.readings[-1].memory if self.readings else 0

    def _read(self) -> None:
        while not self._is_over.wait(1.0):
            proc = Path(f"/proc/{self.process.pid}")
            try:
                status = (proc / "status").read_text()
                kilobytes = int(status.partition("VmRSS:")[2].split()[0])
                descriptors = len(os.listdir(proc / "fd"))
            except (OSError, IndexError):
                return
            disk = sum(file.stat().st_size for file in self._state.rglob("*") if file.is_file())
            self.readings.append(Reading(time.monotonic(), kilobytes << 10, descriptors, disk))

    def end(self) -> str:
        """Ends it as a user would; a sentence if it had ended already, or does not end well."""
        early = self.process.poll()
        self._is_over.set()
        if early is not None:
            return f"the broker has ended by itself with status {early}: {self.last_words()}"
        self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"the broker did not end within {PATIENCE:.0f} s of SIGTERM"
        return f"the broker ended with status {status}: {self.last_words()}" if status else ""

    def last_words(self) -> str:
        """The end of its log."""
        text = self._log.read_text(errors="replace") if self._log.exists() else ""
        return " / ".join(text.splitlines()[-3:])[-600:]
