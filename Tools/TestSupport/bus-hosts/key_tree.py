"""Work on three hosts in one tree, by a broker with keys."""

from __future__ import annotations

import json
import time
from functools import partial

import ledger
from board import Board, Task, status
from ledger import Entry, Ledger
from plan import Plan
from team import HERE, gather, invite, join
from trouble import eventually
from verdict import Verdict
from viewer import Viewer
from world import World


def key_tree(plan: Plan, verdict: Verdict) -> None:
    """Members of one bus on 3 hosts: a ticket of one is redeemed on another, all see the same."""
    with World(plan.program, plan.seed) as world:
        began = time.monotonic()
        gather(world.one, [world.two, world.three])
        verdict.figure("a broker and two members, until all have joined", _since(began))
        viewer = Viewer(world.three, variables=HERE)
        _tree(world, verdict)
        _through_ssh(world, verdict)
        _script(world, verdict)
        _same_everywhere(world, viewer, verdict)
        _cancel(world, verdict)
        _reporter_sees_nothing(world, verdict)


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.1f} s"


def _tree(world: World, verdict: Verdict) -> None:
    """Jobs on the second host, of which the third does parts."""
    makers = {"package": "Convert", "report": "Collect"}
    parts = {}
    for face, title in makers.items():
        tickets = [f"{title} by package", f"{title} by report", f"{title} by run"]
        ledger.start(
            world.two, face, HERE, face=face, title=title, tickets=tickets, children=20, failEvery=6
        )
    runs = []
    for face, title in makers.items():
        made = eventually(f"tickets of {title}", partial(ledger.read, world.two, face))
        for part, ticket in made.tickets.items():
            kind = part.rpartition(" ")[2]
            variables = {**HERE, "PROGRESSBUS_TICKET": ticket}
            if kind == "run":
                words = ("run", "--title", part, "--", "sh", "-c", "hostname; exit 3")
                runs.append(world.three.start("progressbus", *words, variables=variables))
            else:
                name = f"{face}-{kind}"
                parts[name] = title
                order = {"face": kind, "title": part, "children": 10, "failEvery": 3}
                ledger.start(world.three, name, variables, **order)
    for run in runs:
        verdict.holds(run.wait(20) == 3, f"run with a ticket ends with {run.status}, not 3")

    def wrong() -> list[str]:
        board, _, trouble = status(world.one, variables=HERE)
        if board is None:
            return [trouble]
        ledgers = [ledger.read(world.two, face) for face in makers]
        ledgers += [ledger.read(world.three, name, parent) for name, parent in parts.items()]
        entries = [
            Entry(f"{title} by run", title, "three", "failed", exit=3) for title in makers.values()
        ]
        return [*_all_there(ledgers), *_differences(board, ledgers, entries)]

    verdict.becomes(wrong, 30)


def _all_there(ledgers: list[Ledger | None]) -> list[str]:
    return [
        "a ledger is not there" if one is None else f"{one.name} was told of no ending"
        for one in ledgers
        if one is None or not one.is_acknowledged
    ]


def _differences(board: Board, ledgers: list[Ledger | None], entries: list[Entry]) -> list[str]:
    wrong = [board.difference(entry) for entry in entries]
    wrong += [sentence for one in ledgers if one for sentence in board.differences(one)]
    return [sentence for sentence in wrong if sentence]


def _through_ssh(world: World, verdict: Verdict) -> None:
    """Commands of a member on another host, which has none of its keys: they report, no more."""
    two, three = world.two, world.three
    faces = ("package", "report")
    runs = []
    for face in faces:
        title = f"{face} by ssh"
        work = ledger.order(f"ssh-{face}", face=face, title=title, children=10, failEvery=3)
        words = ("ssh", "--title", f"on {title}", "three", "--", *work)
        runs.append(two.start("progressbus", *words, variables=HERE))
    for run in runs:
        verdict.holds(run.wait(30) == 0, f"a command through ssh ends with {run.status}")

    def wrong() -> list[str]:
        board, _, trouble = status(world.one, variables=HERE)
        if board is None:
            return [trouble]
        ledgers = [ledger.read(three, f"ssh-{face}", f"on {face} by ssh") for face in faces]
        entries = [Entry(f"on {face} by ssh", None, "two", "succeeded") for face in faces]
        return [*_all_there(ledgers), *_differences(board, ledgers, entries)]

    verdict.becomes(wrong, 15)
    looks = ("ssh", "--title", "looks", "three", "--", "progressbus", "status")
    looked = two.run("progressbus", *looks, variables=HERE)
    verdict.holds("may only report" in looked.errors, f"who looks there: {looked.errors}")


