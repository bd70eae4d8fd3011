//! The attacker's moves, in the order in which they get their turn.

use lambda6_rules::{Game, Move, Side, Square};
use lambda6_search::{Budget, MoveValues, Why, affordable, complete};
use lambda6_threats::{Attack, Board, Defences, FreeStones, Play, ThreatCount, ThreatMoves};
use std::cmp::Reverse;

/// The moves that a stage offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offer {
    /// Moves that make `p` threats or more: double threats.
    pub full: bool,
    /// Moves that make a threat, but fewer than `p`: single threats.
    pub partial: bool,
    /// Moves on the best squares, whether they make threats or not.
    pub cells: bool,
}

/// A stage of a search: the moves it offers and how many at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The moves.
    pub offer: Offer,
    /// How many are opened at a time.
    pub batch: usize,
    /// How large the proof numbers of those may grow before more are opened;
    /// so many more each time.
    pub limit: u32,
}

/// Squares that are tried first for the stones of a move that need not threaten:
/// the paper's probing cells.
const PROBES: usize = 12;

/// Squares that are tried for the free stone of a full threat, and of a partial
/// one. With the 12 of the paper some puzzles are not solved.
const FULL_PARTNERS: usize = 24;
const PARTIAL_PARTNERS: usize = 60;

/// Squares from which quiet moves are made at most. Pairs of the best
/// [`PROBES`] come first.
const CELLS: usize = 40;

/// The most moves on the best squares, for games with many stones a move.
const MOST_QUIET: usize = 2_000;

/// The most threats with their partners, for the same games: with two stones a
/// move there are not nearly so many.
const MOST_THREATS: usize = 1 << 17;

/// How much more a full threat is worth than the same stones otherwise: the
/// answers to it are few.
const FULL_BONUS: u32 = 60;

/// Lists the attacker's moves. It holds memory that is used again.
pub(crate) struct StageMoves {
    attack: Attack,
    free: FreeStones,
    values: MoveValues,
    threat_moves: ThreatMoves,
    squares: Vec<Square>,
    scored: Vec<(u32, Move)>,
    defences: Defences,
}

impl StageMoves {
    pub(crate) fn new(game: Game) -> StageMoves {
        StageMoves {
            attack: Attack::new(game),
            free: FreeStones::new(game),
            values: MoveValues::new(game),
            threat_moves: ThreatMoves::default(),
            squares: Vec::new(),
            scored: Vec::new(),
            defences: Defences::default(),
        }
    }

    /// The moves on offer, the most promising first. They meet the threats of
    /// the other side; the board must not hold a threat of `attacker`. With many
    /// stones a move it can take long: an error when the search was stopped.
    pub(crate) fn list(
        &mut self,
        board: &mut Board,
        attacker: Side,
        offer: Offer,
        moves: &mut Vec<Move>,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        moves.clear();
        if board.empty_count() < usize::from(board.game().p()) {
            return Ok(());
        }
        if offer.full || offer.partial {
            self.threats(board, attacker, offer, budget)?;
            moves.extend(self.scored.iter().map(|&(_, mv)| mv));
        }
        if offer.cells {
            self.cells(board, attacker, moves);
        }
        Ok(())
    }

    fn threats(
        &mut self,
        board: &mut Board,
        attacker: Side,
        offer: Offer,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        let StageMoves { attack, free, values, threat_moves, squares, scored, .. } = self;
        if attack.threat_moves_while(board, attacker, threat_moves, &mut || budget.goes_on()).is_break() {
            return Err(budget.why_ended());
        }
        free.find(board, attacker, squares);
        // With fewer useful squares than stones any squares do.
        if squares.len() < usize::from(board.game().p()) {
            squares.clear();
            squares.extend(board.game().squares().filter(|&square| board.is_empty(square)));
        }
        scored.clear();
        let p = usize::from(board.game().p());
        let full = threat_moves.full.iter().filter(|_| offer.full).map(|set| (set, FULL_BONUS));
        let partial = threat_moves.partial.iter().filter(|_| offer.partial).map(|set| (set, 0));
        for (set, bonus) in full.chain(partial) {
            if scored.len() >= MOST_THREATS {
                break;
            }
            if p > 2 {
                budget.interrupted()?;
            }
            // Partners are judged with the stones that threaten on the board.
            let most = if bonus > 0 { FULL_PARTNERS } else { PARTIAL_PARTNERS };
            let partners = &squares[..squares.len().min(affordable(most, p - set.len()))];
            board.play(attacker, set, |board| {
                values.forget();
                let own: u32 = set.iter().map(|square| values.of(board, attacker, square)).sum();
                complete(*set, partners, p, &mut |mv| {
                    let partners = mv.iter().skip(set.len());
                    let with: u32 = partners.map(|square| values.of(board, attacker, square)).sum();
                    scored.push((bonus + own + with, mv.sorted()));
                });
            });
        }
        scored.sort_unstable_by_key(|&(score, mv)| (Reverse(score), mv));
        scored.dedup_by_key(|(_, mv)| *mv);
        Ok(())
    }

    /// Moves on the squares that are worth most to either side. Where there are
    /// threats to meet, each contains a critical defence.
    fn cells(&mut self, board: &mut Board, attacker: Side, moves: &mut Vec<Move>) {
        let StageMoves { values, squares, scored, defences, .. } = self;
        let empty = board.game().squares().filter(|&square| board.is_empty(square));
        let mut cells: Vec<(u32, Square)> = empty.map(|square| (0, square)).collect();
        for side in [attacker, attacker.other()] {
            values.forget();
            cells.iter_mut().for_each(|(value, square)| *value += values.of(board, side, *square));
        }
        cells.sort_by_key(|&(value, square)| (Reverse(value), square));
        squares.clear();
        squares.extend(cells.iter().take(CELLS).map(|&(_, square)| square));
        let p = usize::from(board.game().p());
        defences.find(board, attacker.other());
        let mut fixed: Vec<Move> = defences.iter().copied().collect();
        match defences.count() {
            ThreatCount::More => return,
            ThreatCount::Exactly(0) => fixed.push(Move::NULL),
            ThreatCount::Exactly(_) => {}
        }
        scored.clear();
        for (count, set) in (1..).zip(fixed) {
            let most = MOST_QUIET * count;
            let few = squares.len().min(affordable(CELLS, p - set.len()));
            complete(set, &squares[..few], p, &mut |mv| {
                if scored.len() < most {
                    // By the worst square: the pairs of the best few come first.
                    let rank = |square| squares.iter().position(|&other| other == square).unwrap_or(0);
                    let worst = mv.iter().skip(set.len()).map(rank).max().unwrap_or(0);
                    scored.push(((worst.max(PROBES - 1) * 1000 + worst) as u32, mv.sorted()));
                }
            });
        }
        scored.sort_by_key(|&(rank, _)| rank);
        moves.extend(scored.iter().map(|&(_, mv)| mv));
    }
}
