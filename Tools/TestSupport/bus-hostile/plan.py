"""What the run is asked to do."""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass

from kinds import KINDS


@dataclass
class Plan:
    """Times are in seconds."""

    beginning: float
    quiet: float
    attack: float
    moment: float
    workers: int
    clients: int
    seed: str
    kinds: list[str]
    ticks: float
    ceiling: int
    nice: int
    each: bool


def plan() -> Plan:
    """Reads the command line; ends the process for what is wrong there."""
    parser = argparse.ArgumentParser(
        prog="Tools/TestSupport/hostile",
        description="Lets hostile clients loose on a bus of its own, and shows that honest workers "
        "on it are not hurt: all their endings are there, nobody else's words are, their frames "
        "are hardly delayed, and the broker's memory stays flat.",
        epilog="Exit: 0 if all of it held, 1 with a sentence for each that did not, 64 for a wrong "
        "argument, 69 without a program.",
    )
    add = parser.add_argument
    add("--minutes", type=float, default=5, help="of hostility (5); a quiet one comes before")
    add("--quick", action="store_true", help="20 s and 10 workers in all")
    add("--seed", default="", help="what the clients do; by default another one each time")
    add("--workers", type=int, help="honest workers (50)")
    add("--clients", type=int, default=2, help="hostile clients (2)")
    add("--only", default="", metavar="KIND,…", help="these kinds of misbehaviour alone")
    add("--each", action="store_true", help="each kind alone for 5 s, on a broker of its own")
    add("--list", action="store_true", help="names the kinds and ends")
    add("--ticks", type=float, default=2, help="by how much honest frames may be delayed (2)")
    add("--ceiling", type=int, default=4096, help="MiB of the broker that end the run (4096)")
    add(
        "--nice",
        type=int,
        default=10,
        help="of hostile clients (10): how a processor is shared is the system's, not the broker's",
    )
    given = parser.parse_args()
    if given.list:
        width = max(map(len, KINDS))
        for name, kind in KINDS.items():
            print(f"{name:{width}}  {(kind.__doc__ or '').splitlines()[0]}")
        parser.exit()
    kinds = [name for name in given.only.split(",") if name]
    if unknown := [name for name in kinds if name not in KINDS]:
        parser.exit(64, f"hostile: no kind {unknown[0]}; --list names them\n")
    if given.minutes <= 0 or (given.workers or 1) < 1 or not 0 <= given.nice < 20:
        parser.exit(64, "hostile: --minutes and --workers are above 0, --nice is 0 to 19\n")
    attack = 5.0 if given.each else 14.0 if given.quick else given.minutes * 60
    few = given.quick or given.each
    return Plan(
        # Until everybody has connected and is at work.
        beginning=2.0 if few else 4.0,
        quiet=(2.0 if given.each else 4.0) if few else min(60.0, attack),
        attack=attack,
        # Each of the kinds comes at least twice, if there is the time.
        moment=min(1.5, max(0.3, attack / 2 / (1 if given.each else len(kinds) or len(KINDS)))),
        workers=given.workers or (10 if few else 50),
        clients=given.clients,
        seed=given.seed or str(random.randrange(1 << 32)),
        kinds=kinds,
        ticks=given.ticks,
        ceiling=given.ceiling << 20,
        nice=given.nice,
        each=given.each,
    )
