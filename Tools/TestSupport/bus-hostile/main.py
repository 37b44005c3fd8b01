"""Lets hostile clients loose on a bus, beside honest workers, and says what they could do.

See Tools/TestSupport/hostile. Everything that is started here is ended here, and lies in one
directory of /tmp.
"""

from __future__ import annotations

import shutil
import signal
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from broker import Broker, program
from crew import Crew
from kinds import KINDS
from plan import Plan, plan
from record import Record
from table import (
    broker_line,
    delays_table,
    endings_line,
    figures_line,
    kinds_table,
    one_line,
)
from verdict import violations

ROOT = Path(__file__).resolve().parents[3]
WORKERS_PER_PROCESS = 10


class Run:
    """One run from the start of the broker to its end."""

    def __init__(self, plan: Plan, broker: Broker) -> None:
        self._plan = plan
        self._broker = broker
        self.record = Record()
        self._honest = Crew(self.record)
        self._hostile = Crew(self.record)
        self.attack = (0.0, 0.0)
        self.sentences: list[str] = []

    def run(self) -> None:
        """Calm, hostility, and the end of all."""
        directory = str(self._broker.endpoint)
        if not self._broker.wait_until_it_listens():
            self.sentences.append(self._broker.end() or "the broker does not listen")
            return
        rest = self._plan.workers
        while rest > 0:
            crowd = min(rest, WORKERS_PER_PROCESS)
            self._honest.add("honest.py", directory, f"w{rest}", str(crowd), self._plan.seed)
            rest -= crowd
        self._honest.add("probe.py", directory)
        self._pass("a quiet time", self._plan.beginning + self._plan.quiet)
        # What connecting has cost is no part of a quiet time.
        self._forget_before(time.monotonic() - self._plan.quiet)
        began = time.monotonic()
        for number in range(self._plan.clients):
            name, moment = f"h{number}", str(self._plan.moment)
            arguments = (directory, name, self._plan.seed, moment, *self._plan.kinds)
            self._hostile.add("hostile.py", *arguments, nice=self._plan.nice)
        self._pass("hostility", self._plan.attack)
        self.attack = (began, time.monotonic())
        self.sentences += self._hostile.end(15)
        self._say("the honest ones end")
        self.sentences += self._honest.end(120)
        self.sentences += [sentence for sentence in [self._broker.end()] if sentence]

    def kill(self) -> None:
        """Whatever has gone wrong."""
        self._hostile.kill()
        self._honest.kill()
        if self._broker.process.poll() is None:
            self._broker.process.kill()
            self._broker.process.wait()

    def _pass(self, what: str, seconds: float) -> None:
        self._say(f"{what} for {seconds:.0f} s")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(min(0.2, max(0.0, until - time.monotonic())))
            if self._broker.process.poll() is not None:
                return
            if self._broker.memory > self._plan.ceiling:
                limit = self._plan.ceiling >> 20
                self.sentences.append(f"the broker has taken more than {limit} MiB; broken off")
                return

    def _say(self, what: str) -> None:
        if not self._plan.each:
            print(what, flush=True)

    def _forget_before(self, when: float) -> None:
        for samples in self.record.samples.values():
            samples[:] = [sample for sample in samples if sample.began >= when]

    def judge(self) -> None:
        """Adds a sentence for each promise that did not hold."""
        self.sentences += violations(self._plan, self.record, self._broker.readings, self.attack)

    def report(self) -> None:
        """Prints what was seen."""
        readings = self._broker.readings
        print("\n".join(kinds_table(self.record, readings)), end="\n\n")
        for trouble, count in self.record.troubles.most_common(10):
            print(f"{count} x {trouble}")
        print("\n".join(delays_table(self.record, self.attack)), end="\n\n")
        print(endings_line(self.record))
        print(broker_line(readings, self.attack))
        for sentence in self.sentences:
            print(f"- {sentence}")
        print(figures_line(self.record, self.attack, len(self.sentences)), flush=True)

    def report_in_one_line(self) -> None:
        """The same of a run with one kind of misbehaviour."""
        kind = self._plan.kinds[0]
        verdict = f"{len(self.sentences)} broken" if self.sentences else "held"
        line = one_line(self.record, self._broker.readings, self.attack)
        print(f"{kind:32} {verdict:9} {line}", flush=True)
        for sentence in self.sentences:
            print(f"    - {sentence}", flush=True)


def whole(plan: Plan, executable: Path) -> Run:
    """A run on a broker and in a directory of its own; nothing of it is left."""
    # Short: the path of a socket has at most 103 bytes.
    directory = Path(tempfile.mkdtemp(prefix="pbho", dir="/tmp"))
    run = Run(plan, Broker(executable, directory))
    try:
        run.run()
        run.judge()
    finally:
        run.kill()
        shutil.rmtree(directory, ignore_errors=True)
    return run


def main() -> int:
    wanted = plan()
    # Whatever ends this process ends the others first.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    executable = program(ROOT)
    if executable is None:
        print(
            "hostile: there is no progressbus; run swift build, or set PROGRESSBUS_PROGRAM",
            file=sys.stderr,
        )
        return 69
    print(f"hostile: seed {wanted.seed}, {wanted.workers} workers, {executable}", flush=True)
    if not wanted.each:
        run = whole(wanted, executable)
        run.report()
        return 1 if run.sentences else 0
    broken = 0
    for kind in wanted.kinds or KINDS:
        run = whole(replace(wanted, kinds=[kind]), executable)
        run.report_in_one_line()
        broken += bool(run.sentences)
    print(f"{broken} of {len(wanted.kinds or KINDS)} kinds have broken a promise")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
