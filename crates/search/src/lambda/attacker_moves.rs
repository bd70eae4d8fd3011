//! The attacker's nodes: which moves are tried, and in which order.

use super::{
    breakthroughs::Breakthroughs,
    move_values::MoveJudge,
    tree::{Candidate, Effort, LambdaTree},
    width::Width,
};
use crate::{
    Budget, Why,
    candidates::{MoveValues, affordable, complete_within},
};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::{Attack, Board, Defences, FreeStones, Play, ThreatCount, ThreatMoves};
use rustc_hash::FxHashSet;

/// Initial proof numbers of the untried moves of one kind.
#[derive(Clone, Copy)]
struct Prior {
    /// The number of the first move.
    first: u32,
    /// Moves with the same number before it rises by one.
    step: usize,
    /// The number of a move with the best evaluation.
    judged: u32,
}

/// The initial proof numbers of candidates: the rank of a move within its kind,
/// mixed with the evaluation of the position after it.
///
/// Where every move makes a threat, flat numbers by rank serve best. Where moves
/// without a threat are allowed there are many more candidates, and most moves of
/// the defender are refuted by the inner VCST search before a candidate with a
/// threat is needed, so that those come late. `docs/notebook/lambda-search.md` has
/// the measurements.
pub(super) struct Priors {
    partial: Prior,
    leads: Prior,
    quiet: Prior,
    /// The share of the evaluation, in tenths.
    judged: u32,
    /// For a move of the defender when it is first looked at.
    pub(super) first_look: Effort,
    /// The number of waiting questions of a defender's node that count as one
    /// child. After a move without a threat hundreds wait, and hardly any is hard.
    pub(super) waiting: u32,
}

impl Priors {
    /// For searches with moves of this order at most, of a game with p stones a move.
    pub(super) const fn of(order: u8, p: u8) -> Priors {
        if order <= p {
            Priors::THREATS
        } else if p == 1 {
            Priors::one_stone(order)
        } else {
            Priors::QUIET
        }
    }

    /// Every move makes a threat.
    const THREATS: Priors = Priors {
        partial: Prior { first: 3, step: 8, judged: 3 },
        leads: Prior { first: 4, step: 4, judged: 3 },
        quiet: Prior { first: 4, step: 6, judged: 3 },
        judged: 9,
        first_look: Effort { vcdt: 400, vcst: 0 },
        waiting: 16,
    };

    /// Moves without a threat are allowed.
    const QUIET: Priors = Priors {
        partial: Prior { first: 6, step: 1, judged: 6 },
        leads: Prior { first: 3, step: 1, judged: 1 },
        quiet: Prior { first: 2, step: 1, judged: 2 },
        judged: 7,
        first_look: Effort { vcdt: 1_000, vcst: 3_000 },
        waiting: 48,
    };

    /// The same with one stone a move, where threes are moves without a threat: the
    /// rank by windows tells more of these than the evaluation.
    const fn one_stone(order: u8) -> Priors {
        Priors { judged: if order == 2 { 2 } else { 5 }, waiting: 16, ..Priors::QUIET }
    }

    /// The number of the move of this rank within a kind, with the value of the
    /// position after it if the evaluation was asked.
    fn number(&self, of: Prior, rank: usize, value: Option<i32>) -> u32 {
        let by_rank = of.first + (rank / of.step) as u32;
        let number = value.map_or(by_rank, |value| {
            let by_value = of.judged + short_of(PROMISING, value, 250);
            (self.judged * by_value + (10 - self.judged) * by_rank) / 10
        });
        number.max(1)
    }
}

/// The evaluation, in thousandths, from which on a move gets the best prior.
const PROMISING: i32 = 3_000;

/// How many steps a value is below that, at most 40.
fn short_of(good: i32, value: i32, step: i32) -> u32 {
    ((good - value) / step).clamp(0, 40) as u32
}

/// The initial proof number of an attacker's node, where there is no evaluation.
const LEAF: u32 = 3;

/// Generates candidates. It keeps its memory between calls.
pub struct AttackerMoves {
    attack: Attack,
    free: FreeStones,
    values: MoveValues,
    /// Of the attacker's stones and of the defender's, see [`AttackerMoves::disturbs`].
    disturbing: [MoveValues; 2],
    moves: ThreatMoves,
    squares: Vec<Square>,
    scored: Vec<(u32, Move)>,
    breakthroughs: Breakthroughs,
    priors: Priors,
    judge: Option<MoveJudge>,
    /// Moves of each kind that are judged; the others are ordered by rank.
    judged: usize,
    width: Width,
}

