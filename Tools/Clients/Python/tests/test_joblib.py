"""joblib's `Parallel`, reported."""

from __future__ import annotations

import re
import warnings
from typing import Any

import joblib
import pytest
from harness import EXAMPLES, Bench

import progressbus
from progressbus import Bus
from progressbus import joblib as reported
from progressbus.joblib import Parallel, delayed


def squared(number: int) -> int:
    return number * number


def failing(number: int) -> int:
    if number == 3:
        raise ValueError("bad row")
    return number


def test_example_shows_its_parts_below_the_counted_task(bench: Bench) -> None:
    assert bench.run(str(EXAMPLES / "primes_joblib.py"), "3") == "783\n"
    shown = bench.wait_for_job(
        "Count primes",
        lambda job: [task["state"] for task in job["children"]] == ["succeeded"] * 3,
    )
    assert (shown["state"], shown["completed"], shown["total"]) == ("succeeded", 3, 3)
    assert sorted(task["title"] for task in shown["children"]) == [f"Part {n}" for n in range(3)]
    processes = {task["process"]["pid"] for task in shown["children"]}
    assert shown["process"]["pid"] not in processes


WORK = """
import sys
import progressbus
from progressbus.joblib import Parallel, delayed

def inner(number):
    return len(list(progressbus.tracked("abc", f"Inner {number}")))

if __name__ == "__main__":
    backend, jobs, mode = sys.argv[1:]
    work = (delayed(inner)(number) for number in range(4))
    parallel = Parallel(n_jobs=int(jobs), backend=backend, return_as=mode, title="Outer")
    assert list(parallel(work)) == [3] * 4
"""


@pytest.mark.parametrize(
    ("backend", "jobs", "mode"),
    [
        ("loky", 2, "list"),
        ("loky", 2, "generator_unordered"),
        ("threading", 2, "list"),
        ("threading", 2, "generator"),
        ("threading", 1, "generator"),
    ],
)
def test_work_is_counted_and_what_it_begins_is_below(
    bench: Bench, backend: str, jobs: int, mode: str
) -> None:
    script = bench.directory / "work.py"
    script.write_text(WORK)
    bench.run(str(script), backend, str(jobs), mode)
    shown = bench.wait_for_job("Outer", lambda job: job["counts"]["succeeded"] == 4)
    assert (shown["state"], shown["completed"], shown["total"]) == ("succeeded", 4, 4)
    titles = sorted(task["title"] for task in shown["children"])
    assert titles == [f"Inner {number}" for number in range(4)]
    assert len(bench.jobs()) == 1


def test_processes_that_joblib_ends_by_a_signal_are_counted(bench: Bench, bus: Bus) -> None:
    """What they have begun may be missing, as in a `Pool` that nobody joins."""
    work = [delayed(squared)(number) for number in range(4)]
    found = Parallel(2, backend="multiprocessing", title="Signal", bus=bus)(work)
    assert found == [0, 1, 4, 9]
    assert bus.sync()
    assert (bench.job("Signal")["state"], bench.job("Signal")["completed"]) == ("succeeded", 4)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_call_is_a_task_below_what_is_open(bench: Bench, bus: Bus, jobs: int) -> None:
    options: dict[str, Any] = {"prefer": "threads", "title": "Squares", "unit": "rows", "bus": bus}
    with bus.job("Outer", total=2), Parallel(jobs, **options) as parallel:
        assert parallel(delayed(squared)(n) for n in range(5)) == [n * n for n in range(5)]
        assert parallel([delayed(squared)(n) for n in range(3)]) == [0, 1, 4]
    assert bus.sync()
    shown = bench.job("Outer")
    assert shown["fraction"] == 1
    assert [
        (task["title"], task["completed"], task["total"], task["unit"], task["state"])
        for task in shown["children"]
    ] == [("Squares", 5, 5, "rows", "succeeded"), ("Squares", 3, 3, "rows", "succeeded")]


@pytest.mark.parametrize("mode", ["list", "generator"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_exception_of_a_worker_fails_the_task(bench: Bench, bus: Bus, jobs: int, mode: str) -> None:
    parallel = Parallel(jobs, prefer="threads", return_as=mode, title="Fails", bus=bus)
    with pytest.raises(ValueError, match="bad row"):
        list(parallel(delayed(failing)(number) for number in range(9)))
    assert bus.sync()
    shown = bench.job("Fails")
    assert (shown["state"], shown["reason"]) == ("failed", "ValueError: bad row")
    assert progressbus.current() is None


def test_dropped_generator_is_cancelled(bench: Bench, bus: Bus) -> None:
    for jobs in (1, 2):
        parallel = Parallel(
            jobs, prefer="threads", return_as="generator", title=f"Dropped {jobs}", bus=bus
        )
        results = parallel(delayed(squared)(number) for number in range(1000))
        assert next(results) == 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib warns of work that is lost
            del results
    assert bus.sync()
    for jobs in (1, 2):
        assert bench.job(f"Dropped {jobs}")["state"] == "cancelled"
        assert "the loop was left after" in bench.job(f"Dropped {jobs}")["reason"]


def test_progress_is_seen_while_it_runs_and_joblibs_own_words_stay(
    bench: Bench, bus: Bus, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = []

    def look(number: int) -> None:
        if number == 3:
            assert bus.sync()
            seen.append(bench.job("Looks"))

    work = [delayed(look)(number) for number in range(5)]
    Parallel(1, title="Looks", bus=bus, verbose=100)(work)
    assert (seen[0]["completed"], seen[0]["total"]) == (3, 5)
    words = capsys.readouterr()
    assert re.search("Done +5 ", words.err + words.out)


def test_all_else_is_joblibs() -> None:
    assert reported.cpu_count is joblib.cpu_count
    with pytest.raises(AttributeError):
        _ = reported.no_such_thing
