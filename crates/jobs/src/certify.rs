//! Writes one certificate for a solved tree.
//!
//! The checker's walk is driven from the root. Inside the tree the replies are moves
//! of the tree. Below a node that a job proved, and for the moves that a job refuted
//! together, the replies of that job's proof follow in their order: the walk depends
//! only on position, method and replies, so that it asks for exactly those. The walk
//! checks every reply, so that an error here cannot produce a wrong certificate.

use crate::{JobProof, NodeId, ProofId, Store, StoreError, Tree, Value};
use lambda6_proof::{Certificate, CertifyError, Solver, SolverOptions, Verdict};
use lambda6_rules::{Move, Position, Setup, Side};
use lambda6_search::{Budget, Limits, Method, NoClock, Silent, Why};
use lambda6_threats::Board;
use std::{collections::VecDeque, sync::atomic::AtomicBool};

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
    /// Neither the tree nor the proofs nor the solver has a reply to a position of
    /// the walk.
    #[error("there is no reply to {0}")]
    NoReply(String),
    /// The walk refused a reply.
    #[error("{0}")]
    Refused(String),
}

/// Finds the replies of a win in a position that no proof covers.
pub type Solve<'a> = dyn FnMut(&Position, Side) -> Option<Vec<Move>> + 'a;

/// Moves tried for a position that no proof of a job covers.
const SOLVER_NODES: u64 = 1_000_000;

/// Writes one certificate for the tree of a search. A solver finds the replies in
/// positions that no proof of a job covers.
pub fn certify_search(
    search: &crate::Search,
    store: &dyn Store,
    stop: &AtomicBool,
) -> Result<Certificate, NoCertificate> {
    let method = search.settings().method;
    let options = SolverOptions { method, ..SolverOptions::default() };
    let mut solver = Solver::new(search.tree().root().game(), options);
    let mut solve = |position: &Position, side| {
        let limits = Limits { nodes: Some(SOLVER_NODES), ..Limits::default() };
        let mut budget = Budget::new(limits, &NoClock, stop);
        match solver.solve(position, side, &mut budget, &mut Silent).ok()?.verdict {
            Verdict::Win(win) => Some(win.certificate().replies().to_vec()),
            Verdict::Unknown(_) => None,
        }
    };
    certify(search.tree(), store, method, &mut solve)
}

/// Writes one certificate for a tree.
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

/// A place of the walk.
enum Frame {
    /// Below a position that a proof covers: the remaining replies of the proof.
    Proved(VecDeque<Move>),
    /// At a node where the losing side moves.
    Defender {
        node: NodeId,
        position: Position,
        /// The remaining replies of the proof that all other moves lose.
        others: VecDeque<Move>,
        /// The moves that this proof excepts.
        except: Vec<Move>,
    },
}

impl Source<'_, '_> {
    fn proof(&self, id: &ProofId) -> Result<JobProof, NoCertificate> {
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

    /// A position that no proof covers. This happens where every move is a child and
    /// the walk asks for the reply to a pass.
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

/// Whether the position and the board have the same stones.
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
