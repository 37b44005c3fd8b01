"""A switch in user space: carries packets between the devices of hosts, as badly as it is told to.

    switch.py SEED ADDRESS=DESCRIPTOR...

A line of standard input is a command: `delay MILLISECONDS` and `loss PERCENT` of every packet,
`cut ADDRESS` and `join ADDRESS`, `count`. A line of standard output answers each once it holds. It
ends with its input. The kernel may have no netem, and a switch that loses what a cut cable would
have carried gives no event to anybody, as a cable somewhere on the way does not.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import random
import select
import socket
import sys
import time
from pathlib import Path

PACKET = 65_536
# Packets taken from a device in one go.
BATCH = 64


class Switch:
    def __init__(self, seed: str, devices: dict[bytes, int]) -> None:
        self._random = random.Random(seed)
        self._devices = devices
        self._addresses = {device: address for address, device in devices.items()}
        self._delay = 0.0
        self._loss = 0.0
        self._cut: set[bytes] = set()
        # When a packet is due, a number that keeps their order, where to, and the packet.
        self._queue: list[tuple[float, int, int, bytes]] = []
        self._number = 0
        self._lost = 0

    def run(self) -> None:
        commands = b""
        while True:
            pause = self._queue[0][0] - time.monotonic() if self._queue else 60.0
            readable, _, _ = select.select([0, *self._addresses], [], [], max(0.0, pause))
            for device in readable:
                if device:
                    self._take(device)
                    continue
                data = os.read(0, 4096)
                if not data:
                    return
                *lines, commands = (commands + data).split(b"\n")
                for line in lines:
                    self._obey(line.decode())
            self._deliver()

    def _take(self, device: int) -> None:
        """What one host sends."""
        now = time.monotonic()
        for _ in range(BATCH):
            try:
                packet = os.read(device, PACKET)
            except OSError:
                return
            target = packet[16:20]
            # IPv4 alone, to hosts that there are.
            if len(packet) < 20 or packet[0] >> 4 != 4 or target not in self._devices:
                continue
            is_cut = not self._cut.isdisjoint((self._addresses[device], target))
            if is_cut or self._random.random() < self._loss:
                self._lost += 1
                continue
            self._number += 1
            due = now + self._delay
            heapq.heappush(self._queue, (due, self._number, self._devices[target], packet))

    def _deliver(self) -> None:
        now = time.monotonic()
        while self._queue and self._queue[0][0] <= now:
            _, _, device, packet = heapq.heappop(self._queue)
            if self._addresses[device] in self._cut:
                self._lost += 1
                continue
            # A device that takes nothing more loses it, as devices do.
            with contextlib.suppress(OSError):
                os.write(device, packet)

    def _obey(self, line: str) -> None:
        word, _, value = line.partition(" ")
        if word == "delay":
            self._delay = float(value) / 1000
        elif word == "loss":
            self._loss = float(value) / 100
        elif word == "cut":
            self._cut.add(socket.inet_aton(value))
        elif word == "join":
            self._cut.discard(socket.inet_aton(value))
        print(word, self._number, self._lost, flush=True)


def main() -> None:
    devices = {}
    for argument in sys.argv[2:]:
        address, _, descriptor = argument.partition("=")
        devices[socket.inet_aton(address)] = int(descriptor)
    # A wire does not wait for a processor. The kernel may share that among sessions first.
    with contextlib.suppress(OSError):
        os.nice(-15)
        Path("/proc/self/autogroup").write_text("-15")
    Switch(sys.argv[1], devices).run()


if __name__ == "__main__":
    main()