impl AttackerMoves {
    /// A generator for boards of this game and moves up to this order.
    pub fn new(game: Game, order: u8) -> AttackerMoves {
        AttackerMoves {
            // With three stones a move there are too many ways to meet threats
            // to list.
            judge: (game.p() <= 2).then(|| MoveJudge::new(game)),
            // With one stone a move there are few promising moves, and judging all of them
            // took a third of the time.
            judged: if game.p() == 1 { 16 } else { usize::MAX },
            priors: Priors::of(order, game.p()),
            attack: Attack::new(game),
            free: FreeStones::new(game),
            values: MoveValues::new(game),
            disturbing: [MoveValues::new(game), MoveValues::new(game)],
            moves: ThreatMoves::default(),
            squares: Vec::new(),
            scored: Vec::new(),
            breakthroughs: Breakthroughs::new(game),
            width: Width::narrow(game),
        }
    }

    /// Sets how many moves are tried.
    pub(super) fn set_width(&mut self, width: Width) {
        self.width = width;
    }

    /// The board has changed since [`AttackerMoves::disturbs`] was asked.
    pub fn disturbs_anew(&mut self) {
        self.disturbing.iter_mut().for_each(MoveValues::forget);
    }

    /// How much a stone of the defender's on a square disturbs the attack.
    pub fn disturbs(&mut self, board: &Board, attacker: Side, square: Square) -> u32 {
        let [ours, theirs] = &mut self.disturbing;
        ours.of(board, attacker, square) + theirs.of(board, attacker.other(), square) / 2
    }

    /// The moves to try where the attacker, without a win by VCDT, may use
    /// moves of this order: those that make `p + 1 - order` threats at least, so that
    /// the defender has at most `order - 1` stones to spare. An error when the budget
    /// ends the work.
    pub(super) fn candidates(
        &mut self,
        board: &mut Board,
        attacker: Side,
        order: u8,
        hints: &[Move],
        budget: &Budget<'_>,
    ) -> Result<Vec<Candidate>, Why> {
        let mut all = Vec::new();
        let mut known = FxHashSet::default();
        for mv in hints {
            if mv.iter().all(|square| board.is_empty(square))
                && self.is_sound(board, attacker, mv, order)
                && known.insert(mv.sorted())
            {
                all.push(Candidate { mv: mv.sorted(), prior: 1, node: LambdaTree::NONE, turn: 0 });
            }
        }
        if let Some(judge) = &mut self.judge {
            judge.follow(board);
        }
        let Priors { partial, leads, quiet, .. } = self.priors;
        let go_on = &mut || budget.goes_on();
        if self.attack.threat_moves_while(board, attacker, &mut self.moves, go_on).is_break() {
            return Err(budget.why_ended());
        }
        if self.width.is_every() {
            self.squares.clear();
            self.squares.extend(board.game().squares().filter(|&square| board.is_empty(square)));
        } else {
            self.free.find(board, attacker, &mut self.squares);
        }
        self.partial(board, attacker, order, budget)?;
        self.add_best(self.width.partial, partial, board, attacker, budget, &mut known, &mut all)?;
        self.leads(board, attacker, budget)?;
        self.add_best(self.width.leads, leads, board, attacker, budget, &mut known, &mut all)?;
        if order > board.game().p() {
            self.quiet(board, attacker, budget)?;
            self.add_best(self.width.quiet, quiet, board, attacker, budget, &mut known, &mut all)?;
        }
        all.sort_by_key(|candidate| candidate.prior);
        Ok(all)
    }

    /// Adds the first of the moves at hand, which are of one kind.
    #[allow(clippy::too_many_arguments, reason = "a step of `candidates`, taken for each kind")]
    fn add_best(
        &mut self,
        most: usize,
        prior: Prior,
        board: &mut Board,
        attacker: Side,
        budget: &Budget<'_>,
        known: &mut FxHashSet<Move>,
        all: &mut Vec<Candidate>,
    ) -> Result<(), Why> {
        for (rank, (_, mv)) in self.scored.iter().take(most).enumerate() {
            let mv = mv.sorted();
            if known.insert(mv) {
                let judge = self.judge.as_mut().filter(|_| rank < self.judged);
                let value = judge.map(|judge| judge.value_after(board, attacker, &mv, budget)).transpose()?;
                let prior = self.priors.number(prior, rank, value);
                all.push(Candidate { mv, prior, node: LambdaTree::NONE, turn: 0 });
            }
        }
        Ok(())
    }

    /// The proof number to begin with where the attacker is to move.
    pub(super) fn leaf(&mut self, board: &Board, attacker: Side) -> u32 {
        let Some(judge) = &mut self.judge else { return LEAF };
        judge.follow(board);
        2 + short_of(PROMISING, judge.value(attacker), 600)
    }

