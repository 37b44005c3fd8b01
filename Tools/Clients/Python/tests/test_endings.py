"""When endings are shown, and in which order things happened."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Bench, eventually

PARENT_GOES_ON = """
import io, sys, time
from progressbus.tqdm import tqdm, trange
kind = sys.argv[1]

def pause():
    if kind == "busy":
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            pass
    else:
        time.sleep(0.02)

for epoch in trange(1000, desc="Train", file=io.StringIO()):
    if epoch == 0 or kind == "often":
        for _ in tqdm(range(10), desc=f"Inner {epoch}", file=io.StringIO(), leave=False):
            pause()
    pause()
"""


@pytest.mark.parametrize("kind", ["idle", "busy", "often"])
def test_child_that_has_ended_is_shown_as_ended_while_its_parent_goes_on(
    bench: Bench, kind: str
) -> None:
    program = bench.python("-c", PARENT_GOES_ON, kind)

    def ended() -> list[dict[str, Any]]:
        tasks = bench.job("Train").get("children", [])
        return [task for task in tasks if task["state"] == "succeeded"]

    try:
        eventually(ended, "the first inner bar is shown as ended")
        if kind == "often":
            eventually(lambda: len(ended()) >= 5, "further ones are, while others begin")
        shown = bench.job("Train")
        assert (shown["state"], shown["stalled"]) == ("running", False)
        for task in ended():
            assert task["startedAt"] <= task["endedAt"]
            assert task["elapsed"] > 0.15
            assert (task["completed"], task["fraction"]) == (10, 1)
    finally:
        program.kill()
        program.communicate()
