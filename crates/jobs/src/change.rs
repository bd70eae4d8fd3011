//! What happens to a search, in pieces that are stored together or not at all.

use crate::{Answer, Job, JobId, JobKey, NodeId, Origin, Proof, ProofId, Status, Value};
use rules::Move;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A node appeared.
    Node {
        /// Its name: one more than that of the node before.
        id: NodeId,
        /// The node before it.
        parent: NodeId,
        /// The move between them.
        mv: Move,
        /// What the job thinks of it.
        status: Status,
        /// Where it came from.
        origin: Origin,
    },
    /// A node was solved by a proof, or is the end of a game.
    Own {
        /// Which.
        node: NodeId,
        /// What is known.
        value: Value,
        /// The proof.
        proof: Option<ProofId>,
    },
    /// Every move but the children loses.
    Others {
        /// Of which node.
        node: NodeId,
        /// The proof.
        proof: ProofId,
    },
    /// A proof came in.
    Proof {
        /// Its name.
        id: ProofId,
        /// What it is.
        proof: Proof,
    },
    /// A person ordered something, or a job failed too often.
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
    /// A job waits for a worker (no attempts), or is given to one, for the first
    /// time or again.
    Job(Job),
    /// A job is over.
    Ended {
        /// Which.
        id: JobId,
        /// How.
        how: Ended,
    },
    /// An answer that has been checked, for whenever the same is asked again.
    Answer {
        /// What it depends on.
        key: JobKey,
        /// The answer.
        answer: Answer,
    },
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// In one word.
    pub end: End,
    /// Who did it; empty if nobody.
    pub worker: String,
    /// The moves that it tried.
    pub nodes: u64,
    /// How long it took.
    pub millis: u64,
}

/// The ways in which jobs end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// Its answer was taken in.
    Done,
    /// The answer was known from before.
    Known,
    /// Nothing depended on it any more.
    Aborted,
    /// It failed too often.
    SetAside,
    /// Nothing depended on it any more before a worker had it.
    Dropped,
}

impl End {
    /// All of them.
    pub const ALL: [End; 5] = [End::Done, End::Known, End::Aborted, End::SetAside, End::Dropped];

    /// One word.
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
    /// Without a worker.
    pub fn by_nobody(end: End) -> Ended {
        Ended { end, worker: String::new(), nodes: 0, millis: 0 }
    }
}

impl ProofId {
    /// Stands where a proof that all other moves lose would: there are no other
    /// moves.
    pub fn all_moves() -> ProofId {
        ProofId("all-moves".to_string())
    }
}
