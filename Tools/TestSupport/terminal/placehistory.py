"""Where labels were on a screen, at every look at it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Who is away for less than this has blinked; seconds.
BLINK = 0.25
MOST_EVENTS = 40
MOST_SCREENS = 3


@dataclass
class Track:
    row: int
    column: int
    # Times during which it was seen without interruption in one place: from, to, row, column.
    spans: list[list] = field(default_factory=list)
    is_visible: bool = True


class PlaceHistory:
    """Follows every label that matches a pattern; one group of a pattern is the label.

    `top` rows above and `bottom` rows below are not looked at.
    """

    def __init__(self, patterns: list[str], top: int = 0, bottom: int = 0):
        self.patterns = [re.compile(pattern) for pattern in patterns]
        self.top, self.bottom = top, bottom
        self.tracks: dict[str, Track] = {}
        self.looks = 0
        self.moves = self.blinks = self.returns = self.columns = self.gaps = 0
        self.copies = 0
        self.moved: set[str] = set()
        self.events: list[dict] = []
        self.screens: list[dict] = []
        self.scrolled_before: int | None = None
        self.scrolled = 0
        self._rows: dict[int, list[tuple[str, int]]] = {}
        self._texts: dict[int, str] = {}
        self._last: list[str] = []
        self._screen = None

    def look(self, now: float, screen) -> None:
        """Looks at a screen; `screen.dirty` says which rows may have changed."""
        if screen is not self._screen or self.scrolled_before is None:
            self._screen, self._rows, self._texts = screen, {}, {}
            self.scrolled_before = screen.scrolled
            changed = range(screen.lines)
        else:
            changed = [row for row in screen.dirty if row < screen.lines]
        self.scrolled += screen.scrolled - self.scrolled_before
        self.scrolled_before = screen.scrolled
        for row in changed:
            self._rows[row] = self._labels(row, screen)
        found: dict[str, list[tuple[int, int]]] = {}
        for row in range(self.top, screen.lines - self.bottom):
            for label, column in self._rows.get(row, ()):
                found.setdefault(label, []).append((row, column))
        self.looks += 1
        before = len(self.events)
        for label, places in found.items():
            if len(places) > max(self.copies, 1):
                self._event(now, "copies", label, len(places), [place[0] for place in places])
            self.copies = max(self.copies, len(places))
            self._seen(now, label, places)
        for label, track in self.tracks.items():
            if track.is_visible and label not in found:
                track.is_visible = False
                track.spans[-1][1] = now
        text = [self._texts[row] for row in range(screen.lines)]
        if len(self.events) > before and len(self.screens) < MOST_SCREENS:
            self.screens.append({"time": now, "before": self._last, "after": text})
        self._last = text

    def _labels(self, row: int, screen) -> list[tuple[str, int]]:
        text, columns = screen.text(row)
        self._texts[row] = text.rstrip()
        labels = []
        for pattern in self.patterns:
            for match in pattern.finditer(text):
                start = match.start(1)
                labels.append((match[1], columns[start] if columns else start))
        return labels

    def _seen(self, now: float, label: str, places: list[tuple[int, int]]) -> None:
        track = self.tracks.get(label)
        if track is None:
            row, column = places[0]
            self.tracks[label] = Track(row, column, [[now, now, row, column]])
            return
        # Of several copies the one that has stayed counts; the others are counted as copies.
        here = next((place for place in places if place[0] == track.row), places[0])
        row, column = here
        away = now - track.spans[-1][1]
        if track.is_visible:
            if row != track.row:
                self.moves += 1
                self.moved.add(label)
                self._event(now, "move", label, track.row, row)
            elif column != track.column:
                self.columns += 1
                self._event(now, "column", label, track.column, column)
        else:
            self.gaps += 1
            if away < BLINK:
                self.blinks += 1
                self._event(now, "blink", label, track.row, row)
                if row != track.row:
                    self.moves += 1
                    self.moved.add(label)
            elif row != track.row:
                self.returns += 1
                self._event(now, "return", label, track.row, row)
            if column != track.column:
                self.columns += 1
                self._event(now, "column", label, track.column, column)
        if not track.is_visible or (row, column) != (track.row, track.column):
            if track.is_visible:
                track.spans[-1][1] = now
            track.spans.append([now, now, row, column])
        track.row, track.column, track.is_visible = row, column, True
        track.spans[-1][1] = now

    def _event(self, now: float, what: str, label: str, former, new) -> None:
        if len(self.events) < MOST_EVENTS:
            self.events.append(
                {"time": now, "what": what, "label": label, "from": str(former), "to": str(new)}
            )

    def hold(self, now: float) -> None:
        """What is visible is still visible."""
        for track in self.tracks.values():
            if track.is_visible:
                track.spans[-1][1] = now

    def check(self, lives: list[list], grace: float) -> dict:
        """Compares with the times at which each label was alive: label, from, to.

        Late: first seen more than `grace` after it began, or never though it lived that long.
        Missing: seen, then not, and still alive.
        """
        late, missing, worst, unseen = [], [], 0.0, 0
        for label, begin, end in lives:
            track = self.tracks.get(label)
            spans = [span for span in track.spans if span[1] >= begin] if track else []
            spans = [span for span in spans if span[0] <= end]
            first = max(begin, spans[0][0]) if spans else end
            unseen += not spans
            delay = first - begin
            worst = max(worst, delay if spans else 0)
            if delay > grace:
                late.append([label, round(delay, 3)])
            reached = first
            for span in spans:
                if span[0] > reached:
                    missing.append([label, round(reached, 3), round(span[0], 3)])
                reached = max(reached, span[1])
            if spans and reached < end:
                missing.append([label, round(reached, 3), round(end, 3)])
        return {
            "lives": len(lives), "unseen": unseen, "worstDelay": round(worst, 3),
            "late": late[:MOST_EVENTS], "missing": missing[:MOST_EVENTS],
        }

    def report(self) -> dict:
        return {
            "looks": self.looks, "labels": len(self.tracks), "moved": len(self.moved),
            "moves": self.moves, "blinks": self.blinks, "returns": self.returns,
            "gaps": self.gaps, "columnChanges": self.columns, "copies": self.copies,
            "scrolled": self.scrolled, "events": self.events, "screens": self.screens,
            "places": {
                label: {"row": track.row, "column": track.column, "visible": track.is_visible}
                for label, track in sorted(self.tracks.items())[:5_000]
            },
        }
