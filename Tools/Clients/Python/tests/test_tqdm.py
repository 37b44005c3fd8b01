"""Bars of tqdm that report, and `tracked`."""

from __future__ import annotations

import functools
import io
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
import tqdm as original
from harness import EXAMPLES, Bench, child, eventually

import progressbus
from progressbus import Bus
from progressbus.tqdm import tqdm, trange


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def drawn(bar_type: type, **options: object) -> str:
    """What a bar writes on a terminal, without the times that differ from run to run."""
    file = io.StringIO()
    shape = "{desc}{percentage:3.0f}%|{bar}|{n_fmt}/{total_fmt} {unit}{postfix}"
    bar = bar_type(
        range(3), desc="Copy", unit="file", file=file, mininterval=0, bar_format=shape, **options
    )
    for number in bar:
        bar.set_postfix(number=number)
    return file.getvalue()


def test_display_is_tqdms_own(bus: Bus) -> None:
    assert drawn(tqdm, bus=bus) == drawn(original.tqdm)
    assert "Copy100%|##########|3/3 file, number=2" in drawn(tqdm, bus=bus)


@pytest.mark.parametrize("options", [{}, {"miniters": 7}, {"delay": 0.5}, {"mininterval": 0}])
@pytest.mark.parametrize("seed", range(5))
def test_loop_shows_and_counts_as_tqdm_does(bus: Bus, options: dict[str, float], seed: int) -> None:
    """With a clock of its own, which also stops exactly where a rounded sum would be wrong."""
    seen: list[list[tuple[int, str]]] = []
    kinds: list[Any] = [original.tqdm, functools.partial(tqdm, bus=bus)]
    for kind in kinds:
        dice = random.Random(seed)
        clock = 4e9 + dice.random()  # later than what looks at bars that have stood still
        bar: Any = kind(range(2_000), file=io.StringIO(), **options)
        # None, the clock's own resolution, and what leads to the next look, or nearly.
        least = math.ulp(clock)
        steps = [0, least, 0.001, 0.02, bar.mininterval, abs(bar.mininterval - least)]

        def time(bar: Any = bar, dice: random.Random = dice, steps: list[float] = steps) -> float:
            nonlocal clock
            clock += dice.choice(steps)
            return clock

        bar._time = time
        bar.start_t = bar.last_print_t = clock
        shown: list[tuple[int, str]] = []
        bar.display = lambda *_, bar=bar, shown=shown, **__: shown.append((bar.n, str(bar)))
        for number in bar:
            assert bar.n <= number, f"seed {seed}: counted twice"
        assert bar.n == 2_000
        seen.append(shown)
    assert len(seen[0]) > 2
    assert seen[0] == seen[1], f"seed {seed}"


