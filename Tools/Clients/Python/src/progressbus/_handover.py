"""What other processes are given of a task: parents, tickets, environments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._identity import TaskId
from ._options import Options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._bus import Bus
    from ._task import Task


class Parent:
    """A task of another process: children can be begun below it, and that is all."""

    __slots__ = ("_bus", "counts_itself", "task_id")

    # Its end is said by the other process.
    has_ended = False

    def __init__(self, bus: Bus, task_id: TaskId, counts_itself: bool = False) -> None:
        self._bus = bus
        self.task_id = task_id
        self.counts_itself = counts_itself

    @property
    def id(self) -> str:
        """Its name."""
        return str(self.task_id)

    def child(self, title: str, share: int | None = None, **options: Unpack[Options]) -> Task:
        """Begins a part of it, worth `share` of its units: 1 if left out."""
        return self._bus.begin(title, parent=self.task_id, share=share, options=options)

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """As `Task.environment`."""
        return environment_with(base, self._bus.endpoint, PROGRESSBUS_PARENT=self.id)

    def is_elsewhere(self) -> bool:
        """Whether it belongs to another process."""
        return self.task_id.session != self._bus.public_id

    def __reduce__(self) -> tuple[Any, tuple[str, str, bool]]:
        return restored_parent, (str(self._bus.endpoint), self.id, self.counts_itself)

    def __repr__(self) -> str:
        return f"<Parent {self.id}>"


class Ticket:
    """A child reserved for another process, which begins it with `Bus.redeem`.

    It survives an environment variable, an argument, a job queue and pickling. If the process that
    has redeemed it dies, the next one to redeem it continues the same task as another attempt.
    """

    __slots__ = ("_endpoint", "text")

    def __init__(self, text: str, endpoint: str) -> None:
        self.text = text
        self._endpoint = endpoint

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for the process that shall begin it; `base` or this process's own is
        extended."""
        return environment_with(base, self._endpoint, PROGRESSBUS_TICKET=self.text)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return Ticket, (self.text, self._endpoint)


def environment_with(
    base: Mapping[str, str] | None, endpoint: object, **variables: str
) -> dict[str, str]:
    environment = dict(os.environ if base is None else base)
    environment.pop("PROGRESSBUS_TICKET", None)
    environment.pop("PROGRESSBUS_PARENT", None)
    return environment | {"PROGRESSBUS_ENDPOINT": str(endpoint)} | variables


def restored_parent(endpoint: str, text: str, counts_itself: bool) -> Parent:
    from ._bus import bus_at
    from ._identity import task_id

    return Parent(bus_at(endpoint), task_id(text), counts_itself)
