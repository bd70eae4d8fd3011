//! Moves of the defender that make more threats than can be met, with one stone a move: an
//! open three becomes an open four.
//!
//! A move of the attacker without a threat that leaves the defender such a move loses: the
//! defender plays it, the attacker has no threat to carry out, and one stone does not meet the
//! defender's threats. So these moves need not be tried, which is exact.

use lambda6_rules::{Game, Side, Square};
use lambda6_threats::{Attack, Board, Defences, Play, ThreatCount, ThreatMoves};

/// The breakthroughs of the defender in one position. It keeps its memory between calls.
pub(super) struct Breakthroughs {
    attack: Attack,
    moves: ThreatMoves,
    defences: Defences,
    squares: Vec<Square>,
}

impl Breakthroughs {
    pub(super) fn new(game: Game) -> Breakthroughs {
        Breakthroughs {
            attack: Attack::new(game),
            moves: ThreatMoves::default(),
            defences: Defences::default(),
            squares: Vec::new(),
        }
    }

    /// Finds those of a position in which nobody has a threat. In other positions, and with more
    /// stones a move, there are none as far as this tells.
    pub(super) fn find(&mut self, board: &mut Board, defender: Side) {
        self.squares.clear();
        if board.game().p() > 1 || board.has_threat(defender) || board.has_threat(defender.other()) {
            return;
        }
        self.attack.threat_moves(board, defender, &mut self.moves);
        for mv in &self.moves.full {
            if breaks_through(board, defender, mv.squares(), &mut self.defences) {
                self.squares.extend(mv.iter());
            }
        }
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        !self.squares.is_empty()
    }

    /// Whether one of them is left after stones of the attacker.
    pub(super) fn are_left(&mut self, board: &mut Board, defender: Side) -> bool {
        let Breakthroughs { squares, defences, .. } = self;
        squares.iter().any(|&s| board.is_empty(s) && breaks_through(board, defender, &[s], defences))
    }
}

fn breaks_through(board: &mut Board, defender: Side, stones: &[Square], defences: &mut Defences) -> bool {
    board.play(defender, stones, |board| {
        defences.find(board, defender);
        defences.count() == ThreatCount::More
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Setup;

    fn board(white: &str) -> Board {
        let text = format!("game: 15 15 5 1 1\nblack: h8 o1\nwhite: {white}\nto-move: black\n");
        Board::from_position(&Setup::parse(&text).unwrap().position().unwrap())
    }

    /// White's three in a row with room on both sides becomes an open four; Black's stones
    /// beside it, and no others, prevent that.
    #[test]
    fn an_open_three_has_to_be_met() {
        let game = Game::GO_MOKU;
        let mut found = Breakthroughs::new(game);
        let mut board = board("d4 d5 d6");
        found.find(&mut board, Side::White);
        let names = |squares: &[Square]| -> Vec<String> {
            let mut names: Vec<_> = squares.iter().map(|&square| game.square_name(square)).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(names(&found.squares), ["d3", "d7"]);
        let squares: Vec<Square> = game.squares().filter(|&square| board.is_empty(square)).collect();
        let mut meets =
            |square: Square| board.play(Side::Black, [square], |b| !found.are_left(b, Side::White));
        let meeting: Vec<Square> = squares.into_iter().filter(|&square| meets(square)).collect();
        assert_eq!(names(&meeting), ["d3", "d7"]);
    }

    /// With two in a row, with three at the edge, or with a four, there is no breakthrough.
    #[test]
    fn other_rows_are_none() {
        for white in ["d4 d5", "a1 a2 a3", "d4 d5 d6 d7"] {
            let mut found = Breakthroughs::new(Game::GO_MOKU);
            found.find(&mut board(white), Side::White);
            assert!(!found.any(), "{white}");
        }
    }
}
