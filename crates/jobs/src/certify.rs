//! One certificate for a solved tree.
//!
//! The checker's walk is driven from the root. Where it stands in the tree the
//! next move comes from there; below a node that a job proved, and at the moves
//! that a job refuted all together, the replies of that job's proof follow one
//! after the other, for the walk below asks for exactly those: it depends on the
//! position, the method and the replies alone. Whatever goes wrong here, a wrong
//! certificate cannot come out: the walk itself checks every reply.

use crate::{NodeId, Proof, ProofId, Store, StoreError, Tree, Value};
use rules::{Move, Position, Setup, Side};
use search::{Certificate, CertifyError, Method, Why};
use std::collections::VecDeque;
use threats::Board;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum NoCertificate {
    /// The root is not solved, or it is a draw.
    #[error("{0}")]
    NotWon(&'static str),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store lacks a proof.
    #[error("the proof {} is missing from the file", .0.0)]
    Missing(ProofId),
    /// The walk asked for something that neither the tree nor the proofs nor the
    /// solver has a reply to.
    #[error("there is no reply to {0}")]
    NoReply(String),
    /// The walk refused a reply.
    #[error("{0}")]
    Refused(String),
}

/// Finds the replies of a win in a position that no proof covers.
pub type Solve<'a> = dyn FnMut(&Position, Side) -> Option<Vec<Move>> + 'a;

/// Writes one certificate for the whole tree.
pub fn certify(
    tree: &Tree,
    store: &dyn Store,
    method: Method,
    solve: &mut Solve<'_>,
) -> Result<Certificate, NoCertificate> {
    let winner = match tree.node(NodeId::ROOT).value() {
        Some(Value::Win(side)) => side,
        Some(Value::Draw) => return Err(NoCertificate::NotWon("the root is a draw")),
        None => return Err(NoCertificate::NotWon("the root is not solved")),
    };
    let mut source = Source { tree, store, winner, solve, frames: Vec::new(), trouble: None };
    if tree.root().to_move() != winner {
        source.enter_defender(NodeId::ROOT)?;
    }
    let mut reply = |board: &mut Board| {
        source.reply(board).map_err(|trouble| {
            source.trouble = Some(trouble);
            Why::Exhausted
        })
    };
    let written = Certificate::walk(tree.root(), winner, method, &mut reply);
    written.map_err(|error| match (source.trouble, error) {
        (Some(trouble), CertifyError::NoReply(_)) => trouble,
        (_, error) => NoCertificate::Refused(error.to_string()),
    })
}

struct Source<'a, 's> {
    tree: &'a Tree,
    store: &'a dyn Store,
    winner: Side,
    solve: &'a mut Solve<'s>,
    frames: Vec<Frame>,
    trouble: Option<NoCertificate>,
}

/// Where the walk is.
enum Frame {
    /// Below a position that a proof covers: what it replies next.
    Proved(VecDeque<Move>),
    /// At a node where the other side moves.
    Defender {
        node: NodeId,
        position: Position,
        /// What the proof that all other moves lose replies next.
        others: VecDeque<Move>,
        /// What that proof says nothing about.
        except: Vec<Move>,
    },
}

impl Source<'_, '_> {
    fn proof(&self, id: &ProofId) -> Result<Proof, NoCertificate> {
        self.store.proof(id)?.ok_or_else(|| NoCertificate::Missing(id.clone()))
    }

    fn reply(&mut self, board: &Board) -> Result<Move, NoCertificate> {
        while let Some(frame) = self.frames.last_mut() {
            let (next, child) = match frame {
                Frame::Proved(replies) => (replies.pop_front(), None),
                Frame::Defender { node, position, others, except } => {
                    let mv = played(position, board, self.winner.other());
                    let child =
                        mv.filter(|mv| except.contains(mv)).and_then(|mv| self.tree.child(*node, &mv));
                    (if child.is_none() { others.pop_front() } else { None }, child)
                }
            };
            if let Some(child) = child {
                return self.enter_attacker(child);
            }
            if let Some(reply) = next {
                return Ok(reply);
            }
            self.frames.pop();
        }
        if same(self.tree.root(), board) && self.tree.root().to_move() == self.winner {
            return self.enter_attacker(NodeId::ROOT);
        }
        self.solved(board)
    }

    /// The winner moves at this node.
    fn enter_attacker(&mut self, id: NodeId) -> Result<Move, NoCertificate> {
        let node = self.tree.node(id);
        let lost = || NoCertificate::NoReply(format!("node {id}"));
        if let Some(proof) = &node.proof {
            let mut replies: VecDeque<Move> = self.proof(proof)?.replies.into();
            let reply = replies.pop_front().ok_or_else(lost)?;
            self.frames.push(Frame::Proved(replies));
            return Ok(reply);
        }
        let won = |&child: &NodeId| self.tree.node(child).value() == Some(Value::Win(self.winner));
        let child = node.children.iter().copied().find(won).ok_or_else(lost)?;
        let reply = self.tree.node(child).mv;
        self.enter_defender(child)?;
        Ok(reply)
    }

    /// The loser moves at this node.
    fn enter_defender(&mut self, id: NodeId) -> Result<(), NoCertificate> {
        let node = self.tree.node(id);
        let position = self.tree.position(id);
        let proof = match &node.others {
            Some(all) if *all == ProofId::all_moves() => None,
            Some(proof) => Some(self.proof(proof)?),
            None => return Err(NoCertificate::NoReply(format!("node {id}"))),
        };
        let (others, except) = match proof {
            Some(proof) => (proof.replies.into(), proof.except),
            None => (VecDeque::new(), self.tree.moves(id)),
        };
        self.frames.push(Frame::Defender { node: id, position, others, except });
        Ok(())
    }

    /// A position that is in no proof, as happens where every move is a child of
    /// its own and the walk asks what happens after a pass.
    fn solved(&mut self, board: &Board) -> Result<Move, NoCertificate> {
        let game = board.game();
        let squares = |side| game.squares().filter(|&square| board.at(square) == Some(side)).collect();
        let (black, white) = (squares(Side::Black), squares(Side::White));
        let setup = Setup { game, black, white, to_move: self.winner };
        let none = || NoCertificate::NoReply(setup.to_string().replace('\n', "; "));
        let position = setup.position().map_err(|_| none())?;
        let mut replies: VecDeque<Move> = (self.solve)(&position, self.winner).ok_or_else(none)?.into();
        let reply = replies.pop_front().ok_or_else(none)?;
        self.frames.push(Frame::Proved(replies));
        Ok(reply)
    }
}

/// Whether the stones are the same.
fn same(position: &Position, board: &Board) -> bool {
    position.game().squares().all(|square| position.at(square) == board.at(square))
}

/// The whole move of `side` that leads from the position to the board, if there
/// is one.
fn played(position: &Position, board: &Board, side: Side) -> Option<Move> {
    let mut mv = Move::NULL;
    for square in position.game().squares() {
        match (position.at(square), board.at(square)) {
            (before, after) if before == after => {}
            (None, Some(by)) if by == side => {
                if !mv.push(square) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(mv).filter(|mv| mv.len() == position.stones_to_place())
}
