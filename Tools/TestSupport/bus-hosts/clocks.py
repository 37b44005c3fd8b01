"""Hosts whose clocks are ten minutes from the broker's, ahead and behind."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ledger
from board import Task, status
from host import Host
from ledger import Ledger
from plan import Plan
from team import HERE, gather, invite, join
from trouble import Trouble, eventually
from verdict import Verdict
from world import World

AHEAD = 600
# Seconds by which what is shown may differ from the truth; an estimate of what is left by that
# share of it, if that is more, as the pace of workers changes with what else the machine does.
NEAR = 2.0
SHARE = 0.6
# Of a job: how much there is to do, and what a unit takes.
CHILDREN, UNITS, PAUSE = 60, 5, 0.05


def clocks(plan: Plan, verdict: Verdict) -> None:
    """Workers and viewers whose clocks are ten minutes off: what is shown of time is right."""
    library = faketime()
    if library is None:
        verdict.figure("not played", "there is no libfaketime; install it")
        return
    with World(plan.program, plan.seed) as world:
        gather(world.one, [])
        others = {world.two: AHEAD, world.three: -AHEAD}
        for host, seconds in others.items():
            set_clock(host, plan.program, library, seconds)
            _, wrong = join(host, invite(world.one, "controller"))
            verdict.holds(not wrong, f"{host.name}, whose clock is off, cannot join: {wrong}")
            for face in ("package", "report"):
                title = f"{face} on {host.name}"
                order = {"children": CHILDREN, "units": UNITS, "clock": seconds}
                order |= {"total": CHILDREN * UNITS}
                ledger.start(host, face, HERE, face=face, title=title, pause=PAUSE, **order)
        left = _see(world, plan, verdict)
        _see_the_end(world, left, verdict)


@dataclass
class Left:
    """What was said to be left of a job, and when, by the monotonic clock."""

    title: str
    who: str
    seconds: float | None
    when: float


def faketime() -> Path | None:
    """The library by which a program sees another clock; None where it is not installed."""
    return next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


# The first process with libfaketime gets another environment by it, beside which programs in Swift
# do not find their arguments: that is the shell.
PROGRAM = """\
#!/bin/sh
export LD_PRELOAD={library} FAKETIME={seconds:+d}s FAKETIME_DONT_FAKE_MONOTONIC=1
exec sh -c 'exec "$@"' sh {program} "$@"
"""


def set_clock(host: Host, program: Path, library: Path, seconds: int) -> None:
    """All that is `progressbus` there has another clock from now on."""
    path = host.path("/run/bin/progressbus")
    path.unlink()
    path.write_text(PROGRAM.format(library=library, seconds=seconds, program=program))
    path.chmod(0o755)


def _jobs(host: Host) -> dict[str, Task]:
    board, _, trouble = status(host, "--timeout", "10", variables=HERE)
    if board is None:
        raise Trouble(f"status on {host.name}: {trouble}")
    return {job["title"]: job for job in board.jobs}


def _ledgers(world: World) -> dict[str, Ledger]:
    found = {}
    for host in (world.two, world.three):
        for face in ("package", "report"):
            written = eventually(f"a ledger of {face}", partial(ledger.read, host, face))
            found[f"{face} on {host.name}"] = written
    return found


def _see(world: World, plan: Plan, verdict: Verdict) -> list[Left]:
    """While they work, as hosts with right and wrong clocks see it."""
    left = []
    began = {title: one.began for title, one in _ledgers(world).items()}
    time.sleep(5 if plan.is_quick else 8)
    worst = 0.0
    for host in world.hosts:
        asked = time.monotonic()
        jobs = _jobs(host)
        now = time.monotonic()
        for title, start in began.items():
            who = f"{title}, seen on {host.name}"
            job = jobs.get(title)
            if not verdict.holds(job, f"{who}: it is not there") or job is None:
                continue
            passed = now - start
            pace = job["completed"] / passed
            left.append(Left(title, who, job["secondsLeft"], now))
            for name in ("elapsed", "active"):
                shown = job[name]
                verdict.holds(
                    shown is not None and asked - start - NEAR <= shown <= passed + NEAR,
                    f"{who}: {name} is {shown} instead of {passed:.1f}",
                )
                worst = max(worst, abs((shown or 0) - passed))
            rate, idle = job["rate"], job["secondsSinceAdvance"]
            verdict.holds(
                rate and 0.6 <= rate / pace <= 1.5, f"{who}: rate is {rate}, not {pace:.1f}"
            )
            verdict.holds(
                idle is not None and 0 <= idle <= NEAR, f"{who}: secondsSinceAdvance is {idle}"
            )
            verdict.holds(not job["problem"], f"{who}: {job['problem']}")
            _judge_time(verdict, who, "startedAt", job["startedAt"], time.time() - passed)
    verdict.figure("elapsed and active: at most from the truth", f"{worst:.2f} s")
    return left


def _judge_time(verdict: Verdict, who: str, name: str, shown: str | None, true: float) -> None:
    at = datetime.datetime.fromisoformat(shown.replace("Z", "+00:00")).timestamp() if shown else 0.0
    verdict.holds(
        abs(at - true) <= NEAR, f"{who}: {name} is {at - true:+.1f} s from the broker's clock"
    )


def _see_the_end(world: World, left: list[Left], verdict: Verdict) -> None:
    """Once they are done, which also tells how much there was left."""
    ended = {
        title: eventually(f"{title} ends", partial(_ended, world, title), 60)
        for title in _ledgers(world)
    }
    wrong = []
    for said in left:
        true = ended[said.title].job.ended - said.when
        if said.seconds is None or abs(said.seconds - true) > max(NEAR, SHARE * true):
            wrong.append(f"{said.who}: secondsLeft is {said.seconds} instead of {true:.1f}")
    verdict.wrong += wrong
    worst = max(abs((said.seconds or 0) - ended[said.title].job.ended + said.when) for said in left)
    verdict.figure("secondsLeft, of about 15: at most from the truth", f"{worst:.2f} s")
    off = time.time() - time.monotonic()
    for host in world.hosts:
        jobs = _jobs(host)
        for title, written in ended.items():
            who = f"{title}, ended, seen on {host.name}"
            job = jobs.get(title)
            if not verdict.holds(job, f"{who}: it is not there") or job is None:
                continue
            true = written.job.ended - written.began
            verdict.holds(
                abs(job["elapsed"] - true) <= NEAR,
                f"{who}: elapsed is {job['elapsed']} instead of {true:.1f}",
            )
            for name in ("active", "secondsSinceAdvance"):
                shown = job[name]
                verdict.holds(shown is None or shown >= 0, f"{who}: {name} is {shown}")
            _judge_time(verdict, who, "startedAt", job["startedAt"], written.began + off)
            _judge_time(verdict, who, "endedAt", job["endedAt"], written.job.ended + off)


def _ended(world: World, title: str) -> Ledger | None:
    written = _ledgers(world)[title]
    return written if written.is_acknowledged else None
