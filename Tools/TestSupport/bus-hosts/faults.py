"""The faults that a fleet is to stand, each as how it begins and how it is over."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from typing import TypeAlias

from fleet_hosts import Fleet
from host import Host

# Its beginning says whose workers are killed with it.
Fault: TypeAlias = "tuple[Callable[[Fleet], Host | None], Callable[[Fleet], None]]"


def _kill_leader(fleet: Fleet) -> None:
    fleet.broken = fleet.leader()
    fleet.signal_server(fleet.broken, signal.SIGKILL)


def _start_server(fleet: Fleet) -> None:
    fleet.start_server(fleet.broken)


def _stop_leader(fleet: Fleet) -> None:
    fleet.broken = fleet.leader()
    fleet.signal_server(fleet.broken, signal.SIGSTOP)


def _stop_own_server(fleet: Fleet) -> None:
    fleet.broken = fleet.server_of(random.choice(fleet.world.hosts))
    fleet.signal_server(fleet.broken, signal.SIGSTOP)


def _go_on(fleet: Fleet) -> None:
    fleet.signal_server(fleet.broken, signal.SIGCONT)


def _cut_leader(fleet: Fleet) -> None:
    fleet.broken = fleet.leader()
    fleet.world.network.cut(fleet.broken)


def _cut_one(fleet: Fleet) -> None:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.world.network.cut(fleet.broken)


def _join(fleet: Fleet) -> None:
    fleet.world.network.join(fleet.broken)


def _fill_disk(fleet: Fleet) -> None:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.fill_disk(fleet.broken)


def _empty_disk(fleet: Fleet) -> None:
    fleet.empty_disk(fleet.broken)
    # It has given up what it could not write, and takes it up again from the others.
    fleet.signal_server(fleet.broken, signal.SIGKILL)
    fleet.start_server(fleet.broken)


def _empty_servers(fleet: Fleet) -> None:
    for host in fleet.world.hosts:
        fleet.signal_server(host, signal.SIGKILL)
        fleet.forget_kept(host)


def _start_servers(fleet: Fleet) -> None:
    for host in fleet.world.hosts:
        fleet.start_server(host)


def _kill_servers(fleet: Fleet) -> None:
    """A hundred brokers are to join again, all at once."""
    fleet.gather_crowd()
    for host in fleet.world.hosts:
        fleet.signal_server(host, signal.SIGKILL)


def _kill_host(fleet: Fleet) -> Host:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.kill_all(fleet.broken)
    return fleet.broken


def _start_host(fleet: Fleet) -> None:
    fleet.start_server(fleet.broken)
    fleet.start_broker(fleet.broken)


# Where a debug build can be made to die; a release is killed at any time.
POINTS = (
    "before-journal", "while-journalling", "after-journal", "after-acknowledgement",
    "before-publication", "after-publication",
)  # fmt: skip


def _kill_broker(fleet: Fleet) -> None:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.kill_broker(fleet.broken)
    point = f"{random.choice(POINTS)}:{random.randrange(1, 60)}"
    fleet.start_broker(fleet.broken, PROGRESSBUS_KILL_FOR_TEST=point)


def _start_broker(fleet: Fleet) -> None:
    fleet.kill_broker(fleet.broken)
    fleet.start_broker(fleet.broken)


def _turn_clock(fleet: Fleet) -> None:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.set_clock(fleet.broken, random.choice((-3_600, 3_600)))
    _start_broker(fleet)


def _turn_back(fleet: Fleet) -> None:
    fleet.set_clock(fleet.broken, 0)
    _start_broker(fleet)


def _hear_records(fleet: Fleet) -> None:
    fleet.broken = random.choice(fleet.world.hosts)
    fleet.hear_records(fleet.broken)


def _say_old_records(fleet: Fleet) -> None:
    fleet.say_old_records()
    # Who begins anew reads what is kept.
    fleet.broken = random.choice([one for one in fleet.world.hosts if one is not fleet.broken])
    _start_broker(fleet)


FAULTS: dict[str, Fault] = {
    "leader killed": (_kill_leader, _start_server),
    "leader stopped": (_stop_leader, _go_on),
    "leader cut off": (_cut_leader, _join),
    "own server stopped": (_stop_own_server, _go_on),
    "one host from two": (_cut_one, _join),
    "disk full": (_fill_disk, _empty_disk),
    "servers emptied": (_empty_servers, _start_servers),
    "host killed": (_kill_host, _start_host),
    "broker killed": (_kill_broker, _start_broker),
    "clock an hour off": (_turn_clock, _turn_back),
    "old records": (_hear_records, _say_old_records),
}
# With so many more that it is done after all others.
CROWDED: dict[str, Fault] = {"a hundred come back": (_kill_servers, _start_servers)}
