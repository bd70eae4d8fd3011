//! What the standings before and after a move say of it.

use crate::{Standing, Verdict};
use lambda6_rules::{Move, Side};
use std::fmt;

/// How good a move was, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// It keeps a win that is known.
    Wins,
    /// The position was lost before, as far as known: nothing is to blame.
    Lost,
    /// The best move that is known, or as good.
    Best,
    /// Nearly as good.
    Good,
    /// A small loss.
    Inaccuracy,
    /// A loss.
    Mistake,
    /// A large loss.
    Blunder,
}

impl Quality {
    /// All, from the best to the worst.
    pub const ALL: [Quality; 7] = [
        Quality::Wins,
        Quality::Lost,
        Quality::Best,
        Quality::Good,
        Quality::Inaccuracy,
        Quality::Mistake,
        Quality::Blunder,
    ];

    /// In lower case.
    pub fn name(self) -> &'static str {
        match self {
            Quality::Wins => "wins",
            Quality::Lost => "lost",
            Quality::Best => "best",
            Quality::Good => "good",
            Quality::Inaccuracy => "inaccuracy",
            Quality::Mistake => "mistake",
            Quality::Blunder => "blunder",
        }
    }

    /// The quality of a loss of chances, in a position that is neither won nor lost.
    pub fn of_loss(loss: f64) -> Quality {
        match loss {
            loss if loss < 0.02 => Quality::Best,
            loss if loss < 0.10 => Quality::Good,
            loss if loss < 0.20 => Quality::Inaccuracy,
            loss if loss < 0.30 => Quality::Mistake,
            _ => Quality::Blunder,
        }
    }

    /// Whether it counts as a mistake.
    pub fn is_mistake(self) -> bool {
        self >= Quality::Inaccuracy
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A move of the game, judged.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Its index in the game, from 0.
    pub index: usize,
    /// Who played it.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// Its quality.
    pub quality: Quality,
    /// What it lost of the mover's chance of winning, 0 to 1.
    pub loss: f64,
    /// Before it the mover had a proved win, and after it no win of the mover is known.
    pub missed_win: bool,
    /// After it the other side has a proved win, which it had not before, as far as known.
    pub loses_by_proof: bool,
    /// It is the first move of a forced win of two moves or more, or the only good one.
    pub is_strong: bool,
    /// After it the mover stands clearly better than the search expected of any move.
    pub is_surprise: bool,
}

/// How much worse the second best move is where the best is the only good one.
const ONLY: f64 = 0.25;

/// How much better than expected a move is that surprises.
const SURPRISE: f64 = 0.10;

impl Judgement {
    /// Judges a move by the standings before and after it. `was_winning` tells whether the
    /// mover had a proved win a move earlier, `expected` is the mover's chance as the search
    /// before the move saw it.
    pub(crate) fn of(
        index: usize,
        (side, mv): (Side, Move),
        [before, after]: [&Standing; 2],
        was_winning: bool,
        expected: f64,
    ) -> Judgement {
        let other = side.other();
        let loss = (before.chance(side) - after.chance(side)).max(0.0);
        let had_win = before.certain_winner() == Some(side);
        let was_lost = before.winner() == Some(other);
        let is_best = before.line.first().is_some_and(|best| best.sorted() == mv.sorted());
        let quality = match (before.winner(), after.winner()) {
            (_, Some(winner)) if winner == side => Quality::Wins,
            _ if was_lost => Quality::Lost,
            _ if is_best && after.certain_winner() != Some(other) => Quality::Best,
            (_, Some(winner)) if winner == other => Quality::Blunder,
            _ if had_win => Quality::Blunder.max(Quality::of_loss(loss)),
            _ => Quality::of_loss(loss),
        };
        let loss = match quality {
            Quality::Wins | Quality::Lost | Quality::Best => 0.0,
            _ => loss,
        };
        let long_win = before.win().is_some_and(|win| win.certificate().depth() >= 2);
        let starts_win = quality == Quality::Wins && had_win && long_win && !was_winning;
        let second = before.others.first().map(|&(_, black)| match side {
            Side::Black => black,
            Side::White => 1.0 - black,
        });
        let only = matches!(before.verdict, Verdict::Estimate)
            && is_best
            && quality == Quality::Best
            && second.is_some_and(|second| second + ONLY <= before.chance(side));
        Judgement {
            index,
            side,
            mv,
            quality,
            loss,
            missed_win: had_win && after.winner() != Some(side),
            loses_by_proof: !was_lost && after.certain_winner() == Some(other),
            is_strong: starts_win || only,
            is_surprise: matches!(quality, Quality::Best | Quality::Good)
                && after.chance(side) >= expected + SURPRISE,
        }
    }
}
