"""Fetches pages at once from a server of its own; `gather` counts them.

python examples/gather.py [PAGES]
"""

from __future__ import annotations

import asyncio
import sys

import progressbus


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The server: a page is its name, many times."""
    name = await reader.readline()
    writer.write(name * 1000)
    writer.close()


async def fetch(port: int, name: str) -> int:
    """One page; `tracked` begins a child of what `gather` has begun."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{name}\n".encode())
    size = 0
    for _ in progressbus.tracked(range(1000), name):
        size += len(await reader.readline())
    writer.close()
    return size


async def main(pages: int) -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    sizes = await progressbus.gather(
        "Fetch", *(fetch(port, f"page-{number}") for number in range(pages)), unit="pages"
    )
    print(sum(sizes), "bytes")
    server.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8))
