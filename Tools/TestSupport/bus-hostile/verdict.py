"""What has been promised to honest clients, and whether it held."""

from __future__ import annotations

from broker import Reading
from figures import mebibytes, rank
from plan import Plan
from record import Record
from words import FIRST_WORD, MACHINE

# What memory may rise by in the last third; and for short runs, in which nothing is even yet.
RISE_SHARE = 0.1
RISE_BYTES = 64 << 20


def violations(
    plan: Plan, record: Record, readings: list[Reading], attack: tuple[float, float]
) -> list[str]:
    """A sentence for each promise that did not hold."""
    return [
        *_endings(record),
        *_delays(plan, record, attack),
        *_memory(readings, attack),
        *(f"{count} x {complaint}" for complaint, count in record.complaints.most_common(20)),
        *(f"a defect of this tool: {defect}" for defect in record.defects[:3]),
    ]


def _endings(record: Record) -> list[str]:
    said, acknowledged, shown = (record.counts[n] for n in ("said", "acknowledged", "shown"))
    sentences = []
    if not said:
        sentences.append("honest workers have not ended anything")
    if acknowledged != said:
        sentences.append(f"of {said} honest endings {acknowledged} were acknowledged")
    if shown != said:
        sentences.append(f"of {said} honest endings {shown} were shown as said")
    return sentences + [
        f"on an honest job, {count} x: {wrong}" for wrong, count in record.wrong.most_common(10)
    ]


def _delays(plan: Plan, record: Record, attack: tuple[float, float]) -> list[str]:
    sentences = []
    if not any(record.delays(name, *attack).count for name in record.samples):
        sentences.append("nothing that honest workers sent under attack was measured")
    for name in record.samples:
        if name == MACHINE:
            continue
        quiet, hostile = record.delays(name, 0, attack[0]), record.delays(name, *attack)
        # In a short run not everything comes in both times; a probe that hangs is seen below.
        allowed = plan.ticks * (2 if name == FIRST_WORD else 1)
        if quiet.count and hostile.count and hostile.p99 - quiet.p99 > allowed:
            sentences.append(
                f"{name}: 99 of 100 took {hostile.p99:.1f} ticks under attack and "
                f"{quiet.p99:.1f} before; at most {allowed:g} more are allowed"
            )
        if hostile.unanswered:
            sentences.append(f"{name}: {hostile.unanswered} were not answered at all")
    return sentences


def _memory(readings: list[Reading], attack: tuple[float, float]) -> list[str]:
    began, ended = attack
    third = (ended - began) / 3

    def greatest(first: float, last: float) -> float:
        # One reading at its worst second may be the greatest of any third.
        return rank([r.memory for r in readings if first <= r.time < last], 0.9)

    middle, last = greatest(began + third, ended - third), greatest(ended - third, ended)
    if last - middle <= max(RISE_BYTES, RISE_SHARE * middle):
        return []
    return [
        f"the broker's memory has risen from {mebibytes(middle)} to {mebibytes(last)} "
        "from the second third to the last"
    ]
