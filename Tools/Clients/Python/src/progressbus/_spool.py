"""What a session leaves behind for the next broker (PROTOCOL.md 10.1)."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import time
import zlib
from pathlib import Path

from ._fold import frames as frames_of
from ._frames import CLIENT, encoded
from ._generated import progressbus_pb2 as wire
from ._identity import TaskId
from ._session import Session, redemption
from ._state import TaskState

FILE = 4 << 20
ROWS = 32_768
FILES = 1_000
STALE = 3_600.0

_MAGIC = b"PBSP"
_VERSION = bytes((1, 0, 0, 0))
_ROWS_PER_FRAME = 24
_FOLDS_PER_FRAME = 5
# Hello, goodbye, lengths and the headers of frames.
_MARGIN = 16_384


def spool_frames(session: Session, now: float) -> list[bytes]:
    """The frames that tell a new broker all that no broker has acknowledged."""
    ledger = session.ledger
    rows = _rows(session, now)
    frames = [
        _client(session, hello=wire.Hello(session=ledger.public_id, process=session.process,
                                          client=session.client))
    ]  # fmt: skip
    frames += [
        _client(session, redeem=redemption(task)) for task in rows if task.ticket_id is not None
    ]
    written = list(rows.values())
    for first in range(0, len(written), _ROWS_PER_FRAME):
        endings = wire.Endings(sequence=ledger.next_sequence())
        endings.endings.extend(written[first : first + _ROWS_PER_FRAME])
        frames.append(_client(session, endings=endings))
    # Acknowledged ones too: a broker that knows a task by its fold alone forgets both together.
    folds = [task.fold for task in rows if task.fold]
    for group in frames_of(folds, _FOLDS_PER_FRAME):
        endings = wire.Endings(sequence=ledger.next_sequence())
        for fold in group:
            fold.write(endings.folds.add())
        frames.append(_client(session, endings=endings))
    goodbye = wire.Goodbye(sequence=session.reports.last_sequence)
    frames.append(_client(session, goodbye=goodbye))
    return frames


def _rows(session: Session, now: float) -> dict[TaskState, wire.Ending]:
    """The rows of what is not acknowledged and of all above it, parents first; what fits."""
    unsettled = session.endings.unsettled()
    unsettled += [fold.parent for fold in session.endings.unsettled_folds()]
    unsettled += [task for task in session.ledger.redeemers.values() if task.binding is None]
    # What matters most comes first, should there be no room for all.
    unsettled.sort(
        key=lambda task: (
            task.parent is not None and task.state != wire.STATED_STATE_FAILED,
            task.index,
        )
    )
    chosen: dict[TaskState, wire.Ending] = {}
    room = FILE - _MARGIN
    for task in unsettled:
        lineage: list[TaskState] = []
        above: TaskState | None = task
        while above is not None and above not in chosen:
            lineage.append(above)
            above = above.parent
        added = {member: _row(member, now) for member in lineage}
        size = sum(row.ByteSize() + 64 for row in added.values())
        size += sum(7_000 + 5 * len(member.fold.removed) for member in lineage if member.fold)
        if size > room or len(chosen) + len(added) > ROWS:
            continue
        room -= size
        chosen.update(added)
    for task in session.ledger.tasks.values():
        if task.is_ticket and task.parent in chosen and task not in chosen:
            row = _row(task, now)
            room -= row.ByteSize() + 64
            if room < 0 or len(chosen) >= ROWS:
                break
            chosen[task] = row
    return dict(sorted(chosen.items(), key=lambda item: item[0].index))


def _row(task: TaskState, now: float) -> wire.Ending:
    row = wire.Ending()
    task.write_row(row, now)
    return row


def _client(
    session: Session,
    hello: wire.Hello | None = None,
    redeem: wire.Redeem | None = None,
    endings: wire.Endings | None = None,
    goodbye: wire.Goodbye | None = None,
) -> bytes:
    message = wire.ClientFrame(
        credential=session.ledger.credential,
        hello=hello,
        redeem=redeem,
        endings=endings,
        goodbye=goodbye,
    )
    return encoded(CLIENT, message)


def spool_file(frames: list[bytes]) -> bytes:
    """The bytes of a file with these frames."""
    parts = [_MAGIC, _VERSION]
    for frame in frames:
        parts += [struct.pack(">I", len(frame)), frame]
    parts.append(struct.pack(">I", 0))
    content = b"".join(parts)
    return content + struct.pack(">I", zlib.crc32(content))


def write_spool(directory: Path, session_id: int, content: bytes) -> bool:
    """Leaves a file for the next broker; False where it cannot or must not, never an error."""
    if len(content) > FILE:
        return False
    name = str(TaskId(1, session_id)).partition("-")[2]
    temporary = directory / f".{name}.tmp"
    try:
        if not _is_ready(directory):
            return False
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )
        try:
            with open(descriptor, "wb") as file:
                file.write(content)  # it is to outlive the process, not the machine: no fsync
            os.rename(temporary, directory / f"{name}.spool")
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            return False
    except OSError:
        return False
    return True


def _is_ready(directory: Path) -> bool:
    """Makes the directory if it is missing, and the endpoint's own, where no broker has ever been;
    whether both are ours alone and there is room."""
    for part in (directory.parent, directory):
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, 0o700)
        found = os.lstat(part)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return False
        if stat.S_IMODE(found.st_mode) != 0o700:
            return False
    waiting = 0
    for entry in os.scandir(directory):
        if not entry.name.endswith(".spool"):
            continue
        with contextlib.suppress(OSError):
            if time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE:
                os.unlink(entry.path)
                continue
        waiting += 1
    return waiting < FILES
