//! The defensive strategy: block the opponent's stones where they count most.
//!
//! The candidates are the squares within two of the stones that the opponent
//! placed last; the value of each is that of a stone of the *opponent* there. The
//! best is taken, then, with that stone on the board, the best of the rest. There
//! is no search.
//!
//! Beyond the thesis, rows are completed and threats are met by one of the exact
//! defences, which needs no search either.

use crate::{
    half_move::half_move,
    tactics::{Duty, combinations, complete, duty},
};
use lambda6_rules::{Move, Side, Square};
use lambda6_threats::{Board, Defences};

/// The largest distance of a candidate from the opponent's last stones.
const NEAR: i32 = 2;

/// The half-moves that are paired to alternatives.
const ALTERNATIVES: usize = 24;

/// The candidates with their values for the opponent: empty squares near `last`;
/// if there are none (or the last stones are not known), near any stone of the
/// opponent; if there are none either, all empty squares.
fn candidates(board: &Board, side: Side, last: &[Square]) -> Vec<(f64, Square)> {
    let game = board.game();
    let near = |centres: &mut dyn Iterator<Item = Square>| {
        let mut marked = vec![false; game.area()];
        for centre in centres {
            for (dx, dy) in (-NEAR..=NEAR).flat_map(|dx| (-NEAR..=NEAR).map(move |dy| (dx, dy))) {
                if let Some(square) = game.offset(centre, dx, dy) {
                    marked[square.index()] = board.is_empty(square);
                }
            }
        }
        marked
    };
    let theirs = |square: &Square| board.at(*square) == Some(side.other());
    let mut marked = near(&mut last.iter().copied());
    if !marked.contains(&true) {
        marked = near(&mut game.squares().filter(theirs));
    }
    if !marked.contains(&true) {
        marked = game.squares().map(|square| board.is_empty(square)).collect();
    }
    let squares = game.squares().filter(|square| marked[square.index()]);
    squares.map(|square| (half_move(board, side.other(), square), square)).collect()
}

fn best(candidates: &[(f64, Square)]) -> Option<Square> {
    // Of equal values the first in order, so that games are repeatable.
    candidates.iter().min_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))).map(|&(_, square)| square)
}

/// The strategy's move.
#[cfg(test)]
pub fn defend(board: &mut Board, side: Side, stones: usize, last: &[Square]) -> Move {
    alternatives(board, side, stones, last, 1).first().map_or(Move::NULL, |&(mv, _)| mv)
}

/// The strategy's move and the next best by the sum of their values: at least one
/// move, at most `most`, with the sums.
pub fn alternatives(
    board: &mut Board,
    side: Side,
    stones: usize,
    last: &[Square],
    most: usize,
) -> Vec<(Move, f64)> {
    let worth = |board: &Board, mv: &Move| -> f64 {
        mv.iter().map(|square| half_move(board, side.other(), square)).sum()
    };
    let greedy = |board: &mut Board, set: Move| {
        complete(board, side, set, stones, |board| best(&candidates(board, side, last)))
    };
    let mut found = Vec::new();
    match duty(board, side, stones, &mut Defences::default()) {
        Duty::Free => {
            found.push(greedy(board, Move::NULL));
            if most > 1 {
                let mut list = candidates(board, side, last);
                list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                list.truncate(ALTERNATIVES);
                let squares: Vec<Square> = list.into_iter().map(|(_, square)| square).collect();
                let mut more = Vec::new();
                combinations(&squares, stones.min(2), Move::NULL, &mut |set| {
                    more.push(*set);
                    false
                });
                more.sort_by(|a, b| worth(board, b).total_cmp(&worth(board, a)).then(a.cmp(b)));
                found.extend(more.into_iter().take(most).map(|set| greedy(board, set)));
            }
        }
        Duty::Meet(sets) => {
            let mut sets: Vec<Move> = sets.into_iter().map(|set| greedy(board, set)).collect();
            sets.sort_by(|a, b| worth(board, b).total_cmp(&worth(board, a)).then(a.cmp(b)));
            if most > sets.len() {
                let mut list = candidates(board, side, last);
                list.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                let firsts: Vec<Move> = match duty(board, side, stones, &mut Defences::default()) {
                    Duty::Meet(sets) => sets.into_iter().filter(|set| set.len() < stones).collect(),
                    _ => Vec::new(),
                };
                for (_, square) in list {
                    for set in firsts.iter().filter(|set| !set.contains(square)) {
                        let mut more = *set;
                        more.push(square);
                        sets.push(greedy(board, more));
                    }
                }
            }
            found = sets;
        }
        Duty::Lost(sets) => found.extend(sets.into_iter().map(|set| greedy(board, set))),
    }
    let mut kept: Vec<(Move, f64)> = Vec::new();
    for mv in found {
        if kept.len() < most && !kept.iter().any(|(known, _)| *known == mv) {
            kept.push((mv, worth(board, &mv)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::{Game, Position};

    fn board(moves: &str) -> (Board, Side) {
        let mut position = Position::new(Game::CONNECT6);
        for text in moves.split_whitespace() {
            position.play(&position.game().parse_move(text).unwrap()).unwrap();
        }
        (Board::from_position(&position), position.to_move())
    }

    /// The second stone is chosen with the first on the board.
    #[test]
    fn the_second_half_move_sees_the_first() {
        let (mut board, side) = board("j10 a1a2 j11k10");
        let game = board.game();
        let last = [game.parse_square("j11").unwrap(), game.parse_square("k10").unwrap()];
        let mv = defend(&mut board, side, 2, &last);
        let first = best(&candidates(&board, side, &last)).unwrap();
        assert_eq!(mv.squares()[0], first);
        board.place(side, first);
        assert_eq!(mv.squares()[1], best(&candidates(&board, side, &last)).unwrap());
    }

    #[test]
    fn candidates_are_near_the_last_stones() {
        let (board, side) = board("j10 a1a2 j11k10");
        let game = board.game();
        let last = [game.parse_square("j11").unwrap(), game.parse_square("k10").unwrap()];
        let squares = candidates(&board, side, &last);
        // Two squares of 25 that share 16, and three stones.
        assert_eq!(squares.len(), 25 + 25 - 16 - 3);
    }

    #[test]
    fn alternatives_differ_and_begin_with_the_strategy() {
        let (mut board, side) = board("j10 a1a2 j11k10");
        let last = [];
        let list = alternatives(&mut board, side, 2, &last, 50);
        assert_eq!(list.len(), 50);
        assert_eq!(list[0].0, defend(&mut board, side, 2, &last));
        for (i, (mv, _)) in list.iter().enumerate() {
            assert!(mv.len() == 2 && mv.iter().all(|square| board.is_empty(square)));
            assert!(!list[..i].iter().any(|(other, _)| other == mv));
        }
    }
}
