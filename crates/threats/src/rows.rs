//! Rows as players of games with one stone a move name them: fours and threes of go-moku,
//! open or not.
//!
//! With k in a row to win, a *row* of n stones is a set S of n stones that are all the stones
//! of some segment, the rest of which is empty.
//!
//! - n = k - 1, a **four** in go-moku: its empty square completes it. It is **open** if the
//!   segments whose stones are S have two such squares or more, which one stone cannot meet.
//! - n = k - 2, a **three**: one stone more makes a four. It is **open** if one stone more
//!   makes an open four. The stones of a three are not all stones of one four.
//!
//! Six in a row and more win as five do, so what lies beyond a segment does not matter.

use crate::{Board, LineId, geometry::low_bits, lineset::Bits};
use lambda6_rules::{Game, Side, Square};
use std::collections::BTreeMap;

/// The fewest in a row for which rows have names: below, a row is a single stone.
const LEAST_K: u8 = 4;

/// A row of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its stones, in the order of the squares.
    pub stones: Vec<Square>,
    /// Whether it is open.
    pub open: bool,
    /// Where one stone more completes it or, of a three, makes the best four of it.
    pub next: Vec<Square>,
}

impl Row {
    /// The name: `open four`, `four`, `open three` or `three` in go-moku.
    pub fn name(&self) -> String {
        row_name(self.stones.len(), self.open)
    }
}

/// The name of a row of so many stones.
pub fn row_name(stones: usize, open: bool) -> String {
    let number = match stones {
        2 => "two".to_string(),
        3 => "three".to_string(),
        4 => "four".to_string(),
        5 => "five".to_string(),
        6 => "six".to_string(),
        more => more.to_string(),
    };
    if open { format!("open {number}") } else { number }
}

/// Whether rows of this game have names.
pub fn are_named(game: Game) -> bool {
    game.p() == 1 && game.k() >= LEAST_K
}

/// The rows of a side, the strongest kind first: open fours, fours, open threes, threes.
/// None in games whose rows have no names.
pub fn rows(board: &Board, side: Side) -> Vec<Row> {
    let mut found = Vec::new();
    if !are_named(board.game()) {
        return found;
    }
    let (four, three) = (board.game().k() - 1, board.game().k() - 2);
    for line in board.geometry().lines() {
        let line = Line { board, side, line };
        let fours = line.sets(four);
        for (&stones, &next) in &fours {
            found.push(line.row(stones, next.count_ones() >= 2, next));
        }
        for (stones, empty) in line.sets(three) {
            if fours.keys().any(|four| stones & !four == 0) {
                continue;
            }
            // Where one stone makes an open four of it.
            let opens = Bits(empty).filter(|&at| line.completions(stones | 1 << at).count_ones() >= 2);
            let opens = opens.fold(0, |all, at| all | 1 << at);
            found.push(line.row(stones, opens != 0, if opens != 0 { opens } else { empty }));
        }
    }
    found.sort_by(|a, b| {
        let strength = |row: &Row| (row.stones.len(), row.open);
        strength(b).cmp(&strength(a)).then_with(|| a.stones.cmp(&b.stones))
    });
    found
}

/// A line with the stones of a side.
struct Line<'a> {
    board: &'a Board,
    side: Side,
    line: LineId,
}

