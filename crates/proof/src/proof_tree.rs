//! A proof in memory: the attacker's replies as a tree, with their zones.

use crate::{Certificate, CertifyError};
use lambda6_rules::{Move, Position, Side};
use lambda6_search::{
    Method, Why, Zones,
    walk::{Answers, answer_all},
};
use lambda6_threats::{Board, Play};
use std::rc::Rc;

/// The answers to the defender's moves, in the order of the walk.
pub(crate) type AnswerList = Vec<(Move, Rc<ReplyTree>)>;

/// The attacker's reply in a position, and what follows. Parts are shared, within
/// a proof and between proofs.
#[derive(Debug)]
pub(crate) struct ReplyTree {
    pub(crate) reply: Move,
    /// Replies in the walk, this one counted.
    pub(crate) replies: u64,
    pub(crate) zones: Zones,
    pub(crate) answers: AnswerList,
}

impl ReplyTree {
    /// The tree of a reply that is on the board and connects.
    pub(crate) fn row(board: &Board, attacker: Side, reply: Move) -> Rc<ReplyTree> {
        ReplyTree::new(reply, Zones::of_row(board, attacker), Vec::new())
    }

    /// The tree of a reply with these answers. `zones` are those of the answers and of
    /// the threats after the reply.
    pub(crate) fn new(reply: Move, mut zones: Zones, answers: AnswerList) -> Rc<ReplyTree> {
        zones.add_move(&reply);
        let replies = 1 + count(&answers);
        Rc::new(ReplyTree { reply, replies, zones, answers })
    }

    /// Plays a reply and walks the defender's moves after it. `None` if the reply is
    /// illegal or incomplete.
    pub(crate) fn after<E>(
        board: &mut Board,
        attacker: Side,
        reply: Move,
        follow: impl FnOnce(&mut Board) -> Result<(Zones, AnswerList), E>,
    ) -> Result<Option<Rc<ReplyTree>>, E> {
        if !reply.iter().all(|square| board.is_empty(square)) {
            return Ok(None);
        }
        board.play(attacker, reply, |board| {
            if board.has_row(attacker) {
                Ok(Some(ReplyTree::row(board, attacker, reply)))
            } else if reply.len() < usize::from(board.game().p()) {
                Ok(None)
            } else {
                follow(board).map(|(zones, answers)| Some(ReplyTree::new(reply, zones, answers)))
            }
        })
    }

    /// Walks a win with the attacker to move. `reply` gives the attacker's move in each
    /// position; [`Why::Narrowed`] where these moves do not win.
    pub(crate) fn walk(
        board: &mut Board,
        attacker: Side,
        method: Method,
        reply: &mut dyn FnMut(&mut Board) -> Result<Move, Why>,
    ) -> Result<Rc<ReplyTree>, Why> {
        Walker { attacker, method, reply }.attack(board, &Move::NULL)
    }

    /// The win with these replies in the order of the walk.
    pub(crate) fn of_list(
        board: &mut Board,
        attacker: Side,
        method: Method,
        replies: &[Move],
    ) -> Result<Rc<ReplyTree>, Why> {
        let mut replies = replies.iter();
        ReplyTree::walk(board, attacker, method, &mut |_| replies.next().copied().ok_or(Why::Narrowed))
    }

    /// Appends the replies in the order of the walk.
    pub(crate) fn list(&self, replies: &mut Vec<Move>) {
        replies.push(self.reply);
        self.answers.iter().for_each(|(_, answer)| answer.list(replies));
    }
}

/// The number of replies of some answers.
pub(crate) fn count(answers: &[(Move, Rc<ReplyTree>)]) -> u64 {
    answers.iter().map(|(_, answer)| answer.replies).sum()
}

/// The answers of a position with the defender to move, with these replies in the order of
/// the walk, and the zones of the whole.
pub(crate) fn answers_of_list(
    board: &mut Board,
    attacker: Side,
    method: Method,
    replies: &[Move],
) -> Result<(Zones, AnswerList), Why> {
    let mut replies = replies.iter();
    let mut reply = |_: &mut Board| replies.next().copied().ok_or(Why::Narrowed);
    answer_all(board, attacker, method, &mut Walker { attacker, method, reply: &mut reply })
}

/// A proof of a position: with the attacker to move, or with the defender.
#[derive(Clone, Debug)]
pub(crate) enum ProofTree {
    Attacker(Rc<ReplyTree>),
    Defender(AnswerList),
}

impl ProofTree {
    /// Reads the tree of a certificate.
    pub(crate) fn read(certificate: &Certificate) -> Option<ProofTree> {
        let mut board = Board::from_position(certificate.position());
        let (attacker, method, replies) =
            (certificate.attacker(), certificate.method(), certificate.replies());
        if certificate.position().to_move() == attacker {
            ReplyTree::of_list(&mut board, attacker, method, replies).ok().map(ProofTree::Attacker)
        } else {
            let read = answers_of_list(&mut board, attacker, method, replies);
            read.ok().map(|(_, answers)| ProofTree::Defender(answers))
        }
    }

    /// Makes a certificate, for which the checker walks the proof.
    pub(crate) fn certificate(
        &self,
        position: &Position,
        attacker: Side,
        method: Method,
    ) -> Result<Certificate, CertifyError> {
        let mut list = Vec::new();
        match self {
            ProofTree::Attacker(tree) => tree.list(&mut list),
            ProofTree::Defender(answers) => answers.iter().for_each(|(_, answer)| answer.list(&mut list)),
        }
        Certificate::of_replies(position, attacker, method, list)
    }
}

/// Answers with given replies.
struct Walker<'a> {
    attacker: Side,
    method: Method,
    reply: &'a mut dyn FnMut(&mut Board) -> Result<Move, Why>,
}

impl Answers for Walker<'_> {
    type Answer = Rc<ReplyTree>;
    type Stop = Why;

    fn attack(&mut self, board: &mut Board, _: &Move) -> Result<Rc<ReplyTree>, Why> {
        let (attacker, method) = (self.attacker, self.method);
        let reply = (self.reply)(board)?;
        let tree =
            ReplyTree::after(board, attacker, reply, |board| answer_all(board, attacker, method, self))?;
        tree.ok_or(Why::Narrowed)
    }

    fn zones(answer: &Rc<ReplyTree>) -> &Zones {
        &answer.zones
    }

    fn refuse(&self) -> Why {
        Why::Narrowed
    }
}
