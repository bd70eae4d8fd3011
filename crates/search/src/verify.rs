//! The verifier: which moves of the defender are left in a position.
//!
//! Where the attacker is thought to win, with the defender to move, each move of
//! the defender that matters is tried against a search of its own. Those that
//! are not refuted are what a person, or a larger search, has to look at. That a
//! move outside the list loses rests on the zones of the wins that were found,
//! see [`Zones`].

use crate::{
    Clock, Limits, SolveError, Why, Zones,
    forced::Proof,
    lambda::{LambdaOptions, LambdaSearch, on_one_segment},
    limits::Budget,
    solver::refuse,
};
use rules::{Move, Position, Side, Square};
use std::{collections::BTreeSet, sync::atomic::AtomicBool, time::Duration};
use threats::{Board, Defences, ThreatCount, defence};

/// A set of stones of the defender after which the attacker wins, whatever the
/// defender does with the rest of the move outside the zones.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The defender's stones; none for a pass.
    pub stones: Move,
    /// The attacker's reply.
    pub reply: Move,
    /// How many of the defender's stones are passed on.
    pub spare: usize,
    zones: Zones,
}

impl Refuted {
    /// Whether this win also refutes a move: its other stones can be put in an
    /// order in which the i-th lies outside the i-th zone, or are two outside the
    /// first zone that do not lie together on a segment.
    pub fn covers(&self, board: &Board, attacker: Side, mv: &Move) -> bool {
        if !self.stones.iter().all(|square| mv.contains(square)) {
            return false;
        }
        let extra: Vec<Square> = mv.iter().filter(|&square| !self.stones.contains(square)).collect();
        if let [s, t] = extra[..]
            && ![s, t].iter().any(|&square| self.zones.contains(1, square))
            && !on_one_segment(board, attacker, s, t)
        {
            return true;
        }
        self.zones.bear(&extra)
    }

    /// The squares of the first zone: a single further stone matters only there.
    pub fn zone(&self, board: &Board) -> Vec<Square> {
        self.zones.empty_squares(board, 1).collect()
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The wins that were found, the most general first.
    pub refuted: Vec<Refuted>,
    /// The defender's moves that were tried and are not refuted.
    pub open: Vec<Move>,
    /// Nothing is known of moves beyond those listed, for this reason.
    pub incomplete: Option<Incomplete>,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Why moves were left untried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The defender can connect, with the moves that are listed.
    Connects,
    /// The defender's move fills the board, and the game is drawn.
    Full,
    /// The attacker does not win when the defender passes, so that no move can be
    /// told apart from the rest.
    Pass,
    /// The search ended before all were tried.
    Ended(Why),
}

impl Verified {
    /// Whether every move of the defender is refuted.
    pub fn is_win(&self) -> bool {
        self.open.is_empty() && self.incomplete.is_none()
    }

    /// What becomes of a move of the side to move.
    pub fn fate(&self, position: &Position, mv: &Move) -> Fate<'_> {
        let attacker = position.to_move().other();
        let mut board = Board::from_position(position);
        // The win that is closest to the move says most.
        let covering = self.refuted.iter().filter(|refuted| refuted.covers(&board, attacker, mv));
        if let Some(refuted) = covering.max_by_key(|refuted| refuted.stones.len()) {
            return Fate::Refuted(refuted);
        }
        mv.iter().for_each(|square| board.place(attacker.other(), square));
        let mut row = None;
        if !board.has_row(attacker.other()) && board.has_threat(attacker) {
            defence::for_each_threat(&board, attacker, |threat| row = row.or(Some(threat.sorted())));
        }
        row.map_or(Fate::Open, Fate::Unmet)
    }
}

/// What becomes of a move of the defender.
#[derive(Clone, Copy, Debug)]
pub enum Fate<'a> {
    /// It is not known to lose.
    Open,
    /// It loses to this win.
    Refuted(&'a Refuted),
    /// It leaves the attacker a threat, and these stones connect.
    Unmet(Move),
}

/// Somebody who wants to know: the defender's stones that are tried now, and how
/// many sets of them are left.
pub type Watch<'a> = &'a mut dyn FnMut(&Move, usize);

/// Lists the moves of the side to move that are not refuted by wins of the other
/// side. `each` limits the search against one move, `whole` all of them.
pub fn verify(
    position: &Position,
    options: LambdaOptions,
    bytes: usize,
    (each, whole): (Limits, Limits),
    clock: &dyn Clock,
    stop: &AtomicBool,
    watch: Watch<'_>,
) -> Result<Verified, SolveError> {
    refuse(position)?;
    let attacker = position.to_move().other();
    let mut verifier = Verifier {
        search: LambdaSearch::new(position.game(), options, bytes),
        board: Board::from_position(position),
        attacker,
        each,
        budget: Budget::new(whole, clock, stop),
        watch,
        met: BTreeSet::new(),
        found: Verified::default(),
    };
    if let Err(incomplete) = verifier.defender() {
        verifier.found.incomplete = Some(incomplete);
    }
    let Verifier { mut found, budget, .. } = verifier;
    found.refuted.sort_by_key(|refuted| (refuted.stones.len(), refuted.stones));
    found.open.sort();
    (found.nodes, found.elapsed) = (budget.nodes(), budget.elapsed());
    Ok(found)
}

