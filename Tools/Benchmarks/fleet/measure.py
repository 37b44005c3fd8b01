"""What a fleet of very many hosts costs one of them; see Tools/Benchmarks/measure-fleet."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hosts import PlayedHosts
from servers import Cluster

BUS = "played"
TICK = os.sysconf("SC_CLK_TCK")
PROGRAM = os.environ["PROGRESSBUS_PROGRAM"]
LOAD = os.environ["BUS_LOAD"]
# A thousand sessions are played by few processes over few connections.
LIMITS = [
    word for name in ("sessions-per-connection", "sessions-per-process")
    for word in ("--limit", f"{name}=100000")
]


class Broker:
    """One that joins the fleet, on a bus and with a journal of its own."""

    def __init__(self, directory: Path, cluster: Cluster) -> None:
        directory.mkdir()
        self.environment = {n: v for n, v in os.environ.items() if not n.startswith("PROGRESSBUS_")}
        self.environment |= {
            "PROGRESSBUS_ENDPOINT": f"ipc://{directory}/bus",
            "PROGRESSBUS_STATE": str(directory),
            "XDG_CONFIG_HOME": str(directory),
        }
        (directory / "progressbus").mkdir()
        (directory / "progressbus" / "fleet").write_text(
            f"join {cluster.address}\nbus {BUS}\nreplicas {len(cluster.ports)}\n"
            f"host {directory.name}\nendpoint ipc://{directory}/bus\n"
        )
        log = (directory / "broker.log").open("wb")
        self.began = time.monotonic()
        self._process = subprocess.Popen(
            [PROGRAM, "broker", *LIMITS], env=self.environment, stdout=log, stderr=log
        )

    def listed(self) -> int:
        """How many jobs of played hosts `status` prints, each in a line."""
        done = subprocess.run([PROGRAM, "status"], env=self.environment, capture_output=True)
        return done.stdout.count(b" of host ")

    def until(self, count: int) -> float:
        """Seconds since its start, once `status` here prints so many jobs."""
        while time.monotonic() - self.began < 60:
            if self.listed() >= count:
                return time.monotonic() - self.began
            time.sleep(0.05)
        raise SystemExit(f"{self.listed()} of {count} jobs are listed after a minute")

    @property
    def pids(self) -> list[int]:
        """Its own, and that of its bridge."""
        own = self._process.pid
        threads = Path(f"/proc/{own}/task").glob("*/children")
        children = [int(pid) for thread in threads for pid in thread.read_text().split()]
        if len(children) != 1:
            raise SystemExit(f"the broker has {len(children)} bridges; see its log")
        return [own, *children]

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


def seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def megabytes_of(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1_024


def use(pids: list[int], seconds: float) -> list[float]:
    """Per cent of a core that each takes."""
    before = [seconds_of(pid) for pid in pids]
    began = time.monotonic()
    time.sleep(seconds)
    rest = time.monotonic() - began
    return [100 * (seconds_of(pid) - was) / rest for pid, was in zip(pids, before)]


def uplink(broker: Broker) -> tuple[float, float]:
    """Per cent of a core that broker and bridge take while 1,000 sessions report ten times a second."""
    command = [LOAD, "run", "--sessions", "1000", "--hertz", "10", "--seconds", "12"]
    load = subprocess.Popen(command, env=broker.environment, stdout=subprocess.DEVNULL)
    time.sleep(4)
    own, bridge = use(broker.pids, 6)
    load.wait()
    return own, bridge


def delays(broker: Broker, count: int) -> list[float]:
    """Seconds from what a played host says until a viewer beside the broker prints it."""
    watch = subprocess.Popen(
        [PROGRAM, "watch", "--json", "--depth", "0"],
        env=broker.environment, stdout=subprocess.PIPE, text=True,
    )
    found: list[float] = []
    seen = set()
    try:
        for line in watch.stdout or []:
            now = time.time()
            if '"job 0 of host 1"' not in line:
                continue
            task = json.loads(line).get("job") or {}
            detail = task.get("detail", "")
            if not detail or detail in seen:
                continue
            seen.add(detail)
            # The first is what was there already.
            if len(seen) > 1:
                found.append(now - float(detail))
            if len(found) == count:
                break
    finally:
        watch.kill()
        watch.wait()
    return found


def main() -> None:
    hosts, jobs = (int(argument) for argument in sys.argv[1:3])
    runs = 5
    directory = Path(tempfile.mkdtemp(prefix="pbf.", dir="/tmp"))
    cluster = Cluster(directory)
    # The first one makes the stream, with a copy on each server.
    brokers = [Broker(directory / "first", cluster)]
    played = None
    try:
        while not list(directory.glob("nats-*/jetstream/*/streams/PB1_*")):
            if time.monotonic() - brokers[0].began > 30:
                raise SystemExit(f"there is no stream; see {directory}/first/broker.log")
            time.sleep(0.1)
        alone = use(brokers[0].pids, 10)
        loads = [uplink(brokers[0]) for _ in range(3)]
        played = PlayedHosts(cluster.ports, BUS, hosts, jobs)
        own, bridge = (statistics.median(load[place] for load in loads) for place in (0, 1))
        print(f"1,000 sessions at 10 Hz here: broker {own:.1f} %, bridge {bridge:.1f} % of a core")
        print(f"{hosts} hosts with {jobs} jobs each, {hosts * 1_000:,} tasks, three servers")
        brokers[0].until(hosts * jobs)
        pictures = []
        for run in range(runs):
            brokers.append(Broker(directory / f"newcomer-{run}", cluster))
            pictures.append(brokers[-1].until(hosts * jobs))
            brokers.pop().end()
        print(
            f"first picture of a newcomer: median {statistics.median(pictures):.2f} s, "
            f"worst {max(pictures):.2f} s ({runs} runs, of which the last look takes "
            f"{look(brokers[0]):.2f} s)"
        )
        shares = [use(brokers[0].pids, 5) for _ in range(runs)]
        for place, name in enumerate(("broker", "bridge")):
            print(
                f"{name}: {statistics.median(share[place] for share in shares):.1f} % of a core, "
                f"without the hosts {alone[place]:.1f} %; "
                f"{megabytes_of(brokers[0].pids[place]):.0f} MiB"
            )
        servers = use(cluster.pids, 5)
        print("servers: " + ", ".join(f"{share:.0f} %" for share in servers) + " of a core")
        found = sorted(delays(brokers[0], 100))
        print(
            f"a change on a host, until a viewer has it: median {statistics.median(found):.3f} s, "
            f"p99 {found[-2]:.3f} s, worst {found[-1]:.3f} s (100 changes)"
        )
    finally:
        if played:
            played.end()
        for broker in brokers:
            broker.end()
        cluster.end()


def look(broker: Broker) -> float:
    """Seconds that `status` takes."""
    began = time.monotonic()
    broker.listed()
    return time.monotonic() - began


if __name__ == "__main__":
    main()
