"""A host that is played, as this tool sees it from outside."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from process import Process
from trouble import Trouble

HERE = Path(__file__).resolve().parent
PATIENCE = 20.0
Variables: TypeAlias = "Mapping[str, str]"
NAMESPACES = ("--net", "--uts", "--mount", "--ipc", "--pid")


class Host:
    """Lives from its making to `end`; if this process dies, it dies too."""

    def __init__(self, name: str, hosts: dict[str, str], program: Path, kept: list[Path]) -> None:
        self.name = name
        self.address = hosts[name]
        self._processes: list[Process] = []
        plan = {
            "name": name,
            "address": self.address,
            "hosts": hosts,
            "program": str(program),
            "kept": [str(path) for path in kept],
        }
        self._socket, theirs = socket.socketpair()
        words = ["unshare", *NAMESPACES, "--fork", "--kill-child", "--mount-proc"]
        with theirs:
            self._unshare = subprocess.Popen(
                [*words, sys.executable, str(HERE / "init.py"), json.dumps(plan)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                cwd="/",
                # Ctrl-C is for this process, which ends the hosts in its turn.
                start_new_session=True,
            )

    def wait_until_it_is_there(self) -> None:
        """Takes the end of the wire that the switch is to have."""
        self._socket.settimeout(PATIENCE)
        try:
            word, descriptors, _, _ = socket.recv_fds(self._socket, 16, 1)
        except TimeoutError:
            word, descriptors = b"", []
        if word != b"ready" or not descriptors:
            self._unshare.kill()
            said = self._unshare.communicate()[1].strip().splitlines()
            raise Trouble(f"host {self.name} cannot be made: {said[-1] if said else 'no answer'}")
        self.wire = descriptors[0]
        own = self._unshare.pid
        self.pid = int(Path(f"/proc/{own}/task/{own}/children").read_text().split()[0])
        self._namespace = os.readlink(f"/proc/{self.pid}/ns/pid")

    def environment(self, more: Variables | None = None) -> dict[str, str]:
        """What a login there finds, and more."""
        return {
            "PATH": "/run/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": "/run/home",
            "USER": f"user-{self.name}",
            "LANG": "C.UTF-8",
            # A backtrace of a debug build takes minutes.
            "SWIFT_BACKTRACE": "enable=no",
            **(more or {}),
        }

    def words(self, command: Sequence[str]) -> list[str]:
        """The command as one that enters the host first."""
        return ["nsenter", "-t", str(self.pid), "-n", "-u", "-m", "-i", "-p", "--", *command]

    def start(self, *command: str, variables: Variables | None = None) -> Process:
        """Begins it, with these variables besides those of a login."""
        process = Process(self.words(command), self.environment(variables))
        # What has ended leaves the table of the system with that.
        self._processes = [one for one in self._processes if one.status is None]
        self._processes.append(process)
        return process

    def run(
        self, *command: str, patience: float = 60, variables: Variables | None = None
    ) -> Process:
        """Waits for its end; a status of None says that it had to be killed."""
        process = self.start(*command, variables=variables)
        process.close_input()
        if process.wait(patience) is None:
            process.kill()
        return process

    def packets_lost(self) -> int:
        """How many packets of it had no room on the wire so far."""
        lines = Path(f"/proc/{self.pid}/net/dev").read_text().splitlines()
        numbers = next(line for line in lines if line.strip().startswith("wire:")).split()
        return int(numbers[12])

    def path(self, inside: str) -> Path:
        """A file of the host, as it is reached from here."""
        return Path(f"/proc/{self.pid}/root{inside}")

    def living(self) -> dict[int, str]:
        """The processes there and their commands, but for the first."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == self.pid:
                continue
            try:
                if os.readlink(entry / "ns/pid") == self._namespace:
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(entry.name)] = command.decode(errors="replace").strip()
            except OSError:
                continue
        # One that has ended has no command.
        return {pid: command for pid, command in found.items() if command}

    def end(self) -> None:
        """With all its processes."""
        self._socket.close()
        try:
            self._unshare.wait(5)
        except subprocess.TimeoutExpired:
            self._unshare.kill()
            self._unshare.wait()
        for process in self._processes:
            process.kill()
        if self._unshare.stderr:
            self._unshare.stderr.close()
        if hasattr(self, "wire"):
            os.close(self.wire)
