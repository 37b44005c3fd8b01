"""A link that is slow and loses packets: it can be used, and no worker waits for it."""

from __future__ import annotations

import time

import ledger
from board import status
from figures import judge_pace, rank, seconds
from ledger import Entry
from plan import Plan
from team import HERE, gather, invite, join, start_local_broker
from trouble import eventually
from verdict import Verdict
from viewer import Viewer
from world import World

# Percent of packets, and milliseconds each way.
LOSS = 5
DELAYS = (100, 200)
# How long a change may take to be seen, half of all and at the worst; and an answer.
SEEN, SEEN_AT_WORST, ANSWER = 3.0, 20.0, 30.0
# Seconds between two changes that are measured.
GAP = 0.5


def bad_link(plan: Plan, verdict: Verdict) -> None:
    """5 % of packets lost, 200 ms there and back, then 400: what it costs; all is there."""
    for delay in DELAYS[: 1 if plan.is_quick else None]:
        with World(plan.program, plan.seed) as world:
            _play(world, plan, verdict, delay)


def _play(world: World, plan: Plan, verdict: Verdict, delay: int) -> None:
    what = f"{2 * delay} ms"
    gather(world.one, [world.two])
    start_local_broker(world.one)
    for face in ("package", "report"):
        order = {"face": face, "title": face, "pause": 0.02, "failEvery": 7, "patience": 60}
        ledger.start(world.two, face, HERE, **order)
    words = ledger.order("tunnel", face="package", title="tunnel", pause=0.02, patience=60)
    world.one.start("progressbus", "ssh", "--title", "on tunnel", "two", "--", *words)
    eventually("the workers are at work", lambda: _are_at_work(world))
    calm = time.monotonic()
    time.sleep(plan.calm)
    bad = time.monotonic()
    world.network.is_bad(delay, LOSS)
    _join(world, plan, verdict, what)
    viewer = Viewer(world.three, variables=HERE)
    _answers(world, plan, verdict, what)
    _changes(world, viewer, plan, verdict, what)
    _calls(world, plan, verdict, what)
    over = time.monotonic()
    _compare(world, viewer, verdict, what)
    for name in ("package", "report", "tunnel"):
        written = ledger.read(world.two, name)
        if verdict.holds(written, f"{name} has written no ledger") and written:
            judge_pace(verdict, written, (calm, bad), (bad, over), f"at {what}")
    carried, lost = world.network.packets()
    verdict.figure(f"{what}: packets lost", f"{lost} of {carried + lost}")


def _are_at_work(world: World) -> bool:
    keyed, _, _ = status(world.one, variables=HERE)
    local, _, _ = status(world.one)
    return bool(
        keyed and local and keyed.find("report") and keyed.find("package") and local.find("tunnel")
    )


def _join(world: World, plan: Plan, verdict: Verdict, what: str) -> None:
    """Others become members over the bad link; the last of them looks from then on."""
    took = []
    for number in range(2 if plan.is_quick else 8):
        invitation = invite(world.one, "controller")
        options = ("--as", f"member-{number}", "--replace")
        duration, wrong = join(world.three, invitation, *options)
        took.append(duration)
        verdict.holds(not wrong, f"{what}: join, after {duration:.1f} s: {wrong}")
    verdict.figure(f"{what}: join", seconds(took))


def _answers(world: World, plan: Plan, verdict: Verdict, what: str) -> None:
    """One look, through ssh and with keys; as it is asked for usually, and with patience."""
    number = 1 if plan.is_quick else 5
    for name, options, variables in (("--on", ("--on", "one"), {}), ("with keys", (), HERE)):
        usual = [status(world.three, *options, variables=variables) for _ in range(number)]
        failed = [wrong for board, _, wrong in usual if board is None]
        says = f"{what}: status {name} fails {len(failed)} of {number}: {failed[:1]}"
        verdict.holds(not failed, says)
        patient = [
            status(world.three, *options, "--timeout", "20", patience=60, variables=variables)
            for _ in range(number)
        ]
        took = [duration for _, duration, _ in patient]
        verdict.figure(f"{what}: status {name}", seconds(took))
        for board, duration, wrong in patient:
            verdict.holds(board, f"{what}: status {name} fails after {duration:.1f} s: {wrong}")
        verdict.holds(max(took) < ANSWER, f"{what}: status {name} takes {max(took):.0f} s")


