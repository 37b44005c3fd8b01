#!/usr/bin/env python3
"""Runs a command on a terminal in memory and does what it is told, one JSON object per line.

    screen.py [--replies DIRECTORY] < requests > replies

A request is {"id": N, "do": NAME, ...}; its reply is {"id": N, "ok": true or false, ...}. With
--replies each reply is a file DIRECTORY/N.json instead. When the requests end, so does the command.

    start    command, columns, rows, environment, synchronized, graphemes, capture
    type     text | paste | keys (names as in keys.py) | mouse {button, row, column}
    resize   columns, rows
    screen   main (true: the main screen, whichever is shown)
    styles   row: runs of equal style
    wait     pattern (of the screen's lines, joined by line feeds), absent, timeout
    waitEnd  timeout; waitState state, timeout
    signal   number; resume; hangUp
    follow   patterns, top, bottom: a new history
    history  lives [[label, from, to]], grace
    state    of the command, bytes, bursts, modes of the terminal, what was left behind
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import sys
import time

import keys
from emulator import Emulator
from placehistory import PlaceHistory
from pseudoterminal import PseudoTerminal

# A pause in the output that ends a burst; a look at least so often while things change; seconds.
BURST = 0.004
FRAME = 0.05


def monotonic() -> float:
    return time.clock_gettime(time.CLOCK_MONOTONIC)


class Session:
    """One command on one terminal."""

    def __init__(self, reply):
        self.reply = reply
        self.terminal: PseudoTerminal | None = None
        self.emulator: Emulator | None = None
        self.history = PlaceHistory([])
        self.waits: list[dict] = []
        self.bytes = self.bursts = self.looks = 0
        self.first_output: float | None = None
        self.last_output = 0.0
        self.last_look = 0.0
        self.is_changed = False
        self.capture = self.capture_times = None

    # The loop.

    def run(self) -> None:
        os.set_blocking(0, False)
        requests = b""
        while True:
            readable = self.wait()
            if 0 in readable:
                data = os.read(0, 1 << 16)
                if not data:
                    return
                *lines, requests = (requests + data).split(b"\n")
                for line in lines:
                    if line.strip():
                        self.take(json.loads(line))
            if self.terminal is not None:
                self.terminal.poll()
                self.read()
                self.emulator.tick()
                self.settle()
            self.answer_waits()

    def wait(self) -> list[int]:
        sources = [0]
        pause = 60.0
        if self.terminal is not None:
            sources += self.terminal.descriptors
            if self.terminal.master >= 0:
                sources.append(self.terminal.master)
            if self.is_changed:
                due = min(self.last_output + BURST, self.last_look + FRAME)
                pause = max(0.0, due - monotonic())
            if self.emulator.is_updating:
                pause = min(pause, 0.1)
        for wait in self.waits:
            pause = min(pause, max(0.0, wait["until"] - monotonic()))
        return select.select(sources, [], [], pause)[0]

    def read(self) -> None:
        # Not for ever: a command that never pauses is looked at all the same.
        for _ in range(16):
            data = self.terminal.read()
            if not data:
                return
            now = monotonic()
            if self.first_output is None:
                self.first_output = now
            if now - self.last_output >= BURST:
                self.bursts += 1
            if self.capture is not None:
                self.capture_times.write(f"{self.bytes} {now - self.terminal.started:.6f}\n")
                self.capture.write(data)
            self.bytes += len(data)
            self.last_output = now
            self.is_changed = True
            self.emulator.feed(data)

    def settle(self) -> None:
        """Looks at the screen where a burst is over or the last look is long ago."""
        if not self.is_changed:
            return
        now = monotonic()
        if now - self.last_output < BURST and now - self.last_look < FRAME:
            return
        # What has been held back is not on the screen.
        self.look(now)

    def look(self, now: float) -> None:
        screen = self.emulator.screen
        self.history.look(now, screen)
        screen.dirty.clear()
        self.looks += 1
        self.last_look = now
        self.is_changed = False

    def answer_waits(self) -> None:
        for wait in list(self.waits):
            if wait["is_met"]():
                ok = True
            elif monotonic() >= wait["until"]:
                ok = False
            else:
                continue
            self.waits.remove(wait)
            self.reply(wait["id"], {"ok": ok, **self.screen()})

    # The requests.

    def take(self, request: dict) -> None:
        number = request.get("id", 0)
        try:
            result = getattr(self, "do_" + request["do"])(request)
        except Exception as error:  # noqa: BLE001: the one who asked must learn of it
            result = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        if result is not None:
            self.reply(number, {"ok": True, **result})

    def do_start(self, request: dict) -> dict:
        environment = dict(os.environ if "environment" not in request else request["environment"])
        environment.setdefault("TERM", "xterm-256color")
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
        columns, rows = request.get("columns", 80), request.get("rows", 24)
        if request.get("capture"):
            self.capture = open(request["capture"], "wb")
            self.capture_times = open(request["capture"] + ".times", "w")
        self.emulator = Emulator(
            columns,
            rows,
            answer=lambda data: self.terminal.write(data),
            synchronized=request.get("synchronized", True),
            graphemes=request.get("graphemes", False),
        )
        self.terminal = PseudoTerminal(request["command"], columns, rows, environment)
        return {"pid": self.terminal.pid}

    def do_type(self, request: dict) -> dict:
        data = request.get("text", "").encode()
        data += keys.paste(request["paste"], self.emulator.modes) if "paste" in request else b""
        for name in request.get("keys", []):
            data += keys.key(name, 1 in self.emulator.modes)
        if "mouse" in request:
            event = request["mouse"]
            sent = keys.mouse(event["button"], event["row"], event["column"], self.emulator.modes)
            if not sent:
                return {"ok": False, "error": "the program has not asked for the mouse"}
            data += sent
        return {"ok": self.terminal.write(data)}

    def do_resize(self, request: dict) -> dict:
        self.emulator.resize(request["columns"], request["rows"])
        self.terminal.set_size(request["columns"], request["rows"])
        return {}

    def do_screen(self, request: dict) -> dict:
        return self.screen(main=request.get("main", False))

    def do_styles(self, request: dict) -> dict:
        screen = self.emulator.screen
        line = screen.buffer[request["row"]]
        runs: list[dict] = []
        for x in range(screen.columns):
            cell = line[x]
            style = {
                name: value
                for name, value in cell._asdict().items()
                if name != "data" and value not in (False, "default")
            }
            if runs and runs[-1]["style"] == style:
                runs[-1]["text"] += cell.data
            else:
                runs.append({"column": x, "text": cell.data, "style": style})
        return {"runs": runs}

    def do_wait(self, request: dict) -> None:
        pattern = re.compile(request["pattern"], re.MULTILINE)
        absent = request.get("absent", False)

        def is_met() -> bool:
            found = pattern.search("\n".join(self.emulator.lines())) is not None
            return found != absent

        self.add_wait(request, self.seldom(is_met))

    def seldom(self, is_met):
        """Asks again only once something has changed."""
        asked: tuple | None = None

        def asked_seldom() -> bool:
            nonlocal asked
            now = (self.looks, self.emulator.screen.lines, self.emulator.is_alternate)
            if asked == now:
                return False
            asked = now
            return is_met()

        return asked_seldom

    def do_waitEnd(self, request: dict) -> None:
        self.add_wait(request, lambda: self.terminal.has_ended and not self.is_changed)

    def do_waitState(self, request: dict) -> None:
        self.add_wait(
            request,
            lambda: self.terminal.state.startswith(request["state"]) and not self.is_changed,
        )

    def add_wait(self, request: dict, is_met) -> None:
        until = monotonic() + request.get("timeout", 10)
        self.waits.append({"id": request["id"], "is_met": is_met, "until": until})

    def do_signal(self, request: dict) -> dict:
        self.terminal.signal(request["number"])
        return {}

    def do_resume(self, request: dict) -> dict:
        self.terminal.resume()
        return {}

    def do_hangUp(self, request: dict) -> dict:
        self.terminal.hang_up()
        return {}

    def do_follow(self, request: dict) -> dict:
        self.history = PlaceHistory(
            request["patterns"], request.get("top", 0), request.get("bottom", 0)
        )
        self.look(monotonic())
        return {}

    def do_history(self, request: dict) -> dict:
        self.read()
        now = monotonic()
        if self.is_changed:
            self.look(now)
        self.history.hold(now)
        result = {"history": self.history.report()}
        if "lives" in request:
            result["check"] = self.history.check(request["lives"], request.get("grace", 1.0))
        return result

    def do_state(self, request: dict) -> dict:
        terminal, emulator = self.terminal, self.emulator
        return {
            "state": terminal.state,
            "pid": terminal.pid,
            "bytes": self.bytes,
            "bursts": self.bursts,
            "updates": emulator.updates,
            "bells": emulator.bells,
            "strange": dict(emulator.strange),
            "announcements": list(emulator.announcements),
            "scrollback": list(emulator.main.scrollback)[-200:],
            "secondsToFirstOutput": self.first_output and self.first_output - terminal.started,
            "line": terminal.modes(),
            "clean": not emulator.is_alternate and 25 in emulator.modes and not emulator.mouse
            and not emulator.modes & {1, 1004, 2004, 2026} and not emulator.keypad
            and emulator.main.margins is None
            and emulator.screen.cursor.attrs._replace(data=" ") == type(
                emulator.screen.cursor.attrs)(),
        }

    def screen(self, main: bool = False) -> dict:
        emulator = self.emulator
        screen = emulator.main if main else emulator.screen
        return {
            "lines": emulator.lines(screen),
            "columns": screen.columns,
            "rows": screen.lines,
            "cursor": {
                "row": screen.cursor.y,
                "column": min(screen.cursor.x, screen.columns - 1),
                "visible": 25 in emulator.modes,
            },
            "alternate": emulator.is_alternate,
            "title": emulator.title,
            "modes": sorted(emulator.modes),
            "state": self.terminal.state,
        }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--replies")
    directory = options.parse_args().replies

    def reply(number: int, result: dict) -> None:
        text = json.dumps({"id": number, **result})
        if directory is None:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
            return
        path = os.path.join(directory, f"{number}.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)

    session = Session(reply)
    try:
        session.run()
    finally:
        if session.terminal is not None:
            session.terminal.close()
        for file in (session.capture, session.capture_times):
            if file is not None:
                file.close()


if __name__ == "__main__":
    main()
