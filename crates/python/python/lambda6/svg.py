"""Pictures of boards in SVG: stones, zones, marks and labels.

>>> from lambda6 import Position, svg
>>> picture = svg.draw(Position("j10 i8h9"), marks={"k11": "a"}, area=("f6", "n14"))
>>> picture.startswith("<svg")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape

from ._lambda6 import Game, Position, Walk
from .errors import InputError

__all__ = ["draw"]

_BOARD = "#f0d9a8"
_LINE = "#6b5530"
_TEXT = "#4a3a20"
_STONES = {"black": ("#1c1c1c", "#f4f4f4"), "white": ("#fafafa", "#1c1c1c")}
_LAST = "#d03a2b"
_RING = "#1f6fb4"
# The smallest zone has the strongest colour.
_ZONES = ("#c2410c", "#e07b39", "#eba97c", "#f3cfb4")
_ZONE_OPACITY = 0.75
_MOST_CELL = 200


class _View:
    """The part of a board that is drawn, and where its squares are in the picture."""

    def __init__(self, game: Game, area: tuple[str, str] | None, cell: float) -> None:
        self.game = game
        self.cell = cell
        corners = [_index(game, f"area[{i}]", name) for i, name in enumerate(area)] if area else []
        rows = [row for row, _ in corners] or [0, game.n - 1]
        columns = [column for _, column in corners] or [0, game.m - 1]
        self.top, self.bottom = min(rows), max(rows)
        self.left, self.right = min(columns), max(columns)
        self.width = (self.right - self.left + 2) * cell
        self.height = (self.bottom - self.top + 2) * cell

    def place(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a square; the labels take half a cell at each edge."""
        return (column - self.left + 1) * self.cell, (row - self.top + 1) * self.cell

    def shown(self, field: str, squares: Iterable[str]) -> list[tuple[str, float, float]]:
        """The squares in view, with their places."""
        found = []
        for name in squares:
            row, column = _index(self.game, field, name)
            if self.top <= row <= self.bottom and self.left <= column <= self.right:
                found.append((name, *self.place(row, column)))
        return found


def _index(game: Game, field: str, square: str) -> tuple[int, int]:
    try:
        return game.index(square)
    except InputError as error:
        raise InputError(field, error.reason) from None


def draw(
    what: Position | Walk,
    *,
    zones: Sequence[Iterable[str]] | None = None,
    marks: Mapping[str, str] | None = None,
    rings: Iterable[str] = (),
    numbers: bool = False,
    area: tuple[str, str] | None = None,
    cell: float = 24,
    title: str | None = None,
) -> str:
    """A picture of a position or of a walk through a proof.

    ``zones`` are sets of squares, the smallest first; each square gets the colour of the first that has
    it. Those of a walk are drawn unless others are given. ``marks`` are short labels of squares,
    ``rings`` squares with a ring, such as defences. ``numbers`` writes the number of the move on each
    stone. ``area`` is the part of the board between two corners, ``cell`` the size of a square in
    pixels, ``title`` a text for readers who do not see the picture.

    The last move has a dot.
    """
    position = what.position if isinstance(what, Walk) else what
    if zones is None:
        zones = what.zones if isinstance(what, Walk) else []
    if not 4 <= cell <= _MOST_CELL:
        raise InputError("cell", f"expected 4 to {_MOST_CELL} pixels, found {cell}")
    view = _View(position.game, area, cell)
    text = escape(title or _describe(position))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {view.width:g} {view.height:g}" '
        f'width="{view.width:g}" height="{view.height:g}" font-family="sans-serif" role="img">',
        f"<title>{text}</title>",
        f'<rect width="100%" height="100%" rx="{cell / 5:g}" fill="{_BOARD}"/>',
        *_lines(view),
        *_zones(view, zones),
        *_stones(view, position, numbers),
        *_rings(view, rings),
        *_marks(view, position, marks or {}),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _describe(position: Position) -> str:
    black, white = len(position.black), len(position.white)
    state = f"{position.to_move} to move" if position.outcome is None else "the game is over"
    return f"{position.game}: {black} black and {white} white stones, {state}"


