//! Changes of a search, as they are stored.

use crate::{Answer, Job, JobId, JobKey, JobProof, NodeId, Origin, ProofId, Status, Value};
use lambda6_rules::Move;

/// A change of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A node was added.
    Node {
        /// Its number, the next free one.
        id: NodeId,
        /// Its parent.
        parent: NodeId,
        /// The move from the parent.
        mv: Move,
        /// The status that its job gave it.
        status: Status,
        /// What added it.
        origin: Origin,
    },
    /// A node was solved by a proof, or because the game is over there.
    Own {
        /// The node.
        node: NodeId,
        /// Its value.
        value: Value,
        /// The proof.
        proof: Option<ProofId>,
    },
    /// Every move of a node other than its children loses.
    Others {
        /// The node.
        node: NodeId,
        /// The proof.
        proof: ProofId,
    },
    /// A proof was added.
    Proof {
        /// Its identifier.
        id: ProofId,
        /// The proof.
        proof: JobProof,
    },
    /// The marks of a node changed, by an order or because a job failed too often.
    Marks {
        /// The node.
        node: NodeId,
        /// See [`Node::paused`](crate::Node::paused).
        paused: bool,
        /// See [`Node::forbidden`](crate::Node::forbidden).
        forbidden: bool,
        /// See [`Node::set_aside`](crate::Node::set_aside).
        set_aside: bool,
    },
    /// A job waits for a worker (no attempts), or was given to one.
    Job(Job),
    /// A job has ended.
    Ended {
        /// The job.
        id: JobId,
        /// How it ended.
        how: Ended,
    },
    /// A checked answer, to be used when the same question comes up again.
    Answer {
        /// The key of the question.
        key: JobKey,
        /// The answer.
        answer: Answer,
    },
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The kind of end.
    pub end: End,
    /// The worker; empty if none did it.
    pub worker: String,
    /// The moves tried.
    pub nodes: u64,
    /// The time taken.
    pub millis: u64,
}

/// The ways in which jobs end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Its answer was taken in.
    Done,
    /// The answer was known from before.
    Known,
    /// It was not needed any more.
    Aborted,
    /// It failed too often.
    SetAside,
    /// It was not needed any more before a worker had it.
    Dropped,
}

impl End {
    /// All of them.
    pub const ALL: [End; 5] = [End::Done, End::Known, End::Aborted, End::SetAside, End::Dropped];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            End::Done => "done",
            End::Known => "known",
            End::Aborted => "aborted",
            End::SetAside => "set-aside",
            End::Dropped => "dropped",
        }
    }
}

impl Ended {
    /// An end without a worker.
    pub fn by_nobody(end: End) -> Ended {
        Ended { end, worker: String::new(), nodes: 0, millis: 0 }
    }
}

impl ProofId {
    /// Stands for the proof that all other moves lose where every move is a child.
    pub fn all_moves() -> ProofId {
        ProofId("all-moves".to_string())
    }
}
