//! The files of a contest: records, certificates, and transcripts of failures.

use crate::{
    entrant::Entrant,
    openings::Opening,
    referee::{Finished, Reason},
    run::ContestError,
};
use lambda6_rules::{
    Game, Side,
    record::{Format, Record, WriteOptions},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The directory of a contest's files.
pub(crate) struct Files {
    directory: Option<PathBuf>,
    /// The directory for transcripts of a contest without a directory.
    temporary: Option<PathBuf>,
}

impl Files {
    pub(crate) fn new(directory: Option<&Path>) -> Result<Files, ContestError> {
        if let Some(directory) = directory {
            for name in ["games", "proofs", "failures"] {
                make(&directory.join(name))?;
            }
        }
        Ok(Files { directory: directory.map(Path::to_path_buf), temporary: None })
    }

    /// The path of the log.
    pub(crate) fn log(&self) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join("results.jsonl"))
    }

    /// Writes the files of a game. Returns the path of the transcript of a failure.
    pub(crate) fn keep(
        &mut self,
        name: &str,
        game: Game,
        players: [&Entrant; 2],
        opening: &Opening,
        finished: &Finished,
    ) -> Result<Option<String>, ContestError> {
        let name: String =
            name.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
        if let Some(directory) = &self.directory {
            write(
                &directory.join("games").join(format!("{name}.sgf")),
                &record(game, players, opening, finished),
            )?;
            if let Some(proof) = &finished.proof {
                write(&directory.join("proofs").join(format!("{name}.proof")), proof)?;
            }
        }
        let Some(failure) = &finished.failure else { return Ok(None) };
        let directory = self.failures()?;
        let moves: Vec<String> = finished.moves.iter().map(|mv| game.move_name(mv)).collect();
        let text = format!(
            "{failure}\nreason: {}\nblack: {}\nwhite: {}\nopening: {}\nmoves: {}\n\n{}",
            finished.reason.name(),
            players[0].terms(),
            players[1].terms(),
            opening.name,
            moves.join(" "),
            finished.transcript
        );
        let path = directory.join(format!("{name}.txt"));
        write(&path, text.as_bytes())?;
        Ok(Some(path.display().to_string()))
    }

    fn failures(&mut self) -> Result<PathBuf, ContestError> {
        if let Some(directory) = &self.directory {
            return Ok(directory.join("failures"));
        }
        if self.temporary.is_none() {
            let made = tempfile::Builder::new().prefix("lambda6-failures-").tempdir();
            let file = |error| ContestError::File { path: std::env::temp_dir(), error };
            self.temporary = Some(made.map_err(file)?.keep());
        }
        Ok(self.temporary.clone().unwrap_or_default())
    }
}

fn make(directory: &Path) -> Result<(), ContestError> {
    fs::create_dir_all(directory).map_err(|error| ContestError::File { path: directory.to_path_buf(), error })
}

/// Writes a file atomically; a game that is played again replaces its file.
fn write(path: &Path, bytes: &[u8]) -> Result<(), ContestError> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .map_err(|error| ContestError::File { path: path.to_path_buf(), error })
}

/// The game as SGF.
fn record(game: Game, players: [&Entrant; 2], opening: &Opening, finished: &Finished) -> Vec<u8> {
    // The referee has played the moves, so they are legal.
    let mut record = Record::from_moves(game, &finished.moves).unwrap_or_else(|_| Record::new(game));
    record.info.black = players[0].name.clone();
    record.info.white = players[1].name.clone();
    record.info.event = format!("opening {}", opening.name);
    let by = match finished.reason {
        Reason::Resigned => "R",
        Reason::Failed(crate::Failure::Time) => "T",
        Reason::Failed(_) => "F",
        _ => "",
    };
    record.info.result = match finished.winner {
        Some(Side::Black) => format!("B+{by}"),
        Some(Side::White) => format!("W+{by}"),
        None => "0".to_string(),
    };
    let last = record.walk().last().unwrap_or(record.root());
    let mut comment = format!("ended by: {}", finished.reason.name());
    if let Some(failure) = &finished.failure {
        comment += &format!("\n{failure}");
    }
    record.set_comment(last, &comment);
    let options = WriteOptions { lossy: true, ..WriteOptions::default() };
    record.write(Format::LittleGolem, &options).unwrap_or_default()
}
