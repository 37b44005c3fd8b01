"""What begins in workers of pools, in executors and in processes is below what is open outside."""

from __future__ import annotations

import pytest
from harness import Bench, eventually

from progressbus._workers import PAUSE

START = ("fork", "spawn", "forkserver")

WORK = """
import io, os, sys, time
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from multiprocessing.pool import ThreadPool
import progressbus
from progressbus.tqdm import tqdm

def bar(number):
    for _ in tqdm(range(3), desc=f"Inner {number}", file=io.StringIO()):
        pass
    return number

def job(number):
    with progressbus.job(f"Inner {number}", total=1) as task:
        task.advance()
    return number

def tracked(number):
    return len(list(progressbus.tracked("abc", f"Inner {number}")))

def main():
    context = multiprocessing.get_context(sys.argv[1])
    file = io.StringIO()
"""

END = """
if __name__ == "__main__":
    main()
"""

# On a machine that is busy the bar comes late.
PATIENT = """
from progressbus import _workers
_workers.PAUSE = _workers.LONGEST = 10
"""

# The commonest ones: the pool is there before the bar, and so is the work.
IDIOMS = {
    "imap": """
    with context.Pool(2) as pool:
        for _ in tqdm(pool.imap(bar, range(4)), total=4, desc="Outer", file=file):
            pass
        pool.close()
        pool.join()
""",
    "imap_unordered, twice": """
    with context.Pool(2) as pool:
        list(tqdm(pool.imap_unordered(bar, range(4)), total=4, desc="Outer", file=file))
        list(tqdm(pool.imap_unordered(bar, range(4)), total=4, desc="Again", file=file))
        pool.close()
        pool.join()
""",
    "map of an executor": """
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        list(tqdm(executor.map(bar, range(4)), total=4, desc="Outer", file=file))
""",
    "as_completed": """
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        futures = [executor.submit(tracked, number) for number in range(4)]
        for future in tqdm(as_completed(futures), total=4, desc="Outer", file=file):
            future.result()
""",
    "bar first": """
    with context.Pool(2) as pool:
        with tqdm(total=4, desc="Outer", file=file) as outer:
            for _ in pool.imap(job, range(4)):
                outer.update()
        pool.close()
        pool.join()
""",
    "workers that are replaced": """
    with context.Pool(1, maxtasksperchild=1) as pool:
        with tqdm(total=4, desc="Outer", file=file) as outer:
            for _ in pool.imap(bar, range(4)):
                outer.update()
        pool.close()
        pool.join()
""",
}


def check(bench: Bench, titles: list[str], jobs: list[str]) -> None:
    def is_shown() -> bool:
        return all(
            bench.job(title).get("state") == "succeeded"
            and sorted(task["title"] for task in bench.job(title)["children"]) == titles
            for title in jobs
        )

    try:
        eventually(is_shown, f"{titles} below each of {jobs}")
    except AssertionError as error:
        raise AssertionError(f"{error}; the board: {bench.jobs()}") from None
    assert sorted(job["title"] for job in bench.jobs()) == sorted(jobs)


INNER = [f"Inner {number}" for number in range(4)]


@pytest.mark.parametrize("start", START)
@pytest.mark.parametrize("idiom", IDIOMS)
def test_bars_of_workers_are_below_the_bar_over_their_results(
    bench: Bench, idiom: str, start: str
) -> None:
    script = bench.directory / "work.py"
    script.write_text(PATIENT + WORK + IDIOMS[idiom] + END)
    bench.run(str(script), start)
    jobs = ["Outer", "Again"] if "twice" in idiom else ["Outer"]
    check(bench, INNER, jobs)
    assert (bench.job("Outer")["fraction"], bench.job("Outer")["completed"]) == (1, 4)


WORKERS = {
    "map": """
        with context.Pool(2) as pool:
            pool.map({kind}, range(4))
            pool.close()
            pool.join()
""",
    "apply_async": """
        with context.Pool(2) as pool:
            for result in [pool.apply_async({kind}, (number,)) for number in range(4)]:
                result.get()
            pool.close()
            pool.join()
""",
    "process": """
        for number in range(4):
            process = context.Process(target={kind}, args=(number,))
            process.start()
            process.join()
""",
    "executor": """
        with ProcessPoolExecutor(2, mp_context=context) as executor:
            list(executor.map({kind}, range(4)))
""",
    "threads": """
        with ThreadPoolExecutor(2) as executor:
            list(executor.map({thread}, range(4)))
""",
    "thread pool": """
        with ThreadPool(2) as pool:
            pool.map({thread}, range(4))
""",
}


# Threads are not started in several ways.
STARTED = [(name, start) for name in WORKERS for start in START[: 1 if "thread" in name else None]]


