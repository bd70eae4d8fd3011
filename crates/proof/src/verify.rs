//! The verifier: which moves of the defender are left in a position.
//!
//! Given a position that the attacker is thought to win, with the defender to
//! move, each relevant move of the defender is searched for a refutation. The
//! moves that are not refuted remain for a person or a larger search.
//!
//! Every refutation holds a certificate. That a move outside the list loses rests
//! on the zones of the refutations (see [`Zones`]); [`DefenceVerifier::certify_move`]
//! makes a certificate of it.

use crate::{Certificate, CertifyError, SolveError};
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{
    Budget, Limits, Observer, Progress, Why, WinSearch, Zones, connecting,
    lambda::{LambdaOptions, LambdaSearch},
    vcdt_zones::ZonedWin,
    walk::{DefenderWalk, Defending, WalkOrder, open_segments},
};
use lambda6_threats::{Board, Play, defence};
use std::time::Duration;

/// Stones of the defender after which the attacker wins, whatever the defender
/// does with the rest of the move outside the zones.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The defender's stones; none for a pass.
    pub stones: Move,
    /// The attacker's reply.
    pub reply: Move,
    /// How many of the defender's stones are passed on.
    pub spare: usize,
    /// The proof: the position after the stones, with the attacker to move.
    pub certificate: Certificate,
    zones: Zones,
}

impl Refutation {
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
            && !open_segments(board, s, attacker)[t.index()]
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

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// The wins that were found, the most general first.
    pub refuted: Vec<Refutation>,
    /// The defender's moves that were tried and are not refuted.
    pub open: Vec<Move>,
    /// The reason why moves beyond those listed were not examined.
    pub incomplete: Option<Incomplete>,
    /// The proof that every move loses, if that is so.
    pub certificate: Option<Certificate>,
    /// Moves of the attacker tried.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Why moves were not examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The defender can connect, with the moves that are listed.
    Connects,
    /// The defender's move fills the board, and the game is drawn.
    Full,
    /// The attacker does not win if the defender passes. Without that win there
    /// are no zones, and every move would have to be examined.
    Pass,
    /// The search ended before all were tried.
    Ended(Why),
}

impl Verified {
    /// Whether every move of the defender is refuted.
    pub fn is_win(&self) -> bool {
        self.certificate.is_some()
    }

    /// The status of a move of the side to move, by the refutations and their
    /// zones.
    pub fn fate(&self, position: &Position, mv: &Move) -> Fate<'_> {
        let attacker = position.to_move().other();
        let mut board = Board::from_position(position);
        // The refutation that shares most stones with the move is the most
        // specific.
        let covering = self.refuted.iter().filter(|refuted| refuted.covers(&board, attacker, mv));
        if let Some(refuted) = covering.max_by_key(|refuted| refuted.stones.len()) {
            return Fate::Refuted(refuted);
        }
        board.place_all(attacker.other(), mv);
        let row = connecting(&board, attacker).filter(|_| !board.has_row(attacker.other()));
        row.map_or(Fate::Open, |row| Fate::Unmet(row.sorted()))
    }
}

/// The status of a move of the defender.
#[derive(Clone, Copy, Debug)]
pub enum Fate<'a> {
    /// It is not known to lose.
    Open,
    /// It loses to this win.
    Refuted(&'a Refutation),
    /// It leaves the attacker a threat, and these stones connect.
    Unmet(Move),
}

/// Verifies one position. It keeps the wins of its searches.
pub struct DefenceVerifier {
    search: LambdaSearch,
    options: LambdaOptions,
    position: Position,
    attacker: Side,
    /// The limits of the search against one move.
    each: Limits,
}

impl DefenceVerifier {
    /// A verifier of the moves of the side to move, with so much memory. `each`
    /// limits the search against one move.
    pub fn new(
        position: &Position,
        options: LambdaOptions,
        bytes: usize,
        each: Limits,
    ) -> Result<DefenceVerifier, SolveError> {
        SolveError::refuse(position)?;
        Ok(DefenceVerifier {
            search: LambdaSearch::new(position.game(), options, bytes),
            options,
            position: position.clone(),
            attacker: position.to_move().other(),
            each,
        })
    }

