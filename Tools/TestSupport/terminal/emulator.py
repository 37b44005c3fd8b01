"""A terminal in memory: bytes in, a screen to look at out.

pyte's Screen keeps the cells; what it lacks is here: the parser, the alternate screen,
synchronized updates, the answers a terminal gives, and the sequences that ncurses uses with
xterm-256color.
"""

from __future__ import annotations

import codecs
import collections
import re
import time
from typing import Callable, NamedTuple

import pyte
import pyte.modes
from wcwidth import wcwidth


class Cell(NamedTuple):
    """One cell: pyte's fields, and dim."""

    data: str = " "
    fg: str = "default"
    bg: str = "default"
    bold: bool = False
    italics: bool = False
    underscore: bool = False
    strikethrough: bool = False
    reverse: bool = False
    blink: bool = False
    dim: bool = False


PLAIN = Cell()


class Screen(pyte.Screen):
    """The main or the alternate screen."""

    def __init__(self, columns: int, rows: int, graphemes: bool):
        # Lines that left at the top, oldest first.
        self.scrollback: collections.deque[str] = collections.deque(maxlen=10_000)
        self.scrolled = 0
        self.graphemes = graphemes
        super().__init__(columns, rows)

    @property
    def default_char(self) -> Cell:
        return PLAIN

    def reset(self) -> None:
        super().reset()
        self.cursor.attrs = PLAIN
        # Off in pyte until asked for; on in every terminal.
        self.mode.add(pyte.modes.DECAWM)

    def index(self) -> None:
        top, bottom = self.margins or pyte.screens.Margins(0, self.lines - 1)
        if self.cursor.y == bottom and top == 0:
            self.scrolled += 1
            self.scrollback.append(self.text(0)[0].rstrip())
        super().index()

    def insert_lines(self, count: int | None = None) -> None:
        self._fill()
        super().insert_lines(count)

    def delete_lines(self, count: int | None = None) -> None:
        self._fill()
        super().delete_lines(count)

    def _fill(self) -> None:
        """Makes the rows that pyte has not stored; it would leave others where these should come."""
        for row in range(self.lines):
            self.buffer[row]

    def scroll(self, count: int) -> None:
        """Moves what is between the margins up, or down by a negative count."""
        top, bottom = self.margins or pyte.screens.Margins(0, self.lines - 1)
        row = self.cursor.y
        for _ in range(min(abs(count), self.lines)):
            if count > 0:
                self.cursor.y = bottom
                self.index()
            else:
                self.cursor.y = top
                self.reverse_index()
        self.cursor.y = row

    def draw(self, data: str) -> None:
        table = self.g1_charset if self.charset else self.g0_charset
        if not data.isascii() or table is not pyte.charsets.LAT1_MAP:
            data = data.translate(table)
        for character in data:
            width = 1 if " " <= character <= "~" else wcwidth(character)
            if width <= 0:
                self._join(character)
            elif self.graphemes and self._joins(character):
                self._join(character)
            else:
                self._put(character, min(width, 2))
        self.dirty.add(self.cursor.y)

    def _put(self, character: str, width: int) -> None:
        cursor = self.cursor
        if cursor.x + width > self.columns:
            if pyte.modes.DECAWM in self.mode:
                self.dirty.add(cursor.y)
                self.carriage_return()
                self.index()
            else:
                cursor.x = self.columns - width
        if pyte.modes.IRM in self.mode:
            self.insert_characters(width)
        line = self.buffer[cursor.y]
        x = cursor.x
        # Half a wide character is none.
        if line[x].data == "" and x > 0:
            line[x - 1] = line[x - 1]._replace(data=" ")
        after = x + width
        if after < self.columns and line[after].data == "":
            line[after] = line[after]._replace(data=" ")
        line[x] = cursor.attrs._replace(data=character)
        if width == 2:
            line[x + 1] = cursor.attrs._replace(data="")
        cursor.x = after

    def _before(self) -> int:
        """The column of the character before the cursor; -1 where there is none."""
        x = self.cursor.x - 1
        if x > 0 and self.buffer[self.cursor.y][x].data == "":
            x -= 1
        return x

    def _joins(self, character: str) -> bool:
        x = self._before()
        return x >= 0 and self.buffer[self.cursor.y][x].data.endswith("\u200d")

    def _join(self, character: str) -> None:
        """Adds what has no width to the character before."""
        x = self._before()
        if x < 0 or character == "\0":
            return
        line = self.buffer[self.cursor.y]
        # Bounded, as it is in terminals.
        if len(line[x].data) < 32:
            line[x] = line[x]._replace(data=line[x].data + character)

    def text(self, row: int) -> tuple[str, list[int] | None]:
        """A row's text, and the column of each of its characters where that is not its index."""
        line = self.buffer[row]
        cells = [line[x].data for x in range(self.columns)]
        text = "".join(cells)
        if len(text) == self.columns and "" not in cells:
            return text, None
        return text, [x for x, cell in enumerate(cells) for _ in cell]

    def change_size(self, columns: int, rows: int, keeps_bottom: bool) -> None:
        """Cuts or extends; what is lost is lost at the bottom, or above the cursor."""
        drop = max(0, self.cursor.y - rows + 1) if keeps_bottom else 0
        buffer = {y - drop: line for y, line in self.buffer.items() if 0 <= y - drop < rows}
        self.buffer.clear()
        self.buffer.update(buffer)
        for line in self.buffer.values():
            for x in [x for x in line if x >= columns]:
                del line[x]
        self.lines, self.columns = rows, columns
        self.margins = None
        self.cursor.y = min(self.cursor.y - drop, rows - 1)
        self.cursor.x = min(self.cursor.x, columns)
        self.dirty.update(range(rows))