def _changes(world: World, viewer: Viewer, plan: Plan, verdict: Verdict, what: str) -> None:
    """What `report` on the second host says, and when the third sees it: two bad links."""
    eventually("a viewer has a picture", lambda: viewer.board().find("report"), 60)
    worker = world.two.start("progressbus", "report", "--title", "Changes", variables=HERE)
    worker.write('{"op":"update","id":"root","detail":"begun"}')
    eventually("the viewer sees it", lambda: viewer.board().find("Changes"), 60)
    said = []
    until = time.monotonic() + plan.bad
    while (now := time.monotonic()) < until:
        said.append(now)
        worker.write(f'{{"op":"update","id":"root","completed":{len(said)}}}')
        time.sleep(GAP)
    worker.write('{"op":"end","id":"root","state":"succeeded"}')
    worker.close_input()
    verdict.becomes(
        lambda: [] if _latest(viewer) == len(said) else [f"{what}: the last change is not seen"], 30
    )
    sights = viewer.sights("Changes")
    took = [
        next((sight.when for sight in sights if sight.completed >= number), float("inf")) - when
        for number, when in enumerate(said, 1)
    ]
    verdict.figure(f"{what}: a change is seen after", seconds(took))
    verdict.holds(
        rank(took, 0.5) <= SEEN and max(took) <= SEEN_AT_WORST,
        f"{what}: a change is seen after {seconds(took)}",
    )


def _latest(viewer: Viewer) -> int:
    return max((sight.completed for sight in viewer.sights("Changes")), default=0)


def _calls(world: World, plan: Plan, verdict: Verdict, what: str) -> None:
    """A script's calls: each that succeeds counts once, each that may have counts once or not."""
    number = 2 if plan.is_quick else 6
    begun = world.two.run(
        "progressbus", "begin", "Calls", "--strict", "--timeout", "30", variables=HERE
    )
    task = begun.output.strip()
    if not verdict.holds(begun.status == 0, f"{what}: begin: {begun.errors}"):
        return
    good = unknown = 0
    for options in ((), ("--timeout", "20")):
        calls = [
            world.two.run("progressbus", "advance", task, "--strict", *options, variables=HERE)
            for _ in range(number)
        ]
        failed = [call.errors for call in calls if call.status != 0]
        good += number - len(failed)
        unknown += sum(call.status == 75 for call in calls)
        if options:
            verdict.figure(f"{what}: advance", seconds([call.seconds for call in calls]))
            verdict.holds(not failed, f"{what}: advance fails with patience: {failed[:1]}")
        else:
            says = f"{what}: advance fails {len(failed)} of {number}: {failed[:1]}"
            verdict.holds(not failed, says)

    def wrong() -> list[str]:
        board, _, trouble = status(world.one, variables=HERE)
        found = board.find("Calls") if board else None
        counted = found["completed"] if found else trouble
        if found and good <= found["completed"] <= good + unknown:
            return []
        return [f"{what}: {good} calls succeeded, {unknown} may have, and {counted} are counted"]

    verdict.becomes(wrong, 5)


def _compare(world: World, viewer: Viewer, verdict: Verdict, what: str) -> None:
    """To the last unit, while the link is still bad."""
    ledger.stop(world.two)

    def wrong() -> list[str]:
        boards = {"one": status(world.one, variables=HERE)[0], "a viewer": viewer.board()}
        tunnelled = status(world.one)[0]
        sentences = [] if tunnelled else ["there is no board"]
        for name, parent in (("package", None), ("report", None), ("tunnel", "on tunnel")):
            written = ledger.read(world.two, name, parent)
            if written is None or not written.is_acknowledged:
                sentences.append(f"{what}: {name} was told of no ending")
                continue
            shown = {"one": tunnelled} if parent else boards
            for who, board in shown.items():
                differences = board.differences(written) if board else ["no board"]
                sentences += [f"{what}: by {who} is seen: {line}" for line in differences]
        if tunnelled:
            end = tunnelled.difference(Entry("on tunnel", None, "one", "succeeded"))
            sentences += [f"{what}: {end}"] if end else []
        return sentences

    verdict.becomes(wrong, 90)
    verdict.holds(not viewer.left(), f"{what}: a viewer was told that {viewer.left()[:3]} left")
    viewer.end()
