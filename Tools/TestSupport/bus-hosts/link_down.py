"""A cable that is pulled and put back: with keys, through ssh, and for who looks."""

from __future__ import annotations

import time
from functools import partial

import ledger
import onlookers
from board import Board, Task, status
from figures import judge_pace
from host import Host
from ledger import Ledger
from onlookers import Onlookers
from plan import Plan
from team import HERE, gather, start_local_broker
from trouble import eventually
from verdict import Verdict
from world import World

# Seconds within which all is as before once the link is back; the system's own patience with tcp
# has doubled up to half of the time that it was down.
BACK = 40.0

# Workers on the host that is cut off: those with keys and those over ssh, and of each one that has
# done its work while the link is down.
KEYED = ("keyed-package", "keyed-report", "keyed-short")
TUNNELLED = ("tunnel-package", "tunnel-report", "tunnel-short")


def link_down(plan: Plan, verdict: Verdict) -> None:
    """The link of one host is down and comes back: nothing is lost, and all of it is said."""
    with World(plan.program, plan.seed) as world:
        gather(world.one, [world.two, world.three])
        start_local_broker(world.one)
        _start(world, plan, [*KEYED[:2], *TUNNELLED[:2]])
        ledger.start(world.three, "near", HERE, face="package", title="near", pause=0.02)
        looking = Onlookers(world)
        time.sleep(plan.calm)
        verdict.becomes(looking.sees_nothing_yet, 10)
        _start(world, plan, [KEYED[2], TUNNELLED[2]])
        cut = time.monotonic()
        world.network.cut(world.two)
        _while_it_is_down(world, plan, looking, verdict, cut)
        joined = time.monotonic()
        world.network.join(world.two)
        _until_it_is_back(world, looking, verdict, joined)
        time.sleep(3)
        _compare(world, looking, verdict)
        for name in (*KEYED[:2], *TUNNELLED[:2]):
            written = ledger.read(world.two, name)
            if verdict.holds(written, f"{name} has written no ledger") and written:
                judge_pace(verdict, written, (cut - plan.calm + 1, cut), (cut, joined), "cut off")
                said = sum(cut < child.ended < joined for child in written.children)
                verdict.figure(f"{name}: endings said while it was cut off", str(said))


def _order(name: str, plan: Plan) -> dict[str, object]:
    """Those that are short end in the middle of the time without a link."""
    pause = 0.02
    units = 5
    short = int((2 + plan.down / 2) / (units * (pause + 0.002)))
    return {
        "face": "report" if name.endswith("report") else "package",
        "title": name,
        "pause": pause,
        "units": units,
        "failEvery": 7,
        "children": short if name.endswith("short") else 0,
        "patience": plan.down + BACK,
    }


def _start(world: World, plan: Plan, names: list[str]) -> None:
    """Until all of them are on the board."""
    for name in names:
        if name in KEYED:
            ledger.start(world.two, name, HERE, **_order(name, plan))
            continue
        words = ledger.order(name, **_order(name, plan))
        world.one.start("progressbus", "ssh", "--title", f"on {name}", "two", "--", *words)
    for name in names:
        variables = HERE if name in KEYED else {}
        eventually(f"{name} is on the board", partial(_job, world.one, name, variables))


def _job(host: Host, title: str, variables: dict[str, str]) -> Task | None:
    return _jobs(host, (title,), variables)[title]


def _jobs(host: Host, names: tuple[str, ...], variables: dict[str, str]) -> dict[str, Task | None]:
    """In one look, as each takes its time."""
    board, _, _ = status(host, variables=variables)
    return {name: board.find(name) if board else None for name in names}


def _is_well(task: Task) -> bool:
    return task["state"] == "running" and not task["problem"]


def _while_it_is_down(
    world: World, plan: Plan, looking: Onlookers, verdict: Verdict, cut: float
) -> None:
    """Silence is said in words, of those alone who are silent, and a picture is said to be old."""

    def silent() -> list[str]:
        wrong = []
        for names, variables in ((KEYED, HERE), (TUNNELLED, {})):
            for name, task in _jobs(world.one, names, variables).items():
                problem = str(task["problem"]) if task else "not on the board"
                is_over = task and task["state"] == "succeeded"
                if "no word" not in problem and not is_over:
                    wrong.append(f"{name} is cut off, and its problem is said to be: {problem}")
        return wrong

    # A look that begins now may be answered before it is said.
    time.sleep(max(0.0, cut + 4 - time.monotonic()))
    if verdict.becomes(silent, 3):
        verdict.figure("silence is said after", f"{time.monotonic() - cut:.1f} s")
    near = _job(world.one, "near", HERE)
    verdict.holds(
        near and near["problem"] is None, f"near, which is not cut off: {near and near['problem']}"
    )
    looking.look_while_it_is_down(verdict, max(3.0, cut + plan.down - 1 - time.monotonic()))
    if not plan.is_quick:
        onlookers.look_at_who_is_gone(world, verdict)
    time.sleep(max(0.0, cut + plan.down - time.monotonic()))


def _until_it_is_back(world: World, looking: Onlookers, verdict: Verdict, joined: float) -> None:
    """All that works is shown at work again, without anybody's doing."""
    for kind, names, variables in (("keys", KEYED, HERE), ("ssh", TUNNELLED, {})):

        def away(names: tuple[str, ...] = names, of: dict[str, str] = variables) -> list[str]:
            tasks = _jobs(world.one, names, of)
            return [
                f"{name} is back, and shown as {task and (task['state'], task['problem'])}"
                for name, task in tasks.items()
                # What one that has ended has to say is that children of it failed.
                if task is None or not (task["state"] == "succeeded" or _is_well(task))
            ]

        if verdict.becomes(away, BACK):
            seconds = time.monotonic() - joined
            verdict.figure(f"back after {kind}: all at work again after", f"{seconds:.1f} s")
    looking.look_when_it_is_back(verdict, joined, BACK)


def _compare(world: World, looking: Onlookers, verdict: Verdict) -> None:
    """To the last unit, on both buses and for those who looked all the time."""
    for host in (world.two, world.three):
        ledger.stop(host)
    parents = {name: f"on {name}" for name in TUNNELLED}

    def ledgers(names: tuple[str, ...]) -> list[Ledger]:
        found = [ledger.read(world.two, name, parents.get(name)) for name in names]
        return [one for one in found if one]

    def wrong() -> list[str]:
        sentences = []
        for names, variables in ((KEYED, HERE), (TUNNELLED, {})):
            board, _, trouble = status(world.one, variables=variables)
            written = ledgers(names)
            sentences += [f"{len(written)} ledgers"] if len(written) < len(names) else []
            sentences += _differences(board, written) if board else [trouble]
            sentences += [
                f"{one.name} was told of no ending" for one in written if not one.is_acknowledged
            ]
        keyed, tunnelled = looking.boards()
        for who, board, names in (("keys", keyed, KEYED), ("ssh", tunnelled, TUNNELLED)):
            sentences += [f"by {who} is seen: {w}" for w in _differences(board, ledgers(names))]
        return sentences

    verdict.becomes(wrong, 30)
    looking.end(verdict)


def _differences(board: Board, ledgers: list[Ledger]) -> list[str]:
    return [sentence for one in ledgers for sentence in board.differences(one)]
