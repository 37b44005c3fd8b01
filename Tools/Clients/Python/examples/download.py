"""Copies files with bars of rich: only the import of its `Progress` was changed.

python examples/download.py [FILES]
"""

from __future__ import annotations

import io
import sys
import zlib

from progressbus.rich import DownloadColumn, Progress, TextColumn, track

PIECE = 64 * 1024


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    names = [f"photo-{number}.raw" for number in range(files)]
    sources = [bytes(range(256)) * 8192 for _ in track(names, "Prepare")]

    with Progress(TextColumn("{task.description}"), DownloadColumn()) as progress:
        bars = [
            progress.add_task(f"[green]{name}", total=len(source))
            for name, source in zip(names, sources, strict=True)
        ]
        for bar, source in zip(bars, sources, strict=True):
            reader, checksum = io.BytesIO(source), 0
            while piece := reader.read(PIECE):
                checksum = zlib.crc32(piece, checksum)
                progress.advance(bar, len(piece))


if __name__ == "__main__":
    main()
