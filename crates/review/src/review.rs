//! The review of a game: its standings, and what follows from them.
//!
//! A position is seen more clearly once the one after it has been looked at. What is known of the
//! later position is therefore passed back: a proved win is a win one move earlier, too, and where
//! the move that was played stands better than all that the search of the earlier position found,
//! or worse than that search expected of it, the later search is believed.

use crate::{Judgement, PlayedGame, Quality, Standing};
use lambda6_proof::{Certificate, Win};
use lambda6_rules::{Move, Side};

/// The review of a game, complete or not.
#[derive(Clone, Debug)]
pub struct Review {
    game: PlayedGame,
    /// What the looks have found; `None` where there was none yet.
    seen: Vec<Option<Standing>>,
    /// The same with what is known of later positions.
    standings: Vec<Option<Standing>>,
}

/// The last move at which the loser could have held.
#[derive(Clone, Debug)]
pub struct Turning {
    /// The index of the move, from 0.
    pub index: usize,
    /// Who played it and lost.
    pub loser: Side,
    /// Whether it is proved that the position after the move is lost.
    pub loss_is_proved: bool,
    /// What was better: the best line that is known, the better move first.
    pub better: Vec<Move>,
    /// Whether the better line is a proved win. A line that only holds is not proved: it is
    /// what the search has found.
    pub better_is_proved: bool,
}

/// One side's moves in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// Moves that were judged.
    pub moves: usize,
    /// The sum of their losses.
    pub loss: f64,
    /// Inaccuracies, mistakes and blunders.
    pub mistakes: [usize; 3],
    /// Forced wins that were missed.
    pub missed_wins: usize,
    /// Moves that lost by proof.
    pub proved_mistakes: usize,
}

impl SideSummary {
    /// The average loss of a move.
    pub fn average_loss(&self) -> f64 {
        if self.moves == 0 { 0.0 } else { self.loss / self.moves as f64 }
    }

    fn add(&mut self, judged: &Judgement) {
        self.moves += 1;
        self.loss += judged.loss;
        match judged.quality {
            Quality::Inaccuracy => self.mistakes[0] += 1,
            Quality::Mistake => self.mistakes[1] += 1,
            Quality::Blunder => self.mistakes[2] += 1,
            _ => {}
        }
        self.missed_wins += usize::from(judged.missed_win);
        self.proved_mistakes += usize::from(judged.loses_by_proof);
    }

    pub(crate) fn sum(&mut self, other: &SideSummary) {
        self.moves += other.moves;
        self.loss += other.loss;
        for (mine, theirs) in self.mistakes.iter_mut().zip(other.mistakes) {
            *mine += theirs;
        }
        self.missed_wins += other.missed_wins;
        self.proved_mistakes += other.proved_mistakes;
    }
}

impl Review {
    /// A review of a game of which no position has been looked at.
    pub fn new(game: PlayedGame) -> Review {
        let seen = vec![None; game.positions().len()];
        Review { game, standings: seen.clone(), seen }
    }

    /// The game.
    pub fn game(&self) -> &PlayedGame {
        &self.game
    }

    /// How the position after so many moves stands, if it has been looked at.
    pub fn standing(&self, after: usize) -> Option<&Standing> {
        self.standings.get(after)?.as_ref()
    }

    /// What the look at a position has found, without what later positions have shown.
    pub fn seen(&self, after: usize) -> Option<&Standing> {
        self.seen.get(after)?.as_ref()
    }

    /// The number of positions, and of those that have been looked at.
    pub fn progress(&self) -> (usize, usize) {
        (self.standings.len(), self.standings.iter().flatten().count())
    }

    /// Whether all positions have been looked at.
    pub fn is_complete(&self) -> bool {
        self.standings.iter().all(Option::is_some)
    }

    /// The first position that has not been looked at, by the moves before it.
    pub fn next(&self) -> Option<usize> {
        self.standings.iter().position(Option::is_none)
    }