# One alternative per kind of thing in a terminal's input.
TOKEN = re.compile(
    r"(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|\x1b\[(?P<prefix>[<=>?]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b(?P<string>[PX^_])(?P<body>[^\x1b]*)\x1b\\"
    r"|\x1b(?P<middle>[ -/]*)(?P<escape>[0-OQ-WYZ\\`-~])"
    r"|(?P<control>[\x00-\x1a\x1c-\x1f\x7f-\x9f])"
)
UNFINISHED = re.compile(
    r"\x1b(?:\[[<=>?]?[0-9;:]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$"
)
LONGEST_SEQUENCE = 65_536
# A program that has begun a synchronized update and does not end it is shown all the same.
LONGEST_UPDATE = 1.0
BEGIN_UPDATE, END_UPDATE = "\x1b[?2026h", "\x1b[?2026l"

# Erasing takes the background and nothing else of what is set.
ERASING = set("JKX@PLMST")
MOUSE_MODES = (9, 1000, 1002, 1003)


class Emulator:
    """A terminal of some size.

    - answer: receives the bytes with which the terminal answers a question.
    - synchronized: whether it knows ?2026.
    - graphemes: whether characters joined by U+200D take the place of one.
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        answer: Callable[[bytes], None] = lambda data: None,
        synchronized: bool = True,
        graphemes: bool = False,
    ):
        self.main = Screen(columns, rows, graphemes)
        self.other = Screen(columns, rows, graphemes)
        self.screen = self.main
        # Modes belong to the terminal, not to one of its screens.
        self.other.mode = self.main.mode
        self.answer = answer
        self.synchronized = synchronized
        self.title = ""
        self.modes: set[int] = {7, 25}
        self.keypad = False
        self.bells = 0
        # OSC sequences other than titles, newest last, for instance 9;4;1;50.
        self.announcements: collections.deque[str] = collections.deque(maxlen=100)
        # What no program should send: unknown sequences and stray control characters.
        self.strange: collections.Counter[str] = collections.Counter()
        self.updates = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._held: list[str] | None = None
        self._held_since = 0.0
        self._last = " "
        self._saved: pyte.screens.Cursor | None = None

    # What it is told.

    def feed(self, data: bytes) -> None:
        text = self._rest + self._decoder.decode(data)
        self._rest = ""
        position = 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if match is None:
                rest = text[position:]
                if UNFINISHED.match(rest) and len(rest) < LONGEST_SEQUENCE:
                    self._rest = rest
                    return
                self._note(rest[:2])
                position += 1
                continue
            position = match.end()
            self._take(match)

    def tick(self) -> None:
        """Shows an update that was never ended; call it now and then."""
        if self._held is not None and time.monotonic() - self._held_since > LONGEST_UPDATE:
            self._note("unended update")
            self._release()

    @property
    def is_updating(self) -> bool:
        return self._held is not None

    def resize(self, columns: int, rows: int) -> None:
        self._release()
        self.main.change_size(columns, rows, keeps_bottom=True)
        self.other.change_size(columns, rows, keeps_bottom=False)

    @property
    def is_alternate(self) -> bool:
        return self.screen is self.other

    @property
    def mouse(self) -> bool:
        return any(mode in self.modes for mode in MOUSE_MODES)

    def lines(self, screen: Screen | None = None) -> list[str]:
        screen = screen or self.screen
        return [screen.text(row)[0].rstrip() for row in range(screen.lines)]

    # What it does about it.

    def _take(self, match: re.Match[str]) -> None:
        sequence = match.group()
        if sequence == BEGIN_UPDATE and self.synchronized:
            if self._held is None:
                self._held, self._held_since = [], time.monotonic()
        elif sequence == END_UPDATE and self.synchronized:
            self.updates += self._held is not None
            self._release()
        elif self._held is not None:
            self._held.append(sequence)
        else:
            self._apply(match)

    def _release(self) -> None:
        held, self._held = self._held, None
        for sequence in held or ():
            match = TOKEN.match(sequence)
            if match is not None:
                self._apply(match)

    def _apply(self, match: re.Match[str]) -> None:
        kind = match.lastgroup
        if kind == "text":
            self.screen.draw(match["text"])
            self._last = match["text"][-1]
        elif kind == "final":
            self._control_sequence(match)
        elif kind == "osc":
            self._command(match["osc"])
        elif kind == "escape":
            self._escape(match["middle"], match["escape"])
        elif kind == "control":
            self._control(match["control"])
        elif match["string"] != "P":
            self._note("string " + match["string"])

    def _control(self, character: str) -> None:
        name = pyte.Stream.basic.get(character)
        if character == "\a":
            self.bells += 1
        elif name is not None and character != "\x9b":
            getattr(self.screen, name)()
        elif character not in "\x00\x7f":
            self._note(character)

    def _escape(self, middle: str, final: str) -> None:
        if middle in ("(", ")"):
            self.screen.define_charset(final, middle)
        elif final in "=>" and not middle:
            self.keypad = final == "="
        elif final == "c" and not middle:
            self.screen.reset()
        elif not middle and final in pyte.Stream.escape:
            getattr(self.screen, pyte.Stream.escape[final])()
        elif final not in "\\FGl" and middle not in ("%", " ", "#"):
            self._note("ESC " + middle + final)

    def _command(self, text: str) -> None:
        number, _, rest = text.partition(";")
        if number in ("0", "1", "2"):
            self.title = rest
        elif number in ("10", "11") and rest == "?":
            color = "dddd/dddd/dddd" if number == "10" else "0000/0000/0000"
            self.answer(f"\x1b]{number};rgb:{color}\x1b\\".encode())
        else:
            self.announcements.append(text[:20_000])

    def _control_sequence(self, match: re.Match[str]) -> None:
        prefix, final = match["prefix"], match["final"]
        kind = prefix + match["between"] + final
        text = match["numbers"]
        if kind == "m":
            self._style(text)
            return
        numbers = [int(part or 0) for part in text.replace(":", ";").split(";")] if text else []
        first = numbers[0] if numbers else 0
        screen = self.screen
        if kind in ("?h", "?l"):
            for mode in numbers:
                self._set(mode, final == "h")
        elif kind == "b":
            screen.draw(self._last * min(max(first, 1), screen.columns * screen.lines))
        elif kind in "ST" and len(numbers) < 2:
            with_plain(screen, lambda: screen.scroll(max(first, 1) * (1 if kind == "S" else -1)))
        elif kind == "Z":
            stops = sorted(stop for stop in screen.tabstops if stop < screen.cursor.x)
            stops = ([0] * max(first, 1) + stops)[-max(first, 1):]
            screen.cursor.x = stops[0]
        elif kind == "s":
            screen.save_cursor()
        elif kind == "u":
            screen.restore_cursor()
        elif kind == "!p":
            screen.margins = None
            screen.cursor.attrs = PLAIN
            self._set(25, True)
        elif kind == "r":
            screen.set_margins(*numbers[:2])
            if screen.margins == (0, screen.lines - 1):
                screen.margins = None
        elif self._ask(kind, numbers):
            pass
        elif kind in pyte.Stream.csi:
            call = getattr(screen, pyte.Stream.csi[kind])
            if kind in ERASING:
                # Behind the last column the cursor is still on it.
                screen.cursor.x = min(screen.cursor.x, screen.columns - 1)
                with_plain(screen, lambda: call(*numbers[:1]))
            else:
                call(*numbers)
        elif kind not in ("t", ">m", ">q", " q", ">u", "<u", "=u", "?u", "?m", ">p"):
            self._note("CSI " + kind)

    def _ask(self, kind: str, numbers: list[int]) -> bool:
        """Answers a question; false where it is none."""
        first = numbers[0] if numbers else 0
        screen = self.screen
        if kind in ("n", "?n"):
            where = f"{screen.cursor.y + 1};{min(screen.cursor.x, screen.columns - 1) + 1}R"
            if first == 6:
                self.answer(f"\x1b[{kind[:-1]}{where}".encode())
            elif first == 5:
                self.answer(b"\x1b[0n")
        elif kind == "c":
            self.answer(b"\x1b[?62;22c")
        elif kind == ">c":
            self.answer(b"\x1b[>41;354;0c")
        elif kind == "?$p":
            known = {1, 7, 9, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004}
            if self.synchronized:
                known.add(2026)
            state = 0 if first not in known else 1 if first in self.modes else 2
            self.answer(f"\x1b[?{first};{state}$y".encode())
        elif kind == "t" and first == 18:
            self.answer(f"\x1b[8;{screen.lines};{screen.columns}t".encode())
        else:
            return False
        return True

    def _set(self, mode: int, on: bool) -> None:
        if mode in (47, 1047, 1049):
            self._switch(on, mode)
        elif mode == 7:
            change = self.main.mode.add if on else self.main.mode.discard
            change(pyte.modes.DECAWM)
        elif mode == 6:
            (self.screen.set_mode if on else self.screen.reset_mode)(6, private=True)
        (self.modes.add if on else self.modes.discard)(mode)

    def _switch(self, on: bool, mode: int) -> None:
        former, new = self.screen, self.other if on else self.main
        if former is new:
            return
        if on and mode == 1049:
            self._saved = copy_of(former.cursor)
        new.cursor = copy_of(former.cursor)
        new.charset, new.g0_charset = former.charset, former.g0_charset
        new.g1_charset = former.g1_charset
        # What scrolls is the terminal's, whichever screen it shows.
        new.margins = former.margins
        if on:
            attributes, new.cursor.attrs = new.cursor.attrs, PLAIN
            new.erase_in_display(2)
            new.cursor.attrs = attributes
        elif mode == 1049 and self._saved is not None:
            new.cursor = self._saved
            new.cursor.y = min(new.cursor.y, new.lines - 1)
            new.cursor.x = min(new.cursor.x, new.columns - 1)
            self._saved = None
        self.screen = new
        new.dirty.update(range(new.lines))

    def _style(self, text: str) -> None:
        attributes = self.screen.cursor.attrs
        # 38:2::r:g:b has an empty color space that 38;2;r;g;b has not.
        text = re.sub(r"([345]8):2:[0-9]*:(\d+:\d+:\d+)", r"\1;2;\2", text).replace(":", ";")
        numbers = iter([int(part or 0) for part in text.split(";")])
        for number in numbers:
            if number in (38, 48):
                field = "fg" if number == 38 else "bg"
                color = extended_color(numbers)
                attributes = attributes._replace(**{field: color})
            else:
                change = STYLES.get(number)
                if change is None:
                    self._note(f"SGR {number}")
                else:
                    attributes = PLAIN if number == 0 else attributes._replace(**change)
        self.screen.cursor.attrs = attributes

    def _note(self, what: str) -> None:
        if len(self.strange) < 100:
            self.strange[repr(what)] += 1


def with_plain(screen: Screen, body: Callable[[], None]) -> None:
    attributes = screen.cursor.attrs
    screen.cursor.attrs = PLAIN._replace(bg=attributes.bg)
    body()
    screen.cursor.attrs = attributes


def copy_of(cursor: pyte.screens.Cursor) -> pyte.screens.Cursor:
    copy = pyte.screens.Cursor(cursor.x, cursor.y, cursor.attrs)
    copy.hidden = cursor.hidden
    return copy


def extended_color(numbers) -> str:
    kind = next(numbers, 0)
    if kind == 5:
        return str(next(numbers, 0))
    if kind == 2:
        return "#%02x%02x%02x" % tuple(next(numbers, 0) & 255 for _ in range(3))
    return "default"


STYLES: dict[int, dict] = {
    0: {},
    1: {"bold": True}, 2: {"dim": True}, 3: {"italics": True}, 4: {"underscore": True},
    5: {"blink": True}, 7: {"reverse": True}, 8: {}, 9: {"strikethrough": True}, 10: {},
    21: {"underscore": True}, 22: {"bold": False, "dim": False}, 23: {"italics": False},
    24: {"underscore": False}, 25: {"blink": False}, 27: {"reverse": False}, 28: {},
    29: {"strikethrough": False}, 39: {"fg": "default"}, 49: {"bg": "default"},
    58: {}, 59: {},
}
for _index in range(8):
    STYLES[30 + _index] = {"fg": str(_index)}
    STYLES[40 + _index] = {"bg": str(_index)}
    STYLES[90 + _index] = {"fg": str(_index + 8)}
    STYLES[100 + _index] = {"bg": str(_index + 8)}
