"""Work on three hosts in one tree, through ssh alone."""

from __future__ import annotations

import shlex
import time

import ledger
from board import Board, status
from host import Host
from ledger import Entry, Ledger
from plan import Plan
from team import start_local_broker
from trouble import eventually
from verdict import Verdict
from world import World

JOB = "Render"
# What commands there start and do not wait for.
BACKGROUND = "sleep 1001"


def ssh_tree(plan: Plan, verdict: Verdict) -> None:
    """A job on one host with parts on two others: its tree, a cancel, and what is left."""
    with World(plan.program, plan.seed) as world:
        start_local_broker(world.one)
        _tree(world, verdict)
        _cancel(world, verdict)
        _remains(world, verdict)


def _tree(world: World, verdict: Verdict) -> None:
    one, two, three = world.hosts
    began = one.run("progressbus", "begin", JOB, "--total", "6")
    job = began.output.strip()
    below = {"PROGRESSBUS_PARENT": job}
    crews = {
        "package-two": (two, ("two",), "package"),
        "report-three": (three, ("three",), "report"),
        # From the first to the third by way of the second.
        "report-nested": (three, ("two", "three"), "report"),
    }
    runs = []
    for name, (_, way, face) in crews.items():
        words = ledger.order(name, face=face, title=name, children=12, failEvery=5, units=4)
        for place, host in reversed(list(enumerate(way))):
            title = f"{name} by {host}" if place else f"on {name}"
            words = ["progressbus", "ssh", "--title", title, host, "--", *words]
        runs.append(one.start(*words, variables=below))
    inner = "--pattern '{completed} of {total}' -- sh -c 'echo 3 of 4; exit 7'"
    script = f"progressbus run --title seven {inner}; exit 5"
    failing = ("ssh", "--title", "on failing", "two", "--", "sh", "-c", script)
    runs.append(one.start("progressbus", *failing, variables=below))
    many = ("--on", "two,three", "--", "sh", "-c", "hostname; exit {}", ":::", "0", "0", "4")
    runs.append(one.start("progressbus", "run", "--title", "Many", "-j1", *many, variables=below))
    for run, expected in zip(runs, (0, 0, 0, 5, 4), strict=True):
        said = run.wait(60)
        verdict.holds(
            said == expected, f"{shlex.join(run.words[8:14])} … ends with {said}, not {expected}"
        )
    verdict.holds(
        set(runs[4].output.split()) == {"two", "three"},
        f"run --on two,three has run on {sorted(set(runs[4].output.split()))}",
    )
    for _ in range(6):
        one.run("progressbus", "advance", "--strict", job)
    one.run("progressbus", "end", job)
    took = max(run.seconds for run in runs)
    verdict.figure("five commands on three hosts, one nested", f"{took:.1f} s")
    entries = _wrappers()
    ledgers = _ledgers(crews)
    verdict.becomes(lambda: _wrong(one, entries, ledgers), 15)


def _wrappers() -> list[Entry]:
    """What `begin`, `ssh` and `run` have to say of themselves."""
    return [
        Entry(JOB, None, "", "succeeded", completed=6, total=6),
        Entry("on package-two", JOB, "one", "succeeded"),
        Entry("on report-three", JOB, "one", "succeeded"),
        Entry("on report-nested", JOB, "one", "succeeded"),
        Entry("report-nested by three", "on report-nested", "two", "succeeded"),
        Entry("on failing", JOB, "one", "failed", exit=5),
        Entry("seven", "on failing", "two", "failed", exit=7, completed=3, total=4),
        Entry("Many", JOB, "one", "failed", total=3),
    ]


def _ledgers(crews: dict[str, tuple[Host, tuple[str, ...], str]]) -> list[Ledger]:
    found = []
    for name, (host, way, _) in crews.items():
        parent = f"on {name}" if len(way) == 1 else f"{name} by {way[-1]}"
        written = ledger.read(host, name, parent)
        if written is not None:
            found.append(written)
    return found


def _wrong(host: Host, entries: list[Entry], ledgers: list[Ledger]) -> list[str]:
    board, _, trouble = status(host)
    if board is None:
        return [trouble]
    wrong = ["there are several jobs instead of one"] if len(board.jobs) > 1 else []
    wrong += [board.difference(entry) for entry in entries]
    wrong += [sentence for written in ledgers for sentence in board.differences(written)]
    wrong += [f"{one.name} was told of no ending" for one in ledgers if not one.is_acknowledged]
    if len(ledgers) != 3:
        wrong.append(f"{3 - len(ledgers)} workers have written no ledger")
    return [sentence for sentence in wrong if sentence]


