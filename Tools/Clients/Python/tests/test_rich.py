"""Bars of rich that report."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import rich.progress as original
from harness import EXAMPLES, Bench, child, eventually
from rich.console import Console

import progressbus
from progressbus import Bus
from progressbus import rich as reported
from progressbus.rich import Progress, track


def quiet(**options: Any) -> Progress:
    return Progress(console=Console(file=io.StringIO()), **options)


def drawn(kind: type[original.Progress], **options: Any) -> str:
    """What some bars write on a terminal where time stands still."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=80, _environ={})
    with kind(console=console, auto_refresh=False, get_time=lambda: 1.0, **options) as progress:
        copy = progress.add_task("[red]Copy", total=3)
        progress.update(copy, advance=1, refresh=True)
        endless = progress.add_task("Search", total=None)
        for _ in progress.track("abc", description="Letters"):
            progress.advance(endless)
        progress.reset(copy, total=5, description="Again")
        progress.stop_task(endless)
        progress.remove_task(endless)
    return file.getvalue()


def test_display_is_richs_own(bus: Bus) -> None:
    assert drawn(Progress, bus=bus) == drawn(original.Progress)
    assert "Letters" in drawn(Progress, bus=bus)
    assert reported.BarColumn is original.BarColumn
    with pytest.raises(AttributeError):
        _ = reported.no_such_column


def test_example_reports_its_bars(bench: Bench) -> None:
    assert "photo-2.raw" in bench.run(str(EXAMPLES / "download.py"), "3")
    for title in ("Prepare", "photo-0.raw", "photo-1.raw", "photo-2.raw"):
        shown = bench.wait_for_job(title, lambda job: job["state"] == "succeeded")
        assert (shown["fraction"], shown["completed"]) == (1, shown["total"])
        assert shown["unit"] == ("bytes" if title.startswith("photo") else "")


def test_what_is_set_is_shown(bench: Bench, bus: Bus) -> None:
    with quiet(bus=bus) as progress:
        bar = progress.add_task("[red]Copy[/]", total=100)
        progress.update(bar, advance=30)
        progress.advance(bar, 5)
        assert bus.sync()
        assert (bench.job("Copy")["completed"], bench.job("Copy")["total"]) == (35, 100)
        progress.update(bar, completed=10, total=50, description="Copy [b]more")
        assert bus.sync()
        shown = bench.job("Copy more")
        assert (shown["completed"], shown["total"]) == (10, 50)
        progress.reset(bar, total=20)
        endless = progress.add_task("Search", total=None)
        progress.advance(endless, 7)
        assert bus.sync()
        assert (bench.job("Copy more")["completed"], bench.job("Copy more")["total"]) == (0, 20)
    assert bus.sync()
    assert bench.job("Copy more")["state"] == "succeeded"
    endless_job = bench.job("Search")
    assert (endless_job["state"], endless_job["completed"]) == ("succeeded", 7)
    assert endless_job["total"] is None


def test_bars_are_children_of_what_is_open_and_in_threads_of_what_was(
    bench: Bench, bus: Bus
) -> None:
    with bus.job("Outer", total=2), quiet(bus=bus) as progress:
        here = progress.add_task("Here", total=1)

        def work() -> None:
            progress.update(progress.add_task("There", total=1), advance=1)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        progress.advance(here)
    assert bus.sync()
    assert len(bench.jobs()) == 1
    shown = bench.job("Outer")
    assert {task["title"]: task["state"] for task in shown["children"]} == {
        "Here": "succeeded",
        "There": "succeeded",
    }
    assert shown["fraction"] == 1


def test_exception_in_the_block_fails_what_is_not_full(bench: Bench, bus: Bus) -> None:
    with pytest.raises(ValueError, match="bad row"), quiet(bus=bus) as progress:
        progress.update(progress.add_task("Full", total=2), advance=2)
        progress.update(progress.add_task("Half", total=2), advance=1)
        progress.add_task("Endless", total=None)
        raise ValueError("bad row")
    assert bus.sync()
    assert bench.job("Full")["state"] == "succeeded"
    for title in ("Half", "Endless"):
        shown = bench.job(title)
        assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")


def test_exception_handled_around_the_bars_is_not_theirs(bench: Bench, bus: Bus) -> None:
    try:
        raise ValueError("before")
    except ValueError:
        with quiet(bus=bus) as progress:
            progress.add_task("Retry", total=2)
    assert bus.sync()
    assert bench.job("Retry")["state"] == "succeeded"


def test_full_bar_ends_while_the_others_go_on(bench: Bench, bus: Bus) -> None:
    with quiet(bus=bus) as progress:
        first = progress.add_task("First", total=1)
        progress.add_task("Second", total=1)
        progress.advance(first)
        eventually(lambda: bench.job("First").get("state") == "succeeded", "it has ended")
        assert bench.job("Second")["state"] == "running"


