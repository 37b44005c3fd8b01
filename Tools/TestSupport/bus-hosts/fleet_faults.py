"""Faults of a fleet with a server on each of three hosts, and whether anything is lost by them."""

from __future__ import annotations

import random
import time
from functools import partial

import ledger
from board import Board, Task, status
from faults import CROWDED, FAULTS, Fault
from figures import rank
from fleet_hosts import Fleet, progressbus
from host import Host
from plan import Plan
from trouble import Trouble, eventually
from verdict import Verdict
from world import World

# Seconds within which all is right once a fault is over: a cluster needs some for another leader.
PATIENCE = 90.0
# Parts that end before the fault, while it lasts, and after it.
KINDS = ("early", "short", "long")
# As they are to be seen before it; where the machine is busy, a short one may be over already.
BEFORE_FAULT = {"early": ["succeeded"], "short": ["running", "succeeded"], "long": ["running"]}
# Seconds of a child, and from the first one to the fault.
CHILD, BEFORE = 0.5, 3.0


def fleet_faults(plan: Plan, verdict: Verdict) -> None:
    """Servers, brokers and hosts are killed, stopped and cut off: nothing is lost by it."""
    chosen = [name for name in FAULTS if not plan.faults or name in plan.faults]
    order = [name for name in chosen for _ in range(plan.times)]
    random.shuffle(order)
    crowded = [name for name in CROWDED if not plan.faults or name in plan.faults]
    order += [name for name in crowded for _ in range(plan.times)]
    took: dict[str, list[float]] = {name: [] for name in order}
    endings = 0
    began = time.monotonic()
    with World(plan.program, plan.seed) as world:
        fleet = Fleet(world, verdict)
        for number, name in enumerate(order, 1):
            lap = Lap(number, fleet, name)
            before = len(verdict.wrong)
            try:
                took[name].append(lap.run((FAULTS | CROWDED)[name], plan))
                endings += lap.endings
                progressbus(random.choice(world.hosts), "dismiss", "--all")
            except Trouble as trouble:
                verdict.wrong.append(str(trouble))
            verdict.wrong[before:] = [f"lap {number}, {name}: {w}" for w in verdict.wrong[before:]]
            words = verdict.wrong[before:] or [f"right after {took[name][-1]:.1f} s"]
            print(f"  {number} of {len(order)}, {name}: {'; '.join(words)}", flush=True)
            if number in (len(order) // 4, len(order) - len(crowded) * plan.times):
                memory = "; ".join(f"{size:.0f} MiB" for size in fleet.memory())
                verdict.figure(f"the greatest broker and bridge after {number} laps", memory)
        lost = sum(host.packets_lost() for host in world.hosts)
        verdict.figure("packets that wires without room have lost", str(lost))
    for name, times in took.items():
        said = f"median {rank(times, 0.5):.1f} s, worst {rank(times, 1.0):.1f} s"
        verdict.figure(f"{name}: {len(times)} of {plan.times} held, right after", said)
    verdict.figure("endings that workers had been told are kept, and were there", str(endings))
    verdict.figure("minutes", f"{(time.monotonic() - began) / 60:.0f}")


class Lap:
    """Work on all three hosts, with parts of each job on the two others, and a fault in it."""

    def __init__(self, number: int, fleet: Fleet, name: str) -> None:
        self._number = number
        self._fleet = fleet
        self._name = name
        self._hosts = fleet.world.hosts
        # Whose workers were killed with it.
        self.killed: Host | None = None
        # Those that workers were told are on disk.
        self.endings = 0

    def run(self, fault: Fault, plan: Plan) -> float:
        """How many seconds after the fault all was right."""
        short = int((BEFORE + plan.fault / 2) / CHILD)
        children = {"early": 3, "short": short, "long": 0}
        for host in self._hosts:
            host.path("/run/ledger/stop").unlink(missing_ok=True)
        for host in self._hosts:
            tickets = [
                self._part(host, other, kind) for other in self._others(host) for kind in KINDS
            ]
            self._start(host, self._job(host), {}, title=self._job(host), tickets=tickets)
        for host in self._hosts:
            made = eventually("tickets", partial(ledger.read, host, self._job(host)))
            for other in self._others(host):
                for kind in KINDS:
                    title = self._part(host, other, kind)
                    variables = {"PROGRESSBUS_TICKET": made.tickets[title]}
                    self._start(other, title, variables, title=title, children=children[kind])
        self._fleet.verdict.becomes(self._not_begun, 30)
        begin, end = fault
        self.killed = begin(self._fleet)
        time.sleep(plan.fault)
        end(self._fleet)
        over = time.monotonic()
        for host in self._hosts:
            ledger.stop(host)
        if not self._fleet.verdict.becomes(self._differences, PATIENCE):
            raise Trouble("it did not become right")
        return time.monotonic() - over

    def _others(self, host: Host) -> list[Host]:
        return [other for other in self._hosts if other is not host]

    def _job(self, host: Host) -> str:
        return f"{self._name} {self._number} of {host.name}"

    def _part(self, owner: Host, host: Host, kind: str) -> str:
        return f"{kind} {self._number} of {owner.name} on {host.name}"

    @staticmethod
    def _start(host: Host, name: str, variables: dict[str, str], **order: object) -> None:
        words = {"face": "package", "pause": 0.1, "failEvery": 7, "children": 0, **order}
        ledger.start(host, name, variables, patience=PATIENCE, **words)

    def _not_begun(self) -> list[str]:
        """Parts that their jobs' hosts do not show yet as they are before the fault."""
        wrong = []
        for owner in self._hosts:
            board, _, trouble = status(owner)
            if board is None:
                return [trouble]
            for host in self._others(owner):
                for kind in KINDS:
                    task = board.find(self._part(owner, host, kind))
                    if task is None or task["state"] not in BEFORE_FAULT[kind]:
                        shown = task and task["state"]
                        wrong.append(f"before the fault {self._part(owner, host, kind)} is {shown}")
        return wrong

    def _differences(self) -> list[str]:
        """What is not as the workers say, and what hosts show otherwise than the first."""
        boards = [status(host) for host in self._hosts]
        seen = [board for board, _, _ in boards if board]
        if len(seen) < len(boards):
            return [trouble for _, _, trouble in boards if trouble]
        pictures = [_lasting(board) for board in seen]
        wrong = [
            f"{host.name} shows {_difference(picture, pictures[0])}"
            for host, picture in zip(self._hosts, pictures, strict=False)
            if picture != pictures[0]
        ]
        for title in self._fleet.crowd:
            task = seen[0].find(title)
            if task is None or task["problem"]:
                wrong.append(f"{title}: {task['problem'] if task else 'it is not on the board'}")
        self.endings = 0
        for owner, board in zip(self._hosts, seen, strict=False):
            wrong += self._of_job(owner, board, owner, self._job(owner), None)
            for host in self._others(owner):
                for kind in KINDS:
                    title = self._part(owner, host, kind)
                    wrong += self._of_job(owner, board, host, title, self._job(owner))
        return wrong

    def _of_job(
        self, owner: Host, board: Board, host: Host, title: str, parent: str | None
    ) -> list[str]:
        """What the owner shows of a job or a part, beside what its worker on `host` has written."""
        written = ledger.read(host, title, parent)
        if self.killed is host and not (written and written.is_acknowledged):
            task = board.find(title)
            is_lost = task and task["state"] == "lost"
            shown = task and (task["state"], task["reason"])
            return [] if is_lost else [f"{title} was killed, and is shown as {shown}"]
        if written is None or not written.is_acknowledged:
            return [f"{title} was told of no ending"]
        self.endings += 1 + len(written.children)
        return [f"on {owner.name}: {sentence}" for sentence in board.differences(written)]


def _lasting(board: Board) -> dict[str, Task]:
    """Of all jobs what does not change with the time and the place at which it is asked."""
    names = (
        "id", "slot", "title", "state", "completed", "total", "unit", "counts", "sums", "fraction",
        "attention", "problem", "note", "reason", "silent",
    )  # fmt: skip
    return {job["id"]: {name: job.get(name) for name in names} for job in board.jobs}


def _difference(picture: dict[str, Task], other: dict[str, Task]) -> str:
    """The first job that two hosts show otherwise, and how both do."""
    for job in sorted(picture.keys() | other.keys()):
        here, there = picture.get(job), other.get(job)
        if here is None or there is None:
            shown = here or there or {}
            return f"{shown.get('title')}, {job}, {'' if here else 'not '}and one does the opposite"
        for name, value in here.items():
            if value != there[name]:
                return f"{here['title']} with {name} {value}, one with {there[name]}"
    return "the same"
