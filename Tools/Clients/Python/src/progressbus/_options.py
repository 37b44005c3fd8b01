"""What a task may be begun with."""

from __future__ import annotations

from typing import Literal, TypedDict

from ._state import TaskState


class Options(TypedDict, total=False):
    """What a task may be begun with, beside its title."""

    total: float | None
    """How many units there are; None or left out: not known."""
    unit: str
    """The word for what is counted, such as `files`; `bytes` is shown in kB and MB."""
    detail: str
    """What it is doing, one line."""
    key: str
    """The name by which a job is the same job tomorrow; its title if left out."""
    expected_children: int
    """How many children there will be in all."""
    total_is_estimate: bool
    """The total may still change."""
    style: Literal["bar", "spinner"]
    background: bool
    """Not what people wait for."""
    tint: str
    """The name of a colour."""
    cancellable: bool
    """The program looks at requests to cancel: by `check` or a handler."""
    pausable: bool
    """The same for pause and resume."""
    consequence: str
    """What would be lost by cancelling, a sentence."""
    host: str
    """The machine where the work is done, if it is not done here."""
    expected_gap: float
    """Seconds between advances that are usual."""


_FLAGS = frozenset(("total_is_estimate", "background", "cancellable", "pausable"))
_NUMBERS = frozenset(("total", "expected_children", "expected_gap"))


def set_options(state: TaskState, options: Options) -> None:
    """Puts options into a state; TypeError or ValueError for what cannot be one."""
    known = Options.__annotations__
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"a task has no {name!r}; it has {', '.join(sorted(known))}")
        if name == "style":
            state.spinner = value == "spinner"
        elif name in _FLAGS:
            setattr(state, name, bool(value))
        elif name in _NUMBERS:
            setattr(state, name, number(name, value))
        else:
            setattr(state, name, text(value))


def number(name: str, value: object) -> float | None:
    if value is None or isinstance(value, int | float):
        return value
    try:
        return float(value)  # type: ignore[arg-type]  # numbers of other libraries
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} of a task is a number or None, not {value!r}") from error


def text(value: object) -> str:
    return "" if value is None else str(value)