impl Line<'_> {
    /// The sets of `count` stones that are all the stones of a segment without stones of the
    /// other side, with the empty squares of their segments.
    fn sets(&self, count: u8) -> BTreeMap<u64, u64> {
        let own = self.board.stones_on(self.side, self.line);
        let mut sets = BTreeMap::new();
        for start in Bits(self.board.windows_with(self.side, self.line, count)) {
            let window = low_bits(self.board.game().k()) << start;
            *sets.entry(own & window).or_insert(0) |= window & !own;
        }
        sets
    }

    /// The squares that complete these k - 1 stones, of which one may not be on the board yet.
    fn completions(&self, stones: u64) -> u64 {
        let k = self.board.game().k();
        let blocked = self.board.stones_on(self.side.other(), self.line);
        let windows = Bits(self.board.geometry().segments(self.line)).map(|start| low_bits(k) << start);
        windows
            .filter(|window| stones & !window == 0 && blocked & window == 0)
            .fold(0, |all, window| all | window & !stones)
    }

    fn row(&self, stones: u64, open: bool, next: u64) -> Row {
        let squares = |bits: u64| {
            let mut squares: Vec<Square> =
                Bits(bits).map(|at| self.board.geometry().square(self.line, at)).collect();
            squares.sort_unstable();
            squares
        };
        Row { stones: squares(stones), open, next: squares(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(game: Game, black: &str, white: &str) -> Board {
        let mut board = Board::new(game);
        for (side, names) in [(Side::Black, black), (Side::White, white)] {
            for name in names.split_whitespace() {
                board.place(side, game.parse_square(name).unwrap());
            }
        }
        board
    }

    /// The rows of Black's: the name, the stones, and where the next stone belongs.
    fn named(game: Game, black: &str, white: &str) -> Vec<(String, String, String)> {
        let names = |squares: &[Square]| {
            let mut names: Vec<String> = squares.iter().map(|&square| game.square_name(square)).collect();
            names.sort();
            names.join(" ")
        };
        let rows = rows(&board(game, black, white), Side::Black);
        rows.iter().map(|row| (row.name(), names(&row.stones), names(&row.next))).collect()
    }

    fn names(black: &str, white: &str) -> Vec<String> {
        named(Game::GO_MOKU, black, white).into_iter().map(|(name, ..)| name).collect()
    }

    #[test]
    fn fours_are_open_if_two_squares_complete_them() {
        assert_eq!(
            named(Game::GO_MOKU, "f8 g8 h8 i8", ""),
            [("open four".into(), "f8 g8 h8 i8".into(), "e8 j8".into())]
        );
        assert_eq!(
            named(Game::GO_MOKU, "f8 g8 h8 i8", "e8"),
            [("four".into(), "f8 g8 h8 i8".into(), "j8".into())]
        );
        assert_eq!(names("f8 g8 h8 i8", "e8 j8"), [""; 0]);
        // At the edge, and with a gap.
        assert_eq!(names("a1 b2 c3 d4", ""), ["four"]);
        assert_eq!(
            named(Game::GO_MOKU, "e5 f5 h5 i5", ""),
            [("four".into(), "e5 f5 h5 i5".into(), "g5".into())]
        );
        // Two fours of one line: one stone cannot meet both, but neither is open.
        assert_eq!(names("d8 f8 g8 h8 j8", ""), ["four", "four"]);
    }

    #[test]
    fn threes_are_open_if_one_stone_makes_an_open_four() {
        assert_eq!(
            named(Game::GO_MOKU, "g8 h8 i8", ""),
            [("open three".into(), "g8 h8 i8".into(), "f8 j8".into())]
        );
        // A gap: only the stone in it makes an open four.
        assert_eq!(
            named(Game::GO_MOKU, "g8 h8 j8", ""),
            [("open three".into(), "g8 h8 j8".into(), "i8".into())]
        );
        // Room on one side only for the four that is open.
        assert_eq!(
            named(Game::GO_MOKU, "g8 h8 i8", "e8"),
            [("open three".into(), "g8 h8 i8".into(), "j8".into())]
        );
        assert_eq!(names("g8 h8 i8", "e8 k8"), ["three"]);
        assert_eq!(names("g8 h8 i8", "f8"), ["three"]);
        assert_eq!(names("g8 h8 i8", "f8 k8"), [""; 0]);
        assert_eq!(names("f8 h8 j8", ""), ["three"]);
        assert_eq!(names("a1 b2 c3", ""), ["three"]);
        assert_eq!(names("b2 c3 d4", ""), ["open three"]);
    }

    #[test]
    fn the_strongest_come_first_and_each_line_counts() {
        assert_eq!(names("d4 e5 f6 g7 d12 e12 f12 l1 l2 l3", "c3"), ["four", "open three", "three"]);
        assert_eq!(names("g8 h8 i8 h7 h9", ""), ["open three", "open three"]);
        assert_eq!(names("h8", ""), [""; 0]);
    }

    #[test]
    fn rows_have_names_where_a_move_is_one_stone() {
        let four = Game::new(7, 7, 4, 1, 1).unwrap();
        assert_eq!(named(four, "c4 d4", "")[0].0, "open two");
        assert_eq!(named(four, "c4 d4 e4", "b4")[0].0, "three");
        let six = Game::new(15, 15, 6, 1, 1).unwrap();
        assert_eq!(named(six, "e8 f8 g8 h8 i8", "")[0].0, "open five");
        for game in [Game::CONNECT6, Game::TIC_TAC_TOE] {
            assert!(!are_named(game) && rows(&Board::new(game), Side::Black).is_empty());
        }
    }
}
