"""Three nats-servers that are one cluster, on the loopback."""

from __future__ import annotations

import random
import socket
import subprocess
import time
from pathlib import Path

COUNT = 3


class Cluster:
    def __init__(self, directory: Path) -> None:
        base = random.randrange(20_000, 30_000, 10)
        self.ports = [base + number for number in range(COUNT)]
        routes = ", ".join(f"nats://127.0.0.1:{port + 5}" for port in self.ports)
        self._servers: list[subprocess.Popen[bytes]] = []
        for number, port in enumerate(self.ports):
            configuration = directory / f"nats-{number}.conf"
            configuration.write_text(
                f"""server_name: n{number}
listen: "127.0.0.1:{port}"
jetstream {{ store_dir: "{directory}/nats-{number}" }}
cluster {{ name: played, listen: "127.0.0.1:{port + 5}", routes: [{routes}] }}
"""
            )
            log = (directory / f"nats-{number}.log").open("wb")
            self._servers.append(
                subprocess.Popen(["nats-server", "-c", configuration], stderr=log)
            )
        for port in self.ports:
            self._wait(port)

    @staticmethod
    def _wait(port: int) -> None:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit(f"no nats-server listens at 127.0.0.1:{port}")

    @property
    def address(self) -> str:
        return ",".join(f"nats://127.0.0.1:{port}" for port in self.ports)

    @property
    def pids(self) -> list[int]:
        return [server.pid for server in self._servers]

    def end(self) -> None:
        for server in self._servers:
            server.terminate()
        for server in self._servers:
            server.wait()
