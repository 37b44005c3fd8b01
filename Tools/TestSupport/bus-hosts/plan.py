"""What the run is asked to do."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from verdict import Verdict


@dataclass
class Plan:
    """Times are in seconds."""

    program: Path
    seed: str
    names: list[str]
    is_quick: bool
    faults: list[str]
    times: int

    @property
    def calm(self) -> float:
        """How long workers are seen on a good link first."""
        return 3 if self.is_quick else 10

    @property
    def down(self) -> float:
        """How long a link is cut."""
        return 6 if self.is_quick else 30

    @property
    def fault(self) -> float:
        """How long a fault of a fleet lasts; a host that is not heard for 11 s is lost."""
        return 6 if self.is_quick else 15

    @property
    def bad(self) -> float:
        """How long workers are seen on a bad link."""
        return 5 if self.is_quick else 25


Scenario: TypeAlias = "Callable[[Plan, Verdict], None]"


def plan(program: Path, scenarios: dict[str, Scenario], faults: Collection[str]) -> Plan:
    """Reads the command line; ends the process for what is wrong there."""
    parser = argparse.ArgumentParser(
        prog="Tools/TestSupport/hosts",
        description="Plays several hosts on this machine, with links that fail, and shows "
        "that what the bus shows of them is what their workers have said.",
        epilog="Exit: 0 if all of it held, 1 with a sentence for each that did not, 64 for a wrong "
        "argument, 69 without a program or without the rights.",
    )
    add = parser.add_argument
    add("--seed", default="", help="which packets are lost; by default others each time")
    add("--only", default="", metavar="NAME,…", help="these scenarios alone")
    add("--quick", action="store_true", help="a link is cut for 6 s, not 30; a minute in all")
    add("--faults", default="", metavar="NAME,…", help="these of the faults of fleet-faults alone")
    add("--times", type=int, help="how often each of them comes; 10, with --quick once")
    add("--list", action="store_true", help="names the scenarios and ends")
    given = parser.parse_args()
    if given.list:
        for name, scenario in scenarios.items():
            print(f"{name:12}  {(scenario.__doc__ or '').splitlines()[0]}")
        parser.exit()
    names = [name for name in given.only.split(",") if name]
    if unknown := [name for name in names if name not in scenarios]:
        parser.exit(64, f"hosts: no scenario {unknown[0]}; --list names them\n")
    chosen = [name for name in given.faults.split(",") if name]
    if unknown := [name for name in chosen if name not in faults]:
        parser.exit(64, f"hosts: no fault {unknown[0]}; there are {', '.join(faults)}\n")
    return Plan(
        program=program,
        seed=given.seed or str(random.randrange(1 << 32)),
        names=names or list(scenarios),
        is_quick=given.quick,
        faults=chosen,
        times=given.times or (1 if given.quick else 10),
    )
