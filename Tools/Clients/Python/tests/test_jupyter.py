"""A job in a notebook's cell."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import nbclient
import nbformat
import pytest
from harness import EXAMPLES, PROGRAM, Bench, eventually

from progressbus import Bus
from progressbus.jupyter import Picture, program, show


def task(title: str, **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "title": title,
        "state": "running",
        "percent": None,
        "displayFraction": None,
        "total": None,
        "completed": 0,
        "unit": "",
        "detail": "",
        "reason": None,
        "children": [],
    }
    return usual | fields


def shown(job: dict[str, Any]) -> dict[str, str]:
    picture = Picture()
    picture.job = job
    return picture._repr_mimebundle_()


def test_what_is_not_known_has_no_percentage() -> None:
    html = shown(task("Watch", completed=1234, unit="files"))["text/html"]
    assert "<progress max=1></progress>" in html
    assert "1,234 files" in html and "%" not in html


def test_children_are_indented_and_say_how_they_ended() -> None:
    job = task("Back up", percent=42, displayFraction=0.42, total=100, completed=42, unit="files")
    job["children"] = [task("Scan", state="failed", reason="disk full")]
    picture = shown(job)
    assert picture["text/plain"] == "Back up: 42%, 42 of 100 files\n  Scan: failed: disk full"
    assert "value=0.420" in picture["text/html"].replace('"', "")


def test_words_of_a_task_are_no_html() -> None:
    html = shown(task("<script>", detail='"&"', percent=1, total=100))["text/html"]
    assert "<script>" not in html and "&lt;script&gt;" in html and "&quot;&amp;&quot;" in html


def test_notebook_shows_the_job_until_it_has_ended(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bench.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PROGRESSBUS_PROGRAM", PROGRAM)
    formats: Any = nbformat
    notebook = formats.read(EXAMPLES / "notebook.ipynb", as_version=4)
    # Time for what is said last: the kernel would end with the last cell.
    notebook.cells.append(formats.v4.new_code_cell("import time; time.sleep(3)"))
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    text = output["data"]["text/plain"]
    assert text.startswith("Count the words: done"), text
    assert "Text 3: done, 100%, 1,000 of 1,000 lines" in text
    assert "<progress max=1 value=" in output["data"]["text/html"].replace('"', "")
    assert notebook.cells[1].outputs[0]["data"]["text/plain"] == "15000"


def test_a_job_that_nobody_knows_is_told_in_words(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in bench.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PROGRESSBUS_PROGRAM", PROGRAM)
    pictures: list[Picture] = []

    def display(picture: Picture, display_id: bool) -> SimpleNamespace:
        pictures.append(picture)
        return SimpleNamespace(update=lambda picture: None)

    monkeypatch.setattr("IPython.display.display", display)
    show("nothing of this name")
    eventually(lambda: "no task goes by" in pictures[0].note, "it is told")


def test_without_the_program_it_is_said_what_to_install(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROGRESSBUS_PROGRAM", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="install the wheel"):
        program()