def _lines(view: _View) -> list[str]:
    game, cell = view.game, view.cell
    # A line goes on beyond the picture where the board does.
    x1 = cell if view.left == 0 else cell / 2
    x2 = view.width - (cell if view.right == game.m - 1 else cell / 2)
    y1 = cell if view.top == 0 else cell / 2
    y2 = view.height - (cell if view.bottom == game.n - 1 else cell / 2)
    path, labels = [], []
    for row in range(view.top, view.bottom + 1):
        y = view.place(row, view.left)[1]
        path.append(f"M{x1:g} {y:g}H{x2:g}")
        for x in (cell * 0.3, view.width - cell * 0.3):
            labels.append(_label(x, y, str(game.n - row), cell * 0.36, _TEXT))
    names = game.squares
    for column in range(view.left, view.right + 1):
        x = view.place(view.top, column)[0]
        path.append(f"M{x:g} {y1:g}V{y2:g}")
        name = names[column].rstrip("0123456789")
        for y in (cell * 0.3, view.height - cell * 0.3):
            labels.append(_label(x, y, name, cell * 0.36, _TEXT))
    return [f'<path d="{"".join(path)}" stroke="{_LINE}" stroke-width="{cell / 24:g}" fill="none"/>', *labels]


def _label(x: float, y: float, text: str, size: float, colour: str) -> str:
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-size="{size:g}" text-anchor="middle" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _zones(view: _View, zones: Sequence[Iterable[str]]) -> list[str]:
    painted: set[str] = set()
    parts = []
    side = view.cell * 0.86
    for i, zone in enumerate(zones):
        here = [square for square in zone if square not in painted]
        painted.update(here)
        # Zones beyond the colours are as good as the whole board.
        if i >= len(_ZONES):
            break
        squares = "".join(
            f"M{x - side / 2:g} {y - side / 2:g}h{side:g}v{side:g}h{-side:g}z"
            for _, x, y in view.shown(f"zones[{i}]", here)
        )
        if squares:
            parts.append(f'<path d="{squares}" fill="{_ZONES[i]}" fill-opacity="{_ZONE_OPACITY}"/>')
    return parts


def _stones(view: _View, position: Position, numbers: bool) -> list[str]:
    game, cell = position.game, view.cell
    order = {stone: i for i, move in enumerate(position.moves, 1) if move != "-" for stone in game.stones(move)}
    last = set(game.stones(position.moves[-1])) if position.moves and position.moves[-1] != "-" else set()
    parts = []
    for side, squares in (("black", position.black), ("white", position.white)):
        fill, ink = _STONES[side]
        for name, x, y in view.shown(side, squares):
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.44:g}" fill="{fill}" stroke="{_TEXT}" '
                f'stroke-width="{cell / 30:g}"/>'
            )
            if numbers and name in order:
                colour = _LAST if name in last else ink
                parts.append(_label(x, y, str(order[name]), cell * 0.42, colour))
            elif name in last:
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{cell * 0.12:g}" fill="{_LAST}"/>')
    return parts


def _rings(view: _View, rings: Iterable[str]) -> list[str]:
    return [
        f'<circle cx="{x:g}" cy="{y:g}" r="{view.cell * 0.34:g}" fill="none" stroke="{_RING}" '
        f'stroke-width="{view.cell / 10:g}"/>'
        for _, x, y in view.shown("rings", rings)
    ]


def _marks(view: _View, position: Position, marks: Mapping[str, str]) -> list[str]:
    parts = []
    for name, x, y in view.shown("marks", marks):
        side = position.at(name)
        if side is None:
            # The lines would run through the label.
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{view.cell * 0.36:g}" fill="{_BOARD}"/>')
        colour = _RING if side is None else _STONES[side][1]
        parts.append(_label(x, y, marks[name], view.cell * 0.5, colour))
    return parts
