//! The certificates of an atlas, put together from their records.

use crate::{
    Atlas, AtlasError, METHOD, WINNER,
    delta::{Foretold, restored},
    entry::{Base, Digest, Proved},
};
use lambda6_proof::{Certificate, Replies};
use lambda6_rules::Symmetry;
use sha2::{Digest as _, Sha256};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

/// Memory for replies that may be needed again.
const CACHE_BYTES: usize = 1 << 30;
/// The most certificates that tell one another in a row.
pub(crate) const LONGEST_CHAIN: usize = 8;

/// Puts certificates together. Those that tell others are remembered.
#[derive(Default)]
pub struct Certificates {
    cache: Mutex<Cache>,
}

#[derive(Default)]
struct Cache {
    /// The one used last comes last.
    entries: VecDeque<((usize, u8), Arc<Replies>)>,
    bytes: usize,
}

impl Cache {
    fn get(&mut self, of: (usize, u8)) -> Option<Arc<Replies>> {
        let at = self.entries.iter().position(|(other, _)| *other == of)?;
        let entry = self.entries.remove(at)?;
        let replies = Arc::clone(&entry.1);
        self.entries.push_back(entry);
        Some(replies)
    }

    fn put(&mut self, of: (usize, u8), replies: &Arc<Replies>) {
        self.bytes += replies.bytes();
        self.entries.push_back((of, Arc::clone(replies)));
        while self.bytes > CACHE_BYTES && self.entries.len() > 1 {
            self.bytes -= self.entries.pop_front().map_or(0, |(_, replies)| replies.bytes());
        }
    }
}

impl Certificates {
    /// The certificate of an opening; `None` if it is not proved.
    pub fn certificate(&self, atlas: &Atlas, number: usize) -> Result<Option<Certificate>, AtlasError> {
        atlas.row(number).proved.map(|proved| self.restore(atlas, number, proved, 0)).transpose()
    }

    fn restore(
        &self,
        atlas: &Atlas,
        number: usize,
        proved: &Proved,
        depth: usize,
    ) -> Result<Certificate, AtlasError> {
        let position = atlas.openings().position(number);
        let foretold = match &proved.base {
            None => Foretold::default(),
            Some(base) => {
                let broken = |problem: &str| AtlasError::Certificate {
                    name: proved.name.clone(),
                    problem: format!("its base {}: {problem}", base.name),
                };
                if depth >= 4 * LONGEST_CHAIN {
                    return Err(broken("refers to itself, or too many others come before it"));
                }
                let number = atlas.openings().find(&base.name).ok_or_else(|| broken("is no opening"))?;
                let turn = turn_of(atlas, base).ok_or_else(|| broken("there is no such turn"))?;
                let replies = self.replies_at(atlas, number, (base.turn, turn), depth + 1)?;
                let replies = replies.ok_or_else(|| broken("is not proved"))?;
                replies.seen_from(&position).into_iter().collect()
            }
        };
        let restored = restored(&position, WINNER, METHOD, &proved.tokens, &foretold);
        restored.map_err(|error| AtlasError::refused(&proved.name, &error))
    }

    /// The replies of an opening's certificate, turned; `None` if it is not proved.
    pub fn replies(
        &self,
        atlas: &Atlas,
        number: usize,
        turn: u8,
    ) -> Result<Option<Arc<Replies>>, AtlasError> {
        let Some(symmetry) = Symmetry::of(atlas.game()).nth(turn.into()) else { return Ok(None) };
        self.replies_at(atlas, number, (turn, symmetry), 0)
    }

    fn replies_at(
        &self,
        atlas: &Atlas,
        number: usize,
        (turn, symmetry): (u8, Symmetry),
        depth: usize,
    ) -> Result<Option<Arc<Replies>>, AtlasError> {
        if let Some(replies) = self.lock().get((number, turn)) {
            return Ok(Some(replies));
        }
        let Some(proved) = atlas.row(number).proved else { return Ok(None) };
        let certificate = self.restore(atlas, number, proved, depth)?;
        let replies = Replies::turned(&certificate, symmetry);
        let replies = replies.map_err(|error| AtlasError::refused(&proved.name, &error))?;
        Ok(Some(self.remember((number, turn), replies)))
    }

    /// Keeps the replies of a certificate at hand.
    pub(crate) fn remember(&self, of: (usize, u8), replies: Replies) -> Arc<Replies> {
        let replies = Arc::new(replies);
        self.lock().put(of, &replies);
        replies
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The symmetry of a base.
fn turn_of(atlas: &Atlas, base: &Base) -> Option<Symmetry> {
    Symmetry::of(atlas.game()).nth(base.turn.into())
}

/// The text of a certificate, as the atlas gives it out: the program's version is not in it, so
/// that the same proof has the same digest for ever.
pub(crate) fn text(certificate: &Certificate) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = certificate.write_by(None, &mut text);
    text
}

/// The digest of that text.
pub(crate) fn digest(text: &[u8]) -> Digest {
    Digest(Sha256::digest(text).into())
}
