#!/usr/bin/env python3
"""What a command costs that draws on a terminal.

    cost.py [options] -- COMMAND...

Runs it on a pseudo-terminal whose output is read and thrown away, and prints one JSON object: for a
window after a warm-up the processor time of the command's own process and threads, what arrived on
the terminal and in how many reads, all its write calls (those that wake a thread are among them)
and its memory; and when the first output came. With --labels it says
instead when the last of so many labels had been drawn, and ends.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import signal
import sys
import time

import keys
from pseudoterminal import PseudoTerminal

# A pause in the output that ends a burst; seconds.
BURST = 0.003
QUESTIONS = [
    (re.compile(rb"\x1b\[6n"), b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),
]


def monotonic() -> float:
    return time.clock_gettime(time.CLOCK_MONOTONIC)


def counters(pid: int) -> dict:
    """Of one process: processor seconds, write calls, resident bytes. Linux."""
    seconds = 0.0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
            seconds += int(file.read().split()[0]) / 1e9
    with open(f"/proc/{pid}/io", encoding="ascii") as file:
        numbers = dict(line.split(": ") for line in file.read().splitlines())
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {"seconds": seconds, "writes": int(numbers["syscw"]), "resident": resident}


class Meter:
    """Reads what a command draws and counts it."""

    def __init__(self, terminal: PseudoTerminal):
        self.terminal = terminal
        self.bytes = self.bursts = self.reads = 0
        self.first: float | None = None
        self.last = 0.0
        self.silence = 0.0
        self.chunks: list[tuple[float, bytes]] = []
        self.keeps = False
        self._tail = b""

    def run(self, until: float) -> None:
        """Reads until then, or until the command has ended."""
        while not self.terminal.has_ended:
            pause = until - monotonic()
            if pause <= 0:
                return
            sources = [self.terminal.master, *self.terminal.descriptors]
            if not select.select(sources, [], [], pause)[0]:
                return
            self.terminal.poll()
            data = self.terminal.read()
            if data:
                self._take(data)

    def _take(self, data: bytes) -> None:
        now = monotonic()
        if self.first is None:
            self.first = now
        elif self.last:
            self.silence = max(self.silence, now - self.last)
        if now - self.last >= BURST:
            self.bursts += 1
        self.last = now
        self.bytes += len(data)
        self.reads += 1
        if self.keeps:
            self.chunks.append((now, data))
        text = self._tail + data
        for question, answer in QUESTIONS:
            for match in question.finditer(text):
                if match.end() > len(self._tail):
                    self.terminal.write(answer)
        # No question is longer.
        self._tail = data[-16:]


def typing(specifications: list[str]) -> list[tuple[float, bytes]]:
    """SECONDS:KEY,KEY… as times and what a terminal sends then."""
    timed = []
    for specification in specifications:
        moment, _, names = specification.partition(":")
        timed.append((float(moment), b"".join(keys.key(name, True) for name in names.split(","))))
    return sorted(timed)


def window(meter: Meter, options, began: float) -> dict:
    for moment, data in typing(options.keys):
        meter.run(began + moment)
        meter.terminal.write(data)
    meter.run(began + options.warm_up)
    if meter.terminal.has_ended:
        return {"error": meter.terminal.state}
    before, from_time = counters(meter.terminal.pid), monotonic()
    bytes_before, bursts_before, reads_before = meter.bytes, meter.bursts, meter.reads
    meter.silence = 0.0
    meter.run(from_time + options.seconds)
    if meter.terminal.has_ended:
        return {"error": meter.terminal.state}
    after, seconds = counters(meter.terminal.pid), monotonic() - from_time
    return {
        "cpuPercent": round(100 * (after["seconds"] - before["seconds"]) / seconds, 3),
        "bytesPerSecond": round((meter.bytes - bytes_before) / seconds, 1),
        "writesPerSecond": round((after["writes"] - before["writes"]) / seconds, 2),
        "readsPerSecond": round((meter.reads - reads_before) / seconds, 2),
        "framesPerSecond": round((meter.bursts - bursts_before) / seconds, 2),
        "longestSilence": round(meter.silence, 3),
        "residentMiB": round(after["resident"] / 2**20, 1),
    }


def first_paint(meter: Meter, options, began: float) -> dict:
    """When the first label and when the last was drawn."""
    meter.keeps = True
    pattern = re.compile(options.pattern.encode())
    seen: dict[bytes, float] = {}
    first = None
    end = began + options.warm_up + options.seconds
    while monotonic() < end and len(seen) < options.labels and not meter.terminal.has_ended:
        meter.run(min(end, monotonic() + 0.02))
        # Again from the start of what is not yet understood: a label may be cut in two.
        text = b"".join(data for _, data in meter.chunks)
        position, times = 0, []
        for moment, data in meter.chunks:
            position += len(data)
            times.append((position, moment))
        for match in pattern.finditer(text):
            moment = next(moment for position, moment in times if position >= match.end(1))
            seen.setdefault(match[1], moment)
            first = min(first or moment, moment)
    return {
        "labels": len(seen),
        "secondsToFirstLabel": None if first is None else round(first - began, 4),
        "secondsToLastLabel": round(max(seen.values()) - began, 4) if seen else None,
        "paintMilliseconds": round(1000 * (max(seen.values()) - first), 2) if seen else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--warm-up", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--keys", action="append", default=[], metavar="SECONDS:KEY,KEY")
    parser.add_argument("--stop", default="Ctrl-C", help="the key that ends the command")
    parser.add_argument("--labels", type=int, default=0)
    parser.add_argument("--pattern", default=r"(task \d+)")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("no command")
    environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
    for name in ("NO_COLOR", "COLUMNS", "LINES", "ACCESSIBLE"):
        environment.pop(name, None)
    terminal = PseudoTerminal(command, options.columns, options.rows, environment)
    meter = Meter(terminal)
    began = terminal.started
    try:
        measure = first_paint if options.labels else window
        result = measure(meter, options, began)
        if meter.first is not None:
            result["secondsToFirstOutput"] = round(meter.first - began, 4)
        terminal.write(keys.key(options.stop, False))
        meter.run(monotonic() + 3)
        if not terminal.has_ended:
            terminal.signal(signal.SIGINT)
            meter.run(monotonic() + 2)
        result["end"] = terminal.state
    finally:
        terminal.close()
    print(json.dumps(result))
    return 1 if "error" in result else 0


if __name__ == "__main__":
    sys.exit(main())
