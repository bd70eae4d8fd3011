//! A proof in memory: the attacker's replies as a tree, with their zones.

use super::walk::{self, Answers};
use crate::{Certificate, CertifyError, Method, Zones};
use rules::{Move, Position, Side};
use std::rc::Rc;
use threats::Board;

/// The attacker's reply in a position, and what follows. Parts are shared, within
/// a proof and between proofs.
#[derive(Debug)]
pub struct Proof {
    pub(crate) reply: Move,
    /// Replies in the walk, this one counted.
    pub(crate) replies: u64,
    pub(crate) zones: Zones,
    /// The answers to the defender's moves, in the order of the walk.
    pub(crate) kids: Vec<(Move, Rc<Proof>)>,
}

impl Proof {
    /// The proof that begins with a reply which is on the board and connects.
    pub(crate) fn row(board: &Board, attacker: Side, reply: Move) -> Rc<Proof> {
        let mut zones = walk::zones_of_row(board, attacker);
        zones.add_move(&reply);
        Rc::new(Proof { reply, replies: 1, zones, kids: Vec::new() })
    }

    /// The proof that begins with this reply and goes on with these answers.
    pub(crate) fn new(reply: Move, mut zones: Zones, kids: Vec<(Move, Rc<Proof>)>) -> Rc<Proof> {
        zones.add_move(&reply);
        let replies = 1 + kids.iter().map(|(_, kid)| kid.replies).sum::<u64>();
        Rc::new(Proof { reply, replies, zones, kids })
    }

    /// The number of replies in the walk.
    pub fn replies(&self) -> u64 {
        self.replies
    }

    /// Appends the replies in the order of the walk.
    pub(crate) fn list(&self, replies: &mut Vec<Move>) {
        replies.push(self.reply);
        self.kids.iter().for_each(|(_, kid)| kid.list(replies));
    }
}

/// A proof of a position: with the attacker to move, or with the defender.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    Attacker(Rc<Proof>),
    Defender(Vec<(Move, Rc<Proof>)>),
}

impl Root {
    fn list(&self) -> Vec<Move> {
        let mut list = Vec::new();
        match self {
            Root::Attacker(proof) => proof.list(&mut list),
            Root::Defender(kids) => kids.iter().for_each(|(_, kid)| kid.list(&mut list)),
        }
        list
    }

    /// Reads the tree of a certificate.
    pub(crate) fn read(certificate: &Certificate) -> Option<Root> {
        let mut board = Board::from_position(certificate.position());
        let attacker = certificate.attacker();
        let method = certificate.method();
        let mut reader = Reader { attacker, method, replies: certificate.replies().iter() };
        if certificate.position().to_move() == attacker {
            reader.attack(&mut board, &Move::NULL).ok().map(Root::Attacker)
        } else {
            walk::defend(&mut board, attacker, method, &mut reader).ok().map(|(_, kids)| Root::Defender(kids))
        }
    }

    /// Has the checker walk it.
    pub(crate) fn certificate(
        &self,
        position: &Position,
        attacker: Side,
        method: Method,
    ) -> Result<Certificate, CertifyError> {
        Certificate::of_replies(position, attacker, method, self.list())
    }
}

struct Reader<'a> {
    attacker: Side,
    method: Method,
    replies: std::slice::Iter<'a, Move>,
}

/// The list of replies does not fit the walk.
pub(crate) struct Misfit;

impl Answers for Reader<'_> {
    type Answer = Rc<Proof>;
    type Stop = Misfit;

    fn attack(&mut self, board: &mut Board, _: &Move) -> Result<Rc<Proof>, Misfit> {
        let reply = *self.replies.next().ok_or(Misfit)?;
        let (attacker, method) = (self.attacker, self.method);
        answered(board, attacker, reply, |board| walk::defend(board, attacker, method, self))?.ok_or(Misfit)
    }

    fn zones(answer: &Rc<Proof>) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Misfit {
        Misfit
    }
}

/// Plays a reply, has what follows walked, and takes the reply back. None where
/// it cannot be played.
pub(crate) fn answered<E>(
    board: &mut Board,
    attacker: Side,
    reply: Move,
    follow: impl FnOnce(&mut Board) -> Result<(Zones, Vec<(Move, Rc<Proof>)>), E>,
) -> Result<Option<Rc<Proof>>, E> {
    if !reply.iter().all(|square| board.is_empty(square)) {
        return Ok(None);
    }
    reply.iter().for_each(|square| board.place(attacker, square));
    let proof = if board.has_row(attacker) {
        Ok(Some(Proof::row(board, attacker, reply)))
    } else if reply.len() < usize::from(board.game().p()) {
        Ok(None)
    } else {
        follow(board).map(|(zones, kids)| Some(Proof::new(reply, zones, kids)))
    };
    reply.iter().for_each(|square| board.remove(attacker, square));
    proof
}
