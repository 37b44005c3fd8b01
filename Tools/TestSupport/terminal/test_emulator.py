"""Checks of the terminal in memory; what ncurses draws must arrive as ncurses means it."""

from __future__ import annotations

import os
import sys
import time
import unittest

try:
    import curses
except ImportError:
    curses = None

import keys
from emulator import Emulator
from placehistory import PlaceHistory
from pseudoterminal import PseudoTerminal

HERE = os.path.dirname(os.path.abspath(__file__))


def fed(*texts: str, columns: int = 20, rows: int = 5, **options) -> Emulator:
    emulator = Emulator(columns, rows, **options)
    for text in texts:
        emulator.feed(text.encode())
    return emulator


def lines(emulator: Emulator) -> list[str]:
    return emulator.lines()


class Sequences(unittest.TestCase):
    def test_repeat_and_erase(self):
        self.assertEqual(lines(fed("-\x1b[4b|\x1b[1;2H\x1b[2X"))[0], "-  --|")

    def test_sequences_cut_anywhere(self):
        text = "a\x1b[31mé\x1b]0;title\x07\x1b[2;3H漢\x1b[?2026h\x1b[1;1Hb\x1b[?2026l"
        whole = fed(text)
        data = text.encode()
        for cut in range(len(data)):
            emulator = Emulator(20, 5)
            emulator.feed(data[:cut])
            emulator.feed(data[cut:])
            self.assertEqual(emulator.lines(), whole.lines())
            self.assertEqual((emulator.title, dict(emulator.strange)), ("title", {}))

    def test_alternate_screen_leaves_the_main_one_alone(self):
        emulator = fed("before\r\n\x1b[?1049h\x1b[22;0;0t\x1b[Hdrawn")
        self.assertTrue(emulator.is_alternate)
        self.assertEqual(lines(emulator)[0], "drawn")
        emulator.feed(b"\x1b[?1049l\x1b[23;0;0treceipt")
        self.assertEqual(lines(emulator)[:2], ["before", "receipt"])
        emulator.feed(b"\x1b[?1049h")
        self.assertEqual("".join(lines(emulator)), "")

    def test_a_synchronized_update_shows_at_its_end(self):
        emulator = fed("old\x1b[?2026h\x1b[2J\x1b[Hnew")
        self.assertEqual(lines(emulator)[0], "old")
        emulator.feed(b"\x1b[?2026l")
        self.assertEqual(lines(emulator)[0], "new")
        self.assertEqual(lines(fed("old\x1b[?2026h\x1b[Hnew", synchronized=False))[0], "new")

    def test_answers(self):
        said: list[bytes] = []
        emulator = fed("ab\x1b[6n\x1b[c\x1b[?2026$p\x1b[?7$p\x1b[?77$p", answer=said.append)
        self.assertEqual(
            said,
            [b"\x1b[1;3R", b"\x1b[?62;22c", b"\x1b[?2026;2$y", b"\x1b[?7;1$y", b"\x1b[?77;0$y"],
        )
        self.assertFalse(emulator.strange)

    def test_scrolling(self):
        emulator = fed("1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2S\x1b[T")
        self.assertEqual(lines(emulator), ["", "4", "5", "6", ""])
        self.assertEqual(list(emulator.main.scrollback), ["1", "2", "3"])
        region = fed("1\r\n2\r\n3\r\n4\r\n5\x1b[2;4r\x1b[4;1H\n\x1b[r")
        self.assertEqual((lines(region), region.main.scrolled), (["1", "3", "4", "", "5"], 0))

    def test_wide_characters(self):
        self.assertEqual(fed("a漢b").screen.text(0)[1][:4], [0, 1, 3, 4])
        self.assertEqual(lines(fed("漢\x1b[1;2Hx"))[0], " x")
        self.assertEqual(lines(fed("漢\x1b[1;1Hx"))[0], "x")
        self.assertEqual(lines(fed("abc漢", columns=4))[:2], ["abc", "漢"])

    def test_characters_without_width(self):
        family = "👨\u200d👩"
        self.assertEqual(fed("e\u0301x").screen.text(0)[1][:3], [0, 0, 1])
        self.assertEqual(fed(family + "x").screen.cursor.x, 5)
        self.assertEqual(fed(family + "x", graphemes=True).screen.cursor.x, 3)
        self.assertEqual(lines(fed("a\u200db\ufe0fc"))[0], "a\u200db\ufe0fc")

    def test_styles(self):
        line = fed("\x1b[1;2;38;5;200;48:2::1:2:3mx\x1b[my").screen.buffer[0]
        self.assertEqual(
            (line[0].bold, line[0].dim, line[0].fg, line[0].bg), (True, True, "200", "#010203")
        )
        self.assertEqual((line[1].bold, line[1].fg), (False, "default"))

    def test_what_is_strange_is_noted(self):
        emulator = fed("\x1b[5z\x05\x9b1mx")
        self.assertEqual(sum(emulator.strange.values()), 3)
        self.assertEqual(lines(emulator)[0], "1mx")

    def test_resize(self):
        emulator = fed("1\r\n2\r\n3\r\n4\r\n5")
        emulator.resize(10, 2)
        self.assertEqual(lines(emulator), ["4", "5"])
        emulator.feed(b"\x1b[?1049h\x1b[H1\r\n2")
        emulator.resize(30, 1)
        self.assertEqual(lines(emulator), ["1"])