    /// The parameters that steer the search.
    pub(super) fn priors(&self) -> &Priors {
        &self.priors
    }

    /// The candidates of an attacker's node, the most promising first.
    pub fn moves(
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
        let p = board.game().p();
        mv.len() == usize::from(p)
            && board.play(attacker, mv, |board| {
                !board.has_threat(attacker.other())
                    && (order > p || board.has_threat(attacker) && leaves_few(board, attacker, order))
            })
    }

    /// The most squares, up to `most`, of which so many are chosen.
    fn affordable(&self, most: usize, stones: usize) -> usize {
        if self.width.is_every() { most } else { affordable(most, stones) }
    }

    fn sort(&mut self) {
        self.scored.sort_unstable_by_key(|&(score, mv)| (std::cmp::Reverse(score), mv));
        self.scored.dedup_by_key(|(_, mv)| *mv);
    }

    /// Moves that make fewer threats than the defender has stones.
    fn partial(
        &mut self,
        board: &mut Board,
        attacker: Side,
        order: u8,
        budget: &Budget<'_>,
    ) -> Result<(), Why> {
        self.scored.clear();
        let p = usize::from(board.game().p());
        let partners = &self.squares[..self.affordable(self.squares.len(), p - 1)];
        for set in &self.moves.partial {
            if !board.play(attacker, set, |board| leaves_few(board, attacker, order)) {
                continue;
            }
            // The partner is valued with the stones that make the threat on the board.
            let (values, scored) = (&mut self.values, &mut self.scored);
            board.play(attacker, set, |board| {
                values.forget();
                let own: u32 = set.iter().map(|square| values.of(board, attacker, square)).sum();
                complete_within(*set, partners, p, budget, &mut |mv| {
                    let added = mv.iter().skip(set.len());
                    let with: u32 = added.map(|square| values.of(board, attacker, square)).sum();
                    scored.push((own + with, mv.sorted()));
                })
            })?;
        }
        self.sort();
        Ok(())
    }

    /// Moves that leave the defender no stone, as a way to another position.
    fn leads(&mut self, board: &mut Board, attacker: Side, budget: &Budget<'_>) -> Result<(), Why> {
        self.scored.clear();
        self.values.forget();
        let p = usize::from(board.game().p());
        let partners = &self.squares[..self.squares.len().min(self.width.lead_partners)];
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
        self.breakthroughs.find(board, defender);
        let mut worth: Vec<(u32, Square)> =
            self.squares.iter().map(|&s| (2 * self.values.of(board, attacker, s), s)).collect();
        self.values.forget();
        for (worth, square) in &mut worth {
            *worth += self.values.of(board, defender, *square);
        }
        worth.sort_unstable_by_key(|&(worth, square)| (std::cmp::Reverse(worth), square));
        worth.truncate(self.affordable(self.width.quiet_squares.min(self.squares.len()), p));
        let mut squares: Vec<Square> = worth.iter().map(|&(_, square)| square).collect();
        if self.breakthroughs.any() {
            squares.clear();
            squares.extend(board.game().squares().filter(|&square| board.is_empty(square)));
            let left = &mut self.breakthroughs;
            squares.retain(|&s| board.play(attacker, [s], |board| !left.are_left(board, defender)));
        }
        let mut theirs = Defences::default();
        theirs.find(board, defender);
        let sets: Vec<Move> = match theirs.count() {
            ThreatCount::More => return Ok(()),
            ThreatCount::Exactly(0) => vec![Move::NULL],
            ThreatCount::Exactly(_) => theirs.iter().copied().collect(),
        };
        for set in sets {
            complete_within(set, &squares, p, budget, &mut |mv| {
                // Stones on a common segment count more than two separate ones. The
                // value to the defender only selects squares.
                let mut score = 0;
                for square in mv.iter() {
                    self.values.forget();
                    score += self.values.of(board, attacker, square);
                    board.place(attacker, square);
                }
                let quiet = !board.has_threat(attacker) && !self.breakthroughs.are_left(board, defender);
                board.remove_all(attacker, mv);
                if quiet {
                    self.scored.push((score, mv.sorted()));
                }
            })?;
        }
        self.sort();
        Ok(())
    }
}

/// Whether a move of `attacker` leaves the defender so few stones to spare that it can be
/// of this order.
fn leaves_few(board: &Board, attacker: Side, order: u8) -> bool {
    let p = board.game().p();
    if order >= p {
        // One threat is enough.
        return true;
    }
    let mut defences = Defences::default();
    defences.find(board, attacker);
    defences.count().at_least(p + 1 - order)
}
