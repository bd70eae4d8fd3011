//! Walking through a certificate: the defender plays, the proof answers.
//!
//! A proof answers sets of stones. Most moves of the defender contain stones that
//! do not matter, so the walk keeps two things: the position of the proof and the
//! extra stones of the defender. A win with zones Z1, Z2, ... holds against extra
//! stones that can be ordered with the first outside Z1, the second outside Z2,
//! and so on. After a move of the defender the walk looks for an answer whose
//! stones are part of the move and whose win holds against all other extra stones.
//! The definition of the zones guarantees that there is one.

use crate::Certificate;
use lambda6_rules::{Move, Side, Square};
use lambda6_search::{
    Method, Zones, connecting,
    walk::{Answered, Answers, answer_all},
};
use lambda6_threats::{Board, Defences, Play, ThreatCount};

/// The reply of a proof to a move of the defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofAnswer {
    /// The stones of the defender's move that the proof answers: all of them, or
    /// those that matter. None at all at the beginning.
    pub met: Move,
    /// Stones of the defender, of this move and of earlier ones, that the win
    /// bears: outside its zones.
    pub outside: Vec<Square>,
    /// The attacker's move.
    pub reply: Move,
    /// Which reply of the certificate it is, counted from 1. None for a move that
    /// is not in it: it connects where the defender left a threat open.
    pub number: Option<usize>,
    /// Whether the attacker has `k` in a row now.
    pub connects: bool,
    /// The threats that the defender has to meet now.
    pub threats: ThreatCount,
}

/// Why a move of the defender gets no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The attacker has won.
    #[error("the attacker has connected: the game is over")]
    Over,
    /// More stones than a move has, or none.
    #[error("a move has 1 to {0} stones")]
    Stones(u8),
    /// A stone on a square that is taken, or twice on one.
    #[error("there is a stone on {0} already")]
    Occupied(String),
    /// The proof has no answer. The checker would have refused such a proof.
    #[error("the proof has no answer to this move")]
    NoAnswer,
}

/// The state of the walk after a move of the attacker, or at the beginning.
#[derive(Clone)]
pub struct Step {
    /// The position that the proof is in.
    proof: Board,
    /// Extra stones of the defender.
    extra: Vec<Square>,
    /// The first reply to a move of the defender here.
    next: usize,
    over: bool,
}

/// A certificate to be walked through.
pub struct Walkthrough<'c> {
    certificate: &'c Certificate,
    steps: Vec<Step>,
}

impl<'c> Walkthrough<'c> {
    /// Begins where the certificate does; with the attacker to move, after the
    /// attacker's first move, which comes with it.
    pub fn begin(certificate: &'c Certificate) -> (Walkthrough<'c>, Option<ProofAnswer>) {
        let proof = Board::from_position(certificate.position());
        let first = Step { proof, extra: Vec::new(), next: 0, over: false };
        let mut walk = Walkthrough { certificate, steps: vec![first] };
        let answer = (certificate.position().to_move() == certificate.attacker())
            .then(|| walk.play(0, Move::NULL, Vec::new()))
            .flatten();
        if answer.is_some() {
            walk.steps.remove(0);
        }
        (walk, answer)
    }

    fn attacker(&self) -> Side {
        self.certificate.attacker()
    }

    fn step(&self) -> &Step {
        &self.steps[self.steps.len() - 1]
    }

    /// The board with the extra stones.
    pub fn board(&self) -> Board {
        let step = self.step();
        let mut board = step.proof.clone();
        board.place_all(self.attacker().other(), &step.extra);
        board
    }

    /// Whether the attacker has connected.
    pub fn is_over(&self) -> bool {
        self.step().over
    }

    /// Takes the last move of both sides back; false at the beginning.
    pub fn back(&mut self) -> bool {
        if self.steps.len() == 1 {
            return false;
        }
        self.steps.pop();
        true
    }

