"""Three hosts, each with a server of a fleet and a broker that has joined it, and troubles."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
import time
from functools import partial
from pathlib import Path

from clocks import faketime, set_clock
from host import HERE, Host, Variables
from process import Process
from trouble import Trouble, eventually
from verdict import Verdict
from world import World

CONFIGURATION = "/run/home/.config/progressbus"
SERVERS = "/run/home/.local/state/progressbus/servers"
LINGER = ("--linger", "60")
CROWD = 97
DISK = "16m"
LEADER = re.compile(r"\] (.*) \[INF\] JetStream cluster new stream leader for '.* > PB1_fleet'")


class Fleet:
    """A server on each host; who joins finds all three."""

    def __init__(self, world: World, verdict: Verdict) -> None:
        server = os.environ.get("NATS_SERVER") or shutil.which("nats-server")
        if not server:
            raise Trouble("there is no nats-server; install it")
        for host in world.hosts:
            shutil.copy(server, host.path("/run/bin/nats-server"))
        self.world = world
        self.verdict = verdict
        # What the fault that lasts is at.
        self.broken: Host = world.one
        self._brokers: dict[str, Process] = {}
        # The jobs of brokers that only are there.
        self.crowd: list[str] = []
        first = world.one
        servers = [word for host in world.hosts for word in ("--server", host.address)]
        for host in world.hosts:
            directory = host.path(f"{SERVERS}/{host.address}")
            directory.mkdir(parents=True, mode=0o700)
            inside = f"{SERVERS}/{host.address}"
            do(host, "mount", "-t", "tmpfs", "-o", f"size={DISK},mode=0700", "disk", inside)
        progressbus(first, "bus", "up", *servers)
        for host in world.hosts:
            self._add(host.name, host, "/run/home")
        self._tell_servers()
        for host in world.hosts:
            self.start_broker(host)
        eventually("a leader of the cluster", self._leader, 30)

    def _add(self, name: str, host: Host, home: str, endpoint: str = "") -> None:
        """Lets a broker with this home in, the one at this endpoint if not at the usual one."""
        text = progressbus(self.world.one, "bus", "add", name).output
        if endpoint:
            text = f"endpoint {endpoint}\n{text}"
        file = host.path(f"{home}/.config/progressbus/fleet")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
        file.chmod(0o600)

    def _tell_servers(self) -> None:
        """All servers know who is in."""
        here, *others = (host.path(f"{CONFIGURATION}/servers") for host in self.world.hosts)
        for there in others:
            shutil.rmtree(there, ignore_errors=True)
            shutil.copytree(here, there)
            there.chmod(0o700)
        for host in self.world.hosts:
            self.start_server(host)

    def gather_crowd(self) -> None:
        """Brokers on the third host, each with a home and a job of its own; once."""
        if self.crowd:
            return
        host = self.world.three
        self.crowd = [f"Crowd {number}" for number in range(CROWD)]
        homes = [f"/run/crowd/{number}" for number in range(CROWD)]
        for number, home in enumerate(homes):
            host.path(home).mkdir(parents=True, mode=0o700)
            self._add(f"crowd-{number}", host, home, f"ipc://{home}/bus")
        self._tell_servers()
        for title, home in zip(self.crowd, homes, strict=True):
            variables = {"HOME": home, "PROGRESSBUS_ENDPOINT": f"ipc://{home}/bus"}
            host.start("progressbus", "broker", variables=variables)
            begin = partial(_begin, host, title, variables)
            eventually(f"the job {title}", begin)

    # MARK: Servers

    def start_server(self, host: Host) -> None:
        progressbus(host, "bus", "up", "--here", host.address)

    def signal_server(self, host: Host, number: int) -> None:
        _signal(host, "nats-server", number)

    def leader(self) -> Host:
        """Where the stream's leader is, as the servers' logs say."""
        return eventually("a leader of the cluster", self._leader, 30)

    def _leader(self) -> Host | None:
        found: list[tuple[str, Host]] = []
        for host in self.world.hosts:
            log = host.path(f"{SERVERS}/{host.address}/nats-server.log")
            times = LEADER.findall(log.read_text()) if log.exists() else []
            found += [(times[-1], host)] if times else []
        return max(found, key=lambda entry: entry[0])[1] if found else None

    def server_of(self, host: Host) -> Host:
        """Whose server its broker speaks with."""
        words = ("ss", "-Htn", "state", "established", "dport", "=", ":4222")
        peers = [
            line.split()[-1].rpartition(":")[0] for line in do(host, *words).output.splitlines()
        ]
        found = [one for one in self.world.hosts if one.address in peers]
        if not found:
            raise Trouble(f"the broker on {host.name} speaks with no server")
        return found[0]

    def forget_kept(self, host: Host) -> None:
        """All that its server has kept."""
        shutil.rmtree(host.path(f"{SERVERS}/{host.address}/data"), ignore_errors=True)

    def fill_disk(self, host: Host) -> None:
        with contextlib.suppress(OSError), self._filler(host).open("wb") as file:
            while True:
                file.write(bytes(1 << 16))
                file.flush()

    def empty_disk(self, host: Host) -> None:
        self._filler(host).unlink()

    @staticmethod
    def _filler(host: Host) -> Path:
        return host.path(f"{SERVERS}/{host.address}/filler")

    # MARK: Brokers

    def start_broker(self, host: Host, **variables: str) -> None:
        broker = host.start("progressbus", "broker", *LINGER, variables=variables)
        self._brokers[host.name] = broker

        def listens() -> bool:
            if broker.status is not None and not variables:
                raise Trouble(f"the broker on {host.name} has ended: {broker.errors}")
            return broker.status is not None or "listening" in broker.errors

        eventually(f"a broker on {host.name}", listens)

    def kill_broker(self, host: Host) -> None:
        self._brokers[host.name].kill()
        # A command may have started another one.
        host.run("sh", "-c", 'kill -KILL "$(head -n 1 /tmp/progressbus-0/lock)"')

    def memory(self) -> tuple[float, float]:
        """Of the greatest broker and bridge of the three hosts, in MiB."""
        greatest = {"broker": 0.0, "--join": 0.0}
        for host in self.world.hosts:
            for pid, command in host.living().items():
                text = Path(f"/proc/{pid}/status").read_text()
                found = re.search(r"VmHWM:\s+(\d+) kB", text)
                for word in greatest:
                    if found and word in command.split():
                        greatest[word] = max(greatest[word], int(found[1]) / 1024)
        return greatest["broker"], greatest["--join"]

    def set_clock(self, host: Host, seconds: int) -> None:
        """Of all that is `progressbus` there and begins from now on."""
        library = faketime()
        if library is None:
            raise Trouble("there is no libfaketime; install it")
        set_clock(host, self.world.program, library, seconds)

    # MARK: Records

    def hear_records(self, host: Host) -> None:
        """From now on what this host says is kept, to be said again."""
        words = (sys.executable, str(HERE / "replay.py"), f"{CONFIGURATION}/fleet")
        self._replay = host.start(*words)

    def say_old_records(self) -> None:
        self._replay.write("now")

        def said() -> bool:
            if self._replay.status is not None:
                raise Trouble(f"records cannot be said again: {self._replay.errors}")
            return bool(self._replay.output)

        eventually("old records", said)
        if self._replay.output == "0":
            raise Trouble("no record was heard that could be said again")
        self._replay.close_input()

    def kill_all(self, host: Host) -> None:
        """Everything there dies, as when its power fails."""
        while living := host.living():
            for pid in living:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)


def _begin(host: Host, title: str, variables: Variables) -> bool:
    begun = host.run("progressbus", "begin", title, "--strict", variables=variables)
    return begun.status == 0


def progressbus(host: Host, *words: str) -> Process:
    return do(host, "progressbus", *words)


def do(host: Host, *words: str) -> Process:
    done = host.run(*words)
    if done.status != 0:
        raise Trouble(f"{' '.join(words)} on {host.name}: {done.errors}")
    return done


def _signal(host: Host, program: str, number: int) -> None:
    living = host.living().items()
    pids = [pid for pid, command in living if Path(command.split()[0]).name == program]
    if not pids:
        raise Trouble(f"no {program} runs on {host.name}")
    for pid in pids:
        os.kill(pid, number)
    if number == signal.SIGKILL:
        # Until it is gone, `bus up` would find it running.
        eventually(f"the end of {program}", lambda: not set(pids) & set(host.living()), 10)
