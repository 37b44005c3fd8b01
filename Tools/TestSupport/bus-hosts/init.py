"""Process 1 of a host that is played: makes the host what it is, and ends with who has started it.

It runs in new namespaces (see host.py) with a socket as its standard input. It sends the device of
its network over it and waits for its end; when it ends, the kernel ends all that is here.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

# From linux/if_tun.h.
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
DEVICE = "wire"


def run(*words: str) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def replace_file(path: str, text: str) -> None:
    """Lays another file over one of the machine, for this host alone."""
    mine = Path("/run/files") / Path(path).name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text(text)
    run("mount", "--bind", str(mine), path)


def mount(kept: list[str]) -> None:
    """/run, /tmp and /dev/shm of its own; what is needed of the machine's stays where it is."""
    descriptors = {path: os.open(path, os.O_PATH) for path in kept}
    for path in ("/run", "/tmp", "/dev/shm"):
        run("mount", "-t", "tmpfs", "-o", "mode=1777", "host", path)
    for path, descriptor in descriptors.items():
        if path.startswith(("/run/", "/tmp/")):
            os.makedirs(path, exist_ok=True)
            # Taken for its name, the descriptor would be the directory just made.
            run("mount", "-c", "--bind", f"/proc/{os.getpid()}/fd/{descriptor}", path)
    for name in ("sshd", "home", "home/.ssh", "ledger", "bin"):
        Path("/run", name).mkdir(mode=0o755 if name == "sshd" else 0o700)


def become(plan: dict[str, Any]) -> None:
    """A name, a boot, a user's home and the names of the others."""
    socket.sethostname(plan["name"])
    hosts = "".join(f"{address} {name}\n" for name, address in plan["hosts"].items())
    replace_file("/etc/hosts", "127.0.0.1 localhost\n" + hosts)
    # No name is looked for outside.
    replace_file("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
    lines = Path("/etc/passwd").read_text().splitlines()
    own = [line for line in lines if not line.startswith("root:")]
    replace_file("/etc/passwd", "\n".join(["root:x:0:0:root:/run/home:/bin/bash", *own]) + "\n")
    # Else the broker would take processes of all hosts for its own machine's.
    replace_file("/proc/sys/kernel/random/boot_id", f"{uuid.uuid4()}\n")
    os.symlink(plan["program"], "/run/bin/progressbus")


def open_wire(address: str) -> int:
    """The end of the network that the kernel of this host has; the switch gets the other one."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    name = struct.pack("16sH22x", DEVICE.encode(), IFF_TUN | IFF_NO_PI)
    fcntl.ioctl(device, TUNSETIFF, name)
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", f"{address}/24", "dev", DEVICE)
    # The switch may be without processor: a queue of the usual 500 loses one packet in seven then.
    run("ip", "link", "set", DEVICE, "txqueuelen", "10000", "up")
    return device


def reap(*_: object) -> None:
    """Takes up whose parents have gone, as every process 1 does."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main() -> None:
    plan = json.loads(sys.argv[1])
    starter = socket.socket(fileno=0)
    device = open_wire(plan["address"])
    mount(plan["kept"])
    become(plan)
    signal.signal(signal.SIGCHLD, reap)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    socket.send_fds(starter, [b"ready"], [device])
    os.close(device)
    while starter.recv(64):
        pass


if __name__ == "__main__":
    main()