def test_bar_that_is_reset_after_its_end_is_another_task(
    bench: Bench, bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reported, "PATIENCE", 3600)
    with bus.job("Outer"), quiet(bus=bus) as progress:
        bar = progress.add_task("Round", total=3)
        progress.advance(bar, 3)
        progress.stop_task(bar)
        progress.reset(bar)
        progress.advance(bar, 3)
        # A total that grows while it is full, as a crawler's, is no end.
        progress.update(bar, total=5)
        progress.advance(bar, 2)
    assert bus.sync()
    rounds = [(task["completed"], task["state"]) for task in bench.job("Outer")["children"]]
    assert rounds == [(3, "succeeded"), (5, "succeeded")]


def test_bar_whose_total_grows_after_its_end_is_another_task(bench: Bench, bus: Bus) -> None:
    with bus.job("Outer"), quiet(bus=bus) as progress:
        bar = progress.add_task("Crawl", total=1)
        progress.advance(bar)

        def has_ended() -> bool:
            children = bench.job("Outer")["children"]
            return bool(children) and children[0]["state"] == "succeeded"

        eventually(has_ended, "it has been full for a second")
        progress.update(bar, total=3)
        progress.advance(bar, 2)
    assert bus.sync()
    found = [(task["completed"], task["state"]) for task in bench.job("Outer")["children"]]
    assert found == [(1, "succeeded"), (3, "succeeded")]


def test_removed_bar_has_succeeded_only_if_full(bench: Bench, bus: Bus) -> None:
    with quiet(bus=bus) as progress:
        full, half = progress.add_task("Full", total=2), progress.add_task("Half", total=2)
        progress.advance(full, 2)
        progress.advance(half)
        for bar in (full, half):
            progress.remove_task(bar)
    assert bus.sync()
    assert bench.job("Full")["state"] == "succeeded"
    assert (bench.job("Half")["state"], bench.job("Half")["reason"]) == (
        "cancelled",
        "the bar was removed: the loop was left after 1 of 2",
    )


def test_tracked_loops_nest_and_add_nothing(bench: Bench, bus: Bus) -> None:
    with quiet(bus=bus) as progress:
        for _ in progress.track(range(2), description="Outer"):
            for _ in progress.track(iter("abc"), description="Inner"):
                pass
            list(progressbus.tracked("ab", "Other", bus=bus))
    assert progressbus.current() is None
    assert bus.sync()
    (shown,) = bench.jobs()
    assert (shown["title"], shown["completed"], shown["fraction"]) == ("Outer", 2, 1)
    inner = sorted((task["title"], task["completed"]) for task in shown["children"])
    assert inner == [("Inner", 3), ("Inner", 3), ("Other", 2), ("Other", 2)]
    assert {task["state"] for task in shown["children"]} == {"succeeded"}


@pytest.fixture
def console(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Console]:
    """For what takes no bus: it reports to that of the environment."""
    monkeypatch.setenv("PROGRESSBUS_ENDPOINT", bench.endpoint)
    yield Console(file=io.StringIO())
    progressbus.default_bus().close(1)


def test_left_and_failed_loops_say_so(bench: Bench, console: Console) -> None:
    def fails() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    with pytest.raises(OSError):
        list(track(fails(), "Iterable", console=console))
    for number in track(range(9), "Break", console=console):
        if number == 4:
            break
    with pytest.raises(ValueError), quiet() as progress:
        for number in progress.track(range(9), description="Body"):
            if number == 4:
                raise ValueError("bad row")
    assert progressbus.default_bus().sync()
    assert bench.job("Iterable")["reason"] == "OSError: gone"
    assert (bench.job("Break")["state"], bench.job("Break")["reason"]) == (
        "cancelled",
        "the loop was left after 4 of 9",
    )
    assert (bench.job("Body")["state"], bench.job("Body")["reason"]) == (
        "failed",
        "ValueError: bad row",
    )


def test_file_that_is_read_is_a_job(bench: Bench, console: Console) -> None:
    path = bench.directory / "letters"
    path.write_bytes(b"x" * 1000)
    with reported.open(path, "rb", description="Read", console=console) as file:
        assert len(file.read()) == 1000
    assert progressbus.default_bus().sync()
    shown = bench.job("Read")
    assert (shown["state"], shown["completed"], shown["unit"]) == ("succeeded", 1000, "bytes")


def test_disabled_bars_report_nothing(bench: Bench, bus: Bus) -> None:
    with quiet(bus=bus, disable=True) as progress:
        bar = progress.add_task("Off")
        progress.update(bar, advance=100)
        progress.reset(bar)
        progress.stop_task(bar)
        progress.remove_task(bar)
        assert list(progress.track("ab")) == ["a", "b"]
    assert not child({"children": bench.jobs()}, "Off")
    assert bench.jobs() == []
