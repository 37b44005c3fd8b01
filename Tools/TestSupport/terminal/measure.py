#!/usr/bin/env python3
"""The cost table of the dashboard beside two progress bar libraries; see Tools/Benchmarks/measure-dashboard."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = sys.executable
SIZES = (1, 50, 500)
COLUMNS = (
    ("cpuPercent", "CPU %", "{:.2f}"), ("bytesPerSecond", "bytes/s", "{:,.0f}"),
    ("writesPerSecond", "write calls/s", "{:.1f}"),
    ("readsPerSecond", "terminal reads/s", "{:.1f}"), ("framesPerSecond", "frames/s", "{:.1f}"),
    ("residentMiB", "MiB", "{:.1f}"),
)


class Bus:
    """A broker and one process of load; both end with the block."""

    def __init__(self, programs: str, load: list[str]):
        self.programs, self.load = programs, load

    def __enter__(self) -> Bus:
        self.directory = tempfile.mkdtemp(prefix="pbm.", dir="/tmp")
        self.environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith("PROGRESSBUS_")
        }
        self.environment["PROGRESSBUS_ENDPOINT"] = f"ipc://{self.directory}/bus"
        self.environment["PROGRESSBUS_STATE"] = f"{self.directory}/state"
        self.started = []
        self._start("progressbus", "broker", "--idle-exit", "300")
        self._until(lambda: os.path.exists(f"{self.directory}/bus/control"), "the broker listens")
        if self.load:
            self._start("bus-worker", *self.load)
            count = int(self.load[1])
            self._until(lambda: self._tasks() >= count, f"{count} tasks are on the bus")
        return self

    def __exit__(self, *error) -> None:
        for process in reversed(self.started):
            process.stdin.close()
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _start(self, program: str, *arguments: str) -> None:
        with open(f"{self.directory}/{program}.log", "wb") as log:
            self.started.append(
                subprocess.Popen(
                    [f"{self.programs}/{program}", *arguments], env=self.environment,
                    stdin=subprocess.PIPE, stdout=log, stderr=log,
                )
            )

    def _tasks(self) -> int:
        command = [f"{self.programs}/progressbus", "status", "--json"]
        run = subprocess.run(command, env=self.environment, capture_output=True, check=False)
        if run.returncode != 0:
            return 0
        report = json.loads(run.stdout)
        return max(report["broker"]["tasks"], report["broker"]["jobs"])

    def _until(self, is_so, what: str) -> None:
        end = time.monotonic() + 30
        while not is_so():
            if time.monotonic() > end:
                raise SystemExit(f"never happened: {what}")
            time.sleep(0.1)


def cost(command: list[str], options: list[str], environment: dict | None = None) -> dict:
    """Runs cost.py; the load average of the machine is part of the result."""
    run = subprocess.run(
        [PYTHON, f"{HERE}/cost.py", *options, "--", *command],
        env=environment, capture_output=True, text=True, check=False,
    )
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {run.stdout}{run.stderr}")
    return {**json.loads(run.stdout), "load": os.getloadavg()[0]}


def dashboard(programs: str, load: list[str], arguments: list[str], options: list[str]) -> dict:
    with Bus(programs, load) as bus:
        command = [f"{programs}/progressbus", "watch", *arguments]
        return cost(command, options, bus.environment)


def steady(options) -> dict[str, list[dict]]:
    window = ["--warm-up", "3", "--seconds", str(options.seconds)]
    builds = {"dashboard": options.programs}
    if options.beside:
        builds["the other dashboard"] = options.beside
    results: dict[str, list[dict]] = {}
    for run in range(options.runs):
        for size in options.sizes:
            cases = {}
            for build, programs in builds.items():
                load = ["busy", str(size), "20"]
                cases[f"{build}, board"] = lambda programs=programs, load=load: dashboard(
                    programs, load, [], window)
                cases[f"{build}, job view"] = lambda programs=programs, load=load: dashboard(
                    programs, [*load, "--children"], ["key:load"], window)
            for library in ("tqdm", "rich"):
                command = [PYTHON, f"{HERE}/peers.py", library, str(size)]
                cases[library] = lambda command=command: cost(command, window)
            for name, measure in cases.items():
                result = measure()
                results.setdefault(f"{name}, {size}", []).append(result)
                print(f"run {run + 1}, {name}, {size}: {json.dumps(result)}", file=sys.stderr)
    return results


def quiet(options) -> dict[str, list[dict]]:
    window = ["--warm-up", "4", "--seconds", str(options.seconds)]
    cases = {
        "nothing changes, nothing animates (50 failed jobs)": ["still", "50"],
        "nothing changes, rows animate or stall (50 running jobs)": ["busy", "50", "0"],
    }
    return {
        name: [dashboard(options.programs, load, [], window) for _ in range(options.runs)]
        for name, load in cases.items()
    }


def paint(options) -> list[dict]:
    screen = ["--rows", "520", "--labels", "500", "--seconds", "10"]
    return [
        dashboard(options.programs, ["still", "500"], [], screen) for _ in range(options.runs)
    ]


def start_up(options) -> float:
    command = [f"{options.programs}/progressbus", "version"]
    times = []
    for _ in range(options.runs):
        began = time.monotonic()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.monotonic() - began)
    return statistics.median(times)


def median_and_range(values: list[float], form: str) -> str:
    texts = [form.format(value) for value in (statistics.median(values), min(values), max(values))]
    return texts[0] if len(values) == 1 else f"{texts[0]} ({texts[1]}–{texts[2]})"


def print_table(results: dict[str, list[dict]]) -> None:
    print("| case | " + " | ".join(title for _, title, _ in COLUMNS) + " | load |")
    print("|---|" + "---:|" * (len(COLUMNS) + 1))
    for name, runs in results.items():
        cells = [
            median_and_range([run[field] for run in runs], form) for field, _, form in COLUMNS
        ]
        cells.append(median_and_range([run["load"] for run in runs], "{:.1f}"))
        print(f"| {name} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", help="the directory of progressbus and bus-worker")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--beside", help="those of another build, to measure in turns with them")
    parser.add_argument("--json", help="a file for all figures")
    options = parser.parse_args()

    print(f"{options.runs} runs, 200x60, windows of {options.seconds:g} s, every task advanced 20")
    print(f"times a second; medians (least–most). Load before: {os.getloadavg()[0]:.1f}\n")
    results = steady(options)
    results.update(quiet(options))
    print_table(results)
    paints = paint(options)
    for field, words in (
        ("paintMilliseconds", "first paint of 500 rows (200x520), first to last label, ms"),
        ("secondsToLastLabel", "start of the process to the last of these rows, s"),
    ):
        values = [run[field] for run in paints if run["labels"] == 500]
        text = median_and_range(values, "{:.3g}") if values else "not all rows were drawn"
        print(f"\n{words}: {text}", end="")
    print(f"\nstart of the process alone (version), s: {start_up(options):.3f}")
    print(f"load after: {os.getloadavg()[0]:.1f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"steady": results, "paint": paints}, file, indent=1)


if __name__ == "__main__":
    main()
