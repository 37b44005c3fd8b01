"""What the tests are given."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from harness import Bench, new_bench

import progressbus


@pytest.fixture
def empty_bench() -> Iterator[Bench]:
    """A bus without a broker."""
    with new_bench() as bench:
        yield bench


@pytest.fixture
def bench(empty_bench: Bench) -> Bench:
    """A bus with its broker."""
    empty_bench.start_broker()
    return empty_bench


@pytest.fixture
def bus(bench: Bench) -> Iterator[progressbus.Bus]:
    """A session with that broker."""
    bus = progressbus.Bus(bench.endpoint)
    yield bus
    bus.close(1)
