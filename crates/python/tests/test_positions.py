"""Positions, threats, records and arrays."""

import copy
import pickle
import xml.etree.ElementTree

import lambda6
import numpy
import pytest
from lambda6 import CONNECT6, GO_MOKU, TIC_TAC_TOE, Game, Position, Record, svg

FOUR = Position.of_stones(black=["b5", "c5", "d5", "e5"], white=["a1"], to_move="white")


def test_one_position_in_all_its_spellings():
    expected = Position("j10 i8h9")
    setup = "game: 19 19 6 2 1\nblack: j10\nwhite: i8 h9\nto-move: black\n"
    for text in ["TX-H9", "1.j10 2.h9i8", "(;GM[511];B[JJ];W[IL];W[HK])", setup]:
        assert Position(text) == expected
        assert hash(Position(text)) == hash(expected)
    assert Position("j10 i8h9") != Position("j10 i8h8")
    assert expected.opening == "TX-H9"
    assert Position("j10").opening is None


def test_threats_and_defences_of_a_four():
    # Of b5 c5 d5 e5 two stones more make six: a5f5 or f5g5, as the border is at a5's left.
    assert FOUR.threats("black") == ["a5f5", "f5g5"]
    assert FOUR.defences() == ["a5g5", "f5"]
    assert FOUR.threat_count("black") == 1
    assert FOUR.threat_count("white") == 0
    # One stone more is a five, which still needs one stone to be met.
    assert "f5" in [move for move in FOUR.play("a2a3").threat_moves().winning for move in CONNECT6.stones(move)]


def test_more_threats_than_can_be_met_have_no_defence():
    stones = [column + row for row in ("5", "9", "13") for column in "cdefg"]
    position = Position.of_stones(black=stones, to_move="white")
    assert position.threat_count("black") == 3
    assert position.defences() == []


def test_moves_lead_from_position_to_position():
    position = Position("j10")
    after = position.play("i8h9")
    assert (position.to_move, after.to_move) == ("white", "black")
    assert after.moves == ["j10", "i8h9"]
    assert after.start == Position()
    assert position.play("i8", partial=True).to_move == "black"
    won = Position("a1 a2 b1 b2 c1", "tic-tac-toe")
    assert (won.outcome, won.stones_to_place, won.winning_row()) == ("black", 0, ["a1", "b1", "c1"])


@pytest.mark.parametrize(
    "position",
    [
        Position(),
        Position("j10 i8h9"),
        Position("j10").play("-", partial=True),
        Position("a1 a2 b1 b2 c1", "tic-tac-toe"),
        FOUR.play("a5g5"),
    ],
)
def test_positions_are_pickled_and_copied(position):
    for other in [pickle.loads(pickle.dumps(position)), copy.deepcopy(position)]:
        assert (other, other.moves, other.outcome) == (position, position.moves, position.outcome)


def test_symmetric_positions_have_one_canonical_image():
    position = Position("j10 i8h9 k11l10")
    images = position.symmetries()
    assert len(set(images)) == 8
    assert len({image.canonical() for image in images}) == 1
    assert all(image.moves[0] == "j10" for image in images)


def test_arrays_hold_the_stones():
    board = FOUR.array()
    assert (board.shape, board.dtype) == ((19, 19), numpy.int8)
    assert {CONNECT6.square(int(r), int(c)) for r, c in numpy.argwhere(board == 1)} == set(FOUR.black)
    assert board[CONNECT6.index("a1")] == 2
    assert lambda6.position_of_array(board, to_move="white") == FOUR
    board[0, 0] = 1  # an array of its own
    assert FOUR.at("a19") is None
    small = Position("a1 b2", Game(4, 3, 3, 1, 1))
    assert small.array().tolist() == [[0, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0]]
    assert lambda6.boards([FOUR, Position("j10")]).shape == (2, 19, 19)


def test_records_keep_variations_and_comments():
    record = Record.read("(;FF[4]PB[Ada];B[j10]C[centre];W[i11k11](;B[a1b1])(;B[k9l9]C[better]))")
    assert record.info == {"black": "Ada"}
    second = record.root.children[0].children[0].children[1]
    assert (second.move, second.side, second.comment) == ("k9l9", "black", "better")
    assert second.position == Position("j10 i11k11 k9l9")
    for format in ["little-golem", "gm511", "gm511-pairs"]:
        again = Record.read(record.write(format))
        assert again.root.children[0].comment == "centre"
        assert again.moves == record.moves


def test_a_board_draws_itself():
    position = Position("j10 i8h9 k11l10")
    picture = xml.etree.ElementTree.fromstring(position._repr_svg_())
    circles = picture.findall("{http://www.w3.org/2000/svg}circle")
    # Five stones, and dots on the two of the last move.
    assert len(circles) == 7
    part = xml.etree.ElementTree.fromstring(
        svg.draw(position, area=("i9", "k11"), marks={"k10": "<&"}, rings=["j10"], numbers=True, title="<a> & b")
    )
    assert part.find("{http://www.w3.org/2000/svg}title").text == "<a> & b"
    texts = [text.text for text in part.iter("{http://www.w3.org/2000/svg}text")]
    assert "<&" in texts and "1" in texts and "h" not in texts


def test_text_shows_the_board():
    lines = str(Position("b2 a1", TIC_TAC_TOE)).splitlines()
    assert lines[1:4] == ["3 . . . 3", "2 . X . 2", "1 O . . 1"]


def test_rows_of_go_moku_have_their_names():
    position = Position("h8 a1 h9 b1 h10 c1", GO_MOKU)
    assert [(row.name, row.next) for row in position.rows("black")] == [("open three", ["h11", "h7"])]
    assert position.threat_cells("white").double == []
