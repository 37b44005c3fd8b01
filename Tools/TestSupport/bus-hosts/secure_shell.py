"""An sshd on each host, with keys of its own, and an ssh that knows the others."""

from __future__ import annotations

from functools import partial

from host import Host
from process import Process
from trouble import Trouble, eventually

SERVER = "/usr/sbin/sshd"

SERVER_CONFIGURATION = """\
ListenAddress {address}
HostKey /run/files/host
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
AuthorizedKeysFile /run/home/.ssh/authorized_keys
MaxStartups 100
SetEnv {variables}
"""

CLIENT_CONFIGURATION = """\
Host *
  User root
  IdentitiesOnly yes
  StrictHostKeyChecking yes
"""


def _listens(server: Process) -> bool:
    return "Server listening" in server.errors


def connect(hosts: list[Host]) -> list[Process]:
    """Lets each reach each, as people do who have keys; returns the servers."""
    makers = []
    for host in hosts:
        for path in ("/run/files/host", "/run/home/.ssh/id_ed25519"):
            words = ("-q", "-t", "ed25519", "-N", "", "-C", host.name, "-f", path)
            makers.append(host.start("ssh-keygen", *words))
    for maker in makers:
        if maker.wait(30) != 0:
            raise Trouble(f"ssh-keygen: {maker.errors}")
    users = [host.path("/run/home/.ssh/id_ed25519.pub").read_text() for host in hosts]
    known = [f"{host.name} {host.path('/run/files/host.pub').read_text()}" for host in hosts]
    servers = []
    for host in hosts:
        home = host.path("/run/home/.ssh")
        (home / "authorized_keys").write_text("".join(users))
        (home / "known_hosts").write_text("".join(known))
        (home / "config").write_text(CLIENT_CONFIGURATION)
        variables = " ".join(f"{name}={value}" for name, value in host.environment().items())
        host.path("/run/files/sshd_config").write_text(
            SERVER_CONFIGURATION.format(address=host.address, variables=variables)
        )
        servers.append(host.start(SERVER, "-D", "-e", "-f", "/run/files/sshd_config"))
    for host, server in zip(hosts, servers, strict=True):
        eventually(f"an sshd on {host.name}", partial(_listens, server))
    return servers
