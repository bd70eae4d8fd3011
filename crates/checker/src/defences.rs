//! The critical defences, a batch at a time.
//!
//! There can be p^p of them, 16 million for p = 8, so they are not listed at once:
//! [`next_batch`] finds as many as it is allowed to, the first after a given one.

use crate::board::{Move, Square};
use crate::replies::{Pace, Replies};

/// Critical defences that follow one another.
pub(crate) struct Batch {
    /// In reverse order.
    pub(crate) list: Vec<Move>,
    /// The last one in order, if there are others after it.
    pub(crate) more_after: Option<Move>,
    /// The stones of the smallest of them; p + 1 if there are none.
    pub(crate) least: usize,
}

/// Finds the first `most` critical defences after `last`, or the first of all: the
/// minimal sets of at most p squares that have a square on every threat. Takes
/// memory for twice as many.
pub(crate) fn next_batch<S: Replies>(
    threats: &[Move],
    p: usize,
    last: Option<Move>,
    most: usize,
    pace: &mut Pace<'_, S>,
) -> Result<Batch, S::Error> {
    let mut search = Search { threats, p, after: last, up_to: None, most, found: Vec::new(), pace };
    match threats.is_empty() {
        true => search.add(Move::default()),
        false => search.extend(Move::default(), 0)?,
    }
    search.keep_first();
    let (mut list, more_after) = (search.found, search.up_to);
    list.reverse();
    let least = list.iter().map(|set| set.squares().len()).min().unwrap_or(p + 1);
    Ok(Batch { list, more_after, least })
}

struct Search<'a, 's, S> {
    threats: &'a [Move],
    p: usize,
    /// Sets after this one are wanted,
    after: Option<Move>,
    /// and none after this one: there are enough before it.
    up_to: Option<Move>,
    most: usize,
    found: Vec<Move>,
    pace: &'a mut Pace<'s, S>,
}

impl<S: Replies> Search<'_, '_, S> {
    /// Finds the critical defences that contain `chosen`, a minimal set that meets
    /// the threats before the one at `unmet`; some may be found more than once.
    /// That threat must be met on one of its squares. In a minimal set each square
    /// is the only one on some threat, and it is so in every part of the set. The
    /// square added is the only one on the unmet threat.
    fn extend(&mut self, chosen: Move, unmet: usize) -> Result<(), S::Error> {
        let threats = self.threats;
        let size = chosen.squares().len() + 1;
        for &s in threats[unmet].squares() {
            self.pace.spend(threats.len() * size * size)?;
            let meets =
                |threat: &Move| threat.contains(s) || chosen.squares().iter().any(|&s| threat.contains(s));
            let next = threats[unmet..].iter().position(|threat| !meets(threat));
            if next.is_some() && size == self.p {
                continue;
            }
            let set = chosen.with(s);
            let met_by = |threat: &Move| set.squares().iter().filter(|&&s| threat.contains(s)).count();
            let needed = |&s: &Square| threats.iter().any(|threat| threat.contains(s) && met_by(threat) == 1);
            match next {
                _ if !chosen.squares().iter().all(needed) => {}
                Some(more) => self.extend(set, unmet + more)?,
                None => self.add(set),
            }
        }
        Ok(())
    }

    fn add(&mut self, set: Move) {
        if self.after.is_some_and(|after| set <= after) || self.up_to.is_some_and(|last| set > last) {
            return;
        }
        self.found.push(set);
        if self.found.len() == 2 * self.most {
            self.keep_first();
        }
    }

    /// Sorts the sets found and keeps the first of them.
    fn keep_first(&mut self) {
        self.found.sort_unstable();
        self.found.dedup();
        if self.found.len() > self.most {
            self.found.truncate(self.most);
            self.up_to = self.found.last().copied();
        }
    }
}
