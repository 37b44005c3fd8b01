"""Who looks from the host that is cut off, with keys, through ssh, and at the dashboard."""

from __future__ import annotations

from board import Board, status
from dashboard import Dashboard
from team import HERE
from verdict import Verdict
from viewer import Viewer
from world import World

OLD = r"updated [0-9]+ s ago"


class Onlookers:
    """All of them on the second host, and what they look at is on the first."""

    def __init__(self, world: World) -> None:
        self._keyed = Viewer(world.two, variables=HERE)
        self._tunnelled = Viewer(world.two, "--on", "one")
        self._dashboards = {
            "the dashboard with keys": (Dashboard(world.two, variables=HERE), "keyed-package"),
            "the dashboard through ssh": (Dashboard(world.two, "--on", "one"), "on tunnel-package"),
        }

    def sees_nothing_yet(self) -> list[str]:
        """Who has no picture so far."""
        wrong = [
            f"{name} shows no {title}"
            for name, (dashboard, title) in self._dashboards.items()
            if not dashboard.shows(title, 0.1)
        ]
        keyed, tunnelled = self.boards()
        if not keyed.find("keyed-package"):
            wrong.append("watch --json with keys shows nothing")
        if not tunnelled.find("on tunnel-package"):
            wrong.append(f"watch --json --on shows nothing: {self._tunnelled.process.errors}")
        return wrong

    def boards(self) -> tuple[Board, Board]:
        """What was told last with keys, and through ssh."""
        return self._keyed.board(), self._tunnelled.board()

    def look_while_it_is_down(self, verdict: Verdict, patience: float) -> None:
        """The picture stays, and is said to be old."""
        for name, (dashboard, title) in self._dashboards.items():
            is_old = dashboard.shows(OLD, patience)
            text = dashboard.text()
            verdict.holds(is_old, f"{name} does not say that its picture is old:\n{text}")
            verdict.holds(title in text, f"{name} has lost its picture")
        for name, viewer in (("keys", self._keyed), ("ssh", self._tunnelled)):
            told = viewer.times("disconnected")
            verdict.holds(told, f"watch --json by {name} does not say that it is disconnected")

    def look_when_it_is_back(self, verdict: Verdict, joined: float, patience: float) -> None:
        """It comes back by itself."""
        for name, viewer in (("keys", self._keyed), ("ssh", self._tunnelled)):

            def away(name: str = name, viewer: Viewer = viewer) -> list[str]:
                is_back = viewer.times("connected", joined)
                return [] if is_back else [f"watch --json by {name} does not come back"]

            if verdict.becomes(away, patience):
                seconds = viewer.times("connected", joined)[0] - joined
                verdict.figure(f"a viewer by {name} is back after", f"{seconds:.1f} s")
        for name, (dashboard, title) in self._dashboards.items():
            verdict.holds(
                dashboard.shows(OLD, patience, absent=True) and title in dashboard.text(),
                f"{name} does not come back:\n{dashboard.text()}",
            )

    def end(self, verdict: Verdict) -> None:
        """Nothing has ever left a picture."""
        for viewer in (self._keyed, self._tunnelled):
            verdict.holds(not viewer.left(), f"a viewer was told that {viewer.left()[:3]} left")
            verdict.holds(viewer.process.status is None, f"it ended: {viewer.process.errors}")
            viewer.end()
        for dashboard, _ in self._dashboards.values():
            dashboard.end()


def look_at_who_is_gone(world: World, verdict: Verdict) -> None:
    """Who begins to look at the bus of the host that is cut off is told so soon, in words."""
    board, seconds, said = status(world.three, "--on", "two", patience=40)
    verdict.figure("status --on who is cut off", f"after {seconds:.1f} s: {said[:80]}")
    verdict.holds(
        board is None and "no connection to two" in said and seconds < 25,
        f"status --on a host that is cut off: after {seconds:.1f} s {said!r}",
    )
