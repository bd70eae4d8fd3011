"""Positions as numpy arrays and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._arrays import of_bytes
from ._lambda6 import Game, Position
from .errors import InputError

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_SIDES = {1: "black", 2: "white"}


def boards(positions: Iterable[Position]) -> numpy.typing.NDArray[numpy.int8]:
    """Positions of one game as one array: a board of ``Position.array`` each.

    >>> from lambda6 import Position, boards
    >>> boards([Position("j10"), Position("j10 i8h9")]).shape
    (2, 19, 19)
    """
    cells: list[bytes] = []
    game: Game | None = None
    for i, position in enumerate(positions):
        game = game or position.game
        if position.game != game:
            raise InputError(f"positions[{i}]", f"is of {position.game!r}, those before it of {game!r}")
        cells.append(position.cells())
    if game is None:
        raise InputError("positions", "there is none")
    return of_bytes(b"".join(cells), "int8", (len(cells), game.n, game.m))


def position_of_array(
    board: numpy.typing.ArrayLike, *, to_move: str = "black", game: Game | str = "connect6"
) -> Position:
    """The position with the stones of an array as ``Position.array`` returns it.

    >>> from lambda6 import Position, position_of_array
    >>> position = Position("j10 i8h9")
    >>> position_of_array(position.array()) == position
    True
    """
    import numpy

    game = game if isinstance(game, Game) else Game.parse(game)
    array = numpy.asarray(board)
    if array.shape != (game.n, game.m):
        raise InputError("board", f"expected an array of shape {(game.n, game.m)}, found {array.shape}")
    wrong = numpy.argwhere((array != 0) & (array != 1) & (array != 2))
    if len(wrong):
        row, column = (int(index) for index in wrong[0])
        found = array[row, column]
        raise InputError(f"board[{row}, {column}]", f"expected 0 (empty), 1 (black) or 2 (white), found {found}")
    stones = {
        side: [game.square(int(row), int(column)) for row, column in numpy.argwhere(array == cell)]
        for cell, side in _SIDES.items()
    }
    return Position.of_stones(black=stones["black"], white=stones["white"], to_move=to_move, game=game)
