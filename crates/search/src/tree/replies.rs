//! The defender's moves that need an answer.
//!
//! A defender with stones to spare has tens of thousands of moves. As the
//! checker does, the tree answers the critical defences with the spare stones
//! passed on first; the zones of those wins tell which spare stones need an
//! answer of their own, and their zones which pairs do (the rules of the method
//! `mutual`; three spare stones and more as in `rzop`). So a position of the
//! defender that is proved is proved against *every* move.

use super::evaluate::of_threats;
use crate::{Why, Zones};
use rules::{Move, Side, Square};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use threats::{Board, Defences, ThreatCount};

/// What the tree knows of the answers to the defender's moves.
pub(crate) trait Answers {
    /// Whether the attacker wins after this move, with spare stones passed on.
    fn is_won(&mut self, defence: &Move) -> bool;

    /// The zones of that win. The board is the one before the move.
    fn zones(&mut self, board: &mut Board, defence: &Move) -> Result<Arc<Zones>, Why>;
}

/// The defender's moves that still need an answer; if none does, the zones of
/// the position.
pub(crate) struct Needed {
    pub(crate) moves: Vec<Move>,
    pub(crate) zones: Zones,
}

/// Finds out what needs an answer where the defender is to move and neither has
/// a row nor the defender a threat. `with_zones` asks for the zones of the whole:
/// without, those of moves that have no spare stone are left alone.
pub(crate) fn needed(
    board: &mut Board,
    attacker: Side,
    with_zones: bool,
    answers: &mut dyn Answers,
) -> Result<Needed, Why> {
    let mut defences = Defences::default();
    defences.find(board, attacker);
    let mut first: Vec<Move> = defences.iter().copied().collect();
    let zones = match defences.count() {
        ThreatCount::Exactly(0) => {
            first.push(Move::NULL);
            Zones::empty(board.game())
        }
        _ => of_threats(board, attacker),
    };
    // Passing on the spare stones refutes most moves that fail: every defence
    // is met that way before any zone is looked into.
    let moves: Vec<Move> = first.iter().copied().filter(|defence| !answers.is_won(defence)).collect();
    if !moves.is_empty() {
        return Ok(Needed { moves, zones });
    }
    let mut walk = Walk {
        board,
        attacker,
        with_zones,
        answers,
        needed: Needed { moves, zones },
        met: FxHashSet::default(),
    };
    for defence in first {
        walk.sub(defence)?;
    }
    Ok(walk.needed)
}

struct Walk<'a> {
    board: &'a mut Board,
    attacker: Side,
    with_zones: bool,
    answers: &'a mut dyn Answers,
    needed: Needed,
    met: FxHashSet<Move>,
}

impl Walk<'_> {
    /// Every move that contains `defence`.
    fn sub(&mut self, defence: Move) -> Result<(), Why> {
        if !self.met.insert(defence) {
            return Ok(());
        }
        if !self.answers.is_won(&defence) {
            self.needed.moves.push(defence);
            return Ok(());
        }
        let spare = usize::from(self.board.game().p()) - defence.len();
        if spare == 0 && !self.with_zones {
            return Ok(());
        }
        let null = self.answers.zones(self.board, &defence)?;
        self.needed.zones.union_shifted(&null, spare);
        match spare {
            0 => Ok(()),
            2 => self.pairs(defence, &null),
            _ => {
                for square in self.squares(&null, spare, &defence) {
                    self.sub(with(defence, square))?;
                }
                Ok(())
            }
        }
    }

    /// Two spare stones: first one of them in the first zone, then the pairs
    /// that answer every line found so far.
    fn pairs(&mut self, defence: Move, null: &Zones) -> Result<(), Why> {
        let singles = self.squares(null, 1, &defence);
        let before = self.needed.moves.len();
        for &square in &singles {
            let mv = with(defence, square);
            if !self.answers.is_won(&mv) {
                self.needed.moves.push(mv);
            }
        }
        if self.needed.moves.len() > before {
            return Ok(());
        }
        let mut lines = Vec::with_capacity(singles.len());
        for &square in &singles {
            let zones = self.answers.zones(self.board, &with(defence, square))?;
            self.needed.zones.union_shifted(&zones, 1);
            lines.push(zones);
        }
        let of = |square: Square| singles.binary_search(&square).ok();
        for (i, &s) in singles.iter().enumerate() {
            for t in self.squares(&lines[i], 1, &defence) {
                // A pair of two such squares comes up twice.
                let both = of(t).is_none_or(|j| s < t && lines[j].contains(1, s));
                if t != s && both {
                    self.sub(with(with(defence, s), t))?;
                }
            }
        }
        let far: Vec<Square> =
            self.squares(null, 2, &defence).into_iter().filter(|&square| of(square).is_none()).collect();
        for (i, &s) in far.iter().enumerate() {
            for &t in &far[i + 1..] {
                if self.on_open_segment(s, t) {
                    self.sub(with(with(defence, s), t))?;
                }
            }
        }
        Ok(())
    }

    /// The empty squares of zone `i` beside those of the defence, in order.
    fn squares(&self, zones: &Zones, i: usize, defence: &Move) -> Vec<Square> {
        zones.empty_squares(self.board, i).filter(|&square| !defence.contains(square)).collect()
    }

    /// Whether two squares lie on a segment without a stone of the attacker.
    fn on_open_segment(&self, s: Square, t: Square) -> bool {
        let (geometry, k) = (self.board.geometry(), self.board.game().k());
        geometry.lines_through(s).any(|(line, at)| {
            let there = geometry.lines_through(t).find(|&(other, _)| other == line);
            let windows = self.board.active(self.attacker.other(), line);
            there.is_some_and(|(_, to)| {
                let (low, high) = (at.min(to), at.max(to));
                (high.saturating_sub(k - 1)..=low).any(|start| windows >> start & 1 != 0)
            })
        })
    }
}

fn with(mut mv: Move, square: Square) -> Move {
    mv.push(square);
    mv
}
