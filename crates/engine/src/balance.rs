//! Moves after which the chances are even, for openings that both sides accept.
//!
//! The evaluation picks some moves, and a search of the position after each of them
//! decides.

use crate::Balance;
use lambda6_player::{Choice, PlayError, Player};
use lambda6_rules::{Move, Position, Side};
use lambda6_search::{Control, Limits, Silent, evaluation::Evaluation};

/// The most lines that are searched.
const MOST_LINES: usize = 16;

/// Moves in turn, and the position after them.
struct Line {
    moves: Vec<Move>,
    after: Position,
}

/// The line of moves after which the side to move has a score next to the one that is
/// wished. The first move is none of the excluded.
pub(crate) fn balanced(
    player: &mut Player,
    position: &Position,
    excluded: &[Move],
    balance: Balance,
    control: Control<'_>,
) -> Result<Choice, PlayError> {
    let side = position.to_move();
    let width = if balance.moves > 1 { 4 } else { MOST_LINES };
    let mut lines = vec![Line { moves: Vec::new(), after: position.clone() }];
    for _ in 0..balance.moves {
        let allowed = |line: &Line, mv: &Move| !line.moves.is_empty() || !excluded.contains(mv);
        let next = |line: &Line| continuations(line, side, balance.score, width, &allowed);
        lines = lines.iter().flat_map(next).collect();
    }
    let mut best: Option<(u64, Choice)> = None;
    let mut nodes = 0;
    let count = lines.len();
    for (i, Line { moves, after }) in lines.into_iter().enumerate() {
        if best.is_some() && control.interrupted().is_err() {
            break;
        }
        let control = control.with(share(&control, count - i, count));
        let found = player.candidates(&after, control, &mut Silent, 1)?;
        let Some(reply) = found.into_iter().next() else { continue };
        nodes += reply.nodes;
        let score = if after.to_move() == side { reply.score } else { -reply.score };
        let distance = i64::from(score).abs_diff(balance.score.into());
        if best.as_ref().is_none_or(|(least, _)| distance < *least) {
            let line = [moves, reply.line].concat();
            best = Some((distance, Choice { mv: line[0], score, line, win: None, ..reply }));
        }
    }
    let (_, choice) = best.ok_or(PlayError::NothingLeft)?;
    Ok(Choice { nodes, ..choice })
}

/// The limits of one search when `left` of `count` are to come.
fn share(control: &Control<'_>, left: usize, count: usize) -> Limits {
    let Limits { depth, nodes, time } = control.limits;
    let used = control.clock.elapsed();
    let time = time.map(|time| used + time.saturating_sub(used) / left.max(1) as u32);
    Limits { depth, nodes: nodes.map(|nodes| (nodes / count.max(1) as u64).max(1)), time }
}

/// The `width` allowed moves after which the evaluation for `side` is next to `wished`.
/// Moves that end the game are left out, and of symmetric ones all but one.
fn continuations(
    line: &Line,
    side: Side,
    wished: i32,
    width: usize,
    allowed: &dyn Fn(&Line, &Move) -> bool,
) -> Vec<Line> {
    let mover = line.after.to_move();
    let mut evaluation = Evaluation::new(line.after.game());
    for of in Side::ALL {
        line.after.stones(of).for_each(|square| evaluation.place(of, square));
    }
    let mut distance = |square| {
        evaluation.place(mover, square);
        let score = evaluation.evaluate(mover.other());
        evaluation.remove(mover, square);
        let score = if mover.other() == side { score } else { -score };
        i64::from(score).abs_diff(wished.into())
    };
    let mut squares: Vec<_> = line.after.empty_squares().collect();
    squares.sort_by_cached_key(|&square| distance(square));
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for square in squares {
        let mv = crate::completed(&line.after, Move::single(square));
        let mut after = line.after.clone();
        if !allowed(line, &mv) || after.play(&mv).is_err() || after.outcome().is_some() {
            continue;
        }
        let key = after.canonical().0.key();
        if !seen.contains(&key) {
            seen.push(key);
            found.push(Line { moves: [&line.moves[..], &[mv]].concat(), after });
        }
        if found.len() == width {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_player::{PlayerOptions, WON};
    use lambda6_rules::Game;
    use lambda6_search::NoClock;
    use std::sync::atomic::AtomicBool;

    fn balance(moves: &str, excluded: &[Move], balance: Balance) -> Result<Choice, PlayError> {
        let game = Game::GO_MOKU;
        let mut position = Position::new(game);
        for mv in moves.split_whitespace() {
            position.play(&game.parse_move(mv).unwrap()).unwrap();
        }
        let options = PlayerOptions { table_bytes: 1 << 20, ..PlayerOptions::default() };
        let limits = Limits { nodes: Some(1600), ..Limits::default() };
        let stop = AtomicBool::new(false);
        let control = Control::new(limits, &NoClock, &stop);
        balanced(&mut Player::new(game, options), &position, excluded, balance, control)
    }

    #[test]
    fn the_first_stone_gives_less_than_the_centre_does() {
        let even = balance("", &[], Balance { moves: 1, score: 0 }).unwrap();
        let strong = balance("", &[], Balance { moves: 1, score: 100_000 }).unwrap();
        assert!(even.score.abs() < strong.score, "{} {}", even.score, strong.score);
        let other = balance("", &[even.mv], Balance { moves: 1, score: 0 }).unwrap();
        assert_ne!(other.mv, even.mv);
    }

    #[test]
    fn a_side_that_can_win_at_once_does_not() {
        // Black has four in a row: e8 and j8 win.
        let moves = "f8 a1 g8 a3 h8 a5 i8 a7";
        let even = balance(moves, &[], Balance { moves: 1, score: 0 }).unwrap();
        let game = Game::GO_MOKU;
        assert!(!["e8", "j8"].map(|text| game.parse_move(text).unwrap()).contains(&even.mv));
        // With two moves White has to take one of the two, and Black wins by the other.
        let pair = balance(moves, &[], Balance { moves: 2, score: 0 }).unwrap();
        assert!(pair.line.len() >= 2 && pair.score >= WON, "{pair:?}");
    }
}
