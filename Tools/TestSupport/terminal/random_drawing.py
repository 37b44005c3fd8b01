"""Draws at random with ncurses, then says in an OSC sequence what should be on the screen."""

import curses
import random
import sys

WIDE = "漢字かな"


def main(window) -> None:
    chance = random.Random(int(sys.argv[1]))
    rows, columns = window.getmaxyx()
    window.idlok(True)
    window.scrollok(True)
    curses.start_color()
    curses.use_default_colors()
    for pair in range(1, 30):
        curses.init_pair(pair, chance.randrange(256), -1)
    words = [WIDE, "–" * 30, "-" * 40, "é\u0301o", " " * 25, "task 17", "▏▎▍▌▋▊▉█", "x" * 12]
    for frame in range(60):
        for _ in range(chance.randrange(1, 12)):
            row, column = chance.randrange(rows), chance.randrange(columns - 2)
            style = curses.color_pair(chance.randrange(30)) | chance.choice(
                [0, curses.A_BOLD, curses.A_REVERSE, curses.A_DIM]
            )
            what = chance.randrange(12)
            # ncurses does not keep the books of halves of wide characters.
            if any(character in WIDE for character in window.instr(row, 0).decode()):
                window.move(row, 0)
                window.clrtoeol()
            if what == 0:
                window.move(row, 0)
                window.insdelln(chance.choice([-2, -1, 1, 2]))
            elif what == 1:
                window.move(row, column)
                window.clrtoeol()
            elif what == 2:
                window.scroll(chance.choice([-1, 1, 3]))
            elif what == 3:
                window.delch(row, column)
            elif what == 4:
                window.hline(row, column, curses.ACS_HLINE, columns - column)
            elif what == 5 and chance.random() < 0.2:
                window.clear()
            else:
                text = chance.choice(words)
                try:
                    window.addnstr(row, column, text, max(1, (columns - column) // 2 - 1), style)
                except curses.error:
                    pass
        window.refresh()
        curses.napms(1)
    # Of a line drawing character this says only which it is.
    lines = [window.instr(row, 0).decode().replace("q", "─") for row in range(rows)]
    sys.stdout.write("\x1b]777;" + ",".join(line.encode().hex() for line in lines) + "\x07")
    sys.stdout.write("\x1b]2;PAUSE\x07")
    sys.stdout.flush()
    window.getch()


curses.wrapper(main)
