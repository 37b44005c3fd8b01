"""The dashboard as a person on a host sees it, on a terminal in memory."""

from __future__ import annotations

import json
from typing import Any

from host import Host, Variables
from process import Process
from trouble import eventually
from world import ROOT

PYTHON = ROOT / ".build/terminal-venv/bin/python"
SCREEN = ROOT / "Tools/TestSupport/terminal/screen.py"


class Dashboard:
    """See screen.py, which this speaks with."""

    def __init__(self, host: Host, *words: str, variables: Variables | None = None) -> None:
        self._process = Process([str(PYTHON), str(SCREEN)], {"PATH": "/usr/bin:/bin:/usr/sbin"})
        self._number = 0
        self._ask(
            "start",
            command=host.words(["progressbus", "watch", *words]),
            environment=host.environment(
                {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(variables or {})}
            ),
            columns=100,
            rows=24,
        )

    def _ask(self, request: str, patience: float = 20, **fields: Any) -> dict[str, Any]:
        self._number += 1
        number = self._number
        self._process.write(json.dumps({"id": number, "do": request, **fields}))

        def answer() -> dict[str, Any] | None:
            lines = self._process.events()
            return next((line for _, line in lines if line.get("id") == number), None)

        return eventually(f"the terminal answers {request}", answer, patience)

    def shows(self, pattern: str, patience: float, absent: bool = False) -> bool:
        """Whether the pattern is on the screen, or not any more, within so many seconds."""
        wish = {"pattern": pattern, "absent": absent, "timeout": patience}
        answer = self._ask("wait", patience + 20, **wish)
        return bool(answer["ok"])

    def text(self) -> str:
        return "\n".join(self._ask("screen")["lines"])

    def end(self) -> None:
        self._process.close_input()
        self._process.wait(5)
        self._process.kill()
