//! Jobs: the tasks that workers get, and their answers.

use crate::{FieldError, NodeId, Status, wire};
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{Limits, Method};
use sha2::{Digest, Sha256};
use std::fmt;

/// Identifies a job within a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "j{}", self.0)
    }
}

/// The question of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// The best move other than some: J(n, C(n)) in the paper.
    #[default]
    Best,
    /// All moves that are not proved to lose.
    Verify,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Best => "best",
            Kind::Verify => "verify",
        }
    }
}

/// The default limits of a job.
pub const JOB_LIMITS: Limits = Limits { depth: None, nodes: Some(200_000), time: None };

/// A job of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// The node whose next child, or all of whose children, it looks for.
    pub node: NodeId,
    /// The question.
    pub kind: Kind,
    /// The moves that are known already.
    pub excluded: Vec<Move>,
    /// How often it has been given to a worker.
    pub attempts: u32,
}

/// A job as it is given to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The job's number.
    pub id: JobId,
    /// How often it has been given to a worker, including this time.
    pub attempt: u32,
    /// The question.
    pub kind: Kind,
    /// The position.
    pub position: Position,
    /// The moves that are known already.
    pub excluded: Vec<Move>,
    /// Its limits.
    pub limits: Limits,
    /// The method of proofs: one for the whole tree, so that the proofs can be joined
    /// into one certificate.
    pub method: Method,
}

impl Task {
    /// A key of what the answer depends on: position, question, limits and program.
    /// Tasks with the same key have the same answer.
    pub fn key(&self, build: &str) -> JobKey {
        let game = self.position.game();
        let mut excluded = self.excluded.clone();
        excluded.sort_unstable();
        let mut hash = Sha256::new();
        hash.update(format!("{}\n{}\n", self.position.setup(), self.kind.name()));
        for mv in excluded {
            hash.update(format!("{} ", game.move_name(&mv.sorted())));
        }
        hash.update(format!("\n{:?} {}\n{build}", self.limits, self.method.name()));
        JobKey(hex(&hash.finalize()))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of what the answer to a job depends on, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey(pub String);

/// The answer of a worker. It is used only after a [`Judge`](crate::Judge) has
/// accepted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The best move other than the excluded ones.
    Best {
        /// The move.
        mv: Move,
        /// The status of the position after it.
        status: Status,
        /// The proof that it wins, if it does.
        win: Option<JobProof>,
    },
    /// Every move other than the excluded ones loses.
    OthersLose {
        /// The proof.
        proof: JobProof,
    },
    /// Every move other than these loses.
    Defences {
        /// The moves that are left, best first, with the statuses of the positions
        /// after them.
        moves: Vec<(Move, Status)>,
        /// The proof that the others lose.
        proof: JobProof,
    },
}

impl Answer {
    /// The proof of the answer, if it has one.
    pub fn proof(&self) -> Option<&JobProof> {
        match self {
            Answer::Best { win, .. } => win.as_ref(),
            Answer::OthersLose { proof } | Answer::Defences { proof, .. } => Some(proof),
        }
    }
}

/// The replies of a certificate about the position of a job: that `attacker`
/// wins it or, with the other side to move, that `attacker` wins against every
/// move that contains none of the sets `except`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobProof {
    /// The side that wins.
    pub attacker: Side,
    /// The method of the certificate.
    pub method: Method,
    /// The sets that the claim excepts.
    pub except: Vec<Move>,
    /// The attacker's replies in the order of the checker's walk.
    pub replies: Vec<Move>,
}

impl JobProof {
    /// The text of the proof: a header of four lines, then the replies.
    pub fn text(&self, game: Game) -> String {
        let mut text = format!("attacker: {}\nmethod: {}\nexcept:", self.attacker, self.method.name());
        text.reserve(self.replies.len() * 7);
        for mv in &self.except {
            text.push(' ');
            game.write_move(mv, &mut text);
        }
        text.push_str(if self.except.is_empty() { " \n" } else { "\n" });
        text.push_str(&format!("replies: {}\n\n", self.replies.len()));
        for mv in &self.replies {
            game.write_move(mv, &mut text);
            text.push('\n');
        }
        if self.replies.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Reads the text back.
    pub fn parse(game: Game, text: &str) -> Result<JobProof, FieldError> {
        let (head, body) = text
            .split_once("\n\n")
            .ok_or_else(|| FieldError::new("header", "expected an empty line after it"))?;
        let field = |name: &'static str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.map(str::trim).ok_or_else(|| FieldError::new(name, "is missing"))
        };
        let replies = wire::moves(game, "replies", body.split_whitespace())?;
        let stated = field("replies")?;
        if stated != replies.len().to_string() {
            return Err(FieldError::new("replies", format!("there are {}, not {stated:.20}", replies.len())));
        }
        let attacker = field("attacker")?.parse();
        Ok(JobProof {
            attacker: attacker
                .map_err(|error: lambda6_rules::SideParseError| FieldError::new("attacker", error))?,
            method: wire::method("method", field("method")?)?,
            except: wire::moves(game, "except", field("except")?.split_whitespace())?,
            replies,
        })
    }

    /// The proof's identifier.
    pub fn id(&self, game: Game) -> ProofId {
        ProofId(hex(&Sha256::digest(self.text(game))))
    }
}

/// The SHA-256 of a proof's text, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProofId(pub String);