struct Verifier<'a> {
    search: LambdaSearch,
    board: Board,
    attacker: Side,
    each: Limits,
    budget: Budget<'a>,
    watch: Watch<'a>,
    met: BTreeSet<Move>,
    found: Verified,
}

impl Verifier<'_> {
    fn defender(&mut self) -> Result<(), Incomplete> {
        let p = usize::from(self.board.game().p());
        // Zones are about defenders who cannot: the checker, too, begins with this.
        if self.board.has_threat(self.attacker.other()) {
            let open = &mut self.found.open;
            defence::for_each_threat(&self.board, self.attacker.other(), |threat| open.push(threat.sorted()));
            open.sort();
            open.dedup();
            return Err(Incomplete::Connects);
        }
        if self.board.empty_count() < p {
            return Err(Incomplete::Full);
        }
        let mut defences = Defences::default();
        defences.find(&self.board, self.attacker);
        let sets: Vec<Move> = match defences.count() {
            ThreatCount::Exactly(0) => vec![Move::NULL],
            ThreatCount::Exactly(_) => defences.iter().copied().collect(),
            // No move meets all threats.
            ThreatCount::More => return Ok(()),
        };
        for (i, set) in sets.iter().enumerate() {
            self.sub(*set, p - set.len(), sets.len() - i - 1)?;
        }
        Ok(())
    }

    /// Every move of the defender that contains these stones.
    fn sub(&mut self, set: Move, spare: usize, left: usize) -> Result<(), Incomplete> {
        if !self.met.insert(set.sorted()) {
            return Ok(());
        }
        let Some(zones) = self.try_set(set, spare, left)? else {
            if spare == 0 {
                self.found.open.push(set.sorted());
                return Ok(());
            }
            if set.is_empty() {
                return Err(Incomplete::Pass);
            }
            // Nothing tells the other stones apart: each is tried.
            let squares: Vec<Square> = self.empty().collect();
            return self.extend(set, spare, &squares);
        };
        if spare == 0 {
            return Ok(());
        }
        let squares: Vec<Square> = zones.empty_squares(&self.board, spare.min(zones.len())).collect();
        if spare == 2 {
            return self.pairs(set, &zones);
        }
        self.extend(set, spare, &squares)
    }

    fn empty(&self) -> impl Iterator<Item = Square> + '_ {
        self.board.game().squares().filter(|&square| self.board.is_empty(square))
    }

    fn extend(&mut self, set: Move, spare: usize, squares: &[Square]) -> Result<(), Incomplete> {
        for (i, &square) in squares.iter().enumerate() {
            if !set.contains(square) {
                let mut more = set;
                more.push(square);
                self.sub(more, spare - 1, squares.len() - i - 1)?;
            }
        }
        Ok(())
    }

    /// Two spare stones: single ones first, then the pairs that answer every win
    /// found. A single stone that is not refuted restricts nothing.
    fn pairs(&mut self, set: Move, zones: &Zones) -> Result<(), Incomplete> {
        let near: Vec<Square> = zones.empty_squares(&self.board, 1).filter(|&s| !set.contains(s)).collect();
        let mut answers: Vec<Option<Option<Zones>>> = vec![None; self.board.game().area()];
        for (i, &square) in near.iter().enumerate() {
            let mut more = set;
            more.push(square);
            answers[square.index()] = Some(self.try_set(more, 1, near.len() - i - 1)?);
        }
        let empty: Vec<Square> = self.empty().filter(|&square| !set.contains(square)).collect();
        let mut pairs = Vec::new();
        for (i, &s) in empty.iter().enumerate() {
            for &t in &empty[i + 1..] {
                let allows = |answer: &Option<Option<Zones>>, other: Square| match answer {
                    Some(Some(zones)) => zones.contains(1, other),
                    Some(None) | None => true,
                };
                let (of_s, of_t) = (&answers[s.index()], &answers[t.index()]);
                let matters = if of_s.is_some() || of_t.is_some() {
                    allows(of_s, t) && allows(of_t, s)
                } else {
                    zones.contains(2, s)
                        && zones.contains(2, t)
                        && on_one_segment(&self.board, self.attacker, s, t)
                };
                if matters {
                    let mut more = set;
                    more.push(s);
                    more.push(t);
                    pairs.push(more);
                }
            }
        }
        for (i, pair) in pairs.iter().enumerate() {
            self.sub(*pair, 0, pairs.len() - i - 1)?;
        }
        Ok(())
    }

    /// The zones of a win after these stones, if one is found within the limits.
    fn try_set(&mut self, set: Move, spare: usize, left: usize) -> Result<Option<Zones>, Incomplete> {
        self.budget.interrupted().map_err(Incomplete::Ended)?;
        (self.watch)(&set, left);
        let defender = self.attacker.other();
        set.iter().for_each(|square| self.board.place(defender, square));
        let mut part = self.budget.part_of(self.each);
        let won = self.search.win(&self.board, self.attacker, &mut part);
        set.iter().for_each(|square| self.board.remove(defender, square));
        self.budget.absorb(&part).map_err(Incomplete::Ended)?;
        let Ok(Some(Proof { reply, zones })) = won else { return Ok(None) };
        self.found.refuted.push(Refuted { stones: set.sorted(), reply, spare, zones: zones.clone() });
        Ok(Some(zones))
    }
}