def _cancel(world: World, verdict: Verdict) -> None:
    """A cancel here ends what runs there, also where nothing of it listens."""
    one, two, three = world.hosts
    crews = {two: ("two", "deaf-two"), three: ("three", "deaf-three")}
    parts = []
    for name, deaf in crews.values():
        worker = shlex.join(ledger.order(f"long-{name}", face="package", title=f"long-{name}"))
        script = f"{BACKGROUND} & exec {worker}"
        words = ["progressbus", "ssh", "--title", f"on long-{name}", name, "--", "sh", "-c", script]
        silent = ["progressbus", "ssh", "--title", deaf, name, "--", "sleep", "1000"]
        # It ends by itself as soon as its output goes nowhere.
        script = f"{BACKGROUND} & while echo x; do sleep 0.1; done"
        talking = [
            "progressbus",
            "ssh",
            "--title",
            f"talking-{name}",
            name,
            "--",
            "sh",
            "-c",
            script,
        ]
        parts += [shlex.join(words), shlex.join(silent), shlex.join(talking)]
    last = "progressbus ssh --title by-three three -- sleep 1000"
    nested = f"progressbus ssh --title by-two two -- {last}"
    script = " & ".join([*parts, nested]) + " & wait"
    run = one.start("progressbus", "run", "--title", "Long", "--", "sh", "-c", script)

    def is_at_work() -> bool:
        board, _, _ = status(one)
        titles = ("long-two", "long-three", "deaf-two", "deaf-three", "talking-two", "by-three")
        return board is not None and all(board.find(title) for title in titles) and all(
            sum(command == BACKGROUND for command in host.living().values()) == 2
            for host in (two, three)
        )  # fmt: skip

    eventually("all are at work", is_at_work, 30)
    began = time.monotonic()
    asked = one.start("progressbus", "cancel", "Long")
    verdict.holds(run.wait(30) is not None, "what was cancelled runs on")
    verdict.figure("cancel, until the command here has ended", f"{time.monotonic() - began:.1f} s")

    def at_work() -> list[str]:
        return [
            f"{command} runs on {host.name} after the cancel"
            for host in (two, three)
            for command in host.living().values()
            if command != BACKGROUND and ("sshd" not in command or "@" in command)
        ]

    verdict.becomes(at_work, 20)
    verdict.figure("cancel, until nothing runs there", f"{time.monotonic() - began:.1f} s")
    verdict.becomes(lambda: [line for host in (two, three) for line in _background(host)], 5)
    verdict.holds(asked.wait(30) == 0, asked.errors)
    verdict.becomes(lambda: _uncancelled(status(one)[0]), 20)


def _background(host: Host) -> list[str]:
    """What commands have started and left."""
    left = [command for command in host.living().values() if command == BACKGROUND]
    return [f"{BACKGROUND} runs on {host.name} after the cancel"] * len(left)


def _uncancelled(board: Board | None) -> list[str]:
    job = board.find("Long") if board else None
    if job is None:
        return ["Long is not on the board"]
    return [
        f"{task['title']} is {task['state']} ({task['reason']}) after the cancel of its job"
        for task in Board([job]).tasks()
        # What the workers had done before stays done.
        if task["state"] != "cancelled" and not task["title"].startswith("long-two ")
        and not task["title"].startswith("long-three ")
    ]  # fmt: skip


def _remains(world: World, verdict: Verdict) -> None:
    """What is left on a host: its sshd, and on the first the broker and its bus."""

    def left() -> list[str]:
        found = []
        for host in world.hosts:
            for command in host.living().values():
                is_own = "[listener]" in command or (
                    host is world.one and "progressbus broker" in command
                )
                if not is_own:
                    found.append(f"a process is left on {host.name}: {command}")
            for path in host.path("/tmp").glob("progressbus-*"):
                # On the first host the bus itself; what may be in the others is a tunnel.
                if host is not world.one or path.name != "progressbus-0":
                    inside = [below.name for below in path.rglob("*")]
                    found.append(f"/tmp/{path.name} is left on {host.name}, with {inside}")
        return found

    verdict.becomes(left, 15)
