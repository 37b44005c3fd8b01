"""Draws grids of cells as PNG files, as a terminal shows them; for Tools/Generate/pictures.

Lines, blocks and braille are drawn here, as terminals do: a font leaves gaps between them.
"""

import json
import pathlib
import sys

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, SIZE = 8, 17, 13
BOLD, DIM, REVERSE, UNDERLINE = 1, 2, 4, 8

SIXTEEN = [
    (0, 0, 0), (205, 49, 49), (13, 188, 121), (229, 229, 16),
    (36, 114, 200), (188, 63, 188), (17, 168, 205), (229, 229, 229),
    (102, 102, 102), (241, 76, 76), (35, 209, 139), (245, 245, 67),
    (59, 142, 234), (214, 112, 214), (41, 184, 219), (255, 255, 255),
]
LEVELS = [0, 95, 135, 175, 215, 255]

# Left, right, up, down of a line: 0 none, 1 light, 2 heavy.
LINES = {
    "─": (1, 1, 0, 0), "━": (2, 2, 0, 0), "│": (0, 0, 1, 1), "┃": (0, 0, 2, 2),
    "╾": (2, 1, 0, 0), "╼": (1, 2, 0, 0), "╸": (2, 0, 0, 0), "╺": (0, 2, 0, 0),
    "╴": (1, 0, 0, 0), "╶": (0, 1, 0, 0), "┌": (0, 1, 0, 1), "┐": (1, 0, 0, 1),
    "└": (0, 1, 1, 0), "┘": (1, 0, 1, 0), "├": (0, 1, 1, 1), "┤": (1, 0, 1, 1),
    "┬": (1, 1, 0, 1), "┴": (1, 1, 1, 0), "┼": (1, 1, 1, 1), "╵": (0, 0, 1, 0), "╷": (0, 0, 0, 1),
}
# Dashes of a line: its weight and how many.
DASHES = {"╌": (1, 2), "┄": (1, 3), "┈": (1, 4), "╍": (2, 2), "┅": (2, 3), "┉": (2, 4)}
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
# Left, top, right, bottom in eighths.
BLOCKS = {"█": (0, 0, 8, 8), "▀": (0, 0, 8, 4), "▐": (4, 0, 8, 8)}
BLOCKS |= {chr(0x2588 + n): (0, 0, 8 - n, 8) for n in range(1, 8)}
BLOCKS |= {chr(0x2580 + n): (0, 8 - n, 8, 8) for n in range(1, 8)}


def color_of(index):
    if index < 16:
        return SIXTEEN[index]
    if index >= 232:
        return (8 + (index - 232) * 10,) * 3
    place = index - 16
    return LEVELS[place // 36], LEVELS[place // 6 % 6], LEVELS[place % 6]


def mixed(one, other, part):
    return tuple(round(a * part + b * (1 - part)) for a, b in zip(one, other))


class Drawing:
    def __init__(self, picture, fonts):
        self.fonts = fonts
        self.is_light = picture["isLight"]
        self.ground = (255, 255, 255) if self.is_light else (14, 17, 22)
        self.ink = (36, 41, 47) if self.is_light else (208, 214, 222)
        size = picture["columns"] * WIDTH, len(picture["rows"]) * HEIGHT
        self.image = Image.new("RGB", size, self.ground)
        self.draw = ImageDraw.Draw(self.image)
        for row, runs in enumerate(picture["rows"]):
            column = 0
            for run in runs:
                for character in run["text"]:
                    self.put(character, column, row, run)
                    column += run["width"]

    def colors(self, run):
        front, back = run.get("foreground"), run.get("background")
        front = self.ink if front is None else color_of(front)
        back = self.ground if back is None else color_of(back)
        if run["attributes"] & DIM:
            front = mixed(front, back, 0.5)
        return (back, front) if run["attributes"] & REVERSE else (front, back)

    def put(self, character, column, row, run):
        front, back = self.colors(run)
        x, y, width = column * WIDTH, row * HEIGHT, run["width"] * WIDTH
        if back != self.ground:
            self.draw.rectangle((x, y, x + width - 1, y + HEIGHT - 1), back)
        if character in LINES:
            self.lines(LINES[character], x, y, front)
        elif character in DASHES:
            weight, count = DASHES[character]
            for dash in range(count):
                begin = x + dash * WIDTH // count
                end = x + (dash + 1) * WIDTH // count - 2
                self.bar(begin, y + HEIGHT // 2, end, y + HEIGHT // 2, weight, front, True)
        elif character in SHADES:
            fill = mixed(front, back, SHADES[character])
            self.draw.rectangle((x, y, x + WIDTH - 1, y + HEIGHT - 1), fill)
        elif character in BLOCKS:
            left, top, right, bottom = BLOCKS[character]
            box = (x + left * WIDTH // 8, y + top * HEIGHT // 8)
            self.draw.rectangle(box + (x + right * WIDTH // 8 - 1, y + bottom * HEIGHT // 8 - 1), front)
        elif 0x2800 <= ord(character) < 0x2900:
            self.braille(ord(character) - 0x2800, x, y, front)
        elif character != " ":
            font = self.fonts[bool(run["attributes"] & BOLD)]
            self.draw.text((x, y + 1), character, front, font=font)
        if run["attributes"] & UNDERLINE:
            self.draw.line((x, y + HEIGHT - 2, x + width - 1, y + HEIGHT - 2), front)

    def bar(self, left, top, right, bottom, weight, color, is_level):
        if weight == 0:
            return
        extra = 2 if weight == 2 else 0
        if is_level:
            self.draw.rectangle((left, top - extra // 2, right, bottom + extra - extra // 2), color)
        else:
            self.draw.rectangle((left - extra // 2, top, right + extra - extra // 2, bottom), color)

    def lines(self, arms, x, y, color):
        left, right, up, down = arms
        middle, height = x + WIDTH // 2, y + HEIGHT // 2
        self.bar(x, height, middle, height, left, color, True)
        self.bar(middle, height, x + WIDTH - 1, height, right, color, True)
        self.bar(middle, y, middle, height, up, color, False)
        self.bar(middle, height, middle, y + HEIGHT - 1, down, color, False)

    def braille(self, dots, x, y, color):
        places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        for bit, (across, down) in enumerate(places):
            if dots >> bit & 1:
                left, top = x + 1 + across * 4, y + 2 + down * 4
                self.draw.rectangle((left, top, left + 1, top + 1), color)


def main():
    fonts_directory, cells, directory, *names = sys.argv[1:]
    fonts = [
        ImageFont.truetype(f"{fonts_directory}/DejaVuSansMono{weight}.ttf", SIZE)
        for weight in ("", "-Bold")
    ]
    for file in sorted(pathlib.Path(cells).glob("*.json")):
        if names and file.stem not in names:
            continue
        image = Drawing(json.loads(file.read_text()), fonts).image
        # Few colours: a palette is a third of the size.
        image.quantize(128).save(f"{directory}/{file.stem}.png", optimize=True)
    print(f"pictures are in {directory}")


main()
