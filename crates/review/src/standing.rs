//! How a position stands.

use lambda6_player::chance;
use lambda6_proof::Win;
use lambda6_rules::{Move, Outcome, Position, Side};
use std::{fmt, sync::Arc};

/// What is known of a position.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The game is over.
    Over(Outcome),
    /// One side wins, and a certificate proves it.
    Proved(Arc<Win>),
    /// One side wins as the player's search sees it. Nothing proves it.
    Search(Side),
    /// Neither side is known to win.
    Estimate,
}

/// A position of a game, looked at.
#[derive(Clone, Debug)]
pub struct Standing {
    /// What is known of it.
    pub verdict: Verdict,
    /// Black's chance of winning, 0 to 1.
    pub black_chance: f64,
    /// The expected line from here: whole moves that can be played on a board, the best
    /// move first. Where the side to move is lost it is the longest defence.
    pub line: Vec<Move>,
    /// The next best moves with Black's chance after each, the best first.
    pub others: Vec<(Move, f64)>,
    /// Positions and moves that were searched.
    pub nodes: u64,
}

impl Standing {
    /// The game is over.
    pub fn over(outcome: Outcome) -> Standing {
        let black_chance = match outcome {
            Outcome::Win(side) => f64::from(side == Side::Black),
            Outcome::Draw => 0.5,
        };
        Standing {
            verdict: Verdict::Over(outcome),
            black_chance,
            line: Vec::new(),
            others: Vec::new(),
            nodes: 0,
        }
    }

    /// A win that is proved.
    pub fn proved(win: impl Into<Arc<Win>>, nodes: u64) -> Standing {
        let win = win.into();
        let black_chance = f64::from(win.certificate().attacker() == Side::Black);
        let line = crate::playable(&win);
        Standing { verdict: Verdict::Proved(win), black_chance, line, others: Vec::new(), nodes }
    }

    /// The player's opinion: a score for the side to move.
    pub(crate) fn of_score(position: &Position, score: i32, line: Vec<Move>, nodes: u64) -> Standing {
        let mover = position.to_move();
        let verdict = match score {
            lambda6_player::WON.. => Verdict::Search(mover),
            ..=LOST => Verdict::Search(mover.other()),
            _ => Verdict::Estimate,
        };
        Standing { verdict, black_chance: black_chance(mover, score), line, others: Vec::new(), nodes }
    }

    /// Whether another standing says the same to a reader.
    pub(crate) fn says_as(&self, other: &Standing) -> bool {
        (self.certainty(), self.winner(), &self.line) == (other.certainty(), other.winner(), &other.line)
            && (self.black_chance, &self.others) == (other.black_chance, &other.others)
    }

    /// The standing with a move's value taken from the position after it, where nothing is
    /// proved: the best of that move and of the moves that this position's search has compared.
    pub(crate) fn after_playing(&self, mover: Side, played: &Move, after: &Standing) -> Standing {
        let for_mover = |black: f64| if mover == Side::Black { black } else { 1.0 - black };
        let is_played = |mv: &Move| mv.sorted() == played.sorted();
        let best = self.line.first().map(|mv| (*mv, self.black_chance));
        let others = best.into_iter().chain(self.others.iter().copied());
        let mut moves: Vec<(Move, f64)> = others.filter(|(mv, _)| !is_played(mv)).collect();
        moves.push((*played, after.black_chance));
        // Among equals the first stays in front: the search's order.
        moves.sort_by(|a, b| for_mover(b.1).total_cmp(&for_mover(a.1)));
        let (first, black_chance) = moves.remove(0);
        let (verdict, line) = if is_played(&first) {
            let verdict = after.winner().map_or(Verdict::Estimate, Verdict::Search);
            (verdict, [&[*played], &after.line[..]].concat())
        } else if best.is_some_and(|(mv, _)| mv == first) {
            (self.verdict.clone(), self.line.clone())
        } else {
            let sure = |side: Side| if side == Side::Black { black_chance } else { 1.0 - black_chance };
            let winner = Side::ALL.into_iter().find(|&side| sure(side) >= SURE);
            (winner.map_or(Verdict::Estimate, Verdict::Search), vec![first])
        };
        Standing { verdict, black_chance, line, others: moves, nodes: self.nodes }
    }

    /// The side that wins, whether proved or not.
    pub fn winner(&self) -> Option<Side> {
        match &self.verdict {
            Verdict::Over(Outcome::Win(side)) | Verdict::Search(side) => Some(*side),
            Verdict::Proved(win) => Some(win.certificate().attacker()),
            Verdict::Over(Outcome::Draw) | Verdict::Estimate => None,
        }
    }

    /// The side that has won or is proved to win.
    pub fn certain_winner(&self) -> Option<Side> {
        match self.verdict {
            Verdict::Search(_) => None,
            _ => self.winner(),
        }
    }

    /// The proof, if there is one.
    pub fn win(&self) -> Option<&Win> {
        match &self.verdict {
            Verdict::Proved(win) => Some(win),
            _ => None,
        }
    }

    /// A side's chance of winning.
    pub fn chance(&self, side: Side) -> f64 {
        match side {
            Side::Black => self.black_chance,
            Side::White => 1.0 - self.black_chance,
        }
    }

    /// How sure the verdict is: `over`, `proved`, `search` or `estimate`.
    pub fn certainty(&self) -> &'static str {
        match self.verdict {
            Verdict::Over(_) => "over",
            Verdict::Proved(_) => "proved",
            Verdict::Search(_) => "search",
            Verdict::Estimate => "estimate",
        }
    }
}

/// The chance from which on a search has seen the end.
const SURE: f64 = 1.0 - 1e-9;

/// Scores from here down mean that the search sees a forced loss.
const LOST: i32 = -lambda6_player::WON;

/// Black's chance of winning, from a score of the side to move.
pub(crate) fn black_chance(mover: Side, score: i32) -> f64 {
    match mover {
        Side::Black => chance(score),
        Side::White => 1.0 - chance(score),
    }
}

impl fmt::Display for Standing {
    /// Such as `black wins in 3 (proved)` or `black 62 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Over(Outcome::Win(side)) => write!(f, "{side} has won"),
            Verdict::Over(Outcome::Draw) => f.write_str("drawn"),
            Verdict::Proved(win) => {
                write!(f, "{} wins in {} (proved)", win.certificate().attacker(), win.certificate().depth())
            }
            Verdict::Search(side) => write!(f, "{side} wins (search)"),
            Verdict::Estimate => write!(f, "black {:.0} %", 100.0 * self.black_chance),
        }
    }
}
