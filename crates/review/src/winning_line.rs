//! The line of a proof as whole moves.
//!
//! A proof leaves out stones of the defender that make no difference. On a board, in a
//! record and for a reader each move needs its stones, and the proof's answer to the whole
//! move.

use lambda6_proof::{Walkthrough, Win};
use lambda6_rules::{Game, Move, Position, Square};
use std::cmp::Reverse;

/// The replies of the largest certificate that is walked through for its line.
const MAX_REPLIES: usize = 50_000;

/// The ways in which the stones that make no difference are tried.
const FILLS: usize = 6;

/// The longest line of a win as whole moves that can be played. It ends early where that is
/// not possible.
pub fn playable(win: &Win) -> Vec<Move> {
    let certificate = win.certificate();
    let mut position = certificate.position().clone();
    let mut line = Vec::new();
    if certificate.replies().len() > MAX_REPLIES {
        for mv in win.line() {
            if position.play(mv).is_err() {
                break;
            }
            line.push(*mv);
        }
        return line;
    }
    let (mut walk, first) = Walkthrough::begin(certificate);
    let mut rest = win.line().iter();
    if let Some(answer) = first {
        rest.next();
        if position.play(&answer.reply).is_err() {
            return line;
        }
        line.push(answer.reply);
    }
    while let (Some(defence), Some(expected)) = (rest.next(), rest.next()) {
        let Some((whole, reply)) = defend(&mut walk, &position, defence, expected) else { break };
        for mv in [whole, reply] {
            if position.outcome().is_some() || position.play(&mv).is_err() {
                return line;
            }
            line.push(mv);
        }
    }
    line
}

/// A whole move of the defender with these stones that the proof answers as expected.
fn defend(
    walk: &mut Walkthrough<'_>,
    position: &Position,
    defence: &Move,
    expected: &Move,
) -> Option<(Move, Move)> {
    let missing = position.stones_to_place().checked_sub(defence.len())?;
    let far = far_squares(position, defence);
    for skip in 0..FILLS {
        let mut whole = *defence;
        for square in far.iter().skip(skip * missing).take(missing) {
            whole.push(*square);
        }
        if whole.len() < position.stones_to_place() {
            return None;
        }
        let answer = walk.defend(&whole).ok()?;
        if answer.reply.sorted() == expected.sorted() {
            return Some((whole, answer.reply));
        }
        walk.back();
        if missing == 0 {
            break;
        }
    }
    None
}

/// The empty squares, those farthest from all stones first.
fn far_squares(position: &Position, defence: &Move) -> Vec<Square> {
    let game = position.game();
    let stones: Vec<Square> =
        game.squares().filter(|&square| position.at(square).is_some() || defence.contains(square)).collect();
    let mut empty: Vec<Square> =
        position.empty_squares().filter(|square| !defence.contains(*square)).collect();
    let nearest =
        |square: Square| stones.iter().map(|&stone| distance(game, square, stone)).min().unwrap_or_default();
    empty.sort_by_cached_key(|&square| Reverse(nearest(square)));
    empty
}

fn distance(game: Game, a: Square, b: Square) -> usize {
    let [a, b] = [a, b].map(|square| game.col_row(square));
    usize::from(a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)))
}
