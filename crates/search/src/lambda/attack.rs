//! The attacker's nodes: which moves are tried, and in which order.

use super::tree::{Candidate, Tree};
use crate::{
    Budget, Why,
    full::{Values, affordable, complete_within},
};
use rules::{Game, Move, Side, Square};
use rustc_hash::FxHashSet;
use threats::{Attack, Board, Defences, FreeStones, ThreatCount, ThreatMoves};

/// Proof numbers of moves that have not been tried: those of the first of a kind,
/// and how many follow before the next higher one.
///
/// Measured: where only threats are allowed, flat numbers solve our 200 puzzles
/// with 0.6 times the moves that steep ones take. Where moves without a threat are
/// allowed there are so many of all kinds that the search hardly came to the end
/// of any line: steep numbers, quiet moves first and threats that leave a stone
/// last, solve five defences of openings with 0.03 to 0.4 times the moves.
pub(super) struct Priors {
    partial: (u32, usize),
    leads: (u32, usize),
    quiet: (u32, usize),
    /// What each defence beyond the hardest adds to the proof number of a move.
    pub(super) crowd: u32,
}

impl Priors {
    /// For searches with moves of this order at most.
    pub(super) const fn of(order: u8) -> Priors {
        if order < 3 {
            Priors { partial: (3, 8), leads: (4, 4), quiet: (4, 6), crowd: 1 }
        } else {
            Priors { partial: (6, 1), leads: (3, 1), quiet: (2, 1), crowd: 2 }
        }
    }
}

fn prior((first, step): (u32, usize), rank: usize) -> u32 {
    first + (rank / step) as u32
}

/// Moves of each kind that are tried in one position.
const MOST_PARTIAL: usize = 160;
const MOST_LEADS: usize = 40;
const MOST_QUIET: usize = 80;

/// Squares from which moves without a threat are put together.
const QUIET_SQUARES: usize = 24;

/// Free stones tried with a full threat that leads to another move.
const LEAD_PARTNERS: usize = 12;

/// Generates candidates. It keeps its memory between calls.
pub(crate) struct Generator {
    attack: Attack,
    free: FreeStones,
    values: Values,
    moves: ThreatMoves,
    squares: Vec<Square>,
    scored: Vec<(u32, Move)>,
    priors: Priors,
}

impl Generator {
    pub(crate) fn new(game: Game, order: u8) -> Generator {
        Generator {
            priors: Priors::of(order),
            attack: Attack::new(game),
            free: FreeStones::new(game),
            values: Values::new(game),
            moves: ThreatMoves::default(),
            squares: Vec::new(),
            scored: Vec::new(),
        }
    }

    /// How much a stone of the defender's on a square disturbs.
    pub(crate) fn disturbs(&mut self, board: &Board, attacker: Side) -> impl FnMut(Square) -> u32 + use<> {
        self.values.forget();
        let mut of = vec![0; board.game().area()];
        for square in board.game().squares().filter(|&square| board.is_empty(square)) {
            of[square.index()] = self.values.of(board, attacker, square);
        }
        self.values.forget();
        for square in board.game().squares().filter(|&square| board.is_empty(square)) {
            of[square.index()] += self.values.of(board, attacker.other(), square) / 2;
        }
        move |square| of[square.index()]
    }

    /// The moves to try where the attacker, without a win by full threats, may use
    /// moves of this order: from 2 on those that make a threat, from 3 on any. An
    /// error when the budget ends the work.
    pub(super) fn candidates(
        &mut self,
        board: &mut Board,
        attacker: Side,
        order: u8,
        hints: &[Move],
        budget: &Budget<'_>,
    ) -> Result<Vec<Candidate>, Why> {
        let mut known = FxHashSet::default();
        let mut all = Vec::new();
        let add = |all: &mut Vec<Candidate>, known: &mut FxHashSet<Move>, mv: Move, prior: u32| {
            if known.insert(mv.sorted()) {
                all.push(Candidate { mv: mv.sorted(), prior, node: Tree::NONE, turn: 0 });
            }
        };
        for mv in hints {
            if mv.iter().all(|square| board.is_empty(square)) && self.is_sound(board, attacker, mv, order) {
                add(&mut all, &mut known, *mv, 1);
            }
        }
        let go_on = &mut || budget.goes_on();
        if self.attack.threat_moves_while(board, attacker, &mut self.moves, go_on).is_break() {
            return Err(budget.why_ended());
        }
        self.free.find(board, attacker, &mut self.squares);
        self.partial(board, attacker, budget)?;
        for (rank, (_, mv)) in self.scored.iter().take(MOST_PARTIAL).enumerate() {
            add(&mut all, &mut known, *mv, prior(self.priors.partial, rank));
        }
        self.leads(board, attacker, budget)?;
        for (rank, (_, mv)) in self.scored.iter().take(MOST_LEADS).enumerate() {
            add(&mut all, &mut known, *mv, prior(self.priors.leads, rank));
        }
        if order >= 3 {
            self.quiet(board, attacker, budget)?;
            for (rank, (_, mv)) in self.scored.iter().take(MOST_QUIET).enumerate() {
                add(&mut all, &mut known, *mv, prior(self.priors.quiet, rank));
            }
        }
        all.sort_by_key(|candidate| candidate.prior);
        Ok(all)
    }

