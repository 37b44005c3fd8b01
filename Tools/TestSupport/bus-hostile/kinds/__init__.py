"""The kinds of misbehaviour, by name: a function each, in a file for each part of the protocol."""

from __future__ import annotations

from collections.abc import Callable

from client import Client

from . import bytes_, detached, reports, sessions, shapes, spool, texts, tickets, viewers

Kind = Callable[[Client], None]


def _public(module: object) -> dict[str, Kind]:
    """The functions that a file defines; those with an underscore help others."""
    name = getattr(module, "__name__", "")
    return {
        key.replace("_", "-"): value
        for key, value in vars(module).items()
        if not key.startswith("_")
        and callable(value)
        and getattr(value, "__module__", "") == name
        and not isinstance(value, type)
    }


KINDS: dict[str, Kind] = {
    name: kind
    for module in (bytes_, sessions, reports, shapes, texts, tickets, viewers, detached, spool)
    for name, kind in _public(module).items()
}
