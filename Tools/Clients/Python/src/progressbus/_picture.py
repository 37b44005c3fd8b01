"""A task and what runs below it, as words and as HTML: what this process knows of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from html import escape

from ._fold import share
from ._generated import progressbus_pb2 as wire
from ._state import TaskState

# Rows below the task that are shown; how many more there are is said.
ROWS = 8

Below = dict[TaskState, list[TaskState]]


@dataclass
class Row:
    """One task: how deep it is, its bar (None: nobody knows how far) and what is said beside it."""

    depth: int
    title: str
    fraction: float | None
    words: str


def rows(task: TaskState, last: float | None = None) -> list[Row]:
    """The task and the unfinished ones below it, each below its parent.

    A task that has ended and is on the broker's disk is forgotten with all below it; `last` is how
    far it was shown before.
    """
    # Read while the reporting thread writes: a copy of the values is made in one step.
    below: Below = {}
    for member in list(task.top.members.values()):
        if member.parent is not None:
            below.setdefault(member.parent, []).append(member)
    found: list[Row] = []
    known = _fraction(task, below)
    if task.gone and task.state != wire.STATED_STATE_SUCCEEDED and last is not None:
        known = last
    _add(found, task, below, known)
    more = len(found) - 1 - ROWS
    if more > 0:
        found[1 + ROWS :] = [Row(1, f"and {more} more", None, "")]
    return found


def text(found: list[Row]) -> str:
    """A line for each."""
    return "\n".join(f"{'  ' * row.depth}{row.title}  {row.words}".rstrip() for row in found)


def html(found: list[Row]) -> str:
    """A line with a bar for each, without any script, in the colours of the page around it."""
    lines = []
    for row in found:
        bar = ""
        if row.words:
            value = "" if row.fraction is None else f' value="{row.fraction:.4f}"'
            bar = f'<progress max="1"{value} aria-label="{escape(row.title)}"></progress> '
        title = f"<strong>{escape(row.title)}</strong>" if row.depth == 0 else escape(row.title)
        lines.append(
            f'<div style="margin-left: {2 * row.depth}em">{bar}{title} {escape(row.words)}</div>'
        )
    return "".join(lines)


def _add(
    found: list[Row], task: TaskState, below: Below, known: float | None, depth: int = 0
) -> None:
    shown = None if known is None else min(max(known, 0.0), 1.0)
    if task.has_ended and shown is None:
        shown = 0.0  # nothing moves any more
    found.append(Row(depth, task.title, shown, _words(task, known)))
    for child in below.get(task, ()):
        if not child.has_ended:
            _add(found, child, below, _fraction(child, below), depth + 1)


def _fraction(task: TaskState, below: Below) -> float | None:
    """How far the task is (PROTOCOL.md 7.3), None where nothing tells."""
    if task.state == wire.STATED_STATE_SUCCEEDED:
        return 1.0
    children, fold = below.get(task, ()), task.fold
    done = fold.weighted / (1 << 50) if fold else 0.0
    shares = fold.share if fold else 0
    for child in children:
        shares += share(child)
        done += share(child) * min(max(_fraction(child, below) or 0.0, 0.0), 1.0)
    completed, total = task.amounts()
    if total >= 0:
        return (completed + done) / total if total else 1.0
    shares += max(0, (task.expected_children or 0) - task.children_begun)
    return done / shares if shares else None


def _words(task: TaskState, known: float | None) -> str:
    completed, total = task.amounts()
    has_succeeded = task.state == wire.STATED_STATE_SUCCEEDED
    words = []
    if known is not None and (0 <= known < 1 or has_succeeded):
        words.append(f"{int(100 * known + 1e-9)}%")  # 29 of 100 is 28.99…
    # A total is said only where it agrees with the percentage: not where children count.
    if total > 0 and known == completed / total:
        words.append(_amount(completed, task.unit, total))
    elif total < 0 and completed > 0:
        words.append(_amount(completed, task.unit))
    words.append(_seconds((task.ended or time.monotonic()) - task.begun))
    if task.has_ended:
        ending = wire.StatedState.Name(task.state).removeprefix("STATED_STATE_").lower()
        words.append(f"{ending}: {task.reason}" if task.reason else ending)
    elif task.state == wire.STATED_STATE_PAUSED:
        words.append("paused")
    detail = task.final_detail if task.has_ended else task.detail
    return ", ".join(word.strip() for word in (*words, detail) if word.strip())


def _amount(completed: int, unit: str, total: int | None = None) -> str:
    numbers = [completed] if total is None else [completed, total]
    if unit != "bytes":
        return f"{' of '.join(f'{number:,}' for number in numbers)} {unit}"
    size, unit = (1_000_000, "MB") if numbers[-1] >= 1_000_000 else (1_000, "kB")
    return f"{' of '.join(f'{number / size:,.1f}' for number in numbers)} {unit}"


def _seconds(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
