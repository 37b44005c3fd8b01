"""Files that nobody honest leaves in the spool (PROTOCOL.md 10.1)."""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from pathlib import Path
from typing import Any

from client import Client, ending
from wires import CLIENT, frame, ref

from progressbus._generated import progressbus_pb2 as wire

# What may lie there at a time: a disk that others use is not what is tried.
MOST_FILES = 3_000
MOST_BYTES = 64 << 20


def _file(frames: list[bytes]) -> bytes:
    content = b"PBSP" + bytes((1, 0, 0, 0))
    content += b"".join(struct.pack(">I", len(one)) + one for one in frames)
    content += bytes(4)
    return content + struct.pack(">I", zlib.crc32(content))


def _leave(client: Client, content: bytes, name: str = "") -> None:
    spool = Path(client.directory) / "spool"
    with contextlib.suppress(FileExistsError):
        spool.mkdir(mode=0o700)
    name = name or f"{client.number():x}"
    files = list(os.scandir(spool))
    with contextlib.suppress(OSError):
        if len(files) > MOST_FILES or sum(file.stat().st_size for file in files) > MOST_BYTES:
            return
    temporary = spool / f".{name}.tmp"
    temporary.write_bytes(content)
    temporary.chmod(0o600)
    temporary.rename(spool / f"{name}.spool")
    client.sent += 1


def _frames(client: Client, session: int, *bodies: dict[str, Any]) -> list[bytes]:
    credential = client.bytes(16)
    hello = wire.Hello(session=session, client="hostile")
    words: list[dict[str, Any]] = [{"hello": hello}, *bodies, {"goodbye": wire.Goodbye()}]
    return [frame(CLIENT, wire.ClientFrame(credential=credential, **body)) for body in words]


def spooled_for_others(client: Client) -> None:
    """Files that claim to be of honest sessions and say that their tasks have failed."""
    for number in client.turns(200):
        victim = client.chance.choice(client.victims())
        rows = [ending(n, wire.STATED_STATE_FAILED) for n in range(1, 50)]
        bodies: list[dict[str, Any]] = [{"endings": wire.Endings(sequence=1 << 60, endings=rows)}]
        if number % 2:
            known = wire.Binding(
                index=1, kind=wire.BINDING_KIND_HOLDER, task=victim, attempt=10_000
            )
            bodies.insert(0, {"redeem": wire.Redeem(index=1, ticket=victim, known=known)})
        _leave(client, _file(_frames(client, victim.session, *bodies)))


def spooled_in_masses(client: Client) -> None:
    """Valid files by the thousand, a session each."""
    for _ in client.turns(MOST_FILES):
        rows = [ending(n, wire.STATED_STATE_FAILED) for n in range(1, 20)]
        bodies = {"endings": wire.Endings(sequence=1, endings=rows)}
        _leave(client, _file(_frames(client, client.number(), bodies)))


def spooled_and_great(client: Client) -> None:
    """Files of nearly 4 MiB with 32,768 endings, and of more than that."""
    rows = [ending(n, wire.STATED_STATE_FAILED, "Hostile spool") for n in range(1, 3_000)]
    for number in client.turns(8):
        bodies = [
            {"endings": wire.Endings(sequence=n + 1, endings=rows)}
            for n in range(10 + number % 3 * 20)
        ]
        _leave(client, _file(_frames(client, client.number(), *bodies)))


def spooled_and_odd(client: Client) -> None:
    """Links, pipes, directories, cut files, wrong sums, foreign frames, two hellos."""
    spool = Path(client.directory) / "spool"
    for number in client.turns(100):
        name = f"odd{client.number():x}"
        content = _file(_frames(client, client.number()))
        _leave(client, content[: client.chance.randrange(len(content))], name + "a")
        _leave(client, content[:-1] + b"\0", name + "b")
        twice = _frames(client, 7) + _frames(client, 8)
        _leave(client, _file(twice), name + "c")
        fold = wire.Endings(sequence=1, folds=[wire.Fold(parent=ref(1, 5), succeeded=10**12)])
        _leave(client, _file(_frames(client, 9, {"endings": fold})), name + "d")
        with contextlib.suppress(OSError):
            if number % 4 == 0:
                os.symlink("/dev/zero", spool / f"{name}e.spool")
            elif number % 4 == 1:
                os.mkfifo(spool / f"{name}f.spool", 0o600)
            elif number % 4 == 2 and number < 20:
                os.mkdir(spool / f"{name}g.spool")
