"""Reports, keyframes and folds (PROTOCOL.md 7.4, 8.3, 8.4)."""

from __future__ import annotations

from client import Client, ending
from wires import LARGEST, REPORT, SHARE, frame, ref

from progressbus._generated import progressbus_pb2 as wire


def reports_before_hello(client: Client) -> None:
    """Reports in masses of sessions that have never said hello, a credential for each."""
    reports = client.reports()
    descriptions = [wire.Description(index=n, title="Early " * 30) for n in range(1, 100)]
    body = wire.Report(sequence=1, descriptions=descriptions)
    for _ in client.turns():
        body.credential = client.bytes(16)
        client.post(reports, frame(REPORT, body))


def reports_of_many_names(client: Client) -> None:
    """Tiny reports with a new credential each, so that no fair queue knows them."""
    reports = client.reports()
    for number in client.turns():
        body = wire.Report(credential=client.bytes(16), sequence=number + 1, detail_index=[1])
        body.detail.append("x")
        client.post(reports, frame(REPORT, body))


def undescribed_tasks(client: Client) -> None:
    """Amounts, details, clocks and states of millions of tasks that nobody has described."""
    session = client.session()
    for number in client.turns():
        first = 1 + number * 20_000
        indices = range(first, first + 20_000)
        session.report(amount_index=indices, completed=indices, total=indices)
        some = range(first, first + 5_000)
        session.report(detail_index=some, detail=["never described"] * len(some))
        session.report(
            states=[wire.StateChange(index=n, state=wire.STATED_STATE_PAUSED) for n in some]
        )


def undescribed_far_apart(client: Client) -> None:
    """The same with indices all over 64 bits, so that no table is dense."""
    session = client.session()
    for _ in client.turns():
        indices = [client.number() for _ in range(5_000)]
        session.report(amount_index=indices, completed=[1] * 5_000, total=[-1] * 5_000)


def keyframes_without_end(client: Client) -> None:
    """One keyframe whose last chunk never comes."""
    session = client.session()
    for chunk in client.turns():
        first = 1 + chunk * 2_000
        session.report(
            keyframe=1,
            keyframe_chunk=chunk,
            descriptions=[
                wire.Description(index=n, title="H") for n in range(first, first + 2_000)
            ],
        )


def chunks_out_of_order(client: Client) -> None:
    """Chunks of keyframes at random: each asks the broker to ask for another keyframe."""
    session = client.session()
    session.begin(range(1, 1_000))
    for _ in client.turns():
        session.report(
            keyframe=client.chance.randrange(1, 1 << 32),
            keyframe_chunk=client.chance.choice([1, 2, 7, (1 << 32) - 1]),
            keyframe_last=client.chance.random() < 0.5,
        )


def keyframes_that_forget(client: Client) -> None:
    """Thousands of tasks begin, and a complete keyframe that has none of them; again and again."""
    session = client.session()
    for number in client.turns():
        first = 1 + number * 5_000
        session.begin(range(first, first + 5_000))
        session.report(keyframe=number + 1, keyframe_last=True)


def complete_keyframes(client: Client) -> None:
    """The same complete keyframe of 10,000 tasks as often as it goes."""
    session = client.session()
    indices = range(1, 10_001)
    session.begin(indices)
    for number in client.turns():
        session.report(
            keyframe=number + 1,
            keyframe_last=True,
            amount_index=indices,
            completed=[1] * len(indices),
            total=[2] * len(indices),
        )


def changes_without_end(client: Client) -> None:
    """All amounts of 10,000 tasks in every frame, as fast as it can."""
    session = client.session()
    session.begin(range(1, 10_001))
    body = wire.Report(amount_index=range(1, 10_001), completed=range(10_000), total=range(10_000))
    for _ in client.turns():
        session.repeat(body)


def many_tasks(client: Client) -> None:
    """A million tasks below one job."""
    session = client.session()
    session.begin(range(1, 2))
    session.begin(range(2, 1_000_000), parent=ref(1))


def many_jobs(client: Client) -> None:
    """As many jobs as go, each with a slot on the board."""
    session = client.session()
    for number in client.turns():
        session.begin(range(1 + number * 5_000, 1 + (number + 1) * 5_000), f"Hostile {number}")


def jobs_of_one_title(client: Client) -> None:
    """10,000 live jobs of one title, to be told apart by number."""
    session = client.session()
    for number in client.turns():
        session.begin(range(1 + number * 1_000, 1 + (number + 1) * 1_000), "Hostile same")


