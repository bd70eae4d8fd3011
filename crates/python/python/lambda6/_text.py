"""Positions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._lambda6 import Position

_STONES = {0: ".", 1: "X", 2: "O"}


def board(position: Position) -> str:
    """The board with X for black stones and O for white ones."""
    game, cells = position.game, position.cells()
    names = game.squares
    columns = [name.rstrip("0123456789") for name in names[: game.m]]
    wide, left = max(map(len, columns)), len(str(game.n))

    def line(label: str, marks: list[str]) -> str:
        return f"{label:>{left}} " + " ".join(f"{mark:>{wide}}" for mark in marks)

    lines = [line("", columns)]
    for row in range(game.n):
        here = cells[row * game.m : (row + 1) * game.m]
        lines.append(f"{line(str(game.n - row), [_STONES[cell] for cell in here])} {game.n - row}")
    lines.append(line("", columns))
    if position.outcome is None:
        lines.append(f"{position.to_move} to move, {position.stones_to_place} stones")
    else:
        lines.append("a draw" if position.outcome == "draw" else f"{position.outcome} has won")
    return "\n".join(lines)
