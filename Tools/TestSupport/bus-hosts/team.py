"""A bus with keys: its broker on one host, and members on the others."""

from __future__ import annotations

from functools import partial

from host import Host
from process import Process
from trouble import Trouble, eventually

NAME = "team"
PORT = 7700
# Whose environment it is: the bus is this one.
HERE = {"PROGRESSBUS_ENDPOINT": NAME}
# Jobs that have ended stay to be compared.
LINGER = ("--linger", "600")


def start_broker(host: Host) -> None:
    """The user of that host is its admin."""
    endpoint = f"tcp://{host.address}:{PORT}"
    broker = host.start("progressbus", "broker", "--endpoint", endpoint, "--bus", NAME, *LINGER)
    eventually(f"a broker on {host.name}", partial(_listens, broker))


def _listens(broker: Process) -> bool:
    if broker.status is not None:
        raise Trouble(f"the broker has ended: {broker.errors}")
    return "listening" in broker.errors


def invite(admin: Host, role: str) -> str:
    """An invitation, as it is sent to somebody."""
    invited = admin.run("progressbus", "invite", "--role", role, variables=HERE)
    if invited.status != 0:
        raise Trouble(f"invite: {invited.errors}")
    return invited.output.strip()


def join(host: Host, invitation: str, *options: str) -> tuple[float, str]:
    """How long it took, and what was wrong."""
    variables = {"PROGRESSBUS_INVITATION": invitation}
    joined = host.run("progressbus", "join", *options, variables=variables)
    return joined.seconds, "" if joined.status == 0 else joined.errors or str(joined.status)


def gather(admin: Host, members: list[Host], role: str = "controller") -> None:
    """A broker, and all of them members of its bus."""
    start_broker(admin)
    for host in members:
        _, wrong = join(host, invite(admin, role))
        if wrong:
            raise Trouble(f"{host.name} cannot join: {wrong}")


def start_local_broker(host: Host) -> None:
    """The usual bus of the user there, which ssh alone reaches from elsewhere."""
    broker = host.start("progressbus", "broker", *LINGER)
    eventually(f"a broker on {host.name}", partial(_listens, broker))
