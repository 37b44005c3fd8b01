"""The network between the hosts: a switch in a process of its own, and what it is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from host import Host
from trouble import Trouble

HERE = Path(__file__).resolve().parent


class Network:
    """Good at first: nothing is late, nothing is lost."""

    def __init__(self, hosts: list[Host], seed: str) -> None:
        ends = [f"{host.address}={host.wire}" for host in hosts]
        self._switch = subprocess.Popen(
            [sys.executable, str(HERE / "switch.py"), seed, *ends],
            pass_fds=[host.wire for host in hosts],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def is_bad(self, delay: float, loss: float) -> None:
        """So many milliseconds each way, and that percentage of packets, from now on."""
        self._tell(f"delay {delay}")
        self._tell(f"loss {loss}")

    def cut(self, host: Host) -> None:
        """Nothing comes to it or from it any more, and nobody is told."""
        self._tell(f"cut {host.address}")

    def join(self, host: Host) -> None:
        self._tell(f"join {host.address}")

    def packets(self) -> tuple[int, int]:
        """Carried and lost so far."""
        _, carried, lost = self._tell("count").split()
        return int(carried), int(lost)

    def _tell(self, command: str) -> str:
        stdin, stdout = self._switch.stdin, self._switch.stdout
        if stdin is None or stdout is None:
            raise Trouble("the switch has no pipes")
        try:
            stdin.write(command + "\n")
            stdin.flush()
        except OSError:
            raise Trouble("the switch has ended") from None
        answer = stdout.readline()
        if not answer:
            raise Trouble("the switch has ended")
        return answer

    def end(self) -> None:
        if self._switch.stdin is not None:
            self._switch.stdin.close()
        try:
            self._switch.wait(5)
        except subprocess.TimeoutExpired:
            self._switch.kill()
            self._switch.wait()
        if self._switch.stdout is not None:
            self._switch.stdout.close()