class History(unittest.TestCase):
    def follow(self, *frames: str, step: float = 0.1, **options) -> PlaceHistory:
        emulator = Emulator(20, 6)
        history = PlaceHistory([r"(task \d+)"], **options)
        for number, frame in enumerate(frames):
            emulator.feed(b"\x1b[2J\x1b[H" + frame.replace("/", "\r\n").encode())
            history.look(number * step, emulator.screen)
            emulator.screen.dirty.clear()
        return history

    def test_nothing_moves(self):
        report = self.follow("task 1/task 2", "task 1/task 2", "task 1/", "task 1/task 3").report()
        self.assertEqual((report["moves"], report["blinks"], report["returns"]), (0, 0, 0))
        self.assertEqual((report["copies"], report["gaps"], report["labels"]), (1, 0, 3))

    def test_each_fault_is_counted(self):
        self.assertEqual(self.follow("task 1", "/task 1").moves, 1)
        self.assertEqual(self.follow("task 1", " task 1").columns, 1)
        self.assertEqual(self.follow("task 1", "", "task 1").blinks, 1)
        self.assertEqual(self.follow("task 1", "", "task 1", step=1).blinks, 0)
        self.assertEqual(self.follow("task 1", "", "/task 1", step=1).returns, 1)
        self.assertEqual(self.follow("task 1/task 1").copies, 2)
        self.assertEqual(self.follow("a/b/c/d/e/f", "a/b/c/d/e/f/task 1").scrolled, 1)
        self.assertEqual(self.follow("task 1", "x/task 1/y", top=1).moves, 0)

    def test_lives(self):
        history = self.follow("", "task 1", "task 1", "", "task 1", "task 1")
        history.hold(1)
        whole = history.check([["task 1", 0.1, 0.25], ["task 1", 0.45, 0.9]], 0.05)
        self.assertEqual((whole["late"], whole["missing"], whole["unseen"]), ([], [], 0))
        self.assertEqual(len(history.check([["task 1", 0.0, 0.9]], 1)["missing"]), 1)
        self.assertEqual(len(history.check([["task 1", 0.0, 0.2]], 0.05)["late"]), 1)
        self.assertEqual(history.check([["task 2", 0.0, 0.2]], 0.5)["unseen"], 1)
        self.assertEqual(len(history.check([["task 2", 0.0, 0.9]], 0.5)["late"]), 1)


class Programs(unittest.TestCase):
    def run_until(self, terminal: PseudoTerminal, emulator: Emulator, is_done, seconds=10.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            terminal.poll()
            data = terminal.read()
            if data:
                emulator.feed(data)
            elif is_done():
                return
            else:
                time.sleep(0.005)
        self.fail("\n".join([terminal.state, *emulator.lines(), *emulator.main.scrollback]))

    def start(self, *command: str, columns: int = 60, rows: int = 20):
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
        terminal = PseudoTerminal(list(command), columns, rows, environment)
        self.addCleanup(terminal.close)
        return terminal, Emulator(columns, rows, answer=terminal.write)

    @unittest.skipIf(curses is None, "this Python was built without curses")
    def test_what_ncurses_draws_arrives(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                path = os.path.join(HERE, "random_drawing.py")
                terminal, emulator = self.start(sys.executable, path, str(seed))
                self.run_until(terminal, emulator, lambda: "PAUSE" in emulator.title)
                expected = emulator.announcements[-1].split(";", 1)[1]
                drawn = [bytes.fromhex(line).decode() for line in expected.split(",")]
                self.assertEqual(emulator.lines(), [line.rstrip() for line in drawn])
                self.assertFalse(emulator.strange)
                terminal.write(b"q")
                self.run_until(terminal, emulator, lambda: terminal.has_ended)
                self.assertEqual(terminal.state, "exited 0")
                self.assertFalse(emulator.is_alternate)
                self.assertTrue(terminal.modes()["canonical"] and terminal.modes()["echo"])

    def test_a_job_is_stopped_continued_and_ended(self):
        terminal, emulator = self.start("/bin/sh", "-c", "echo begun; exec cat")
        self.run_until(terminal, emulator, lambda: "begun" in emulator.lines()[0])
        terminal.write(b"\x1a")
        self.run_until(terminal, emulator, lambda: terminal.state.startswith("stopped"))
        terminal.resume()
        self.run_until(terminal, emulator, lambda: terminal.state == "running")
        terminal.write(b"again\r")
        self.run_until(terminal, emulator, lambda: "".join(emulator.lines()).count("again") == 2)
        terminal.write(b"\x03")
        self.run_until(terminal, emulator, lambda: terminal.has_ended)
        self.assertEqual(terminal.state, "signalled 2")

    def test_a_closed_terminal_is_a_hangup(self):
        terminal, emulator = self.start(
            "/bin/sh", "-c", "trap 'exit 7' HUP; echo x; while :; do sleep 0.02; done"
        )
        self.run_until(terminal, emulator, lambda: "x" in emulator.lines()[0])
        terminal.hang_up()
        self.run_until(terminal, emulator, lambda: terminal.has_ended)
        self.assertEqual(terminal.state, "exited 7")

    def test_paste(self):
        self.assertEqual(keys.paste("a\nb", set()), b"a\rb")
        self.assertEqual(keys.paste("a\nb", {2004}), b"\x1b[200~a\rb\x1b[201~")

    def test_keys(self):
        self.assertEqual(keys.key("Up", True) + keys.key("Up", False), b"\x1bOA\x1b[A")
        self.assertEqual(keys.key("Ctrl-C", False) + keys.key("Enter", False), b"\x03\r")
        self.assertEqual(keys.mouse("left", 1, 2, {1000, 1006}), b"\x1b[<0;3;2M\x1b[<0;3;2m")
        self.assertEqual(keys.mouse("left", 1, 2, set()), b"")


if __name__ == "__main__":
    unittest.main()