@pytest.mark.parametrize(("workers", "start"), STARTED)
@pytest.mark.parametrize("kind", ["bar", "job", "tracked"])
def test_workers_begin_below_the_task_that_is_open(
    bench: Bench, workers: str, start: str, kind: str
) -> None:
    begin = '    with progressbus.job("Outer", total=4) as outer:\n'
    work = WORKERS[workers].format(kind=kind, thread="tracked" if kind == "job" else kind)
    script = bench.directory / "work.py"
    script.write_text(WORK + begin + work.lstrip("\n") + END)
    bench.run(str(script), start)
    check(bench, INNER, ["Outer"])
    assert bench.job("Outer")["fraction"] == 1


@pytest.mark.parametrize("start", START)
def test_bar_of_a_worker_fails_with_the_exception_of_its_function(bench: Bench, start: str) -> None:
    work = """
    with context.Pool(1) as pool:
        try:
            list(tqdm(pool.imap(failing, range(1)), total=1, desc="Outer", file=file))
        except ValueError:
            pass
        pool.close()
        pool.join()

def failing(number):
    for _ in tqdm(range(3), desc="Inner", file=io.StringIO()):
        raise ValueError("bad row")
"""
    script = bench.directory / "work.py"
    script.write_text(WORK + work + END)
    bench.run(str(script), start)
    shown = bench.wait_for_job("Outer", lambda job: len(job["children"]) == 1)
    for task in (shown, shown["children"][0]):
        assert (task["state"], task["reason"]) == ("failed", "ValueError: bad row")


def test_job_in_a_fork_is_below_the_open_one_and_not_in_a_thread(bench: Bench) -> None:
    work = """
    with progressbus.job("Outer"):
        if os.fork() == 0:
            job(0)
            progressbus.default_bus().close()
            os._exit(0)
        assert os.wait()[1] == 0
        with ThreadPoolExecutor(1) as executor:
            list(executor.map(job, [1]))
"""
    bench.run("-c", WORK + work + "\nmain()", "fork")
    shown = bench.wait_for_job("Outer", lambda job: len(job["children"]) == 1)
    assert shown["children"][0]["title"] == "Inner 0"
    assert bench.job("Inner 1")["state"] == "succeeded"


def test_pools_take_what_they_took(bench: Bench) -> None:
    work = """
    with progressbus.job("Outer"), context.Pool(1) as pool, ThreadPool(1) as threads:
        for kind in (pool, threads):
            assert kind.map(func=abs, iterable=[-1]) == [1]
            assert kind.apply(pow, (2,), {"exp": 3}) == 8
            assert kind.apply_async(func=pow, args=(2, 3)).get() == 8
            assert list(kind.imap(func=abs, iterable=[-1], chunksize=1)) == [1]
            assert kind.starmap(pow, [(2, 3)], chunksize=1) == [8]
            for wrong in (lambda: kind.map(), lambda: kind.imap(abs)):
                try:
                    wrong()
                except TypeError as error:
                    assert "missing" in str(error), error
                else:
                    raise AssertionError("no error")
    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(pow, 2, exp=3).result() == 8
    print("all")
"""
    assert bench.run("-c", WORK + work + "\nmain()", "fork") == "all\n"


ALONE = {
    "map": """
    with context.Pool(2) as pool:
        pool.map(bar, range(4))
        pool.close()
        pool.join()
""",
    "imap": """
    with context.Pool(2) as pool:
        list(pool.imap(bar, range(4)))
        pool.close()
        pool.join()
""",
    "submit": """
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        for future in [executor.submit(bar, number) for number in range(4)]:
            future.result()
""",
}


@pytest.mark.parametrize("start", START)
@pytest.mark.parametrize("work", ALONE)
def test_workers_with_nothing_around_begin_jobs(bench: Bench, work: str, start: str) -> None:
    """And they are shown at once: nobody waits for a bar that does not come."""
    script = bench.directory / "work.py"
    later = '    list(tqdm([1], desc="Later", file=file))\n'
    script.write_text(WORK + ALONE[work] + later + END)
    bench.run(str(script), start)
    assert {job["title"]: job["orphan"] for job in bench.jobs()} == {
        title: False for title in [*INNER, "Later"]
    }


def test_work_is_held_up_for_a_moment_and_by_each_pool_once(bench: Bench) -> None:
    work = """
    def seconds(function, number):
        began = time.monotonic()
        function(number)
        return time.monotonic() - began

    with ProcessPoolExecutor(1, mp_context=context) as executor:
        executor.submit(abs, 1).result()  # starts its process, and waits
        later = [seconds(lambda n: executor.submit(abs, n).result(), n) for n in range(50)]
        print(min(later), sum(later))
    with context.Pool(1) as pool:
        seconds(lambda n: list(pool.imap(abs, range(n))), 1)
        later = [seconds(lambda n: list(pool.imap(abs, range(n))), n) for n in range(1, 50)]
        print(min(later), sum(later))
"""
    output = bench.run("-c", WORK + work + "\nmain()", "fork")
    for line in output.splitlines():
        least, together = map(float, line.split())
        assert least < PAUSE / 2
        assert together < 50 * PAUSE
