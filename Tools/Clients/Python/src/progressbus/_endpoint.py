"""Where the broker is (PROTOCOL.md 2.1)."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import stat
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ._keys import Membership, is_name, read

_SOCKET_PATH = 103
_LAST_PORT = 65533


@dataclass(frozen=True)
class Endpoint:
    """The base of the three sockets: a directory, or a host and a port."""

    directory: Path | None = None
    host: str = ""
    port: int = 0
    membership: Membership | None = None
    """The keys to a bus that has some."""

    def __str__(self) -> str:
        if self.membership:
            return self.membership.bus
        return f"ipc://{self.directory}" if self.directory else f"tcp://{self.host}:{self.port}"

    def current(self) -> Endpoint:
        """The same with what its file says now: the user may have joined anew."""
        if self.membership:
            with contextlib.suppress(ValueError):
                return endpoint(self.membership.bus)
        return self

    @property
    def control(self) -> str:
        """The address of the control socket."""
        return self._address("control", 0)

    @property
    def reports(self) -> str:
        """The address of the reports socket."""
        return self._address("reports", 2)

    def _address(self, socket: str, above: int) -> str:
        if self.directory:
            return f"ipc://{self.directory}/{socket}"
        return f"tcp://{self.host}:{self.port + above}"

    @property
    def spool(self) -> Path | None:
        """The directory for what a broker that is away has missed."""
        return self.directory / "spool" if self.directory else None

    def objection(self) -> str:
        """Why the directory must not be used, as a sentence; empty if it may, or is not there."""
        if self.directory is None:
            return ""
        try:
            found = os.lstat(self.directory)
        except OSError:
            return ""
        if not stat.S_ISDIR(found.st_mode):
            return (
                f"{self.directory} is no directory of its own; remove it or name another endpoint."
            )
        if found.st_uid != os.getuid():
            return f"{self.directory} belongs to another user; name another endpoint."
        if stat.S_IMODE(found.st_mode) != 0o700:
            return f"others may enter {self.directory}; chmod 700 {self.directory}."
        return ""

    @property
    def answers_at_once(self) -> bool:
        """Whether `listens` cannot wait for a name server or another machine."""
        return self.directory is not None or self.host in ("127.0.0.1", "[::1]")

    def listens(self) -> bool:
        """Whether a broker accepts connections, by connect(2) on the control socket."""
        family = socket.AF_UNIX if self.directory else socket.AF_INET
        address: str | tuple[str, int] = f"{self.directory}/control"
        if self.directory is None:
            family = socket.AF_INET6 if self.host.startswith("[") else socket.AF_INET
            address = (self.host.strip("[]"), self.port)
        try:
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                # A full backlog, or a host that does not answer, must not hold anybody up.
                probe.settimeout(0.05)
                return probe.connect_ex(address) in (0, errno.EAGAIN)
        except OSError:
            return False


def endpoint(text: str) -> Endpoint:
    """Reads `ipc:///DIR`, `tcp://HOST:PORT`, or the name of a bus that this user has joined;
    ValueError says what is wrong."""
    if is_name(text):
        membership = read(text)
        return replace(endpoint(membership.address), membership=membership)
    if text.startswith("ipc://"):
        path = text.removeprefix("ipc://")
        if not path.startswith("/") or "\0" in path:
            raise ValueError(f"{text!r} is no endpoint: after ipc:// comes an absolute directory")
        directory = Path(path)
        if len(os.fsencode(directory / "reports")) > _SOCKET_PATH:
            raise ValueError(
                f"{text!r} is too long: its sockets' paths exceed {_SOCKET_PATH} bytes"
            )
        return Endpoint(directory=directory)
    if text.startswith("tcp://"):
        host, _, port = text.removeprefix("tcp://").rpartition(":")
        if not host or not port.isascii() or not port.isdigit() or not 1 <= int(port) <= _LAST_PORT:
            raise ValueError(
                f"{text!r} is no endpoint: it is tcp://HOST:PORT, PORT 1 to {_LAST_PORT}"
            )
        return Endpoint(host="127.0.0.1" if host == "localhost" else host, port=int(port))
    raise ValueError(f"{text!r} is no endpoint: it is ipc:///DIRECTORY, tcp://HOST:PORT or a name")


def of_environment() -> Endpoint:
    """What PROGRESSBUS_ENDPOINT names, else the user's own bus; ValueError as `endpoint`."""
    text = os.environ.get("PROGRESSBUS_ENDPOINT", "")
    return endpoint(text) if text else default_endpoint()


def default_endpoint() -> Endpoint:
    """The user's own bus, the same in a terminal, in cron and in a service."""
    base = tempfile.gettempdir() if sys.platform == "darwin" else "/tmp"
    return Endpoint(directory=Path(base) / f"progressbus-{os.getuid()}")
