"""What a run says at its end."""

from __future__ import annotations

import json

from broker import Reading
from figures import mebibytes
from kinds import KINDS
from record import Record
from wires import TICK
from words import MACHINE


def kinds_table(record: Record, readings: list[Reading]) -> list[str]:
    """Each kind, how often it came, what it sent, and what honest clients saw meanwhile.

    Several kinds are at work at a time, and a slow frame of an honest client lasts over many: which
    one is to blame is seen with --each and --only.
    """
    lines = [
        f"{'misbehaviour':34} {'times':>5} {'messages':>9} {'slowest frame':>14} {'memory':>10}"
    ]
    rows = []
    for kind in KINDS:
        moments = [moment for moment in record.moments if moment.kind == kind]
        if not moments:
            continue
        worst = max((record.worst_during(moment) for moment in moments), default=0.0)
        grown = sum(_memory_at(readings, m.ended) - _memory_at(readings, m.began) for m in moments)
        sent = sum(moment.sent for moment in moments)
        rows.append((worst, f"{kind:34} {len(moments):5} {sent:9} {worst / TICK:8.1f} ticks "
                            f"{grown / (1 << 20):+6.0f} MiB"))  # fmt: skip
    return lines + [line for _, line in sorted(rows, key=lambda row: -row[0])]


def delays_table(record: Record, attack: tuple[float, float]) -> list[str]:
    """Honest exchanges before and under attack, in ticks."""
    lines = [
        f"{'honest frames, in ticks of 50 ms':42} {'before: median, p99, worst':>26} "
        f"{'under attack':>26} {'samples':>8}"
    ]
    for name in sorted(record.samples):
        quiet, hostile = record.delays(name, 0, attack[0]), record.delays(name, *attack)
        lines.append(f"{name:42} {quiet!s:>26} {hostile!s:>26} {hostile.count:8}")
    return lines


def broker_line(readings: list[Reading], attack: tuple[float, float]) -> str:
    """What the broker took of the machine."""
    began, ended = attack
    third = (ended - began) / 3
    places = [("at the start", began), ("a third", began + third), ("two thirds", ended - third)]
    places.append(("at the end", ended))
    parts = [f"{name} {mebibytes(_memory_at(readings, time))}" for name, time in places]
    peak = max((reading.memory for reading in readings), default=0)
    files = max((reading.descriptors for reading in readings), default=0)
    disk = max((reading.disk for reading in readings), default=0)
    return (
        f"the broker's memory: {', '.join(parts)}, peak {mebibytes(peak)}; "
        f"at most {files} descriptors, {mebibytes(disk)} on disk"
    )


def endings_line(record: Record) -> str:
    said, acknowledged, shown = (record.counts[n] for n in ("said", "acknowledged", "shown"))
    return f"honest endings: {said} said, {acknowledged} acknowledged, {shown} shown as said"


def one_line(record: Record, readings: list[Reading], attack: tuple[float, float]) -> str:
    """What a run with one kind came to."""
    delays = {name: record.delays(name, *attack) for name in record.samples if name != MACHINE}
    slowest = max(delays, key=lambda name: delays[name].p99, default="")
    p99 = delays[slowest].p99 if slowest else 0.0
    sent = sum(moment.sent for moment in record.moments)
    first, peak = _memory_at(readings, attack[0]), max((r.memory for r in readings), default=0)
    memory = f"memory {mebibytes(first)}, peak {mebibytes(peak)}"
    return f"{sent:8} messages, p99 {p99:6.1f} ticks ({slowest}), {memory}"


def figures_line(record: Record, attack: tuple[float, float], violations: int) -> str:
    """The figures as JSON."""
    p99 = {name: round(record.delays(name, *attack).p99, 2) for name in record.samples}
    return json.dumps({"violations": violations, "p99_ticks": p99})


def _memory_at(readings: list[Reading], time: float) -> int:
    before = [reading.memory for reading in readings if reading.time <= time]
    return before[-1] if before else 0
