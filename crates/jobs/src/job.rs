//! Jobs: what workers are asked, and what they answer.

use crate::{NodeId, Status};
use rules::{Game, Move, Position, Side};
use search::Method;
use sha2::{Digest, Sha256};
use std::fmt;

/// Names a job of one search.
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

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// The best move but for some: J(n, C(n)).
    #[default]
    Best,
    /// All moves that are not proved to lose.
    Verify,
}

impl Kind {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Best => "best",
            Kind::Verify => "verify",
        }
    }
}

/// What a job may use. `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JobLimits {
    /// Moves tried.
    pub nodes: Option<u64>,
    /// Milliseconds.
    pub millis: Option<u64>,
}

impl Default for JobLimits {
    fn default() -> JobLimits {
        JobLimits { nodes: Some(200_000), millis: None }
    }
}

/// A job as the client keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// The node whose next child, or children, it looks for.
    pub node: NodeId,
    /// What is asked.
    pub kind: Kind,
    /// The moves that are known.
    pub excluded: Vec<Move>,
    /// How often it has been given to a worker.
    pub attempts: u32,
}

/// A job as a worker gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The job's name.
    pub id: JobId,
    /// How often it has been given to a worker, this time counted.
    pub attempt: u32,
    /// What is asked.
    pub kind: Kind,
    /// The position.
    pub position: Position,
    /// The moves that are known.
    pub excluded: Vec<Move>,
    /// What it may use.
    pub limits: JobLimits,
    /// How proofs cut the defender's spare stones down: one method for the whole
    /// tree, so that the proofs make one certificate.
    pub method: Method,
}

impl Task {
    /// What the answer depends on: position, question, limits, and the program
    /// that answers. Two tasks with one key have one answer.
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

/// What the answer to a job depends on, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobKey(pub String);

/// What a worker answers. It is believed after a [`Judge`](crate::Judge) has
/// looked at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The best move but for the excluded ones.
    Best {
        /// The move.
        mv: Move,
        /// What the position after it looks like.
        status: Status,
        /// The proof that it wins, if it does.
        win: Option<Proof>,
    },
    /// Every move but the excluded ones loses.
    OthersLose {
        /// The proof.
        proof: Proof,
    },
    /// Every move but these loses.
    Defences {
        /// The moves that are left, the best first, and what the positions after
        /// them look like.
        moves: Vec<(Move, Status)>,
        /// The proof that the others lose.
        proof: Proof,
    },
}

impl Answer {
    /// The proof that comes with it.
    pub fn proof(&self) -> Option<&Proof> {
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
pub struct Proof {
    /// Who wins.
    pub attacker: Side,
    /// How the defender's moves are walked.
    pub method: Method,
    /// What nothing is claimed about.
    pub except: Vec<Move>,
    /// The attacker's replies in the order of the walk.
    pub replies: Vec<Move>,
}

impl Proof {
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

    /// Reads the text back. The error says what was expected.
    pub fn parse(game: Game, text: &str) -> Result<Proof, String> {
        let (head, body) = text.split_once("\n\n").ok_or("a proof's header ends with an empty line")?;
        let field = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.map(str::trim).ok_or(format!("a proof has a line \"{name}: ...\""))
        };
        let moves = |text: &str| {
            let parse = |word: &str| game.parse_move(word).map_err(|error| format!("{word:.20}: {error}"));
            text.split_whitespace().map(parse).collect::<Result<Vec<Move>, String>>()
        };
        let method = field("method")?;
        let method = Method::ALL.into_iter().find(|m| m.name() == method);
        let replies = moves(body)?;
        if field("replies")? != replies.len().to_string() {
            return Err(format!("a proof with {} replies says it has {}", replies.len(), field("replies")?));
        }
        Ok(Proof {
            attacker: field("attacker")?.parse().map_err(|error| format!("attacker: {error}"))?,
            method: method.ok_or("method: expected rzop, srzop1, srzop2 or mutual")?,
            except: moves(field("except")?)?,
            replies,
        })
    }

    /// A name that no other proof has.
    pub fn id(&self, game: Game) -> ProofId {
        ProofId(hex(&Sha256::digest(self.text(game))))
    }
}

/// Names a proof by the SHA-256 of its text, as 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProofId(pub String);
