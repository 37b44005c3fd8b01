"""Plays several hosts and says whether the bus of other machines holds its word.

See Tools/TestSupport/hosts. Everything that is started here is ended here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

from bad_link import bad_link
from clocks import clocks
from faults import CROWDED, FAULTS
from fleet import fleet
from fleet_faults import fleet_faults
from fleet_targets import fleet_targets
from key_tree import key_tree
from link_down import link_down
from plan import Plan, Scenario, plan
from ssh_tree import ssh_tree
from trouble import Trouble
from verdict import Verdict
from world import World, program

SCENARIOS: dict[str, Scenario] = {
    "ssh-tree": ssh_tree,
    "key-tree": key_tree,
    "link-down": link_down,
    "bad-link": bad_link,
    "clocks": clocks,
    "fleet": fleet,
    "fleet-faults": fleet_faults,
    "fleet-targets": fleet_targets,
}
LONGEST_FIRST = [
    "fleet-faults", "fleet-targets", "bad-link", "link-down", "clocks", "ssh-tree", "key-tree",
    "fleet",
]  # fmt: skip


def missing() -> str:
    """What this machine does not let us do, in words; empty if it lets us do all."""
    if not os.access("/usr/sbin/sshd", os.X_OK):
        return "there is no sshd; install openssh-server"
    tried = subprocess.run(
        ["unshare", "--net", "--uts", "--mount", "--ipc", "--pid", "--fork", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        return f"no namespaces may be made here: {tried.stderr.strip()}"
    try:
        os.close(os.open("/dev/net/tun", os.O_RDWR))
    except OSError as error:
        return f"no devices may be made here: {error}"
    return ""


def play(name: str, wanted: Plan) -> Verdict:
    """One scenario, whatever comes of it."""
    verdict = Verdict(name)
    began = time.monotonic()
    try:
        SCENARIOS[name](wanted, verdict)
    except Trouble as trouble:
        verdict.wrong.append(str(trouble))
    except Exception:  # A scenario that breaks off has not held, and the others are played.
        verdict.wrong.append(f"a defect of this tool: {traceback.format_exc(limit=-3)}")
    took = time.monotonic() - began
    lines = [f"{name:12} {'did not hold' if verdict.wrong else 'held'}, {took:.0f} s"]
    lines += [f"  - {sentence}" for sentence in verdict.wrong]
    lines += [f"  known: {sentence}" for sentence in verdict.known]
    print("\n".join(lines), flush=True)
    return verdict


def play_all(wanted: Plan) -> list[Verdict]:
    """One after the other; two at a time where it has to be quick, the longest first."""
    waiting = sorted(wanted.names, key=LONGEST_FIRST.index) if wanted.is_quick else wanted.names[:]
    verdicts: list[Verdict] = []

    def lane() -> None:
        while waiting:
            verdicts.append(play(waiting.pop(0), wanted))

    lanes = [threading.Thread(target=lane, daemon=True) for _ in range(1 + wanted.is_quick)]
    for thread in lanes:
        thread.start()
    try:
        for thread in lanes:
            thread.join()
    finally:
        # A signal ends this thread alone.
        for world in World.living[:]:
            world.end()
    return sorted(verdicts, key=lambda verdict: wanted.names.index(verdict.name))


def report(verdicts: list[Verdict]) -> None:
    """The figures as a table."""
    rows = [(one.name, *row) for one in verdicts for row in one.figures]
    width = max((len(what) for _, what, _ in rows), default=0)
    print()
    for name, what, value in rows:
        print(f"{name:12} {what:{width}}  {value}")
    broken = [one.name for one in verdicts if one.wrong]
    print(f"\n{len(verdicts) - len(broken)} of {len(verdicts)} held", flush=True)


def main() -> int:
    executable = program()
    wanted = plan(executable or Path(), SCENARIOS, FAULTS | CROWDED)
    wrong = missing() if executable else "no progressbus: swift build, or PROGRESSBUS_PROGRAM"
    if wrong:
        print(f"hosts: {wrong}", file=sys.stderr)
        return 69
    # Whatever ends this process ends the hosts first.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    print(f"hosts: seed {wanted.seed}, {executable}", flush=True)
    verdicts = play_all(wanted)
    report(verdicts)
    return 1 if any(one.wrong for one in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
