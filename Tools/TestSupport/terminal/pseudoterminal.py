"""A command that runs on a pseudo-terminal, as a shell would run it.

The command is a job of a session whose leader keeps the terminal, so that it can be suspended and
continued, and so that the terminal is still there to be looked at when the command has ended.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

# Signals that a program begins with as the system has them, whatever this process does.
DEFAULTS = [
    signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGTSTP,
    signal.SIGTTIN, signal.SIGTTOU, signal.SIGCHLD, signal.SIGWINCH,
]


class PseudoTerminal:
    """Starts the command at once.

    `master` is the descriptor to read its output from and to write keys to; it does not block.
    """

    def __init__(self, command: list[str], columns: int, rows: int, environment: dict[str, str]):
        self.columns, self.rows = columns, rows
        self.master, self.slave = pty.openpty()
        self.set_size(columns, rows)
        self.initial_modes = termios.tcgetattr(self.slave)
        self.pid = 0
        # "running", "stopped", "exited N", "signalled N".
        self.state = "starting"
        self.started = time.clock_gettime(time.CLOCK_MONOTONIC)
        self.ended: float | None = None
        self._words = b""
        reports, report = os.pipe()
        orders, self._orders = os.pipe()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.close(self.master)
                os.close(reports)
                os.close(self._orders)
                lead(command, environment, self.slave, orders, report)
            finally:
                os._exit(70)
        os.close(report)
        os.close(orders)
        self._reports = reports
        os.set_blocking(reports, False)
        os.set_blocking(self.master, False)
        while self.state == "starting":
            select.select([reports], [], [], 1)
            self.poll()

    @property
    def descriptors(self) -> list[int]:
        """What to wait for beside `master`: news of the command."""
        return [self._reports] if self._reports >= 0 else []

    @property
    def has_ended(self) -> bool:
        return self.state.startswith(("exited", "signalled"))

    def poll(self) -> None:
        """Takes in what became of the command."""
        if self._reports < 0:
            return
        try:
            data = os.read(self._reports, 4_096)
        except BlockingIOError:
            return
        if not data:
            os.close(self._reports)
            self._reports = -1
            if not self.has_ended:
                self.state = "signalled 0"
            return
        *lines, self._words = (self._words + data).split(b"\n")
        for line in lines:
            word, _, rest = line.decode().partition(" ")
            if word == "pid":
                self.pid, self.state = int(rest), "running"
            else:
                self.state = line.decode()
            if self.has_ended:
                self.ended = time.clock_gettime(time.CLOCK_MONOTONIC)

    def read(self) -> bytes:
        """What it has written; empty where there is nothing now."""
        if self.master < 0:
            return b""
        try:
            return os.read(self.master, 1 << 18)
        except (BlockingIOError, OSError):
            return b""

    def write(self, data: bytes) -> bool:
        """Types; false where the command does not read and the terminal is full."""
        if self.master < 0:
            return False
        try:
            return os.write(self.master, data) == len(data)
        except OSError:
            return False

    def set_size(self, columns: int, rows: int) -> None:
        # The system tells the foreground job.
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, size)
        self.columns, self.rows = columns, rows

    def signal(self, number: int) -> None:
        """Sends the command a signal, and only it."""
        if not self.has_ended and self.pid > 1:
            os.kill(self.pid, number)

    def resume(self) -> None:
        """Brings a stopped command back to the foreground."""
        self._order(b"f")

    def hang_up(self) -> None:
        """Closes the terminal, as when its window is closed."""
        if self.master >= 0:
            os.close(self.master)
            os.close(self.slave)
            self.master = self.slave = -1

    def modes(self) -> dict | None:
        """Whether the line discipline is as a shell wants it; nil once it was closed."""
        if self.slave < 0:
            return None
        now = termios.tcgetattr(self.slave)
        local = now[3]
        return {
            "canonical": bool(local & termios.ICANON),
            "echo": bool(local & termios.ECHO),
            "signals": bool(local & termios.ISIG),
            "carriageReturns": bool(now[0] & termios.ICRNL),
            "postprocessing": bool(now[1] & termios.OPOST),
            "asBefore": now == self.initial_modes,
        }

    def close(self) -> None:
        """Kills what still runs."""
        if not self.has_ended and self.pid > 1:
            for target in (-self.pid, self.pid):
                try:
                    os.kill(target, signal.SIGKILL)
                except OSError:
                    pass
        self.hang_up()
        if self._orders >= 0:
            os.close(self._orders)
            self._orders = -1
            os.waitpid(self.leader, 0)

    def _order(self, word: bytes) -> None:
        try:
            os.write(self._orders, word)
        except OSError:
            pass


def lead(
    command: list[str],
    environment: dict[str, str],
    terminal: int,
    orders: int,
    report: int,
) -> None:
    """What a shell does for one job; returns when the orders end."""

    def say(text: str) -> None:
        os.write(report, text.encode() + b"\n")

    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    wake, woken = os.pipe()
    for end in (wake, woken):
        os.set_blocking(end, False)
    hung_up = False

    def remember(number, frame) -> None:
        nonlocal hung_up
        hung_up = True

    signal.signal(signal.SIGHUP, remember)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)

    ready, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.read(ready, 1)
        signal.set_wakeup_fd(-1)
        for number in DEFAULTS:
            signal.signal(number, signal.SIG_DFL)
        for descriptor in (0, 1, 2):
            os.dup2(terminal, descriptor)
        os.closerange(3, 256)
        try:
            os.execvpe(command[0], command, environment)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}")
            os._exit(127)
    try:
        os.setpgid(pid, pid)
    except OSError:
        pass
    os.tcsetpgrp(terminal, pid)
    say(f"pid {pid}")
    os.write(go, b"x")

    running = True
    while True:
        readable, _, _ = select.select([wake, orders], [], [], 5)
        if wake in readable:
            try:
                os.read(wake, 4_096)
            except BlockingIOError:
                pass
        if hung_up and running:
            hung_up = False
            for number in (signal.SIGHUP, signal.SIGCONT):
                try:
                    os.kill(-pid, number)
                except OSError:
                    pass
        if orders in readable:
            order = os.read(orders, 1)
            if not order:
                return
            if running:
                os.tcsetpgrp(terminal, pid)
                os.kill(-pid, signal.SIGCONT)
        while running:
            found, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
            if found == 0:
                break
            if os.WIFSTOPPED(status):
                os.tcsetpgrp(terminal, os.getpgrp())
                say(f"stopped {os.WSTOPSIG(status)}")
            elif os.WIFCONTINUED(status):
                say("running")
            else:
                running = False
                try:
                    os.tcsetpgrp(terminal, os.getpgrp())
                except OSError:
                    pass
                if os.WIFEXITED(status):
                    say(f"exited {os.WEXITSTATUS(status)}")
                else:
                    say(f"signalled {os.WTERMSIG(status)}")
