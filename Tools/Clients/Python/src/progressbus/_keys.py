"""Buses with keys: the file of one that this user has joined, and invitations (PROTOCOL.md 2.3)."""

from __future__ import annotations

import base64
import binascii
import contextlib
import fcntl
import os
import re
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

KEY = 32
PREFIX = "pbi1-"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FILE_BYTES = 16384
_TOKEN_BYTES = 1000


def is_name(text: str) -> bool:
    """Whether a text can be the name of a bus."""
    return _NAME.fullmatch(text) is not None


def path_of(name: str) -> Path:
    """The file of the bus of this name."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    directory = Path(base) if base.startswith("/") else Path.home() / ".config"
    return directory / "progressbus" / "buses" / name


@dataclass(frozen=True)
class Membership:
    """How this user belongs to a bus. What is printed of it holds no key."""

    bus: str
    address: str
    server: bytes = field(repr=False)
    public: bytes = field(repr=False)
    secret: bytes = field(repr=False)
    name: str = ""
    role: str = ""
    next_server: bytes | None = field(default=None, repr=False)
    """The key that the broker will have next, where it has said so."""

    @property
    def renewed(self) -> Membership | None:
        """With the key of the broker that comes next; None without one."""
        if self.next_server is None:
            return None
        return replace(self, server=self.next_server, next_server=None)


def read(name: str) -> Membership:
    """The membership in the file of a bus; ValueError says what is wrong with it."""
    path = path_of(name)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise ValueError(
            f"there is no bus {name} here: become a member with progressbus.join()"
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError(f"{path} is no file; remove it")
        if status.st_uid != os.geteuid():
            raise ValueError(f"{path} belongs to another user; remove it and join anew")
        if status.st_mode & 0o077:
            raise ValueError(f"others may read the secret key in {path}; chmod 600 {path}")
        text = file.read(_FILE_BYTES).decode(errors="replace")
    values = {
        word: value
        for word, _, value in (line.partition(" ") for line in text.split("\n"))
        if value and not word.startswith("#")
    }
    try:
        server, public, secret = (_key(values[word]) for word in ("server", "public", "secret"))
        return Membership(
            name,
            values["address"],
            server,
            public,
            secret,
            values.get("name", ""),
            values.get("role", ""),
            _key(values["next-server"]) if "next-server" in values else None,
        )
    except (KeyError, ValueError):
        raise ValueError(f"{path} is not what a join writes; join anew") from None


def _key(text: str) -> bytes:
    key = bytes.fromhex(text)
    if len(key) != KEY or not any(key):
        raise ValueError
    return key


def write(membership: Membership) -> None:
    """Keeps a membership, whole or not at all; OSError where that cannot be."""
    path = path_of(membership.bus)
    lines = (
        "# A bus of progressbus and this user's key to it: nobody else may read it.",
        f"address {membership.address}",
        f"server {membership.server.hex()}",
        *([f"next-server {membership.next_server.hex()}"] if membership.next_server else ()),
        f"public {membership.public.hex()}",
        f"secret {membership.secret.hex()}",
        f"role {membership.role}",
        f"name {membership.name}",
    )
    new = path.with_name(path.name + "~new")
    with open(_create(new), "wb") as file:
        file.write(("\n".join(lines) + "\n").encode())
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def prepare(name: str) -> None:
    """OSError where `write` would fail: to be asked before a broker is told of a key."""
    # Not what `write` makes: another process may be about to give that its name.
    trial = path_of(f"{name}~{os.getpid()}")
    os.close(_create(trial))
    trial.unlink()


def _create(path: Path) -> int:
    """Makes a file anew, and its directory."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path, flags, 0o600)


def change(name: str, changed: Callable[[Membership], Membership]) -> None:
    """Changes what the file of a bus says; others who change it do so before or after."""
    path = path_of(name)
    while True:
        held = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            with contextlib.suppress(OSError):  # not every file system has locks
                fcntl.flock(held, fcntl.LOCK_EX)
            if not os.path.samestat(os.fstat(held), os.lstat(path)):
                continue  # whoever held it before has put another one in its place
            membership = read(name)
            if changed(membership) != membership:
                write(changed(membership))
            return
        finally:
            os.close(held)


@dataclass(frozen=True)
class Invitation:
    """What somebody needs to become a member. What is printed of it holds no key."""

    bus: str
    address: str
    server: bytes = field(repr=False)
    secret: bytes = field(repr=False)


def invitation(text: str) -> Invitation:
    """Reads a token, with blanks around it; ValueError says what is wrong."""
    token = text.strip()
    if not token.startswith(PREFIX) or len(token) > _TOKEN_BYTES or len(token.split()) != 1:
        raise ValueError(f"this is no invitation: it is one word that begins with {PREFIX}")
    damaged = ValueError("this invitation is damaged: copy all of it")
    letters = token.removeprefix(PREFIX)
    if not re.fullmatch(r"[A-Za-z0-9_-]+", letters):
        raise damaged
    try:
        data = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    except binascii.Error:
        raise damaged from None
    content, checksum = data[:-4], data[-4:]
    if len(data) <= 2 * KEY + 5 or zlib.crc32(content).to_bytes(4, "big") != checksum:
        raise damaged
    server, secret = content[:KEY], content[KEY : 2 * KEY]
    end = 2 * KEY + 1 + content[2 * KEY]
    try:
        bus, address = content[2 * KEY + 1 : end].decode(), content[end:].decode()
    except UnicodeDecodeError:
        raise damaged from None
    if not is_name(bus) or not address.startswith("tcp://") or not any(server) or not any(secret):
        raise damaged
    return Invitation(bus, address, server, secret)
