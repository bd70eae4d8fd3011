//! The half-move evaluation: the value of one stone for its side.
//!
//! E = d_i * sum over the 4 directions of the product over the 10 points within
//! 5 of the stone, where an empty point counts 2, a stone of the same side at
//! distance n counts w_n, and from the border or a stone of the other side on
//! every point counts 1; i is the number of directions without a stone of the
//! other side.

use lambda6_rules::{Side, Square};
use lambda6_threats::Board;

/// The factor of an empty point.
const EMPTY: f64 = 2.0;

/// The factor of a stone at distance 1 to 5: 2^12 down to 2^8.
const STONE: [f64; 5] = [4096.0, 2048.0, 1024.0, 512.0, 256.0];

/// d_0 to d_4. The thesis gives no d_0, for a stone that is blocked on all four
/// lines; it is the smallest.
const DEGREE: [f64; 5] = [1.0, 1.0, 1.000_001_818_62, 1.000_003_637_25, 1.000_007_265_62];

/// Steps along the four lines through a square.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The value of a stone of `side` on `square` (empty or not). In games with
/// shorter rows than six the lines are shorter too.
pub fn half_move(board: &Board, side: Side, square: Square) -> f64 {
    let game = board.game();
    let reach = (usize::from(game.k()) - 1).min(STONE.len()) as i32;
    let mut sum = 0.0;
    let mut free = 0;
    for (dx, dy) in DIRECTIONS {
        let mut product = 1.0;
        let mut met = false;
        for way in [-1, 1] {
            for distance in 1..=reach {
                let step = way * distance;
                let Some(point) = game.offset(square, dx * step, dy * step) else { break };
                match board.at(point) {
                    None => product *= EMPTY,
                    Some(owner) if owner == side => product *= STONE[distance as usize - 1],
                    Some(_) => {
                        met = true;
                        break;
                    }
                }
            }
        }
        sum += product;
        free += usize::from(!met);
    }
    DEGREE[free] * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    fn board(black: &str, white: &str) -> Board {
        let game = Game::CONNECT6;
        let mut board = Board::new(game);
        for (side, names) in [(Side::Black, black), (Side::White, white)] {
            for name in names.split_whitespace() {
                board.place(side, game.parse_square(name).unwrap());
            }
        }
        board
    }

    fn value(board: &Board, name: &str) -> f64 {
        half_move(board, Side::Black, board.game().parse_square(name).unwrap())
    }

    /// The worked example: along the row two empty points, a white stone on one
    /// side; an empty point, black stones at distance 2 and 3 and two empty
    /// points on the other. The other three lines are empty.
    #[test]
    fn the_worked_example_has_its_value() {
        let board = board("l10 m10", "g10");
        let row = (1.0 * 1.0 * 1.0 * 2.0 * 2.0) * (2.0 * 2048.0 * 1024.0 * 2.0 * 2.0);
        assert_eq!(value(&board, "j10"), 1.000_003_637_25 * (row + 3.0 * 1024.0));
    }

    #[test]
    fn an_empty_board_counts_points() {
        let board = board("", "");
        assert_eq!(value(&board, "j10"), 1.000_007_265_62 * 4096.0);
        // In the corner three lines have five points and one has none.
        assert_eq!(value(&board, "a1"), 1.000_007_265_62 * (3.0 * 32.0 + 1.0));
    }

    /// Connectivity comes before room: a stone in line beats any empty lines.
    #[test]
    fn a_stone_in_line_beats_empty_lines() {
        let board = board("j10", "");
        assert!(value(&board, "o10") > value(&board, "p4"));
    }

    /// Three patterns with the same threats and less and less room.
    #[test]
    fn room_tells_equal_patterns_apart() {
        let open = board("h10 i10 k10", "");
        let near = board("h10 i10 k10", "f10");
        let both = board("h10 i10 k10", "f10 o10");
        assert!(value(&open, "j10") > value(&near, "j10"));
        assert!(value(&near, "j10") > value(&both, "j10"));
    }
}
