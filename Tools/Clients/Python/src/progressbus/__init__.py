"""Reports how far a program's work is to a ProgressBus broker; see README.md.

import progressbus

with progressbus.job("Back up photos", total=len(photos), unit="files") as job:
    for photo in photos:
        job.check()
        copy(photo)
        job.advance()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._bus import VERSION as __version__
from ._bus import Bus, default_bus
from ._current import current
from ._gather import gather
from ._handover import Parent, Ticket
from ._join import join
from ._options import Options
from ._task import Cancelled, Task
from ._tracked import tracked

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Bus",
    "Cancelled",
    "Options",
    "Parent",
    "Task",
    "Ticket",
    "__version__",
    "current",
    "default_bus",
    "gather",
    "job",
    "join",
    "tracked",
]


def job(title: str, inherit: bool = True, **options: Unpack[Options]) -> Task:
    """Begins a job on the default bus; see `Bus.job`."""
    return default_bus().job(title, inherit, **options)
