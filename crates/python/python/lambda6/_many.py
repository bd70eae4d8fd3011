"""Many positions at a time."""

from __future__ import annotations

import os
import sys
import time as clock
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from ._lambda6 import Position, SolveResult, solve_all
from .errors import InputError

_BAR = 30
_EVERY = 0.1


class Bar:
    """A progress bar on a terminal or in a notebook."""

    def __init__(self, total: int, out: TextIO | None = None) -> None:
        self.total = total
        self.out = out or sys.stderr
        self.start = clock.monotonic()
        self.shown = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = clock.monotonic()
        if done < total and now - self.shown < _EVERY:
            return
        self.shown = now
        share = done / total if total else 1.0
        full = int(_BAR * share)
        used = now - self.start
        left = f"{used * (1 / share - 1):.0f} s left" if 0 < share < 1 else f"{used:.1f} s"
        end = "\n" if done >= total else ""
        self.out.write(f"\r{'#' * full}{'.' * (_BAR - full)} {done}/{total}, {left}   {end}")
        self.out.flush()


def _each(field: str, given: str | None | Sequence[str | None], count: int) -> list[str | None]:
    """One value for all positions, or one for each."""
    if given is None or isinstance(given, str):
        return [given] * count
    values = list(given)
    if len(values) != count:
        raise InputError(field, f"expected one value, or one for each of {count} positions, found {len(values)}")
    return values


def solve_many(
    positions: Iterable[Position],
    *,
    attacker: str | None | Sequence[str | None] = None,
    class_: str | Sequence[str] = "vcst",
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    threads: int | None = None,
    memory: int = 16,
    method: str = "mutual",
    progress: bool | Callable[[int, int], object] = False,
) -> list[SolveResult | None]:
    """Searches for a win in each of many positions, on all cores, and returns the results in order.

    Each position is searched by one thread with empty tables, so that a result depends neither
    on the others nor on the number of ``threads`` (all cores if not given). ``attacker`` and
    ``class_`` are those of ``solve``, one for all positions or one for each; so are the other
    options, and the limits hold for each position: 10 seconds if neither ``time`` nor ``nodes`` is
    given. ``memory`` is in MiB, for each thread.

    ``progress=True`` draws a bar on standard error; a function is called with the number of
    positions done and their total, and ends the work when it returns False. The positions that
    have not been searched then have None for a result. Ctrl-C ends the work and raises
    KeyboardInterrupt.

    >>> from lambda6 import Position, solve_many
    >>> three = Position.of_stones(black=["j10", "j12", "i11"])
    >>> [bool(result) for result in solve_many([three, Position("j10 i8h9")], class_="vcdt")]
    [True, False]
    """
    asked = list(positions)
    classes = _each("class_", class_, len(asked))
    missing = next((i for i, name in enumerate(classes) if name is None), None)
    if missing is not None:
        raise InputError(f"class_[{missing}]", "expected the name of a class of moves")
    if time is None and nodes is None:
        time = 10.0
    listener: Callable[[int, int], object] | None
    listener = Bar(len(asked)) if progress is True else progress or None
    told: Callable[[int], object] | None = None
    if listener is not None:
        hear = listener
        told = lambda done: hear(done, len(asked))  # noqa: E731
    return solve_all(
        asked,
        [name for name in classes if name is not None],
        _each("attacker", attacker, len(asked)),
        time,
        nodes,
        depth,
        threads if threads is not None else _cores(),
        memory,
        method,
        told,
    )


def _cores() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1
