"""A job in a cell of a notebook, with its parts in whatever processes; it changes while it runs.

from progressbus.jupyter import show

show(job)
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from html import escape
from pathlib import Path
from typing import Any

from ._bus import default_bus
from ._task import Task

# What needs a look is not grey.
_COLOURS = {"failed": "#b00020", "lost": "#b00020", "cancelled": "#777", "succeeded": "#2e7d32"}
# As people say it.
_WORDS = {"succeeded": "done"}


def show(job: Task | str, depth: int = 1) -> None:
    """Shows a job in the output of this cell until it has ended, and returns at once.

    `job` is a task of this process, or what `progressbus watch` takes: a slot, a key, an id, also
    of other processes. `depth` is how many levels of children are shown. Needs IPython and the
    program `progressbus`; RuntimeError if that is missing. A thread of its own reads what the
    program prints; no ipywidgets are needed.
    """
    from IPython import display as notebook

    display: Any = notebook.display
    name, bus = (f"id:{job.id}", job._bus) if isinstance(job, Task) else (job, default_bus())
    if isinstance(job, Task):
        # Else it may be too new for the broker to know it.
        bus.sync(1)
    watch = subprocess.Popen(
        [program(), "watch", name, "--json", "--depth", str(depth)],
        env={**os.environ, "PROGRESSBUS_ENDPOINT": str(bus.endpoint)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    picture = Picture()
    handle = display(picture, display_id=True)
    threading.Thread(
        target=_follow, args=(watch, picture, handle), name="progressbus-jupyter", daemon=True
    ).start()


def program() -> str:
    """The path of `progressbus`: PROGRESSBUS_PROGRAM, else the one beside Python, else on PATH."""
    beside = Path(sys.executable).with_name("progressbus")
    found = os.environ.get("PROGRESSBUS_PROGRAM") or (
        str(beside) if beside.exists() else shutil.which("progressbus")
    )
    if not found:
        raise RuntimeError(
            "progressbus.jupyter needs the program progressbus: install the wheel of "
            "`Tools/package wheel`, or put the program on the PATH"
        )
    return found


class Picture:
    """What the program has last said of a job, for IPython to show."""

    def __init__(self) -> None:
        self.job: dict[str, Any] | None = None
        self.note = ""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        rows = list(_rows(self.job)) if self.job else []
        text = "\n".join(
            f"{'  ' * level}{row['title']}: {_numbers(row)}".rstrip(": ") for level, row in rows
        )
        html = "".join(_html(level, row) for level, row in rows)
        note = f"<div>{escape(self.note)}</div>" if self.note else ""
        return {
            "text/plain": "\n".join(filter(None, [text, self.note])),
            "text/html": f'<table class="progressbus">{html}</table>{note}',
        }


def _follow(watch: subprocess.Popen[str], picture: Picture, handle: Any) -> None:
    assert watch.stdout is not None
    for line in watch.stdout:
        try:
            event = json.loads(line)
        except ValueError:
            # What is wrong, in words.
            picture.note = line.strip()
            handle.update(picture)
            continue
        if event.get("event") in ("job", "left"):
            picture.job, picture.note = _with_children(event["job"], picture.job), ""
            handle.update(picture)
        elif event.get("event") == "disconnected":
            picture.note = "the broker is away; this is what it said last"
            handle.update(picture)
    watch.wait()


def _with_children(job: dict[str, Any], before: dict[str, Any] | None) -> dict[str, Any]:
    # A job that leaves is told without children.
    children = job.get("children") or (before or {}).get("children") or []
    return {**job, "children": children}


def _rows(task: dict[str, Any], level: int = 0) -> Any:
    yield level, task
    for child in task.get("children") or []:
        yield from _rows(child, level + 1)


def _numbers(task: dict[str, Any]) -> str:
    """Only what is known: no percentage without a total."""
    percent, total, unit = task.get("percent"), task.get("total"), task.get("unit") or ""
    state = task["state"]
    words = [] if state == "running" else [_WORDS.get(state, state)]
    if task.get("reason"):
        words[-1:] = [f"{words[-1]}: {task['reason']}" if words else task["reason"]]
    if percent is not None:
        words.append(f"{percent}%")
    if total is not None:
        words.append(f"{task['completed']:,} of {total:,} {unit}".rstrip())
    elif task.get("completed"):
        words.append(f"{task['completed']:,} {unit}".rstrip())
    if task.get("detail") and state == "running":
        words.append(task["detail"])
    return ", ".join(words)


def _html(level: int, task: dict[str, Any]) -> str:
    known = task.get("displayFraction")
    if known is None and task.get("percent") is not None:
        known = task["percent"] / 100
    value = f' value="{known:.3f}"' if known is not None else ""
    is_over = task["state"] in _COLOURS
    bar = "" if is_over and known is None else f"<progress max=1{value}></progress>"
    colour = _COLOURS.get(task["state"], "inherit")
    return (
        f'<tr><td style="text-align:left;padding-left:{level * 1.5 + 0.5}em">'
        f"{escape(task['title'])}</td><td>{bar}</td>"
        f'<td style="text-align:left;color:{colour}">{escape(_numbers(task))}</td></tr>'
    )
