"""What identifies this process to the broker (PROTOCOL.md 11.1)."""

from __future__ import annotations

import os
import shlex
import socket
import sys
from pathlib import Path

from . import _limits
from ._generated import progressbus_pb2 as wire


def this_process() -> wire.Process:
    """The process as it is now; what the system does not tell stays empty."""
    return wire.Process(
        host=_limits.cut(os.environ.get("PROGRESSBUS_HOST") or socket.gethostname(), _limits.HOST),
        pid=os.getpid(),
        command=_limits.cut(_command(), _limits.COMMAND),
        boot_id=_limits.cut(_read("/proc/sys/kernel/random/boot_id"), _limits.NAMESPACE),
        pid_namespace=_limits.cut(_pid_namespace(), _limits.NAMESPACE),
        start_time=_start_time(),
    )


def program_name() -> str:
    """The name of the script or module that runs."""
    name = Path(sys.argv[0] if sys.argv and sys.argv[0] else "").name
    return name if name and name != "-c" else "python"


def _command() -> str:
    arguments = getattr(sys, "orig_argv", None) or [sys.executable, *sys.argv]
    return shlex.join(arguments)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return ""


def _pid_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _start_time() -> int:
    # Field 22. The command, field 2, is in parentheses and may hold blanks and parentheses.
    fields = _read("/proc/self/stat").rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 and fields[19].isdigit() else 0
