"""The hosts of one scenario, from their making to their end."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType
from typing import ClassVar

import secure_shell
from host import Host
from network import Network

ROOT = Path(__file__).resolve().parents[3]
# Within namespaces of our own alone.
NETWORK = "10.77.0."
NAMES = ("one", "two", "three")


def program() -> Path | None:
    """PROGRESSBUS_PROGRAM, the release build, or the debug build."""
    named = os.environ.get("PROGRESSBUS_PROGRAM")
    candidates = [Path(named)] if named else [
        ROOT / ".build" / build / "progressbus" for build in ("release", "debug")
    ]  # fmt: skip
    found = next((path for path in candidates if os.access(path, os.X_OK)), None)
    return found.resolve() if found else None


class World:
    """Three hosts and what connects them."""

    # All that have not ended: scenarios are played on threads, which a signal does not end.
    living: ClassVar[list[World]] = []

    def __init__(self, program: Path, seed: str) -> None:
        self.program = program
        addresses = {name: NETWORK + str(number + 1) for number, name in enumerate(NAMES)}
        self.hosts: list[Host] = []
        self._network: Network | None = None
        self.living.append(self)
        try:
            for name in NAMES:
                self.hosts.append(Host(name, addresses, program, [ROOT, program.parent]))
            for host in self.hosts:
                host.wait_until_it_is_there()
            self._network = Network(self.hosts, seed)
            secure_shell.connect(self.hosts)
        except BaseException:
            self.end()
            raise
        self.one, self.two, self.three = self.hosts

    @property
    def network(self) -> Network:
        assert self._network is not None
        return self._network

    def end(self) -> None:
        """Any thread, and more than once."""
        with contextlib.suppress(ValueError):
            self.living.remove(self)
        while self.hosts:
            self.hosts.pop().end()
        if self._network is not None:
            self._network.end()

    def __enter__(self) -> World:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()