    /// Lists the moves of the side to move that are not refuted by wins of the
    /// other side. The observer is told the stones that are tried, and how many
    /// sets of stones wait.
    pub fn verify(
        &mut self,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Verified, SolveError> {
        let before = budget.nodes();
        let mut found = Verified::default();
        found.incomplete = match self.walk(&mut found, budget, observer) {
            Ok(()) if found.open.is_empty() => match self.certify(&self.position.clone(), budget) {
                Ok(certificate) => {
                    found.certificate = Some(certificate);
                    None
                }
                Err(CertifyError::NoReply(why)) => Some(Incomplete::Ended(why)),
                Err(refused) => return Err(SolveError::Caught(refused.to_string())),
            },
            Ok(()) => None,
            Err(Stop::Incomplete(why)) => Some(why),
            Err(Stop::Caught(error)) => return Err(error),
        };
        found.refuted.sort_by_key(|refuted| (refuted.stones.len(), refuted.stones));
        found.open.sort();
        (found.nodes, found.elapsed) = (budget.nodes() - before, budget.elapsed());
        Ok(found)
    }

    /// The proof that a move loses: the position after it, with the attacker to
    /// move.
    pub fn certify_move(&mut self, mv: &Move, budget: &mut Budget<'_>) -> Result<Certificate, CertifyError> {
        let position = self.after(mv)?;
        self.certify(&position, budget)
    }

    fn walk(
        &mut self,
        found: &mut Verified,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        let board = Board::from_position(&self.position);
        let attacker = self.attacker;
        let mut walk = match DefenderWalk::begin(&board, attacker, self.options.method, WalkOrder::Checker) {
            // No move meets all threats.
            Defending::Beaten(_) => return Ok(()),
            Defending::Escapes if board.has_threat(attacker.other()) => {
                let open = &mut found.open;
                defence::for_each_threat(&board, attacker.other(), |threat| open.push(threat.sorted()));
                open.sort();
                open.dedup();
                return Err(Stop::Incomplete(Incomplete::Connects));
            }
            Defending::Escapes => return Err(Stop::Incomplete(Incomplete::Full)),
            Defending::Walk(walk) => walk,
        };
        while let Some(question) = walk.next_question() {
            let (stones, spare) = (question.stones, question.spare);
            observer.report(&Progress {
                depth: 0,
                nodes: budget.nodes(),
                elapsed: budget.elapsed(),
                line: vec![stones],
                numbers: None,
                left: Some(walk.waiting()),
            });
            let zones = match self.refute(&board, stones, spare, budget)? {
                Some(refuted) => {
                    let zones = refuted.zones.clone();
                    found.refuted.push(refuted);
                    zones
                }
                None if spare == 0 => {
                    found.open.push(stones.sorted());
                    Zones::all(board.game())
                }
                None if stones.is_empty() => return Err(Stop::Incomplete(Incomplete::Pass)),
                // Without zones every other stone has to be tried.
                None => Zones::all(board.game()),
            };
            walk.answer(question, &board, &zones, &mut |_| 0);
        }
        Ok(())
    }

    /// A win after these stones, with its certificate, if one is found within the
    /// limits.
    fn refute(
        &mut self,
        board: &Board,
        stones: Move,
        spare: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Refutation>, Stop> {
        let ended = |why| Stop::Incomplete(Incomplete::Ended(why));
        budget.interrupted().map_err(ended)?;
        let mut after = board.clone();
        after.place_all(self.attacker.other(), stones);
        let mut part = budget.part_of(self.each);
        let won = self.search.win(&after, self.attacker, &mut part);
        budget.absorb(&part).map_err(ended)?;
        let Ok(Some(ZonedWin { reply, zones })) = won else { return Ok(None) };
        let position = self.after(&stones).map_err(Stop::caught)?;
        match self.certify(&position, budget) {
            Ok(certificate) => {
                Ok(Some(Refutation { stones: stones.sorted(), reply, spare, certificate, zones }))
            }
            Err(CertifyError::NoReply(Why::Narrowed)) => Ok(None),
            Err(CertifyError::NoReply(why)) => Err(ended(why)),
            Err(refused) => Err(Stop::caught(refused)),
        }
    }

    /// The position after these stones of the defender.
    fn after(&self, stones: &Move) -> Result<Position, CertifyError> {
        let mut setup = self.position.setup();
        let defender = self.position.to_move();
        match defender {
            Side::Black => setup.black.extend(stones.iter()),
            Side::White => setup.white.extend(stones.iter()),
        }
        setup.to_move = self.attacker;
        setup.position().map_err(|error| CertifyError::Refused { reply: 0, reason: error.to_string() })
    }

    /// A certificate of a position with the replies that the search knows or finds.
    fn certify(&mut self, position: &Position, budget: &mut Budget<'_>) -> Result<Certificate, CertifyError> {
        let attacker = self.attacker;
        let mut reply = |board: &mut Board| {
            budget.interrupted()?;
            self.search.reply(board, attacker, budget)
        };
        Certificate::walk(position, attacker, self.options.method, &mut reply)
    }
}

/// Why the walk ended early.
enum Stop {
    Incomplete(Incomplete),
    Caught(SolveError),
}

impl Stop {
    fn caught(refused: CertifyError) -> Stop {
        Stop::Caught(SolveError::Caught(refused.to_string()))
    }
}
