"""A machine that ssh reaches: an sshd on the loopback, with keys of its own."""

from __future__ import annotations

import os
import random
import subprocess
import time
from pathlib import Path


class Machine:
    """Called `far`; what runs there has the endpoint of the bus."""

    def __init__(self, directory: Path, endpoint: str) -> None:
        for name in ("host", "user"):
            key = str(directory / name)
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        port = random.randrange(20_000, 30_000)
        (directory / "sshd_config").write_text(
            f"""Port {port}
ListenAddress 127.0.0.1
HostKey {directory}/host
AuthorizedKeysFile {directory}/user.pub
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
SetEnv PROGRESSBUS_ENDPOINT={endpoint} PATH={os.environ["PATH"]}
"""
        )
        (directory / "ssh_config").write_text(
            f"""Host far
  HostName 127.0.0.1
  Port {port}
  IdentityFile {directory}/user
  IdentitiesOnly yes
  UserKnownHostsFile {directory}/known
  StrictHostKeyChecking accept-new
"""
        )
        # Where an `ssh` is that knows it: it reads its configuration at home, whatever HOME says.
        self.programs = directory / "bin"
        self.programs.mkdir()
        ssh = self.programs / "ssh"
        ssh.write_text(f"#!/bin/sh\nexec /usr/bin/ssh -F '{directory}/ssh_config' \"$@\"\n")
        ssh.chmod(0o755)
        log = directory / "sshd.log"
        with log.open("wb") as output:
            self._server = subprocess.Popen(
                ["/usr/sbin/sshd", "-D", "-e", "-f", directory / "sshd_config"], stderr=output
            )
        while "Server listening" not in log.read_text():
            if self._server.poll() is not None:
                raise SystemExit(log.read_text())
            time.sleep(0.02)

    def end(self) -> None:
        self._server.terminate()
        self._server.wait()
