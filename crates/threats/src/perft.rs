//! Counting the tree of moves, for tests and for comparing rules.

use crate::{Attack, Board, Play, ThreatMoves};
use lambda6_rules::{Move, Position, Side, Square};
use std::ops::AddAssign;

/// Counts over the moves of a position, and over all positions of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveCounts {
    /// Positions that the moves lead to, one for every way to get there.
    pub positions: u128,
    /// Sets of stones that win at once.
    pub winning: u128,
    /// Least sets of stones that make `p` threats or more.
    pub full: u128,
    /// Least sets of stones that make fewer threats, but one at least.
    pub partial: u128,
}

impl AddAssign for MoveCounts {
    fn add_assign(&mut self, other: MoveCounts) {
        self.positions += other.positions;
        self.winning += other.winning;
        self.full += other.full;
        self.partial += other.partial;
    }
}

/// Walks the tree of moves.
///
/// ```
/// use lambda6_rules::{Game, Position};
/// use lambda6_threats::perft::MoveCounter;
///
/// let mut counter = MoveCounter::new(&Position::new(Game::TIC_TAC_TOE), true);
/// let counts = counter.count(3);
/// // 9 * 8 * 7 sequences; the third stone makes no row, but can threaten one.
/// assert_eq!((counts.positions, counts.winning), (504, 0));
/// assert!(counts.full > 0);
/// ```
pub struct MoveCounter {
    root: Position,
    /// The board of the walk; `None` if threat moves are not counted.
    threats: Option<ThreatMoveCount>,
}

struct ThreatMoveCount {
    board: Board,
    attack: Attack,
    moves: ThreatMoves,
}

/// Stones are placed on the board only if threat moves are counted.
impl Play for MoveCounter {
    fn place(&mut self, side: Side, square: Square) {
        if let Some(threats) = &mut self.threats {
            threats.board.place(side, square);
        }
    }

    fn remove(&mut self, side: Side, square: Square) {
        if let Some(threats) = &mut self.threats {
            threats.board.remove(side, square);
        }
    }
}

impl MoveCounter {
    /// A counter that begins at this position and optionally counts threat moves.
    pub fn new(position: &Position, with_threats: bool) -> MoveCounter {
        let threats = with_threats.then(|| ThreatMoveCount {
            board: Board::from_position(position),
            attack: Attack::new(position.game()),
            moves: ThreatMoves::default(),
        });
        MoveCounter { root: position.clone(), threats }
    }

    /// Counts the moves that end `depth` moves away.
    pub fn count(&mut self, depth: u32) -> MoveCounts {
        let root = self.root.clone();
        self.count_from(&root, depth)
    }

    fn count_from(&mut self, position: &Position, depth: u32) -> MoveCounts {
        if depth == 0 || position.outcome().is_some() {
            return MoveCounts::default();
        }
        if depth == 1 {
            return self.count_moves(position);
        }
        let mut counts = MoveCounts::default();
        let side = position.to_move();
        for_each_move(position, |mv, next| {
            counts += self.play(side, mv, |counter| counter.count_from(next, depth - 1));
        });
        counts
    }

    /// Counts the moves of one position without playing them. Every set of empty
    /// squares is a move, so that their number is a binomial.
    fn count_moves(&mut self, position: &Position) -> MoveCounts {
        let stones = position.stones_to_place();
        let mut counts =
            MoveCounts { positions: binomial(position.empty_count(), stones), ..MoveCounts::default() };
        if let Some(ThreatMoveCount { board, attack, moves }) = &mut self.threats {
            attack.threat_moves(board, position.to_move(), moves);
            // The first move of the game and the last can have fewer than p.
            let number = |sets: &[Move]| sets.iter().filter(|set| set.len() <= stones).count() as u128;
            counts.winning = number(&moves.winning);
            counts.full = number(&moves.full);
            counts.partial = number(&moves.partial);
        }
        counts
    }
}

/// Calls `visit` with each full move, once for each set of stones, and the
/// position after it.
fn for_each_move(position: &Position, mut visit: impl FnMut(&Move, &Position)) {
    let squares: Vec<Square> = position.empty_squares().collect();
    let stones = position.stones_to_place();
    // Indices of the chosen squares, counted up like an odometer whose digits
    // must rise from left to right.
    let mut chosen: Vec<usize> = (0..stones).collect();
    loop {
        let mut mv = Move::NULL;
        for &index in &chosen {
            mv.push(squares[index]);
        }
        let mut next = position.clone();
        if next.play(&mv).is_ok() {
            visit(&mv, &next);
        }
        let last = |digit: usize| squares.len() - stones + digit;
        let Some(digit) = (0..stones).rev().find(|&digit| chosen[digit] < last(digit)) else { return };
        chosen[digit] += 1;
        for later in digit + 1..stones {
            chosen[later] = chosen[later - 1] + 1;
        }
    }
}

/// How many sets of `k` things there are among `n`.
fn binomial(n: usize, k: usize) -> u128 {
    // Each step divides exactly: the product so far is a binomial itself.
    (0..k).fold(1, |product, i| product * (n - i) as u128 / (i + 1) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    /// Counts by playing every move, down to the last.
    fn count_by_playing(position: &Position, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        let mut positions = 0;
        if position.outcome().is_none() {
            for_each_move(position, |_, next| positions += count_by_playing(next, depth - 1));
        }
        positions
    }

    #[test]
    fn counting_the_last_move_agrees_with_playing_it() {
        for (m, n, k, p, q) in [(3, 3, 3, 1, 1), (3, 2, 3, 2, 1), (3, 3, 3, 2, 2), (4, 2, 3, 3, 1)] {
            let position = Position::new(Game::new(m, n, k, p, q).unwrap());
            for depth in 1..=5 {
                let counted = MoveCounter::new(&position, false).count(depth).positions;
                assert_eq!(counted, count_by_playing(&position, depth), "{:?}", position.game());
            }
        }
    }

    #[test]
    fn a_binomial_of_the_largest_board_does_not_overflow() {
        assert_eq!(binomial(360, 2), 360 * 359 / 2);
        assert_eq!(binomial(5, 5), 1);
        assert_eq!(binomial(5, 0), 1);
        assert_eq!(binomial(4096, 8), 1_951_589_337_580_920_650_595_840);
    }
}
