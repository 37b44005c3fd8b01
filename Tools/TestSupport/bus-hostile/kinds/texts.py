"""Texts: long ones, ones that terminals obey, ones of others (PROTOCOL.md 5.1, 8.14)."""

from __future__ import annotations

from typing import Any

from client import Client, ending
from wires import ref

from progressbus._generated import progressbus_pb2 as wire

NASTY = "\x1b[2J\x1b]0;x\x07\r\n\t\x00\x9b\u2028\u2029\u202e\u2066\ufeff"


def control_characters(client: Client) -> None:
    """Control characters, escape sequences and overrides of direction in every text."""
    session = client.session()
    process = wire.Process(host=NASTY, pid=1, command=NASTY * 5, boot_id=NASTY, pid_namespace=NASTY)
    session.hello(process=process)
    for number in client.turns():
        session.report(
            descriptions=[
                wire.Description(
                    index=number + 1,
                    title=NASTY + client.chance.choice(["a", "b", "Honest"]),
                    unit=NASTY,
                    key=NASTY + str(number),
                    tint="\x1b[31m",
                    consequence=NASTY * 3,
                    cancellable=True,
                )
            ],
            detail_index=[number + 1],
            detail=[NASTY * 5],
            logs=[wire.LogLine(task=ref(number + 1), text=NASTY * 10)],
        )
        row = ending(number + 1, wire.STATED_STATE_FAILED, NASTY)
        row.reason = NASTY * 5
        session.end(row)


def longest_texts(client: Client) -> None:
    """Tasks with every text as long as it may be, each another one."""
    session = client.session()
    for number in client.turns():
        first = 1 + number * 300
        stem = f"{client.number():x}".ljust(16, "h")
        session.report(
            descriptions=[
                wire.Description(
                    index=n,
                    title=(stem + f"{n}").ljust(200, "t"),
                    unit=f"{n}".ljust(50, "u"),
                    key=(stem + f"{n}").ljust(200, "k"),
                    consequence=(stem + f"{n}").ljust(500, "c"),
                )
                for n in range(first, first + 300)
            ],
            detail_index=range(first, first + 300),
            detail=[(stem + f"{n}").ljust(500, "d") for n in range(first, first + 300)],
        )


def changing_texts(client: Client) -> None:
    """1,000 tasks with a new title, unit, key and detail in every frame."""
    session = client.session()
    for number in client.turns():
        words = f"{client.number():x}" * 10
        session.report(
            descriptions=[
                wire.Description(
                    index=n, title=f"{words}{n}", unit=f"{n}{number}"[:50], key=f"{n}{words}"
                )
                for n in range(1, 1_001)
            ],
            detail_index=range(1, 1_001),
            detail=[f"{words}{n}" for n in range(1, 1_001)],
        )


def lines_about_others(client: Client) -> None:
    """Log lines about honest tasks."""
    session = client.session()
    for number in client.turns():
        victims = client.victims()
        session.report(
            logs=[
                wire.LogLine(
                    task=client.chance.choice(victims), text=f"foreign {number}", time=number
                )
                for _ in range(100)
            ]
        )


def lines_in_masses(client: Client) -> None:
    """Thousands of log lines a frame, about own jobs and about tasks that do not exist."""
    session = client.session()
    session.begin(range(1, 500))
    for number in client.turns():
        session.report(
            logs=[
                wire.LogLine(
                    task=ref(client.chance.choice([n % 500 + 1, 10**6 + n])),
                    text=f"{number} {n} ".ljust(900, "l"),
                )
                for n in range(800)
            ]
        )


def texts_beyond_limits(client: Client) -> None:
    """Valid protobuf whose texts, lists or numbers break one limit each."""
    session = client.session()
    frames: list[dict[str, Any]] = [
        {"descriptions": [wire.Description(index=1, title="x" * 201)]},
        {"descriptions": [wire.Description(index=0, title="x")]},
        {"descriptions": [wire.Description(index=1, share=-1)]},
        {"descriptions": [wire.Description(index=1, expected_gap=float("nan"))]},
        {"descriptions": [wire.Description(index=1, is_ticket=True)]},
        {"descriptions": [wire.Description(index=1, ticket=ref(1), parent=ref(1))]},
        {"descriptions": [wire.Description()] * 32_769},
        {"states": [wire.StateChange()] * 200_000},
        {"detail_index": [1], "detail": []},
        {"amount_index": [1, 2], "completed": [1], "total": [1]},
        {"logs": [wire.LogLine(text="no task")]},
        {"folds": [wire.Fold(parent=ref(1))]},
        {"keyframe_last": True},
    ]
    for number in client.turns():
        session.report(**frames[number % len(frames)])
        session.say(find=wire.Find(request=number + 1, text="x" * 257))
        session.say(endings=wire.Endings(sequence=0))
        session.say(endings=wire.Endings(sequence=session.next(), endings=[wire.Ending()]))
