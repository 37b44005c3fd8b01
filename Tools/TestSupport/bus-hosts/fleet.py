"""A fleet on a server of its own: how late hosts see each other, and what is seen of trouble."""

from __future__ import annotations

import random
import shutil
import time

from board import status
from figures import lateness, rank, seconds
from host import Host
from plan import Plan
from process import Process
from trouble import Trouble, eventually
from verdict import Verdict
from viewer import Viewer
from world import World

FILE = "/run/home/.config/progressbus/fleet"
# Seconds: what a change may take to another host's viewer, and ten times that, which is wrong.
FRESH = 0.25
WRONG = 10 * FRESH
# What is below a job of another host is read once a second.
BELOW_WRONG = 10.0


def fleet(plan: Plan, verdict: Verdict) -> None:
    """Hosts that have joined a fleet see each other's jobs, old ones as such, and lose none."""
    if not shutil.which("nats-server"):
        raise Trouble("there is no nats-server; install it")
    with World(plan.program, plan.seed) as world:
        _set_up(world)
        worker = world.two.start("progressbus", "report")
        worker.write('{"op":"begin","id":"job","title":"Render","total":100000}')
        worker.write('{"op":"begin","id":"part","title":"Part","parent":"job","total":100000}')
        eventually("the job is on the board of the other host", lambda: _job(world.one))
        _measure(world, worker, plan, verdict)
        _cut_off(world, plan, verdict)
        _without_server(world, verdict)


def _set_up(world: World) -> None:
    server = world.three
    _do(server, "bus", "up", "--server", server.address)
    for host in (world.one, world.two):
        text = _do(server, "bus", "add", host.name).output
        file = host.path(FILE)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
        file.chmod(0o600)
        host.start("progressbus", "broker")


def _do(host: Host, *words: str) -> Process:
    done = host.run("progressbus", *words)
    if done.status != 0:
        raise Trouble(f"progressbus {' '.join(words)} on {host.name}: {done.errors}")
    return done


def _job(host: Host) -> dict[str, object] | None:
    board, _, _ = status(host)
    return board.find("Render") if board else None


def _measure(world: World, worker: Process, plan: Plan, verdict: Verdict) -> None:
    """The same changes as seen by a viewer beside their broker, and on the other host."""
    near, far = Viewer(world.two), Viewer(world.one)
    opened = world.one.start("progressbus", "watch", "--json", "Render")
    time.sleep(2)
    said: list[float] = []
    for _ in range(20 if plan.is_quick else 200):
        said.append(time.monotonic())
        for task in ("job", "part"):
            worker.write(f'{{"op":"advance","id":"{task}","by":1}}')
        time.sleep(random.uniform(0.25, 0.6))
    time.sleep(3)
    for who, viewer in (("on its own host", near), ("on the other host", far)):
        sights = [(sight.when, sight.completed) for sight in viewer.sights("Render")]
        late = lateness(said, sights)
        verdict.figure(f"a change is seen {who} after", seconds(late))
        verdict.holds(len(late) == len(said), f"{len(said) - len(late)} changes are not seen {who}")
        verdict.holds(rank(late, 0.99) < WRONG, f"a change is seen {who} after {max(late):.1f} s")
        viewer.end()
    parts = [
        (when, child["completed"])
        for when, event in opened.events()
        for child in (event.get("job") or event.get("task") or {}).get("children", [])
    ]
    late = lateness(said, parts)
    verdict.figure("a change below the opened job, on the other host, after", seconds(late))
    verdict.holds(len(late) == len(said), "changes below the opened job are not seen")
    verdict.holds(max(late, default=0) < BELOW_WRONG, f"and one after {max(late, default=0):.1f} s")
    opened.kill()


def _cut_off(world: World, plan: Plan, verdict: Verdict) -> None:
    """The jobs of a host that is cut off stay, and are said to be old."""
    before = _job(world.one)
    began = time.monotonic()
    world.network.cut(world.two)
    verdict.becomes(lambda: _unless(world.one, silent=True), 15)
    verdict.figure("a host is cut off, which is said after", f"{time.monotonic() - began:.1f} s")
    time.sleep(plan.down - 6)
    began = time.monotonic()
    world.network.join(world.two)
    verdict.becomes(lambda: _unless(world.one, silent=False), 60)
    verdict.figure("it is back, and heard after", f"{time.monotonic() - began:.1f} s")
    after = _job(world.one)
    slots = [task["slot"] for task in (before, after) if task]
    verdict.holds(len(set(slots)) == 1, f"the slot was and is {slots}")


def _unless(host: Host, *, silent: bool) -> list[str]:
    task = _job(host)
    if task is None:
        return ["the job is not on the board"]
    return [] if bool(task["silent"]) == silent else [f"the job is silent: {task['silent']}"]


def _without_server(world: World, verdict: Verdict) -> None:
    """NATS is away: each host has its own; when it is back, all is as before."""
    server = world.three
    _do(server, "bus", "down")
    verdict.becomes(lambda: _unless(world.one, silent=True), 15)
    verdict.becomes(lambda: _unless(world.two, silent=False), 5)
    _do(server, "bus", "up")
    began = time.monotonic()
    verdict.becomes(lambda: _unless(world.one, silent=False), 60)
    verdict.figure("NATS is back, and all is heard after", f"{time.monotonic() - began:.1f} s")
