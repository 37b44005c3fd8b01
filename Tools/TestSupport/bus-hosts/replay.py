"""Says records of a host again that are older than the last ones, as whoever has its key could.

    replay.py FILE

FILE is what `progressbus bus add` printed for the host. Hears the host's records until a line comes
on the standard input; then publishes the first of each subject again, and prints how many they are.
"""

from __future__ import annotations

import re
import socket
import ssl
import sys
import threading
from pathlib import Path


class Connection:
    """The few words of NATS that this takes, over TLS with the key of the host."""

    def __init__(self, file: Path, host: str, port: int) -> None:
        plain = socket.create_connection((host, port), 10)
        # The server speaks first, and both go over to TLS then.
        while plain.recv(1) != b"\n":
            pass
        context = ssl.create_default_context(cafile=str(file))
        context.load_cert_chain(file)
        self._socket = context.wrap_socket(plain, server_hostname=host)
        self._reader = self._socket.makefile("rb")
        self.send('CONNECT {"verbose":false,"pedantic":false,"tls_required":true}')

    def send(self, line: str, body: bytes | None = None) -> None:
        self._socket.sendall(line.encode() + b"\r\n" + (b"" if body is None else body + b"\r\n"))

    def messages(self) -> None:
        """Hears what comes, and keeps the first message of each subject."""
        self.first: dict[str, bytes] = {}
        self.send(f"SUB {self.subject} 1")
        for line in self._reader:
            words = line.decode().split()
            if words[0] == "PING":
                self.send("PONG")
            elif words[0] in ("MSG", "HMSG"):
                body = self._reader.read(int(words[-1]) + 2)[:-2]
                # Headers tell the server what to expect of the stream, which is past.
                head = int(words[-2]) if words[0] == "HMSG" else 0
                self.first.setdefault(words[1], body[head:])

    subject = ""


def main() -> None:
    file = Path(sys.argv[1])
    text = file.read_text()
    found = re.search(r"^join tls://([^:,\s]+):(\d+)", text, re.MULTILINE)
    bus = re.search(r"^bus (\S+)", text, re.MULTILINE)
    broker = re.search(r"^broker (\S+)", text, re.MULTILINE)
    assert found and bus and broker
    connection = Connection(file, found[1], int(found[2]))
    connection.subject = f"pb1.{bus[1]}.slot.{broker[1]}.*"
    threading.Thread(target=connection.messages, daemon=True).start()
    sys.stdin.readline()
    old = dict(connection.first)
    for subject, body in old.items():
        connection.send(f"PUB {subject} {len(body)}", body)
    print(len(old), flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
