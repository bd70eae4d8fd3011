//! Counting the tree of moves, for tests and for comparing rules.

use rules::{Move, Position, Square};
use std::ops::AddAssign;

/// What is counted over the moves of a position, and over all positions of one
/// depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Positions that the moves lead to, one for every way to get there.
    pub(crate) positions: u128,
}

impl Tally {
    /// Counts the moves of one position without playing them. Every set of empty
    /// squares is a move, so that their number is a binomial.
    fn of_moves(position: &Position) -> Tally {
        Tally { positions: binomial(position.empty_count(), position.stones_to_place()) }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.positions += other.positions;
    }
}

/// The tally of the moves that end `depth` moves away from the position.
pub(crate) fn count(position: &Position, depth: u32) -> Tally {
    if depth == 0 {
        return Tally { positions: 1 };
    }
    if position.outcome().is_some() {
        return Tally::default();
    }
    if depth == 1 {
        return Tally::of_moves(position);
    }
    let mut tally = Tally::default();
    for_each_move(position, |next| tally += count(next, depth - 1));
    tally
}

/// Calls `visit` with the position after each full move, once for each set of
/// stones.
fn for_each_move(position: &Position, mut visit: impl FnMut(&Position)) {
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
            visit(&next);
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
    use rules::Game;

    /// Counts by playing every move, down to the last.
    fn count_by_playing(position: &Position, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        let mut positions = 0;
        if position.outcome().is_none() {
            for_each_move(position, |next| positions += count_by_playing(next, depth - 1));
        }
        positions
    }

    #[test]
    fn counting_the_last_move_agrees_with_playing_it() {
        for (m, n, k, p, q) in [(3, 3, 3, 1, 1), (3, 2, 3, 2, 1), (3, 3, 3, 2, 2), (4, 2, 3, 3, 1)] {
            let position = Position::new(Game::new(m, n, k, p, q).unwrap());
            for depth in 0..=5 {
                let counted = count(&position, depth).positions;
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
