"""All that the processes of a run have told."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from figures import Delays
from words import MACHINE


@dataclass
class Sample:
    """One exchange of an honest client; times of the monotonic clock."""

    began: float
    seconds: float
    answered: bool


@dataclass
class Moment:
    """One kind of misbehaviour for a moment."""

    kind: str
    began: float
    ended: float
    sent: int


@dataclass
class Record:
    """Filled by the threads that read, read when they have ended."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    complaints: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    defects: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, line: str) -> None:
        """One line of what a process tells."""
        told: dict[str, Any] = json.loads(line)
        with self._lock:
            if "sample" in told:
                sample = Sample(told["began"], told["seconds"], told["answered"])
                self.samples.setdefault(told["sample"], []).append(sample)
            elif "kind" in told:
                moment = Moment(told["kind"], told["began"], told["ended"], told["sent"])
                self.moments.append(moment)
                if told["trouble"]:
                    self.troubles[f"{told['kind']}: {told['trouble']}"] += 1
            elif "complaint" in told:
                self.complaints[told["complaint"]] += 1
            elif "defect" in told:
                self.defects.append(told["defect"])
            else:
                for name in ("said", "acknowledged", "shown"):
                    self.counts[name] += told.get(name, 0)
                self.wrong.update(told.get("wrong", []))

    def delays(self, name: str, began: float, ended: float) -> Delays:
        """Those of one kind of exchange that began in that time."""
        chosen = [one for one in self.samples.get(name, []) if began <= one.began < ended]
        return Delays.of([one.seconds for one in chosen], sum(not one.answered for one in chosen))

    def worst_during(self, moment: Moment) -> float:
        """Seconds of the slowest exchange of anybody that a moment has touched."""
        return max(
            (
                sample.seconds
                for name, samples in self.samples.items()
                for sample in samples
                if name != MACHINE
                and sample.began < moment.ended
                and sample.began + sample.seconds > moment.began
            ),
            default=0.0,
        )
