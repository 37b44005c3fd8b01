"""Trees that no work has: orphans, cycles, chains, moves, shares (PROTOCOL.md 7.3, 9)."""

from __future__ import annotations

from client import Client, ending
from wires import SHARE, ref

from progressbus._generated import progressbus_pb2 as wire

RUNNING, PAUSED = wire.STATED_STATE_RUNNING, wire.STATED_STATE_PAUSED
FINAL = [wire.STATED_STATE_SUCCEEDED, wire.STATED_STATE_FAILED, wire.STATED_STATE_CANCELLED]


def orphans(client: Client) -> None:
    """Children of tasks that nobody will ever describe, of unknown sessions and of known ones."""
    session = client.session()
    known = [victim.session for victim in client.victims()]
    for number in client.turns():
        first = 1 + number * 2_000
        session.report(
            descriptions=[
                wire.Description(
                    index=n,
                    title="Hostile orphan",
                    parent=ref(
                        client.chance.randrange(1 << 40, 1 << 41),
                        client.number() if n % 2 else client.chance.choice(known),
                    ),
                )
                for n in range(first, first + 2_000)
            ]
        )


def parents_in_a_ring(client: Client) -> None:
    """Tasks below themselves, below each other, and in rings of hundreds."""
    session, other = client.session(), client.session()
    for number in client.turns():
        size = client.chance.choice([1, 2, 3, 500])
        first = 1 + number * 500
        ring = [
            wire.Description(index=n, title="Ring", parent=ref(first + (n - first + 1) % size))
            for n in range(first, first + size)
        ]
        session.report(descriptions=ring)
        session.report(
            descriptions=[wire.Description(index=first + size, title="R", parent=ref(first))]
        )
        for one, two in ((session, other), (other, session)):
            one.report(
                descriptions=[
                    wire.Description(
                        index=1 << 30 | number, title="R", parent=ref(1 << 30 | number, two.id)
                    )
                ]
            )


def too_deep(client: Client) -> None:
    """Chains of 1,000 tasks, described from below and from above."""
    session = client.session()
    for number in client.turns():
        first = 1 + number * 1_000
        chain = [wire.Description(index=first, title="Deep")]
        chain += [
            wire.Description(index=n, title="Deep", parent=ref(n - 1))
            for n in range(first + 1, first + 1_000)
        ]
        session.report(descriptions=chain if number % 2 else chain[::-1])
        if number % 10 == 0:
            session.report(
                amount_index=range(first, first + 1_000), completed=[1] * 1_000, total=[2] * 1_000
            )


def moving_parents(client: Client) -> None:
    """5,000 tasks that hang somewhere else in every frame."""
    session = client.session()
    session.begin(range(1, 5_000))
    for _ in client.turns():
        session.report(
            descriptions=[
                wire.Description(index=n, title="Moving", parent=ref(client.chance.randrange(1, n)))
                for n in range(2, 5_000)
            ]
        )


def great_shares(client: Client) -> None:
    """Thousands of children with the greatest share there is, below a total of one."""
    session = client.session()
    session.begin(range(1, 2))
    session.report(amount_index=[1], completed=[0], total=[1])
    for number in client.turns():
        first = 2 + number * 1_000
        session.begin(range(first, first + 1_000), parent=ref(1), share=SHARE)
        numbers = range(first, first + 1_000)
        session.report(amount_index=numbers, completed=[1 << 62] * 1_000, total=[1] * 1_000)


def wide_and_changing(client: Client) -> None:
    """20,000 children of one job, each of which changes in every tick."""
    session = client.session()
    session.begin(range(1, 2))
    session.begin(range(2, 20_002), parent=ref(1))
    for number in client.turns():
        half = range(2 + number % 2, 20_002, 2)
        session.report(
            amount_index=half, completed=[number] * len(half), total=[number + 1] * len(half)
        )


def many_endings(client: Client) -> None:
    """Frames of 10,000 endings of new jobs."""
    session = client.session()
    for number in client.turns():
        first = 1 + number * 10_000
        session.end(*(ending(n, FINAL[n % 3]) for n in range(first, first + 10_000)))


def failures_in_masses(client: Client) -> None:
    """Jobs that fail, one a frame: each stays until somebody dismisses it."""
    session = client.session()
    for number in client.turns():
        session.end(ending(number + 1, wire.STATED_STATE_FAILED, f"Hostile {number}"))


def ended_again(client: Client) -> None:
    """One task that ends in every way, in turns, and is at work in between."""
    session = client.session()
    for number in client.turns():
        session.end(ending(1, FINAL[number % 3]))
        session.report(descriptions=[wire.Description(index=1, title="Undead")])
        session.report(states=[wire.StateChange(index=1, state=RUNNING)])


def pauses_in_turns(client: Client) -> None:
    """1,000 tasks that pause and go on in every frame, early."""
    session = client.session()
    session.begin(range(1, 1_001))
    for number in client.turns():
        state = PAUSED if number % 2 else RUNNING
        session.end(*(ending(n, state) for n in range(1, 1_001)))


def endings_of_others(client: Client) -> None:
    """Rows with the indices of honest tasks, and below honest sessions' unknown ones."""
    session = client.session()
    for number in client.turns():
        victim = client.chance.choice(client.victims())
        session.end(ending(victim.index, FINAL[number % 3]))
        session.say(redeem=wire.Redeem(index=victim.index, ticket=victim))


def crossed_parents(client: Client) -> None:
    """Success over unfinished children that wait for each other across two sessions."""
    one, two = client.session(), client.session()
    for number in client.turns():
        index = number + 1
        one.report(descriptions=[wire.Description(index=index, title="X")])
        two.report(
            descriptions=[wire.Description(index=index, title="X", parent=ref(index, one.id))]
        )
        one.end(ending(index, wire.STATED_STATE_SUCCEEDED))
        if number % 3 == 0:
            two.end(ending(index, wire.STATED_STATE_FAILED))