    /// The defender plays. A move of fewer stones passes on the others.
    pub fn defend(&mut self, defence: &Move) -> Result<ProofAnswer, WalkError> {
        let game = self.certificate.position().game();
        let mut board = self.board();
        if self.is_over() {
            return Err(WalkError::Over);
        }
        if defence.is_empty() || defence.len() > usize::from(game.p()) {
            return Err(WalkError::Stones(game.p()));
        }
        for square in defence.iter() {
            if !board.is_empty(square) {
                return Err(WalkError::Occupied(game.square_name(square)));
            }
            board.place(self.attacker().other(), square);
        }
        if let Some(reply) = connecting(&board, self.attacker()) {
            return Ok(self.connect(board, *defence, reply));
        }
        let kids = self.kids();
        let extra = &self.step().extra;
        let rest = |stones: &Move| -> Vec<Square> {
            let beyond = defence.iter().filter(|&square| !stones.contains(square));
            extra.iter().copied().chain(beyond).collect()
        };
        let fits = |(stones, heard): &(Move, Heard)| {
            stones.iter().all(|square| defence.contains(square)) && heard.zones.bear(&rest(stones))
        };
        let found = kids.iter().filter(|kid| fits(kid)).max_by_key(|(stones, _)| stones.len());
        let (stones, heard) = found.ok_or(WalkError::NoAnswer)?;
        let (index, outside) = (heard.index, rest(stones));
        self.play(index, *stones, outside).ok_or(WalkError::NoAnswer)
    }

    /// The stones of the defender that the proof answers here, in its order.
    pub fn answered(&self) -> Vec<Move> {
        self.kids().into_iter().map(|(stones, _)| stones).collect()
    }

    fn kids(&self) -> Vec<(Move, Heard)> {
        let Step { proof, next, .. } = self.step();
        let method = self.certificate.method();
        let mut list = List { certificate: self.certificate, method, next: *next };
        let walked = answer_all(&mut proof.clone(), self.attacker(), method, &mut list);
        walked.map(|(_, kids): (Zones, Answered<List<'_>>)| kids).unwrap_or_default()
    }

    /// Plays the reply with this index.
    fn play(&mut self, index: usize, met: Move, outside: Vec<Square>) -> Option<ProofAnswer> {
        let attacker = self.attacker();
        let reply = *self.certificate.replies().get(index)?;
        let mut proof = self.step().proof.clone();
        proof.place_all(attacker.other(), met);
        proof.place_all(attacker, reply);
        let connects = proof.has_row(attacker);
        let mut threats = Defences::default();
        if !connects {
            threats.find(&proof, attacker);
        }
        self.steps.push(Step { proof, extra: outside.clone(), next: index + 1, over: connects });
        let number = Some(index + 1);
        Some(ProofAnswer { met, outside, reply, number, connects, threats: threats.count() })
    }

    /// The defender has left a threat open.
    fn connect(&mut self, mut board: Board, met: Move, reply: Move) -> ProofAnswer {
        let attacker = self.attacker();
        board.place_all(attacker, reply);
        let next = self.step().next;
        self.steps.push(Step { proof: board, extra: Vec::new(), next, over: true });
        let threats = ThreatCount::Exactly(0);
        ProofAnswer { met, outside: Vec::new(), reply, number: None, connects: true, threats }
    }
}

/// A reply of the list, and the zones of the win that it begins.
struct Heard {
    index: usize,
    zones: Zones,
}

/// The replies of a certificate, from one of them on.
struct List<'c> {
    certificate: &'c Certificate,
    method: Method,
    next: usize,
}

/// The list of replies does not fit the walk.
struct Misfit;

impl Answers for List<'_> {
    type Answer = Heard;
    type Stop = Misfit;

    fn attack(&mut self, board: &mut Board, _: &Move) -> Result<Heard, Misfit> {
        let index = self.next;
        let reply = *self.certificate.replies().get(index).ok_or(Misfit)?;
        self.next += 1;
        let attacker = self.certificate.attacker();
        if !reply.iter().all(|square| board.is_empty(square)) {
            return Err(Misfit);
        }
        let mut zones = board.play(attacker, reply, |board| {
            if board.has_row(attacker) {
                return Ok(Zones::of_row(board, attacker));
            }
            answer_all(board, attacker, self.method, self).map(|(zones, _)| zones)
        })?;
        zones.add_move(&reply);
        Ok(Heard { index, zones })
    }

    fn zones(answer: &Heard) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Misfit {
        Misfit
    }
}