def folds_of_others(client: Client) -> None:
    """Folds below honest tasks, with 10^12 of each and maximal sums."""
    session = client.session()
    for _ in client.turns():
        folds = [
            wire.Fold(
                parent=victim,
                succeeded=10**12,
                failed=10**12,
                cancelled=10**12,
                share=LARGEST,
                weighted_high=LARGEST >> 14,
                weighted_low=(1 << 64) - 1,
                sums=[wire.UnitSum(unit="items", completed=LARGEST, total=LARGEST)],
                removed=range(1, 50),
            )
            for victim in client.victims()[:50]
        ]
        session.end(folds=folds)
        session.report(keyframe=session.sequence + 1, keyframe_last=True, folds=folds)


def folds_at_the_edge(client: Client) -> None:
    """Own folds that jump between nothing and all that numbers can hold."""
    session = client.session()
    session.begin(range(1, 200))
    session.begin(range(200, 400), parent=ref(1))
    units = [wire.UnitSum(unit=f"unit {n}", completed=LARGEST, total=LARGEST) for n in range(16)]
    for number in client.turns():
        great = number % 2 == 0
        share = LARGEST if great else 0
        weighted = share << 50
        session.end(
            folds=[
                wire.Fold(
                    parent=ref(client.chance.randrange(1, 400)),
                    succeeded=1 << 40 if great else 0,
                    failed=1 << 40 if great else 0,
                    share=share,
                    weighted_high=weighted >> 64,
                    weighted_low=weighted & ((1 << 64) - 1),
                    sums=units if great else [],
                )
            ]
        )


def folded_parents(client: Client) -> None:
    """`removed` of tasks above, of others' tasks, of the job itself, of each index many times."""
    session = client.session()
    chain = 30
    for number in client.turns():
        first = 1 + number * chain
        session.begin(range(first, first + 1))
        for index in range(first + 1, first + chain):
            session.begin(range(index, index + 1), parent=ref(index - 1))
        removed = [first, first, first + 1, *range(first + chain, first, -1)]
        victim = client.chance.choice(client.victims())
        session.end(
            folds=[
                wire.Fold(parent=ref(first + chain - 1), succeeded=5, share=5, removed=removed),
                wire.Fold(parent=ref(first), removed=[victim.index] * 100),
            ]
        )


def scattered_removals(client: Client) -> None:
    """`removed` of every second index, from high to low: no two of them make a range."""
    session = client.session()
    session.begin(range(1, 2))
    top = 1 << 40
    for number in client.turns():
        high = top - number * 8_000
        removed = range(high, high - 8_000, -2)
        session.end(folds=[wire.Fold(parent=ref(1), succeeded=number, removed=removed)])


def sequences_at_the_end(client: Client) -> None:
    """The greatest sequence first, then frames that are all too old; a new session each time."""
    for _ in client.turns():
        session = client.session()
        session.begin(range(1, 100))
        session.report(sequence=(1 << 64) - 1, amount_index=[1], completed=[1], total=[1])
        for number in range(50):
            session.report(sequence=number + 1, amount_index=[1], completed=[number], total=[1])
        session.end(ending(2, wire.STATED_STATE_SUCCEEDED))
        client.close(session.control, session.reports)


def numbers_at_the_edge(client: Client) -> None:
    """Amounts, shares, expectations and clocks at the ends of what is allowed, and beyond."""
    session = client.session()
    session.begin(range(1, 2), expected_children=LARGEST)
    edges = [0, 1, LARGEST, LARGEST - 1, SHARE, SHARE + 1, -1, -LARGEST - 1]
    children = range(2, 200)
    for _ in client.turns():
        pick = [client.chance.choice(edges) for _ in children]
        session.report(
            descriptions=[
                wire.Description(
                    index=n,
                    parent=ref(max(1, n // 2)),
                    title="H",
                    share=client.chance.choice([0, 1, SHARE]),
                    expected_children=client.chance.choice([0, 1, LARGEST]),
                    expected_gap=client.chance.choice([0.0, 1e9]),
                )
                for n in children
            ]
        )
        valid = [number if number >= 0 else LARGEST for number in pick]
        session.report(amount_index=children, completed=valid, total=reversed(valid))
        session.report(amount_index=children, completed=pick, total=pick)
        times = [(1 << 53) - 1] * len(children)
        session.report(clock_index=children, elapsed=times, active=times, since_advance=times)