    /// Sets what a look at a position has found. Returns the positions whose standing has
    /// changed: this one, and those before it that are seen more clearly now.
    pub fn set(&mut self, after: usize, standing: Standing) -> Vec<usize> {
        self.seen[after] = Some(standing);
        let mut changed = Vec::new();
        for at in (0..=after).rev() {
            let Some(seen) = &self.seen[at] else { break };
            let clearer = self.clearer(at, seen);
            if at < after && self.standings[at].as_ref().is_some_and(|old| clearer.says_as(old)) {
                break;
            }
            self.standings[at] = Some(clearer);
            changed.push(at);
        }
        changed
    }

    /// How a position stands, seen from the next one.
    fn clearer(&self, index: usize, seen: &Standing) -> Standing {
        let after = self.standing(index + 1);
        let (Some(after), Some(played)) = (after, self.game.moves().get(index)) else { return seen.clone() };
        if seen.certain_winner().is_some() {
            return seen.clone();
        }
        let mover = self.game.mover(index);
        if after.certain_winner() == Some(mover)
            && let Some(win) = self.win_by_move(index, after, seen.nodes)
        {
            return win;
        }
        seen.after_playing(mover, played, after)
    }

    /// The win of the mover by the move that was played, where the position after it is
    /// proved: the proof of the one is a proof of the other.
    fn win_by_move(&self, index: usize, after: &Standing, nodes: u64) -> Option<Standing> {
        let next = after.win()?.certificate();
        let replies = [&[self.game.moves()[index]], next.replies()].concat();
        let position = &self.game.positions()[index];
        let mover = position.to_move();
        let certificate = Certificate::of_replies(position, mover, next.method(), replies).ok()?;
        Some(Standing::proved(Win::new(certificate), nodes))
    }

    /// What is to be said of a move, if the positions before and after it have been looked at.
    pub fn judgement(&self, index: usize) -> Option<Judgement> {
        let (before, after) = (self.standing(index)?, self.standing(index + 1)?);
        let side = self.game.mover(index);
        let earlier = index.checked_sub(2).and_then(|at| self.standing(at));
        let was_winning = earlier.and_then(Standing::certain_winner) == Some(side);
        let played = (side, *self.game.moves().get(index)?);
        let expected = self.seen[index].as_ref().map_or(0.0, |seen| seen.chance(side));
        Some(Judgement::of(index, played, [before, after], was_winning, expected))
    }

    /// The moves that can be judged, in their order.
    pub fn judgements(&self) -> impl Iterator<Item = Judgement> + '_ {
        (0..self.game.moves().len()).filter_map(|index| self.judgement(index))
    }

    /// The mistakes, the largest first.
    pub fn mistakes(&self) -> Vec<Judgement> {
        let mut mistakes: Vec<Judgement> =
            self.judgements().filter(|judged| judged.quality.is_mistake()).collect();
        mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.index.cmp(&b.index)));
        mistakes
    }

    /// The forced wins that were missed, in their order.
    pub fn missed_wins(&self) -> Vec<Judgement> {
        self.judgements().filter(|judged| judged.missed_win).collect()
    }

    /// The side that won the game or, failing that, stands won at its end.
    pub fn winner(&self) -> Option<Side> {
        let end = self.standing(self.game.moves().len()).and_then(Standing::winner);
        self.game.winner().or(end)
    }

    /// The last move at which the loser could have held, as far as known. `None` where it is
    /// not known who lost or when.
    pub fn turning(&self) -> Option<Turning> {
        let winner = self.winner()?;
        let loser = winner.other();
        let theirs = (0..self.game.moves().len()).rev().filter(|&index| self.game.mover(index) == loser);
        let lost = |standing: &Standing| standing.winner() == Some(winner);
        for index in theirs {
            let (before, after) = (self.standing(index)?, self.standing(index + 1)?);
            if lost(before) {
                continue;
            }
            // The loser gave up, or lost on time, in a position that is not known as lost.
            if !lost(after) {
                return None;
            }
            return Some(Turning {
                index,
                loser,
                loss_is_proved: after.certain_winner() == Some(winner),
                better: before.line.clone(),
                better_is_proved: before.certain_winner() == Some(loser),
            });
        }
        None
    }

    /// One side's moves.
    pub fn summary(&self, side: Side) -> SideSummary {
        let mut summary = SideSummary::default();
        self.judgements().filter(|judged| judged.side == side).for_each(|judged| summary.add(&judged));
        summary
    }
}