def _script(world: World, verdict: Verdict) -> None:
    """A script on the third host, with calls that count once each."""
    begun = world.three.run(
        "progressbus", "begin", "Script", "--total", "9", "--strict", variables=HERE
    )
    task = begun.output.strip()
    calls = [
        world.three.start("progressbus", "advance", task, "--strict", variables=HERE)
        for _ in range(9)
    ]
    statuses = [call.wait(20) for call in calls]
    verdict.holds(statuses == [0] * 9, f"of nine calls of advance these statuses: {statuses}")
    ended = world.three.run("progressbus", "end", task, "--strict", variables=HERE)
    verdict.holds(ended.status == 0, f"end: {ended.errors}")
    board, _, trouble = status(world.one, variables=HERE)
    if verdict.holds(board, trouble) and board:
        difference = board.difference(Entry("Script", None, "", "succeeded", 9, 9))
        verdict.holds(not difference, difference)


def _same_everywhere(world: World, viewer: Viewer, verdict: Verdict) -> None:
    """Three hosts and a viewer that was there all the time see one tree."""

    def wrong() -> list[str]:
        boards = {host.name: status(host, variables=HERE)[0] for host in world.hosts}
        boards["a viewer on three"] = viewer.board()
        pictures = {name: _lasting(board) for name, board in boards.items()}
        return [
            f"{name} sees another tree than one"
            for name, picture in pictures.items()
            if picture != pictures["one"]
        ]

    verdict.becomes(wrong, 10)
    viewer.end()


def _lasting(board: Board | None) -> str:
    """What does not change with the time at which it is asked."""
    names = ("id", "parent", "title", "state", "completed", "total", "counts", "sums", "place")

    def of(task: Task) -> dict[str, object]:
        return {name: task[name] for name in names} | {
            "children": [of(c) for c in task["children"]]
        }

    return json.dumps([of(job) for job in board.jobs] if board else None)


def _cancel(world: World, verdict: Verdict) -> None:
    """The third host stops what runs on the second."""
    world.two.start("progressbus", "run", "--title", "Long", "--", "sleep", "1000", variables=HERE)
    ledger.start(world.two, "long", HERE, face="package", title="Longer")

    def both() -> bool:
        board, _, _ = status(world.three, variables=HERE)
        return bool(board and board.find("Long") and board.find("Longer"))

    eventually("both are on the board", both)
    began = time.monotonic()
    asked = world.three.run("progressbus", "cancel", "Long", "Longer", variables=HERE)
    verdict.holds(asked.status == 0, f"cancel from another host: {asked.status}, {asked.errors}")
    verdict.figure("cancel from another host", _since(began))

    def wrong() -> list[str]:
        board, _, trouble = status(world.one, variables=HERE)
        found = [board.find(title) if board else None for title in ("Long", "Longer")]
        states = [task["state"] if task else trouble for task in found]
        work = [one for one in world.two.living().values() if "sleep 1000" in one]
        return ([f"after the cancel: {states}"] if states != ["cancelled"] * 2 else []) + work

    verdict.becomes(wrong, 15)


def _reporter_sees_nothing(world: World, verdict: Verdict) -> None:
    """Who only reports reports, and is told in words that it may not look."""
    _, wrong = join(world.two, invite(world.one, "reporter"), "jobs", "--as", "job")
    verdict.holds(not wrong, f"a reporter cannot join: {wrong}")
    jobs = {"PROGRESSBUS_ENDPOINT": "jobs"}
    ran = world.two.run(
        "progressbus", "run", "--title", "Of a reporter", "--", "true", variables=jobs
    )
    verdict.holds(ran.status == 0, f"run of a reporter: {ran.errors}")
    board, _, sentence = status(world.two, variables=jobs)
    verdict.holds(board is None and "may not" in sentence, f"a reporter looks: {sentence}")

    def shown() -> list[str]:
        seen, _, trouble = status(world.one, variables=HERE)
        difference = (
            seen.difference(Entry("Of a reporter", None, "two", "succeeded")) if seen else trouble
        )
        return [difference] if difference else []

    verdict.becomes(shown, 10)