    /// The moves of [`Generator::candidates`], the most promising first.
    pub(crate) fn moves(
        &mut self,
        board: &mut Board,
        attacker: Side,
        order: u8,
        budget: &Budget<'_>,
    ) -> Result<Vec<Move>, Why> {
        let candidates = self.candidates(board, attacker, order, &[], budget)?;
        Ok(candidates.into_iter().map(|candidate| candidate.mv).collect())
    }

    /// Whether a move that won elsewhere is of this order here.
    fn is_sound(&self, board: &mut Board, attacker: Side, mv: &Move, order: u8) -> bool {
        mv.iter().for_each(|square| board.place(attacker, square));
        let sound = (order >= 3 || board.has_threat(attacker)) && !board.has_threat(attacker.other());
        mv.iter().for_each(|square| board.remove(attacker, square));
        sound && mv.len() == usize::from(board.game().p())
    }

    fn sort(&mut self) {
        self.scored.sort_unstable_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
        self.scored.dedup_by_key(|(_, mv)| *mv);
    }

    /// Moves that make fewer threats than the defender has stones.
    fn partial(&mut self, board: &mut Board, attacker: Side, budget: &Budget<'_>) -> Result<(), Why> {
        self.scored.clear();
        let p = usize::from(board.game().p());
        let partners = &self.squares[..affordable(self.squares.len(), p - 1)];
        for set in &self.moves.partial {
            // The partner is judged with the stones that threaten on the board.
            set.iter().for_each(|square| board.place(attacker, square));
            self.values.forget();
            let own: u32 = set.iter().map(|square| self.values.of(board, attacker, square)).sum();
            let done = complete_within(*set, partners, p, budget, &mut |mv| {
                let with: u32 =
                    mv.iter().skip(set.len()).map(|square| self.values.of(board, attacker, square)).sum();
                self.scored.push((own + with, mv.sorted()));
            });
            set.iter().for_each(|square| board.remove(attacker, square));
            done?;
        }
        self.sort();
        Ok(())
    }

    /// Moves that leave the defender no stone, as a way to another position.
    fn leads(&mut self, board: &mut Board, attacker: Side, budget: &Budget<'_>) -> Result<(), Why> {
        self.scored.clear();
        self.values.forget();
        let p = usize::from(board.game().p());
        let partners = &self.squares[..self.squares.len().min(LEAD_PARTNERS)];
        for set in &self.moves.full {
            let own: u32 = set.iter().map(|square| self.values.of(board, attacker, square)).sum();
            complete_within(*set, partners, p, budget, &mut |mv| self.scored.push((own, mv.sorted())))?;
        }
        self.sort();
        Ok(())
    }

    /// Moves without a threat. Where the defender threatens they meet that.
    fn quiet(&mut self, board: &mut Board, attacker: Side, budget: &Budget<'_>) -> Result<(), Why> {
        self.scored.clear();
        let defender = attacker.other();
        let p = usize::from(board.game().p());
        self.values.forget();
        let mut worth: Vec<(u32, Square)> =
            self.squares.iter().map(|&s| (2 * self.values.of(board, attacker, s), s)).collect();
        self.values.forget();
        for (worth, square) in &mut worth {
            *worth += self.values.of(board, defender, *square);
        }
        worth.sort_unstable_by_key(|&(worth, square)| (std::cmp::Reverse(worth), square));
        worth.truncate(affordable(QUIET_SQUARES, p));
        let squares: Vec<Square> = worth.iter().map(|&(_, square)| square).collect();
        let mut theirs = Defences::default();
        theirs.find(board, defender);
        let sets: Vec<Move> = match theirs.count() {
            ThreatCount::More => return Ok(()),
            ThreatCount::Exactly(0) => vec![Move::NULL],
            ThreatCount::Exactly(_) => theirs.iter().copied().collect(),
        };
        for set in sets {
            complete_within(set, &squares, p, budget, &mut |mv| {
                // Stones that help each other count more than apart. What they take
                // from the defender says which squares to look at, and no more:
                // counted here as well it cost three samples 1.1, 1.7 and 4.8
                // times the moves.
                let mut score = 0;
                for square in mv.iter() {
                    self.values.forget();
                    score += self.values.of(board, attacker, square);
                    board.place(attacker, square);
                }
                let quiet = !board.has_threat(attacker);
                mv.iter().for_each(|square| board.remove(attacker, square));
                if quiet {
                    self.scored.push((score, mv.sorted()));
                }
            })?;
        }
        self.sort();
        Ok(())
    }
}
