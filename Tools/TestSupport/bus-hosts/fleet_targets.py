"""How late hosts of a fleet see each other, also while servers of it die."""

from __future__ import annotations

import itertools
import random
import re
import signal
import time
from functools import partial
from pathlib import Path

from figures import lateness, seconds
from fleet_hosts import Fleet, progressbus
from host import Host
from plan import Plan
from process import Process
from trouble import eventually
from verdict import Verdict
from viewer import Viewer
from world import World

# Seconds between two changes of the job, without a fault and with one, and how long these are.
PACE, CALM, FAULT = 0.05, 5.0, 12.0
# Seconds: the longest gap in live values, and what a new job may take, with other hosts' servers
# dead; ten times what is wanted is wrong.
WRONG_GAP, WRONG_PUT = 10 * 0.2, 10 * 10.0


def fleet_targets(plan: Plan, verdict: Verdict) -> None:
    """Changes are seen on other hosts at once, also while servers of the fleet die."""
    with World(plan.program, plan.seed) as world:
        fleet = Fleet(world, verdict)
        _freshness(world.two, world.one, plan, verdict)
        figures: dict[str, list[float]] = {}
        for number in range(plan.times):
            _kill(fleet, fleet.leader(), f"Leader {number}", figures)
            _kill(fleet, fleet.server_of(world.one), f"Own server {number}", figures)
        for what, values in figures.items():
            verdict.figure(what, seconds(values))
            wrong = WRONG_PUT if "new job" in what else WRONG_GAP
            verdict.holds(max(values) < wrong, f"{what}: {max(values):.1f} s")
        _without_servers(fleet, plan, verdict)


class Work:
    """A job of one host that a viewer on another one sees."""

    def __init__(self, host: Host, onlooker: Host, title: str) -> None:
        self.title = title
        self.said: list[float] = []
        self.worker: Process = host.start("progressbus", "report")
        self._write(f'"op":"begin","title":"{title}","total":1000000')
        self.viewer = Viewer(onlooker)
        eventually(f"{title} on {onlooker.name}", partial(self.viewer.sights, title), 30)

    def _write(self, words: str) -> None:
        self.worker.write(f'{{"id":"job",{words}}}')

    def go_on(self, length: float, pace: float = PACE) -> None:
        """Changes it again and again for so many seconds."""
        end = time.monotonic() + length
        while time.monotonic() < end:
            self.said.append(time.monotonic())
            self._write('"op":"advance","by":1')
            time.sleep(pace * random.uniform(0.5, 1.5))

    def gap(self, since: float) -> float:
        """The longest time from then on in which nothing new was seen."""
        times = [sight.when for sight in self.viewer.sights(self.title) if sight.when >= since]
        times = [since, *times, max(self.said[-1], since)]
        return max(after - before for before, after in itertools.pairwise(times))

    def end(self) -> None:
        self._write('"op":"end"')
        self.viewer.end()
        self.worker.close_input()


def _freshness(host: Host, onlooker: Host, plan: Plan, verdict: Verdict) -> None:
    work = Work(host, onlooker, "Fresh")
    work.go_on(10 if plan.is_quick else 60, pace=0.3)
    time.sleep(2)
    sights = [(sight.when, sight.completed) for sight in work.viewer.sights(work.title)]
    late = lateness(work.said, sights)
    verdict.figure("a change is seen on another host after", seconds(late))
    verdict.holds(len(late) == len(work.said), "not all changes are seen on another host")
    work.end()


def _kill(fleet: Fleet, server: Host, title: str, figures: dict[str, list[float]]) -> None:
    """Kills the server on a host while one of the others has a job that another one sees."""
    onlooker, host = fleet.world.one, fleet.world.two
    work = Work(host, onlooker, title)
    work.go_on(1)
    began = time.monotonic()
    work.go_on(CALM)
    figures.setdefault("the longest gap in 5 s, all servers alive", []).append(work.gap(began))
    own = server in (fleet.server_of(onlooker), fleet.server_of(host))
    began = time.monotonic()
    fleet.signal_server(server, signal.SIGKILL)
    new = f"New: {title}"
    progressbus(host, "begin", new)
    work.go_on(FAULT)
    what = "a server that one of the hosts speaks with" if own else "the leader, another's server,"
    figures.setdefault(f"the longest gap as {what} dies", []).append(work.gap(began))
    seen = work.viewer.sights(new)
    late = seen[0].when - began if seen else float("inf")
    figures.setdefault(f"a new job on another host as {what} dies", []).append(late)
    work.end()
    fleet.start_server(server)
    # It has to catch up before another one may die.
    time.sleep(10)


def _without_servers(fleet: Fleet, plan: Plan, verdict: Verdict) -> None:
    """What a worker's memory grows by while NATS is away."""
    work = Work(fleet.world.two, fleet.world.one, "Away")
    work.go_on(CALM)
    grown = []
    for is_away in (False, True):
        before = _memory(fleet.world.two)
        for host in fleet.world.hosts if is_away else ():
            fleet.signal_server(host, signal.SIGKILL)
        work.go_on(plan.down)
        grown.append(_memory(fleet.world.two) - before)
    said = f"{grown[0]} KiB, and without NATS by {grown[1]} KiB"
    verdict.figure(f"in {plan.down:.0f} s a worker with NATS grows by", said)
    for host in fleet.world.hosts:
        fleet.start_server(host)
    work.end()


def _memory(host: Host) -> int:
    """In KiB, what is resident of the greatest worker there."""
    sizes = [0]
    for pid, command in host.living().items():
        if command.split()[:2] == ["progressbus", "report"]:
            text = Path(f"/proc/{pid}/status").read_text()
            sizes += [int(size) for size in re.findall(r"VmRSS:\s+(\d+) kB", text)]
    return max(sizes)
