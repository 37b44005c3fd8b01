"""What a terminal sends for keys and the mouse."""

from __future__ import annotations

import re

CURSOR = {"Up": "A", "Down": "B", "Right": "C", "Left": "D", "End": "F", "Home": "H"}
NAMED = {
    "Enter": "\r", "Escape": "\x1b", "Tab": "\t", "BackTab": "\x1b[Z", "Backspace": "\x7f",
    "Space": " ", "PageUp": "\x1b[5~", "PageDown": "\x1b[6~", "Insert": "\x1b[2~",
    "Delete": "\x1b[3~", "F1": "\x1bOP", "F2": "\x1bOQ", "F3": "\x1bOR", "F4": "\x1bOS",
    "F5": "\x1b[15~", "F10": "\x1b[21~",
}
BUTTONS = {"left": 0, "middle": 1, "right": 2, "wheelUp": 64, "wheelDown": 65}


def key(name: str, application_cursor: bool) -> bytes:
    """One key by its name: a character, Ctrl-C, or one of the names above."""
    if name in CURSOR:
        return (("\x1bO" if application_cursor else "\x1b[") + CURSOR[name]).encode()
    if name in NAMED:
        return NAMED[name].encode()
    control = re.fullmatch(r"Ctrl-([A-Z\[\\\]^_])", name)
    if control:
        return bytes([ord(control[1]) & 0x1F])
    if len(name) == 1:
        return name.encode()
    raise ValueError(f"no key has the name {name}")


def paste(text: str, modes: set[int]) -> bytes:
    """What is pasted: between marks where the program has asked for them, else as if typed."""
    data = text.replace("\n", "\r").encode()
    return b"\x1b[200~" + data + b"\x1b[201~" if 2004 in modes else data


def mouse(button: str, row: int, column: int, modes: set[int]) -> bytes:
    """A click or a turn of the wheel at a cell counted from 0; empty where nobody asked."""
    if not modes & {9, 1000, 1002, 1003}:
        return b""
    number = BUTTONS[button]
    if 1006 in modes:
        events = [f"\x1b[<{number};{column + 1};{row + 1}M"]
        if number < 64:
            events.append(f"\x1b[<{number};{column + 1};{row + 1}m")
        return "".join(events).encode()
    where = bytes([min(255, column + 33), min(255, row + 33)])
    down = b"\x1b[M" + bytes([number + 32]) + where
    return down + (b"\x1b[M#" + where if number < 64 and 9 not in modes else b"")
