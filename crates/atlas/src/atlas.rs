//! What a log says of the openings.

use crate::{
    Group, LogError, NoOpenings, Openings,
    entry::{Proved, Record},
};
use lambda6_proof::CertifyError;
use lambda6_rules::{Game, Move};
use std::{collections::BTreeMap, path::Path};

/// Why an atlas cannot be read or filled.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// The game has none.
    #[error(transparent)]
    Game(#[from] NoOpenings),
    /// The directory.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A record is about no opening of the game.
    #[error("{0:?} is no opening of {1}")]
    Unknown(String, Game),
    /// The certificate of an opening cannot be put together.
    #[error("{name}: {problem}")]
    Certificate {
        /// The opening.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A file cannot be written.
    #[error("{}: {source}", path.display())]
    Unwritten {
        /// The file.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
    /// A search broke down.
    #[error("{name}: {problem}")]
    Search {
        /// The opening.
        name: String,
        /// What happened.
        problem: String,
    },
}

impl AtlasError {
    pub(crate) fn refused(name: &str, error: &CertifyError) -> AtlasError {
        AtlasError::Certificate { name: name.to_string(), problem: error.to_string() }
    }
}

/// The openings of a game, and what is known of each.
#[derive(Clone, Debug)]
pub struct Atlas {
    openings: Openings,
    records: Vec<Option<Record>>,
}

/// What is known of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The number of the opening.
    pub number: usize,
    /// The proof, if there is one.
    pub proved: Option<&'a Proved>,
    /// Moves tried in all attempts.
    pub spent: u64,
}

/// How many openings of a group are proved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub all: usize,
    /// Those with a certificate.
    pub proved: usize,
    /// Of the others, those that have been tried.
    pub tried: usize,
    /// Moves tried.
    pub spent: u64,
}

impl Atlas {
    /// An atlas of this game in which nothing is known.
    pub fn new(game: Game) -> Result<Atlas, NoOpenings> {
        let openings = Openings::of(game)?;
        let records = vec![None; openings.all().len()];
        Ok(Atlas { openings, records })
    }

    /// The atlas in a directory.
    pub fn read(directory: &Path, game: Game) -> Result<Atlas, AtlasError> {
        let mut atlas = Atlas::new(game)?;
        for record in crate::Log::read(directory, game)? {
            atlas.enter(record)?;
        }
        Ok(atlas)
    }

    /// Enters a record. A proof is never replaced.
    pub fn enter(&mut self, record: Record) -> Result<(), AtlasError> {
        let unknown = || AtlasError::Unknown(record.name().to_string(), self.openings.game());
        let number = self.openings.find(record.name()).ok_or_else(unknown)?;
        let entry = &mut self.records[number];
        if !matches!(entry, Some(Record::Proved(_))) {
            *entry = Some(record);
        }
        Ok(())
    }

    /// The openings.
    pub fn openings(&self) -> &Openings {
        &self.openings
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.openings.game()
    }

    /// What is known of an opening.
    pub fn row(&self, number: usize) -> Row<'_> {
        match &self.records[number] {
            Some(Record::Proved(proved)) => Row { number, proved: Some(proved), spent: proved.spent },
            Some(Record::Open { spent, .. }) => Row { number, proved: None, spent: *spent },
            None => Row { number, proved: None, spent: 0 },
        }
    }

    /// The same for all, in the order of the openings.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.records.len()).map(|number| self.row(number))
    }

    /// The proofs, with the numbers of their openings.
    pub fn proofs(&self) -> impl Iterator<Item = (usize, &Proved)> {
        self.rows().filter_map(|row| Some((row.number, row.proved?)))
    }

    /// The groups of openings, with counts.
    pub fn counts(&self) -> Vec<(Group, Counts)> {
        let mut groups: BTreeMap<Group, Counts> = BTreeMap::new();
        for row in self.rows() {
            let counts = groups.entry(self.openings.all()[row.number].group()).or_default();
            counts.all += 1;
            counts.proved += usize::from(row.proved.is_some());
            counts.tried += usize::from(row.proved.is_none() && row.spent > 0);
            counts.spent += row.spent;
        }
        groups.into_iter().collect()
    }

    /// The third moves of the proofs, the most frequent first, up to symmetry.
    pub fn thirds(&self) -> Vec<(Move, usize)> {
        let mut counts: BTreeMap<Move, usize> = BTreeMap::new();
        for (_, proved) in self.proofs() {
            let images = lambda6_rules::Symmetry::of(self.game());
            let least = images.map(|turn| turn.apply_to_move(self.game(), &proved.third)).min();
            *counts.entry(least.unwrap_or(proved.third)).or_default() += 1;
        }
        let mut thirds: Vec<(Move, usize)> = counts.into_iter().collect();
        thirds.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        thirds
    }
}
