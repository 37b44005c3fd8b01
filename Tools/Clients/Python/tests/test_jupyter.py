"""Tasks in the cells of notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from harness import EXAMPLES, Bench, eventually
from nbclient import NotebookClient

from progressbus import Bus, Task, _picture
from progressbus.jupyter import show


def text(task: Task) -> str:
    return _picture.text(_picture.rows(task._state))


def html(task: Task) -> str:
    return _picture.html(_picture.rows(task._state))


@pytest.fixture
def silent(empty_bench: Bench) -> Iterator[Bus]:
    """A bus without a broker: the picture needs none."""
    bus = Bus(empty_bench.endpoint)
    yield bus
    bus.close(0)


def test_bar_words_and_reason_are_shown(silent: Bus) -> None:
    job = silent.job("Copy", total=4, unit="files", detail="photo.raw")
    job.advance(3)
    assert '<progress max="1" value="0.7500" aria-label="Copy"></progress>' in html(job)
    assert re.fullmatch(r"Copy  75%, 3 of 4 files, \d+ s, photo.raw", text(job))
    job.pause()
    assert "paused" in text(job)
    job.fail("disk full")
    assert re.fullmatch(r"Copy  75%, 3 of 4 files, \d+ s, failed: disk full, photo.raw", text(job))
    job.advance()
    assert "3 of 4" in text(job)


def test_text_of_programs_is_escaped(silent: Bus) -> None:
    job = silent.job('<script>"&', detail="<b>", unit="<i>")
    job.advance(2)
    assert "&lt;script&gt;&quot;&amp;" in html(job)
    assert "2 &lt;i&gt;" in html(job)
    assert not re.search("<(script|b|i)>", html(job))


def test_without_a_total_the_bar_says_nothing_until_the_end(silent: Bus) -> None:
    job = silent.job("Search")
    assert '<progress max="1" aria-label' in html(job)
    assert "%" not in text(job)
    job.succeed()
    assert 'value="1.0000"' in html(job)
    assert "100%" in text(job)
    gone = silent.job("Search again")
    gone.cancel()
    assert 'value="0.0000"' in html(gone)


def test_bytes_are_said_in_larger_units(silent: Bus) -> None:
    job = silent.job("Read", total=20_000_000, unit="bytes")
    job.completed = 5_250_000
    assert "26%, 5.2 of 20.0 MB" in text(job)
    small = silent.job("Read", unit="bytes")
    small.completed = 1_500
    assert "1.5 kB" in text(small)


def test_children_count_and_the_open_ones_are_shown(silent: Bus) -> None:
    job = silent.job("Outer", total=4)
    job.advance()
    job.child("Ended", total=1).succeed()
    half = job.child("Half <1>", total=2, unit="pages")
    half.advance()
    half.child("Deep", share=0)
    # The reporting thread takes them in.
    eventually(lambda: "Deep" in text(job), "the children are there")
    lines = text(job).splitlines()
    assert lines[0].startswith("Outer  62%, ")
    assert "of 4" not in lines[0]
    assert lines[1].startswith("  Half <1>  50%, 1 of 2 pages")
    assert lines[2].startswith("    Deep  ")
    assert len(lines) == 3
    assert 'margin-left: 4em"' in html(job)


def test_many_children_are_counted(silent: Bus) -> None:
    job = silent.job("Outer", expected_children=40)
    for number in range(10):
        job.child(f"Child {number}", total=2).advance()
    eventually(lambda: "and 2 more" in text(job), "the children are there")
    assert text(job).startswith("Outer  12%, ")
    for _ in range(300):
        job.child("Short").succeed()
    eventually(lambda: text(job).startswith("Outer  98%"), "folded children count")


def test_forgotten_job_is_shown_as_far_as_it_came(bus: Bus) -> None:
    done, failed = bus.job("Done", total=4), bus.job("Failed", total=4)
    for job in (done, failed):
        job.child("First").succeed()
    done.succeed()
    failed.fail()
    assert bus.sync()
    eventually(lambda: done._state.gone and failed._state.gone, "they are forgotten")
    assert [_picture.rows(job._state, 0.25)[0].fraction for job in (done, failed)] == [1, 0.25]


def test_without_a_notebook_a_text_is_printed(
    silent: Bus, capsys: pytest.CaptureFixture[str]
) -> None:
    job = silent.job("Copy", total=4)
    show(job)
    assert capsys.readouterr().out.startswith("Copy  0%, 0 of 4, ")


def executed(cells: list[str] | Path, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The notebook after a kernel has run it."""
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(bench.directory / "jupyter"))
    if isinstance(cells, Path):
        notebook = nbformat.read(cells, as_version=4)  # type: ignore[no-untyped-call]
    else:
        notebook = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
        for cell in cells:
            notebook.cells.append(nbformat.v4.new_code_cell(cell))  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=60).execute(env=bench.environment)
    return notebook


def shown(notebook: Any, cell: int) -> dict[str, str]:
    """What a cell shows at the end: one output, whatever was replaced."""
    (output,) = notebook.cells[cell].outputs
    assert output.output_type == "display_data"
    return dict(output.data)


def test_example_ends_with_the_job_done(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = executed(EXAMPLES / "notebook.ipynb", bench, monkeypatch)
    data = shown(notebook, 1)
    assert "Check pages  100%, 20 of 20 pages" in data["text/plain"]
    assert 'value="1.0000"' in data["text/html"]
    assert notebook.cells[2].outputs == []
    job = bench.wait_for_job("Check pages", lambda job: job["state"] == "succeeded")
    assert len(job["children"]) == 20


def test_cell_is_kept_up_to_date_while_the_job_runs_and_no_longer(
    empty_bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = """
import threading, time
from IPython import get_ipython
import progressbus
from progressbus.jupyter import show

published = []
publisher = get_ipython().display_pub
publish = publisher.publish
def noting(data, *arguments, **named):
    published.append((data["text/plain"], named.get("update", False)))
    publish(data, *arguments, **named)
publisher.publish = noting

def threads():
    return [thread.name for thread in threading.enumerate()].count("progressbus-cell")
"""
    run = """
with progressbus.job("Runs", total=3) as job:
    show(job)
    job.advance()
    while not any("1 of 3" in words and update for words, update in published):
        time.sleep(0.02)
    job.advance(2)
"""
    after = """
while threads():
    time.sleep(0.02)
assert published[-1][0].startswith("Runs  100%, 3 of 3"), published
assert [update for _, update in published].count(False) == 1, published
seen = len(published)
time.sleep(0.6)
assert len(published) == seen
"""
    notebook = executed([count, run, after], empty_bench, monkeypatch)
    assert "succeeded" in shown(notebook, 1)["text/plain"]


def test_cell_keeps_what_a_failed_job_had_done(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins = """
import time
import progressbus
from progressbus import _picture
job = progressbus.job("Fails", total=2)
job.child("First").succeed()
job
"""
    # The end of the cell shows it, and that of the next what is left when all is forgotten.
    waits = """
while _picture.rows(job._state)[0].fraction != 0.5:
    time.sleep(0.02)
"""
    fails = """
job.fail("<disk full>")
while not job._state.gone:
    time.sleep(0.02)
"""
    data = shown(executed([begins, waits, fails], bench, monkeypatch), 0)
    assert "failed: &lt;disk full&gt;" in data["text/html"]
    assert 'value="0.5000"' in data["text/html"]
    assert data["text/plain"].startswith("Fails  50%, ")
    assert "of 2" not in data["text/plain"]
