//! From a tree that is proved to a certificate.
//!
//! The checker's walk asks, the tree answers. Where it asks for something that
//! the tree has no answer to, the tree was wrong about what it had to answer
//! (by a clash of keys, or because the certificate's method asks for more than
//! the tree's): the position goes back into the tree as one more reply of the
//! defender, and the search goes on.

use crate::{
    Certificate, CertifyError, Method, SolveError, Why,
    tree::{Growth, Kind, NodeId, State, Tree, evaluate::connecting},
};
use rules::{Move, Position, Side, Square};
use threats::Board;

/// What came of the walk.
pub(super) enum Outcome {
    /// The checker accepts.
    Certified(Box<Certificate>),
    /// The tree has been told what it lacks.
    Widened,
}

/// A reply that was given, by the number of the attacker's move.
struct Given {
    /// The node of the defender that it led to, if the tree has it.
    and: Option<NodeId>,
    /// The node that the evaluation settled, if that gave the reply.
    settled: Option<NodeId>,
    /// The defender's stones at that time.
    defender: Vec<Square>,
}

/// Walks the proof. The tree's root is proved.
pub(super) fn certify(
    growth: &mut Growth<'_, '_>,
    position: &Position,
    method: Method,
) -> Result<Outcome, Error> {
    let attacker = growth.tree.attacker();
    let first = position.stone_count(attacker);
    let p = usize::from(position.game().p());
    let mut given: Vec<Given> = Vec::new();
    let mut gap: Option<Board> = None;
    let mut source = |board: &mut Board| {
        growth.budget.interrupted()?;
        let number = (stones(board, attacker).len() - first) / p;
        given.truncate(number);
        let Some((reply, and, settled)) = reply(growth, board)? else {
            gap = Some(board.clone());
            return Err(Why::Narrowed);
        };
        given.push(Given { and, settled, defender: stones(board, attacker.other()) });
        Ok(reply)
    };
    match Certificate::walk(position, attacker, method, &mut source) {
        Ok(certificate) => Ok(Outcome::Certified(Box::new(certificate))),
        Err(CertifyError::NoReply(why)) => {
            let Some(mut board) = gap else { return Err(Error::Why(why)) };
            widen(growth, &mut board, &given, position)?;
            Ok(Outcome::Widened)
        }
        Err(refused) => Err(Error::Caught(SolveError::Caught(refused.to_string()))),
    }
}

/// Why there is neither.
pub(super) enum Error {
    Why(Why),
    Caught(SolveError),
}

impl From<Why> for Error {
    fn from(why: Why) -> Error {
        Error::Why(why)
    }
}

fn stones(board: &Board, side: Side) -> Vec<Square> {
    board.game().squares().filter(|&square| board.at(square) == Some(side)).collect()
}

/// The tree's reply: the move, the node after it, and the node whose evaluation
/// it comes from.
type Reply = (Move, Option<NodeId>, Option<NodeId>);

fn reply(growth: &mut Growth<'_, '_>, board: &mut Board) -> Result<Option<Reply>, Why> {
    let attacker = growth.tree.attacker();
    let id = growth.tree.find(board.key(attacker)).filter(|&id| growth.tree.node(id).is_proved());
    if let Some(edge) = id.and_then(|id| growth.tree.winning(id)) {
        return Ok(Some((edge.mv, Some(edge.node), None)));
    }
    if board.has_threat(attacker) {
        return Ok(Some((connecting(board, attacker), None, None)));
    }
    let reply = growth.evaluator.reply(board, attacker, growth.budget)?;
    let settled = id.filter(|&id| growth.tree.node(id).state() == State::Threats);
    Ok(reply.map(|mv| (mv, None, settled)))
}

/// Puts a position that has no answer into the tree: as a reply in the position
/// it came from, or, inside a win that the evaluation saw, by giving that up.
fn widen(
    growth: &mut Growth<'_, '_>,
    board: &mut Board,
    given: &[Given],
    position: &Position,
) -> Result<(), Error> {
    let defender = growth.tree.attacker().other();
    let (and, before) = match given.last() {
        Some(last) => (last.and, last.defender.clone()),
        None => {
            let root = Some(Tree::ROOT).filter(|&root| growth.tree.node(root).kind() == Kind::And);
            (root, position.stones(defender).collect())
        }
    };
    let Some(and) = and else {
        let doubtful = given.iter().rev().find_map(|given| given.settled);
        growth.doubt(doubtful.ok_or(Why::Narrowed)?);
        return Ok(());
    };
    let mut defence = Move::NULL;
    for square in stones(board, defender) {
        if !before.contains(&square) {
            defence.push(square);
            board.remove(defender, square);
        }
    }
    let known = growth.tree.node(and).children().iter().any(|edge| edge.mv == defence);
    if known {
        // Answered once and not again: another search would come to the same.
        return Err(Error::Why(Why::Narrowed));
    }
    Ok(growth.demand(board, and, defence)?)
}
