"""Draws the pictures of the book with the Python package of lambda6.

    make pictures        draw them into docs/images/concepts

The tests draw them again and compare them with the files.
"""

from __future__ import annotations

import pathlib
import sys

from lambda6 import CONNECT6, GO_MOKU, Position, solve, svg, verify

PUZZLE = Position("j10 i10h9 i11k11 j11g8 k12e6 i9k9 j12g9 h10j8 l10i13")
AREA = ("d4", "p16")


def squares(moves: list[str]) -> list[str]:
    """All squares of some moves."""
    return sorted({square for move in moves for square in CONNECT6.stones(move)})


def threats() -> str:
    """Four stones in a row: two threats of two squares, met by one stone or by two."""
    four = Position.of_stones(black=["f8", "g8", "h8", "i8"], white=["d8"], to_move="white")
    labels = {square: "x" for square in squares(four.threats("black"))}
    return svg.draw(four, marks=labels, area=("c5", "m11"), title="Four stones and the squares of their threats")


def defences() -> str:
    """The squares of the critical defences against two crossing rows."""
    crossing = Position.of_stones(
        black=["e8", "f8", "g8", "h8", "i5", "i6", "i7", "i9"], white=["d8", "i4"], to_move="white"
    )
    return svg.draw(
        crossing,
        rings=squares(crossing.defences()),
        area=("c3", "m13"),
        title="Two rows that cross, and the squares that meet their threats",
    )


def rows() -> str:
    """An open three and a four of go-moku."""
    position = Position("g8 g12 h8 h12 i8 i12 o1 j12", GO_MOKU)
    marks = {square: "3" for row in position.rows("black") for square in row.next}
    marks |= {square: "4" for row in position.rows("white") for square in row.next}
    return svg.draw(position, marks=marks, area=("d6", "m14"), title="An open three of Black's and an open four of White's")


def line() -> str:
    """A win: the line in which the defender holds out longest."""
    position = PUZZLE
    for move in solve(PUZZLE).line:
        position = position.play(move, partial=True)
    shown = Position.of_stones(black=PUZZLE.black, white=PUZZLE.white, to_move=PUZZLE.to_move)
    for move in position.moves[len(PUZZLE.moves):]:
        shown = shown.play(move, partial=True)
    return svg.draw(shown, numbers=True, area=("c4", "p16"), title="White's win move by move")


def zones() -> str:
    """The zones of a win after its first move."""
    return svg.draw(solve(PUZZLE).certificate.walk(), title="The first move of White's win and its zones")


def passed() -> str:
    """Three stones: when White passes, Black wins by double threats."""
    three = Position.of_stones(black=["j10", "j12", "i11"], to_move="black")
    position = three
    for move in solve(three, class_="vcdt").line:
        position = position.play(move, partial=True)
    return svg.draw(position, numbers=True, area=AREA, title="After a pass of White's Black wins by double threats")


def null_zone() -> str:
    """The first zone of that win: only stones on these squares need an answer."""
    three = Position.of_stones(black=["j10", "j12", "i11"], to_move="white")
    null = next(refuted for refuted in verify(three, each=60).refuted if refuted.stones == "-")
    return svg.draw(three, zones=[null.zone], title="The zone of the win against a pass")


def questions() -> str:
    """The defender's stones that a certificate answers one by one."""
    walk = solve(PUZZLE).certificate.walk()
    named = {square for move in walk.named for square in CONNECT6.stones(move)}
    return svg.draw(walk.position, rings=sorted(named), area=AREA, title="The stones that the certificate answers")


PICTURES = {
    "threats": threats,
    "defences": defences,
    "rows": rows,
    "line": line,
    "zones": zones,
    "passed": passed,
    "null-zone": null_zone,
    "questions": questions,
}


def main() -> None:
    directory = pathlib.Path(__file__).parent / "images" / "concepts"
    directory.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (directory / f"{name}.svg").write_text(draw())
        print(name, file=sys.stderr)


if __name__ == "__main__":
    main()
