//! Proofs that can be browsed: every defence one may try, the answer at once.
//!
//! A certificate is the attacker's replies in the order in which the checker
//! asks for them. [`Proof::check`] has the checker walk it once; the index for
//! browsing is built on the way.
//!
//! - `certificate` reads and checks the text.
//! - `index` keeps the questions of the walk.
//! - `browse` plays a line: the defender's moves and the proof's answers.
//! - `store` keeps proofs within a limit on memory.

mod browse;
mod certificate;
mod index;
mod store;

pub use browse::{AnswerDoc, AnswerRequest, DefenceDoc};
pub use store::{Proofs, Room};

use crate::{ApiError, Ceiling, Code, GameDoc, Stones, Work};
use index::Index;
use lambda6_checker::Checked;
use lambda6_rules::{Game, Position, Side};
use serde::{Deserialize, Serialize};
use std::{
    io::BufRead,
    sync::{Arc, atomic::Ordering},
};
use utoipa::ToSchema;

/// A valid certificate, and where to find its answers.
pub struct Proof {
    id: String,
    text: Vec<u8>,
    checked: Checked,
    position: Position,
    attacker: Side,
    /// Nothing if it does not fit into memory.
    index: Option<Index>,
}

/// What a certificate claims and how long it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProofDoc {
    /// The name under which it can be browsed and downloaded.
    pub id: String,
    /// The game.
    pub game: GameDoc,
    /// The position.
    pub start: Stones,
    /// Who wins.
    pub attacker: String,
    /// How the defender's moves are walked.
    pub method: String,
    /// How many replies there are.
    pub replies: u64,
    /// How many of them connect.
    pub wins: u64,
    /// The attacker's moves in the longest line.
    pub longest: u64,
    /// Of the others, how many leave 0, 1, ... threats; the last, more than can be met.
    pub by_threats: Vec<u64>,
    /// Bytes of the text.
    pub bytes: usize,
    /// Whether it is small enough to be browsed here.
    pub browsable: bool,
}

impl Proof {
    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.index.as_ref().map_or(0, Index::bytes)
    }

    /// The name: a hash of the text.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The certificate.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The claim, and what the checker counted.
    pub fn checked(&self) -> &Checked {
        &self.checked
    }

    fn game(&self) -> Game {
        self.position.game()
    }

    /// What it claims.
    pub fn doc(&self) -> ProofDoc {
        let summary = &self.checked.summary;
        ProofDoc {
            id: self.id.clone(),
            game: self.game().into(),
            start: Stones::of(&self.position),
            attacker: self.attacker.name().to_string(),
            method: self.checked.header.method.to_string(),
            replies: summary.replies,
            wins: summary.wins,
            longest: summary.longest,
            by_threats: summary.by_threats.clone(),
            bytes: self.text.len(),
            browsable: self.index.is_some(),
        }
    }
}

impl Proofs {
    /// Checks a certificate and keeps it. The check ends when the caller goes
    /// away, and after the time that a search may take. `progress` is told the
    /// number of replies.
    pub fn check(
        &self,
        input: impl BufRead,
        ceiling: &Ceiling,
        work: &Work<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<ProofDoc, ApiError> {
        let until = work.clock.elapsed().saturating_add(ceiling.time);
        let mut proceed = |replies: u64| {
            if work.stop.load(Ordering::Relaxed) {
                return Err(ApiError::new(Code::Busy, "the check was stopped"));
            }
            if work.clock.elapsed() >= until {
                return Err(ApiError::new(Code::Timeout, "the check takes longer than is allowed"));
            }
            progress(replies);
            Ok(())
        };
        let mut room = self.room();
        let proof = Arc::new(Proof::check(input, ceiling, &mut room, &mut proceed)?);
        let doc = proof.doc();
        self.insert(proof, room);
        Ok(doc)
    }

    /// Has the checker check the certificate of a win that was found, as it is
    /// written: a claim stands on what the checker says of the text.
    pub(crate) fn check_found(
        &self,
        certificate: Option<&lambda6_proof::Certificate>,
        ceiling: &Ceiling,
        work: &Work<'_>,
    ) -> Result<Option<ProofDoc>, ApiError> {
        let Some(certificate) = certificate else { return Ok(None) };
        let mut text = Vec::new();
        certificate.write(&mut text).map_err(ApiError::internal)?;
        self.check(&text[..], ceiling, work, &mut |_| {}).map(Some)
    }
}