def test_another_loop_in_the_place_of_tqdms_is_gone_through(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(original.tqdm, "__iter__", lambda self: iter("abc"))
    assert "".join(map(str, tqdm(range(2), file=io.StringIO(), bus=bus))) == "abc"


def test_bar_over_an_iterable_is_a_job(bench: Bench, bus: Bus) -> None:
    bar = tqdm(range(5), desc="Loop", unit="row", bus=bus, file=io.StringIO(), mininterval=0)
    for number in bar:
        if number == 3:
            assert bus.sync()
            shown = bench.job("Loop")
            assert (shown["state"], shown["completed"], shown["total"]) == ("running", 3, 5)
            assert shown["unit"] == "row"
    assert bus.sync()
    assert (bench.job("Loop")["state"], bench.job("Loop")["fraction"]) == ("succeeded", 1)


def test_bar_updated_by_hand_shows_what_is_set(bench: Bench, bus: Bus) -> None:
    bar = tqdm(total=100, unit="B", unit_scale=True, bus=bus, file=io.StringIO())
    bar.set_description("Download")
    bar.set_postfix(speed="fast")
    bar.update(30)
    assert bus.sync()
    shown = bench.job("Download")
    assert (shown["completed"], shown["unit"], shown["detail"]) == (30, "bytes", "speed=fast")
    bar.reset(total=50)
    bar.update(10)
    assert bus.sync()
    assert (bench.job("Download")["completed"], bench.job("Download")["total"]) == (10, 50)
    bar.close()
    assert bus.sync()
    assert bench.job("Download")["state"] == "succeeded"


def test_nested_bars_are_children_that_add_nothing(bench: Bench) -> None:
    bench.run(str(EXAMPLES / "train.py"), "3")
    shown = bench.wait_for_job("Train", lambda job: job["state"] == "succeeded")
    assert (shown["fraction"], shown["completed"], shown["unit"]) == (1, 3, "epoch")
    assert [task["title"] for task in shown["children"]] == [f"Epoch {n}" for n in (1, 2, 3)]
    assert {(task["state"], task["completed"]) for task in shown["children"]} == {("succeeded", 50)}


def test_three_levels_are_nested(bench: Bench, bus: Bus) -> None:
    file = io.StringIO()
    for _ in tqdm(range(2), desc="A", bus=bus, file=file):
        for _ in tqdm(range(2), desc="B", bus=bus, file=file):
            with tqdm(total=1, desc="C", bus=bus, file=file) as innermost:
                innermost.update()
    assert bus.sync()
    shown = bench.job("A")
    assert len(bench.jobs()) == 1
    assert [len(task["children"]) for task in shown["children"]] == [2, 2]


def test_bars_side_by_side_are_jobs(bench: Bench, bus: Bus) -> None:
    file = io.StringIO()
    bars = [tqdm(total=2, desc=f"Bar {n}", position=n, bus=bus, file=file) for n in range(3)]
    for bar in bars:
        bar.update(2)
        bar.close()
    assert bus.sync()
    assert {job["title"]: job["state"] for job in bench.jobs()} == {
        f"Bar {n}": "succeeded" for n in range(3)
    }


def test_exception_in_a_with_block_fails_the_task(bench: Bench, bus: Bus) -> None:
    with (
        pytest.raises(ValueError, match="bad row"),
        tqdm(total=9, desc="With", bus=bus, file=io.StringIO()) as bar,
    ):
        bar.update()
        raise ValueError("bad row")
    assert bus.sync()
    shown = bench.job("With")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")


def test_exception_in_a_loop_and_in_its_iterable(bench: Bench, bus: Bus) -> None:
    def rows() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    with pytest.raises(OSError):
        for _ in tqdm(rows(), desc="Iterable", bus=bus, file=io.StringIO()):
            pass
    with pytest.raises(ValueError):
        for number in tqdm(range(9), desc="Body", bus=bus, file=io.StringIO()):
            if number == 4:
                raise ValueError("bad row")
    for number in tqdm(range(9), desc="Break", bus=bus, file=io.StringIO()):
        if number == 4:
            break
    assert bus.sync()
    assert bench.job("Iterable")["state"] == "failed"
    assert bench.job("Iterable")["reason"] == "OSError: gone"
    for title in ("Body", "Break"):
        assert bench.job(title)["state"] == "cancelled"
        assert "after 4 of 9" in bench.job(title)["reason"]


def test_exception_handled_around_a_bar_is_not_its_own(bench: Bench, bus: Bus) -> None:
    try:
        raise ValueError("before")
    except ValueError:
        for _ in trange(2, desc="Retry", bus=bus, file=io.StringIO()):
            pass
    assert bus.sync()
    assert bench.job("Retry")["state"] == "succeeded"


def test_dropped_bar_has_not_succeeded(bench: Bench, bus: Bus) -> None:
    bar = tqdm(total=5, desc="Dropped", bus=bus, file=io.StringIO())
    bar.update(2)
    del bar
    assert bus.sync()
    assert bench.job("Dropped")["state"] == "cancelled"


def test_disabled_bar_reports_nothing_and_automatic_one_does(bench: Bench, bus: Bus) -> None:
    hidden, shown = io.StringIO(), Terminal()
    assert sum(tqdm(range(4), desc="Off", disable=True, bus=bus, file=hidden)) == 6
    assert sum(tqdm(range(4), desc="Pipe", disable=None, bus=bus, file=hidden)) == 6
    assert sum(tqdm(range(4), desc="Terminal", disable=None, bus=bus, file=shown)) == 6
    assert bus.sync()
    assert {job["title"] for job in bench.jobs()} == {"Pipe", "Terminal"}
    assert hidden.getvalue() == ""
    assert "Terminal: 100%" in shown.getvalue()


def test_bar_that_cannot_be_read_does_no_harm(
    bench: Bench, bus: Bus, caplog: pytest.LogCaptureFixture
) -> None:
    class Unreadable:
        def __str__(self) -> str:
            raise ValueError("no words")

    bar = tqdm(total=2, desc="Odd", bus=bus, file=io.StringIO(), delay=60)
    bar.postfix = Unreadable()  # type: ignore[assignment]
    bar.update()
    assert bus.sync()
    bar.close()
    assert bus.sync()
    assert bench.job("Odd")["state"] == "succeeded"
    assert "cannot be read" in caplog.text


def test_tracked_counts_and_nests(bench: Bench, bus: Bus) -> None:
    for _ in progressbus.tracked([1, 2], "Outer", bus=bus, unit="rounds"):
        for _ in progressbus.tracked(iter("abc"), "Inner", bus=bus):
            pass
    with bus.job("Job", total=2) as job:
        job.advance()
        list(progressbus.tracked(range(4), "Half", bus=bus))
    assert bus.sync()
    outer = bench.job("Outer")
    assert (outer["fraction"], outer["total"], outer["unit"]) == (1, 2, "rounds")
    assert [task["completed"] for task in outer["children"]] == [3, 3]
    assert bench.job("Job")["fraction"] == 1
    assert child(bench.job("Job"), "Half")["state"] == "succeeded"


def test_tracked_says_how_it_ended(bench: Bench, bus: Bus) -> None:
    def fails() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    with pytest.raises(OSError):
        list(progressbus.tracked(fails(), "Fails", bus=bus))
    for _ in progressbus.tracked(range(3), "Left", bus=bus):
        break
    assert bus.sync()
    assert bench.job("Fails")["reason"] == "OSError: gone"
    assert bench.job("Left")["state"] == "cancelled"
    assert progressbus.current() is None


def test_bar_that_is_shown_while_the_broker_starts(empty_bench: Bench) -> None:
    bus = Bus(empty_bench.endpoint)
    bar = tqdm(total=10, desc="Late", bus=bus, file=io.StringIO())
    bar.update(4)
    empty_bench.start_broker()
    eventually(lambda: empty_bench.job("Late"), "the bar is shown")
    assert empty_bench.job("Late")["completed"] == 4
    bar.close()
    assert bus.close()
